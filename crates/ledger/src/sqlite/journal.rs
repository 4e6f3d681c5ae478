//! The journal topic on SQLite; settling is in `settle.rs`, retention in `prune.rs`.

use super::Result;
use super::engine::Durability;
use super::{Sqlite, codec, images, prune, roots, settle, undo};
use crate::rows::journal::{at_or_below, change, numbered, referred, select_change};
use crate::{Journal, Log, Pruned, Retention};
use async_trait::async_trait;
use loci_domain::change::{Change, ChangeId, GroupId, Image, Place};
use loci_domain::digest::Digest;
use loci_domain::row::Batch;
use rusqlite::{Connection, params};

#[async_trait]
impl Journal for Sqlite {
    async fn intend(&self, changes: &[Change], images: &[Image]) -> crate::Result<()> {
        let (changes, images) = (changes.to_vec(), images.to_vec());
        self.write(Durability::Full, move |tx| {
            images::store(tx, &images)?;
            changes.iter().try_for_each(|change| insert(tx, change, State::Pending).map(drop))
        })
        .await
    }

    async fn settle(&self, batch: Batch) -> crate::Result<()> {
        self.write(Durability::Normal, move |tx| settle::settle(tx, &batch)).await
    }

    async fn void(&self, ids: &[ChangeId]) -> crate::Result<()> {
        let ids = ids.to_vec();
        self.write(Durability::Full, move |tx| ids.iter().try_for_each(|id| void(tx, id))).await
    }

    async fn pending(&self, place: &Place) -> crate::Result<Vec<Change>> {
        let place = place.clone();
        self.read(move |db| {
            let Some(root) = roots::find(db, &place)? else { return Ok(Vec::new()) };
            let mut statement = db.prepare_cached(select_change!(
                by "changes_pending",
                "WHERE root = ?1 AND settled = 0 ORDER BY seq"
            ))?;
            codec::all(statement.query([root])?, change)
        })
        .await
    }

    async fn changes(&self, ask: &Log) -> crate::Result<Vec<Change>> {
        let ask = ask.clone();
        self.read(move |db| changes(db, &ask)).await
    }

    async fn change(&self, id: &ChangeId) -> crate::Result<Option<Change>> {
        let id = id.clone();
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_change!("WHERE changes.id = ?1 AND settled = 1"))?;
            codec::first(statement.query([&id.0])?, change)
        })
        .await
    }

    async fn group(&self, id: &GroupId) -> crate::Result<Vec<Change>> {
        let id = id.clone();
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_change!("WHERE grouped = ?1 AND settled = 1 ORDER BY seq"))?;
            codec::all(statement.query([&id.0])?, change)
        })
        .await
    }

    async fn last_undoable(&self, places: &[Place]) -> crate::Result<Vec<Change>> {
        let places = places.to_vec();
        self.read(move |db| undo::last(db, &places)).await
    }

    async fn image(&self, digest: &Digest) -> crate::Result<Option<Vec<u8>>> {
        let digest = *digest;
        self.read(move |db| images::load(db, &digest)).await
    }

    async fn prune(&self, keep: Retention) -> crate::Result<Pruned> {
        self.write(Durability::Normal, move |tx| prune::prune(tx, keep)).await
    }
}

/// Whether a change is already true on disk.
#[derive(Clone, Copy)]
pub(super) enum State {
    Pending,
    Settled,
}

/// Writes a change; `false` = its id is on record, and it stays as it is.
pub(super) fn insert(db: &Connection, change: &Change, state: State) -> Result<bool> {
    let root = roots::ensure(db, &change.place)?;
    let mut statement = db.prepare_cached(
        "INSERT INTO changes (id, grouped, root, at, actor, op, path, new_path, before, after, undoes, settled)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT (id) DO NOTHING",
    )?;
    let added = statement.execute(params![
        change.id.0,
        change.group.0,
        root,
        change.at.as_microsecond(),
        change.actor.word(),
        change.op.word(),
        change.path.as_str(),
        change.new_path.as_ref().map(|path| path.as_str()),
        change.before.as_ref().map(Digest::as_bytes),
        change.after.as_ref().map(Digest::as_bytes),
        change.undoes.as_ref().map(|id| &id.0),
        matches!(state, State::Settled),
    ])?;
    Ok(added > 0)
}

fn void(db: &Connection, id: &ChangeId) -> Result<()> {
    let mut statement =
        db.prepare_cached("DELETE FROM changes WHERE id = ?1 AND settled = 0 RETURNING before, after")?;
    let gone = codec::first(statement.query([&id.0])?, referred)?;
    for digest in gone.into_iter().flatten() {
        images::release(db, &digest)?;
    }
    Ok(())
}

/// Each place is asked for its own newest ones, so that the cost goes with the limit and not with the journal.
fn changes(db: &Connection, ask: &Log) -> Result<Vec<Change>> {
    let limit = codec::limit(ask.limit);
    let mut found = Vec::new();
    for place in &ask.places {
        let Some(root) = roots::find(db, place)? else { continue };
        let Some(path) = &ask.path else {
            let mut statement = db.prepare_cached(select_change!(
                by "changes_order",
                "WHERE root = ?1 AND settled = 1 ORDER BY seq DESC LIMIT ?2"
            ))?;
            found.extend(codec::all(statement.query([root, limit])?, numbered)?);
            continue;
        };
        // Two ranges each, because one with OR would leave the index.
        for (sql, [from, to]) in [
            select_change!(by "changes_root", "WHERE root = ?1 AND path >= ?3 AND path < ?4 AND settled = 1 ORDER BY seq DESC LIMIT ?2"),
            select_change!(by "changes_new_path", "WHERE root = ?1 AND new_path >= ?3 AND new_path < ?4 AND settled = 1 ORDER BY seq DESC LIMIT ?2"),
        ]
        .into_iter()
        .flat_map(|sql| at_or_below(path).map(|range| (sql, range)))
        {
            let mut statement = db.prepare_cached(sql)?;
            found.extend(codec::all(statement.query(params![root, limit, from, to])?, numbered)?);
        }
    }
    found.sort_by_key(|(seq, _)| std::cmp::Reverse(*seq));
    found.dedup_by_key(|(seq, _)| *seq);
    found.truncate(ask.limit);
    Ok(found.into_iter().map(|(_, change)| change).collect())
}
