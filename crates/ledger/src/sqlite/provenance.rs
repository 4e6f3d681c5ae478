//! The provenance topic on SQLite.

use super::engine::Durability;
use super::{Sqlite, codec};
use crate::rows::provenance::source;
use crate::{Provenance, SOURCES_KEPT, Source};
use async_trait::async_trait;
use loci_domain::change::Identity;
use loci_domain::digest::Digest;
use rusqlite::params;

#[async_trait]
impl Provenance for Sqlite {
    async fn note_source(&self, identity: &Identity, fact: &Digest, source: &Source) -> crate::Result<()> {
        let (identity, fact, source) = (identity.clone(), *fact, source.clone());
        self.write(Durability::Full, move |tx| {
            tx.prepare_cached(
                "INSERT INTO sources (identity, fact, session, message, at) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (identity, fact, session, message) DO UPDATE SET at = excluded.at",
            )?
            .execute(params![
                identity.0,
                fact.as_bytes(),
                source.session,
                source.message.unwrap_or_default(),
                source.at.as_microsecond()
            ])?;
            tx.prepare_cached(
                "DELETE FROM sources WHERE identity = ?1 AND fact = ?2 AND id NOT IN (
                   SELECT id FROM sources WHERE identity = ?1 AND fact = ?2 ORDER BY id DESC LIMIT ?3)",
            )?
            .execute(params![identity.0, fact.as_bytes(), SOURCES_KEPT])?;
            Ok(())
        })
        .await
    }

    async fn sources(&self, identity: &Identity, fact: &Digest) -> crate::Result<Vec<Source>> {
        let (identity, fact) = (identity.clone(), *fact);
        self.read(move |db| {
            let mut statement = db.prepare_cached(
                "SELECT session, message, at FROM sources WHERE identity = ?1 AND fact = ?2 ORDER BY id",
            )?;
            codec::all(statement.query(params![identity.0, fact.as_bytes()])?, source)
        })
        .await
    }

    async fn forget_sources(&self, identity: &Identity, facts: &[Digest]) -> crate::Result<()> {
        let (identity, facts) = (identity.clone(), facts.to_vec());
        self.write(Durability::Full, move |tx| {
            let mut forget = tx.prepare_cached("DELETE FROM sources WHERE identity = ?1 AND fact = ?2")?;
            for fact in &facts {
                forget.execute(params![identity.0, fact.as_bytes()])?;
            }
            Ok(())
        })
        .await
    }
}
