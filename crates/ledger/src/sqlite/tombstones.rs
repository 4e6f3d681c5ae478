//! The tombstones topic on SQLite.

use super::engine::Durability;
use super::{Result, Sqlite, fault};
use crate::Tombstones;
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::change::Identity;
use loci_domain::digest::Digest;
use loci_domain::fact::Key;
use rusqlite::{Connection, params};

#[async_trait]
impl Tombstones for Sqlite {
    async fn fact_key(&self) -> crate::Result<Key> {
        self.read(|db| {
            let key: Vec<u8> = db.prepare_cached("SELECT key FROM fact_key")?.query_row([], |row| row.get(0))?;
            Key::from_bytes(&key).ok_or_else(|| fault::damaged("the key of facts"))
        })
        .await
    }

    async fn bury(&self, identity: &Identity, marks: &[Digest], at: Timestamp) -> crate::Result<()> {
        let (identity, marks) = (identity.clone(), marks.to_vec());
        self.write(Durability::Full, move |tx| {
            let mut bury = tx.prepare_cached(
                "INSERT INTO tombstones (identity, mark, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            )?;
            for mark in &marks {
                bury.execute(params![identity.0, mark.as_bytes(), at.as_microsecond()])?;
            }
            Ok(())
        })
        .await
    }

    async fn is_buried(&self, identities: &[Identity], marks: &[Digest]) -> crate::Result<bool> {
        let pairs = pairs(identities, marks);
        self.read(move |db| any(db, "SELECT 1 FROM tombstones WHERE identity = ?1 AND mark = ?2", &pairs)).await
    }

    async fn exhume(&self, identities: &[Identity], marks: &[Digest]) -> crate::Result<bool> {
        let pairs = pairs(identities, marks);
        // Most facts were never forgotten, and a write would cost a sync of the disk for nothing.
        let known = pairs.clone();
        let there =
            self.read(move |db| any(db, "SELECT 1 FROM tombstones WHERE identity = ?1 AND mark = ?2", &known)).await?;
        if !there {
            return Ok(false);
        }
        self.write(Durability::Full, move |tx| {
            any(tx, "DELETE FROM tombstones WHERE identity = ?1 AND mark = ?2 RETURNING 1", &pairs)
        })
        .await
    }
}

fn pairs(identities: &[Identity], marks: &[Digest]) -> Vec<(Identity, Digest)> {
    identities.iter().flat_map(|identity| marks.iter().map(|mark| (identity.clone(), *mark))).collect()
}

/// Runs a statement for every pair; says whether one of them gave a row.
fn any(db: &Connection, sql: &str, pairs: &[(Identity, Digest)]) -> Result<bool> {
    let mut statement = db.prepare_cached(sql)?;
    let mut found = false;
    for (identity, mark) in pairs {
        let mut rows = statement.query(params![identity.0, mark.as_bytes()])?;
        while rows.next()?.is_some() {
            found = true;
        }
    }
    Ok(found)
}
