//! The clients topic on SQLite.

use super::engine::Durability;
use super::{Sqlite, codec};
use crate::rows::accounts::{select_token, token};
use crate::{Clients, Token};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::params;

#[async_trait]
impl Clients for Sqlite {
    async fn register_client(&self, id: &str, at: Timestamp, keep: usize) -> crate::Result<()> {
        let id = id.to_owned();
        self.write(Durability::Full, move |tx| {
            tx.prepare_cached("INSERT OR IGNORE INTO clients (id, at) VALUES (?1, ?2)")?
                .execute(params![id, at.as_microsecond()])?;
            tx.prepare_cached(
                "DELETE FROM clients WHERE seq <= (SELECT seq FROM clients ORDER BY seq DESC LIMIT 1 OFFSET ?1)",
            )?
            .execute([codec::limit(keep)])?;
            Ok(())
        })
        .await
    }

    async fn knows_client(&self, id: &str) -> crate::Result<bool> {
        let id = id.to_owned();
        self.read(move |db| Ok(db.prepare_cached("SELECT 1 FROM clients WHERE id = ?1")?.exists([id])?)).await
    }

    async fn add_token(&self, token: &Token) -> crate::Result<bool> {
        let token = token.clone();
        self.write(Durability::Full, move |tx| {
            let mut add = tx.prepare_cached("INSERT OR IGNORE INTO tokens VALUES (?1, ?2, ?3, ?4)")?;
            Ok(add.execute(params![token.name, token.hash, token.read_only, token.at.as_microsecond()])? > 0)
        })
        .await
    }

    async fn token(&self, hash: &[u8; 32]) -> crate::Result<Option<Token>> {
        let hash = *hash;
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_token!("WHERE hash = ?1"))?;
            codec::first(statement.query([hash])?, token)
        })
        .await
    }

    async fn tokens(&self) -> crate::Result<Vec<Token>> {
        self.read(|db| {
            let mut statement = db.prepare_cached(select_token!("ORDER BY name"))?;
            codec::all(statement.query([])?, token)
        })
        .await
    }

    async fn remove_token(&self, name: &str) -> crate::Result<bool> {
        let name = name.to_owned();
        self.write(Durability::Full, move |tx| {
            Ok(tx.prepare_cached("DELETE FROM tokens WHERE name = ?1")?.execute([name])? > 0)
        })
        .await
    }
}
