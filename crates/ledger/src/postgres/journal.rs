//! The journal topic on PostgreSQL; settling is in `settle.rs`, retention in `prune.rs`.

use super::engine::{Durability, asking, reading, writing};
use super::subject::Subject;
use super::{Postgres, Result, codec, images, prune, roots, settle, undo};
use crate::rows::journal::{at_or_below, change, numbered, referred, select_change};
use crate::{Journal, Log, Pruned, Retention};
use async_trait::async_trait;
use loci_domain::change::{Change, ChangeId, GroupId, Image, Place};
use loci_domain::digest::Digest;
use loci_domain::row::Batch;
use sqlx::PgConnection;
use std::collections::{BTreeMap, HashSet};

#[async_trait]
impl Journal for Postgres {
    async fn intend(&self, changes: &[Change], images: &[Image]) -> crate::Result<()> {
        let places = changes.iter().map(|change| Subject::root(&change.place));
        let subject = places.fold(Subject::images().together(), Subject::and);
        writing!(self, subject, Durability::Full, |db| {
            images::store(db, images).await?;
            insert(db, changes, State::Pending).await.map(drop)
        })
    }

    async fn settle(&self, batch: Batch) -> crate::Result<()> {
        let subject = settle::subject(&batch);
        writing!(self, subject, Durability::Normal, |db| { settle::settle(db, &batch).await })
    }

    async fn void(&self, ids: &[ChangeId]) -> crate::Result<()> {
        writing!(self, Subject::images(), Durability::Full, |db| { void(db, ids).await })
    }

    async fn pending(&self, place: &Place) -> crate::Result<Vec<Change>> {
        asking!(self, |db| {
            let rows = sqlx::query(select_change!("WHERE place = $1 AND NOT settled ORDER BY seq"))
                .bind(codec::text(&place.0))
                .fetch_all(&mut *db)
                .await?;
            codec::all(&rows, change)
        })
    }

    async fn changes(&self, ask: &Log) -> crate::Result<Vec<Change>> {
        reading!(self, |db| { changes(db, ask).await })
    }

    async fn change(&self, id: &ChangeId) -> crate::Result<Option<Change>> {
        asking!(self, |db| {
            let row = sqlx::query(select_change!("WHERE changes.id = $1 AND settled"))
                .bind(codec::text(&id.0))
                .fetch_optional(&mut *db)
                .await?;
            codec::first(row, change)
        })
    }

    async fn group(&self, id: &GroupId) -> crate::Result<Vec<Change>> {
        asking!(self, |db| {
            let rows = sqlx::query(select_change!("WHERE grouped = $1 AND settled ORDER BY seq"))
                .bind(codec::text(&id.0))
                .fetch_all(&mut *db)
                .await?;
            codec::all(&rows, change)
        })
    }

    async fn last_undoable(&self, places: &[Place]) -> crate::Result<Vec<Change>> {
        reading!(self, |db| { undo::last(db, places).await })
    }

    async fn image(&self, digest: &Digest) -> crate::Result<Option<Vec<u8>>> {
        asking!(self, |db| { images::load(db, digest).await })
    }

    async fn prune(&self, keep: Retention) -> crate::Result<Pruned> {
        writing!(self, Subject::images(), Durability::Normal, |db| { prune::prune(db, keep).await })
    }
}

/// Whether a change is already true on disk.
#[derive(Clone, Copy)]
pub(super) enum State {
    Pending,
    Settled,
}

/// Writes changes in their order; says the ids of those that are new. One whose id is on record stays as it is.
pub(super) async fn insert(db: &mut PgConnection, changes: &[Change], state: State) -> Result<HashSet<String>> {
    if changes.is_empty() {
        return Ok(HashSet::new());
    }
    let mut numbers: BTreeMap<&Place, i64> = BTreeMap::new();
    for change in changes {
        if !numbers.contains_key(&change.place) {
            numbers.insert(&change.place, roots::ensure(db, &change.place).await?);
        }
    }
    let digest = |digest: &Option<Digest>| digest.map(|digest| digest.as_bytes().to_vec());
    let added = sqlx::query_scalar(
        "INSERT INTO changes (id, grouped, root, at, actor, op, path, new_path, before, after, undoes, settled)
         SELECT id, grouped, root, at, actor, op, path, new_path, before, after, undoes, $12
         FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[],
             $8::text[], $9::bytea[], $10::bytea[], $11::text[]) WITH ORDINALITY
           AS new (id, grouped, root, at, actor, op, path, new_path, before, after, undoes, place)
         ORDER BY place ON CONFLICT (id) DO NOTHING RETURNING id",
    )
    .bind(changes.iter().map(|change| codec::text(&change.id.0)).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| codec::text(&change.group.0)).collect::<Vec<_>>())
    .bind(changes.iter().filter_map(|change| numbers.get(&change.place).copied()).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| change.at.as_microsecond()).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| change.actor.word()).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| change.op.word()).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| change.path.as_str()).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| change.new_path.as_ref().map(|path| path.as_str())).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| digest(&change.before)).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| digest(&change.after)).collect::<Vec<_>>())
    .bind(changes.iter().map(|change| change.undoes.as_ref().map(|id| codec::text(&id.0))).collect::<Vec<_>>())
    .bind(matches!(state, State::Settled))
    .fetch_all(db)
    .await?;
    Ok(added.into_iter().collect())
}

async fn void(db: &mut PgConnection, ids: &[ChangeId]) -> Result<()> {
    let gone = sqlx::query("DELETE FROM changes WHERE id = ANY($1) AND NOT settled RETURNING before, after")
        .bind(ids.iter().map(|id| codec::text(&id.0)).collect::<Vec<_>>())
        .fetch_all(&mut *db)
        .await?;
    let digests = codec::all(&gone, referred)?.concat();
    if digests.is_empty() { Ok(()) } else { images::release(db, &digests).await }
}

/// Each place is asked for its own newest ones, so that the cost goes with the limit and not with the journal.
async fn changes(db: &mut PgConnection, ask: &Log) -> Result<Vec<Change>> {
    let mut found = Vec::new();
    for place in &ask.places {
        let Some(root) = roots::find(db, place).await? else { continue };
        let limit = codec::limit(ask.limit);
        let Some(path) = &ask.path else {
            let sql = select_change!("WHERE root = $1 AND settled ORDER BY seq DESC LIMIT $2");
            let rows = sqlx::query(sql).bind(root).bind(limit).fetch_all(&mut *db).await?;
            found.extend(codec::all(&rows, numbered)?);
            continue;
        };
        for (sql, [from, to]) in [
            select_change!("WHERE root = $1 AND path >= $3 AND path < $4 AND settled ORDER BY seq DESC LIMIT $2"),
            select_change!(
                "WHERE root = $1 AND new_path >= $3 AND new_path < $4 AND settled ORDER BY seq DESC LIMIT $2"
            ),
        ]
        .into_iter()
        .flat_map(|sql| at_or_below(path).map(|range| (sql, range)))
        {
            let rows = sqlx::query(sql).bind(root).bind(limit).bind(from).bind(to).fetch_all(&mut *db).await?;
            found.extend(codec::all(&rows, numbered)?);
        }
    }
    found.sort_by_key(|(seq, _)| std::cmp::Reverse(*seq));
    found.dedup_by_key(|(seq, _)| *seq);
    found.truncate(ask.limit);
    Ok(found.into_iter().map(|(_, change)| change).collect())
}
