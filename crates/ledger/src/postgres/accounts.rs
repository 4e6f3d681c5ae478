//! The accounts topic on PostgreSQL.

use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, codec};
use crate::rows::accounts::{account, card, select_account, select_card};
use crate::{Account, Accounts, Card, Holding};
use async_trait::async_trait;
use sqlx::query;

#[async_trait]
impl Accounts for Postgres {
    async fn add_account(&self, account: &Account) -> crate::Result<bool> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let add = query("INSERT INTO accounts (id, name, hash, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING");
            let add = add.bind(codec::text(&account.id)).bind(codec::text(&account.name));
            let add = add.bind(&account.hash[..]).bind(account.at.as_microsecond());
            Ok(add.execute(&mut *db).await?.rows_affected() > 0)
        })
    }

    async fn account_of_key(&self, hash: &[u8; 32]) -> crate::Result<Option<Account>> {
        asking!(self, |db| {
            let asked = query(select_account!("WHERE hash = $1")).bind(&hash[..]);
            codec::first(asked.fetch_optional(&mut *db).await?, account)
        })
    }

    async fn accounts(&self) -> crate::Result<Vec<Account>> {
        asking!(self, |db| {
            let asked = query(select_account!("ORDER BY name"));
            codec::all(&asked.fetch_all(&mut *db).await?, account)
        })
    }

    async fn remove_account(&self, id: &str) -> crate::Result<bool> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let gone = query("DELETE FROM accounts WHERE id = $1").bind(codec::text(id)).execute(&mut *db).await?;
            Ok(gone.rows_affected() > 0)
        })
    }

    async fn add_holding(&self, kind: Holding, card: &Card, most: usize) -> crate::Result<bool> {
        // They are counted before one is added.
        writing!(self, Subject::of("holdings", &[&card.account, kind.word()]), Durability::Full, |db| {
            let add = query(
                "INSERT INTO holdings (kind, account, id, body, created_at, updated_at)
                 SELECT $1, $2, $3, $4, $5, $6
                 WHERE (SELECT count(*) FROM holdings WHERE account = $2 AND kind = $1) < $7",
            );
            let add = add
                .bind(kind.word())
                .bind(codec::text(&card.account))
                .bind(codec::text(&card.id))
                .bind(codec::text(&card.body))
                .bind(card.created_at.as_microsecond())
                .bind(card.updated_at.as_microsecond())
                .bind(codec::limit(most));
            Ok(add.execute(&mut *db).await?.rows_affected() > 0)
        })
    }

    async fn holding(&self, kind: Holding, account: &str, id: &str) -> crate::Result<Option<Card>> {
        asking!(self, |db| {
            let asked = query(select_card!("WHERE id = $3 AND account = $2 AND kind = $1"));
            let asked = asked.bind(kind.word()).bind(codec::text(account)).bind(codec::text(id));
            codec::first(asked.fetch_optional(&mut *db).await?, card)
        })
    }

    async fn holdings(&self, kind: Holding, account: &str) -> crate::Result<Vec<Card>> {
        asking!(self, |db| {
            let asked = query(select_card!("WHERE account = $2 AND kind = $1 ORDER BY seq"));
            codec::all(&asked.bind(kind.word()).bind(codec::text(account)).fetch_all(&mut *db).await?, card)
        })
    }

    async fn change_holding(&self, kind: Holding, card: &Card, before: &str) -> crate::Result<bool> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let change = query(
                "UPDATE holdings SET body = $4, updated_at = $5
                 WHERE id = $3 AND account = $2 AND kind = $1 AND body = $6",
            );
            let change = change
                .bind(kind.word())
                .bind(codec::text(&card.account))
                .bind(codec::text(&card.id))
                .bind(codec::text(&card.body))
                .bind(card.updated_at.as_microsecond())
                .bind(codec::text(before));
            Ok(change.execute(&mut *db).await?.rows_affected() > 0)
        })
    }

    async fn remove_holding(&self, kind: Holding, account: &str, id: &str) -> crate::Result<bool> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let remove = query("DELETE FROM holdings WHERE id = $3 AND account = $2 AND kind = $1");
            let remove = remove.bind(kind.word()).bind(codec::text(account)).bind(codec::text(id));
            Ok(remove.execute(&mut *db).await?.rows_affected() > 0)
        })
    }
}
