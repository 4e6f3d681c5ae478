//! The clients topic on PostgreSQL.

use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, codec};
use crate::rows::accounts::{select_token, token};
use crate::{Clients, Token};
use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::{query, query_scalar};

#[async_trait]
impl Clients for Postgres {
    async fn register_client(&self, id: &str, at: Timestamp, keep: usize) -> crate::Result<()> {
        // All of them are counted.
        writing!(self, Subject::table("clients"), Durability::Full, |db| {
            let add = query("INSERT INTO clients (id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING");
            add.bind(codec::text(id)).bind(at.as_microsecond()).execute(&mut *db).await?;
            let gone =
                query("DELETE FROM clients WHERE seq <= (SELECT seq FROM clients ORDER BY seq DESC LIMIT 1 OFFSET $1)");
            gone.bind(codec::limit(keep)).execute(&mut *db).await?;
            Ok(())
        })
    }

    async fn knows_client(&self, id: &str) -> crate::Result<bool> {
        asking!(self, |db| {
            let asked = query_scalar("SELECT EXISTS (SELECT FROM clients WHERE id = $1)");
            Ok(asked.bind(codec::text(id)).fetch_one(&mut *db).await?)
        })
    }

    async fn add_token(&self, token: &Token) -> crate::Result<bool> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let add =
                query("INSERT INTO tokens (name, hash, read_only, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING");
            let add = add.bind(codec::text(&token.name)).bind(&token.hash[..]).bind(token.read_only);
            Ok(add.bind(token.at.as_microsecond()).execute(&mut *db).await?.rows_affected() > 0)
        })
    }

    async fn token(&self, hash: &[u8; 32]) -> crate::Result<Option<Token>> {
        asking!(self, |db| {
            let asked = query(select_token!("WHERE hash = $1")).bind(&hash[..]);
            codec::first(asked.fetch_optional(&mut *db).await?, token)
        })
    }

    async fn tokens(&self) -> crate::Result<Vec<Token>> {
        asking!(self, |db| {
            let asked = query(select_token!("ORDER BY name"));
            codec::all(&asked.fetch_all(&mut *db).await?, token)
        })
    }

    async fn remove_token(&self, name: &str) -> crate::Result<bool> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let gone = query("DELETE FROM tokens WHERE name = $1").bind(codec::text(name)).execute(&mut *db).await?;
            Ok(gone.rows_affected() > 0)
        })
    }
}
