//! The provenance topic on PostgreSQL.

use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, codec};
use crate::rows::provenance::source;
use crate::{Provenance, SOURCES_KEPT, Source};
use async_trait::async_trait;
use loci_domain::change::Identity;
use loci_domain::digest::Digest;
use sqlx::query;

#[async_trait]
impl Provenance for Postgres {
    async fn note_source(&self, identity: &Identity, fact: &Digest, source: &Source) -> crate::Result<()> {
        // The sources of a fact are counted, and their numbers are in the order in which they came.
        writing!(self, Subject::of("sources", &[&identity.0]), Durability::Full, |db| {
            let note = query(
                "INSERT INTO sources (identity, fact, session, message, at) VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT (identity, fact, session, message) DO UPDATE SET at = excluded.at",
            );
            note.bind(codec::text(&identity.0))
                .bind(fact.as_bytes())
                .bind(codec::text(&source.session))
                .bind(codec::text(source.message.as_deref().unwrap_or_default()))
                .bind(source.at.as_microsecond())
                .execute(&mut *db)
                .await?;
            let gone = query(
                "DELETE FROM sources WHERE identity = $1 AND fact = $2 AND id NOT IN (
                   SELECT id FROM sources WHERE identity = $1 AND fact = $2 ORDER BY id DESC LIMIT $3)",
            );
            let gone = gone.bind(codec::text(&identity.0)).bind(fact.as_bytes()).bind(i64::from(SOURCES_KEPT));
            gone.execute(&mut *db).await?;
            Ok(())
        })
    }

    async fn sources(&self, identity: &Identity, fact: &Digest) -> crate::Result<Vec<Source>> {
        asking!(self, |db| {
            let asked = query("SELECT session, message, at FROM sources WHERE identity = $1 AND fact = $2 ORDER BY id");
            let asked = asked.bind(codec::text(&identity.0)).bind(fact.as_bytes());
            codec::all(&asked.fetch_all(&mut *db).await?, source)
        })
    }

    async fn forget_sources(&self, identity: &Identity, facts: &[Digest]) -> crate::Result<()> {
        writing!(self, Subject::of("sources", &[&identity.0]), Durability::Full, |db| {
            let facts: Vec<&[u8]> = facts.iter().map(|fact| fact.as_bytes()).collect();
            let forget = query("DELETE FROM sources WHERE identity = $1 AND fact = ANY($2)");
            forget.bind(codec::text(&identity.0)).bind(facts).execute(&mut *db).await?;
            Ok(())
        })
    }
}
