//! The accounts topic on SQLite.

use super::engine::Durability;
use super::{Sqlite, codec};
use crate::rows::accounts::{account, card, select_account, select_card};
use crate::{Account, Accounts, Card, Holding};
use async_trait::async_trait;
use rusqlite::params;

#[async_trait]
impl Accounts for Sqlite {
    async fn add_account(&self, account: &Account) -> crate::Result<bool> {
        let account = account.clone();
        self.write(Durability::Full, move |tx| {
            let mut add = tx.prepare_cached("INSERT OR IGNORE INTO accounts VALUES (?1, ?2, ?3, ?4)")?;
            Ok(add.execute(params![account.id, account.name, account.hash, account.at.as_microsecond()])? > 0)
        })
        .await
    }

    async fn account_of_key(&self, hash: &[u8; 32]) -> crate::Result<Option<Account>> {
        let hash = *hash;
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_account!("WHERE hash = ?1"))?;
            codec::first(statement.query([hash])?, account)
        })
        .await
    }

    async fn accounts(&self) -> crate::Result<Vec<Account>> {
        self.read(|db| {
            let mut statement = db.prepare_cached(select_account!("ORDER BY name"))?;
            codec::all(statement.query([])?, account)
        })
        .await
    }

    async fn remove_account(&self, id: &str) -> crate::Result<bool> {
        let id = id.to_owned();
        self.write(Durability::Full, move |tx| {
            Ok(tx.prepare_cached("DELETE FROM accounts WHERE id = ?1")?.execute([id])? > 0)
        })
        .await
    }

    async fn add_holding(&self, kind: Holding, card: &Card, most: usize) -> crate::Result<bool> {
        let card = card.clone();
        self.write(Durability::Full, move |tx| {
            let mut add = tx.prepare_cached(
                "INSERT INTO holdings (kind, account, id, body, created_at, updated_at)
                 SELECT ?1, ?2, ?3, ?4, ?5, ?6
                 WHERE (SELECT count(*) FROM holdings WHERE account = ?2 AND kind = ?1) < ?7",
            )?;
            let (made, changed) = (card.created_at.as_microsecond(), card.updated_at.as_microsecond());
            let given = params![kind.word(), card.account, card.id, card.body, made, changed, codec::limit(most)];
            Ok(add.execute(given)? > 0)
        })
        .await
    }

    async fn holding(&self, kind: Holding, account: &str, id: &str) -> crate::Result<Option<Card>> {
        let (account, id) = (account.to_owned(), id.to_owned());
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_card!("WHERE id = ?3 AND account = ?2 AND kind = ?1"))?;
            codec::first(statement.query(params![kind.word(), account, id])?, card)
        })
        .await
    }

    async fn holdings(&self, kind: Holding, account: &str) -> crate::Result<Vec<Card>> {
        let account = account.to_owned();
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_card!("WHERE account = ?2 AND kind = ?1 ORDER BY seq"))?;
            codec::all(statement.query(params![kind.word(), account])?, card)
        })
        .await
    }

    async fn change_holding(&self, kind: Holding, card: &Card, before: &str) -> crate::Result<bool> {
        let (card, before) = (card.clone(), before.to_owned());
        self.write(Durability::Full, move |tx| {
            let mut change = tx.prepare_cached(
                "UPDATE holdings SET body = ?4, updated_at = ?5
                 WHERE id = ?3 AND account = ?2 AND kind = ?1 AND body = ?6",
            )?;
            let at = card.updated_at.as_microsecond();
            Ok(change.execute(params![kind.word(), card.account, card.id, card.body, at, before])? > 0)
        })
        .await
    }

    async fn remove_holding(&self, kind: Holding, account: &str, id: &str) -> crate::Result<bool> {
        let (account, id) = (account.to_owned(), id.to_owned());
        self.write(Durability::Full, move |tx| {
            let mut remove = tx.prepare_cached("DELETE FROM holdings WHERE id = ?3 AND account = ?2 AND kind = ?1")?;
            Ok(remove.execute(params![kind.word(), account, id])? > 0)
        })
        .await
    }
}
