//! One step of a root, recorded as a whole: the order is that of [`Batch`].

use super::Result;
use super::documents::{self, Tally};
use super::journal::{self, State};
use super::{evidence, filing, images, life, roots, undo};
use loci_domain::change::{Change, Identity};
use loci_domain::path::EntryPath;
use loci_domain::row::Batch;
use rusqlite::{Connection, params};

/// See [`crate::Journal::settle`].
pub(super) fn settle(db: &Connection, batch: &Batch) -> Result<()> {
    let root = roots::identify(db, &batch.root)?;
    let identity = &batch.root.identity;
    let mut tally = Tally::default();
    images::store(db, &batch.images)?;
    batch.noticed.iter().try_for_each(|change| notice(db, change))?;
    batch.settled.iter().try_for_each(|id| undo::settle(db, id))?;
    relocate(db, root, identity, &batch.moved, &mut tally)?;
    for path in &batch.gone {
        documents::forget(db, root, path.as_str(), &mut tally)?;
        life::forget(db, identity, path.as_str())?;
        evidence::forget(db, identity, path.as_str())?;
    }
    for path in &batch.absent {
        documents::forget(db, root, path.as_str(), &mut tally)?;
    }
    batch.documents.iter().try_for_each(|row| documents::keep(db, root, row, &mut tally))?;
    batch.restamped.iter().try_for_each(|(path, stamp)| documents::restamp(db, root, path.as_str(), stamp))?;
    batch.used.iter().try_for_each(|path| life::touch(db, identity, path, batch.at))?;
    batch.accepted.iter().try_for_each(|digest| life::accept(db, identity, digest, batch.at))?;
    batch.evidence.iter().try_for_each(|found| evidence::keep(db, identity, found))?;
    filing::file_some(db)?;
    tally.apply(db, root)
}

fn notice(db: &Connection, change: &Change) -> Result<()> {
    match (journal::insert(db, change, State::Settled)?, &change.undoes) {
        (true, Some(undone)) => undo::mark(db, &undone.0),
        _ => Ok(()),
    }
}

/// Moves files with all that is known of them, all at once: two files may have changed places.
fn relocate(
    db: &Connection,
    root: i64,
    identity: &Identity,
    moved: &[(EntryPath, EntryPath)],
    tally: &mut Tally,
) -> Result<()> {
    // A name that no path can have, for the time between.
    let between = |at: usize| format!("\u{1}{at}");
    for (at, (from, _)) in moved.iter().enumerate() {
        rename(db, root, identity, from.as_str(), &between(at))?;
    }
    for (at, (_, to)) in moved.iter().enumerate() {
        documents::forget(db, root, to.as_str(), tally)?;
        life::forget(db, identity, to.as_str())?;
        evidence::forget(db, identity, to.as_str())?;
        rename(db, root, identity, &between(at), to.as_str())?;
        documents::renumber(db, root, to.as_str(), tally)?;
    }
    Ok(())
}

fn rename(db: &Connection, root: i64, identity: &Identity, from: &str, to: &str) -> Result<()> {
    db.prepare_cached("UPDATE documents SET path = ?3 WHERE root = ?1 AND path = ?2")?
        .execute(params![root, from, to])?;
    life::rename(db, identity, from, to)?;
    evidence::rename(db, identity, from, to)
}
