//! One step of a root, recorded as a whole: the order is that of [`Batch`].
//!
//! A step may be the first scan of ten thousand files, and the server may be far away: so everything goes by lists, and
//! the number of statements does not grow with the step.

use super::documents::{self, Tally};
use super::journal::{self, State};
use super::subject::Subject;
use super::{Result, bells, evidence, images, life, roots, undo};
use loci_domain::change::{Change, Identity};
use loci_domain::path::EntryPath;
use loci_domain::row::Batch;
use sqlx::PgConnection;
use std::collections::{HashMap, HashSet};

/// What a step needs for itself: its place and whose it is, and the places of what was noticed.
pub(super) fn subject(batch: &Batch) -> Subject {
    let own = Subject::root(&batch.root.place).and(Subject::identity(&batch.root.identity));
    let noticed = batch.noticed.iter().map(|change| Subject::root(&change.place));
    noticed.fold(own.and(Subject::images().together()), Subject::and)
}

/// See [`crate::Journal::settle`].
pub(super) async fn settle(db: &mut PgConnection, batch: &Batch) -> Result<()> {
    let root = roots::identify(db, &batch.root).await?;
    let identity = &batch.root.identity;
    let mut tally = Tally::default();
    images::store(db, &batch.images).await?;
    notice(db, &batch.noticed).await?;
    undo::settle(db, &batch.settled).await?;
    relocate(db, root, identity, &batch.moved, &mut tally).await?;
    let gone: Vec<&str> = batch.gone.iter().map(EntryPath::as_str).collect();
    forget(db, root, identity, &gone, &mut tally).await?;
    let absent: Vec<&str> = batch.absent.iter().map(EntryPath::as_str).collect();
    documents::forget(db, root, &absent, &mut tally).await?;
    documents::keep(db, root, &batch.documents, &mut tally).await?;
    documents::restamp(db, root, &batch.restamped).await?;
    let used: Vec<_> = batch.used.iter().map(|path| (identity, path)).collect();
    life::touch(db, &used, batch.at).await?;
    life::accept(db, identity, &batch.accepted, batch.at).await?;
    evidence::keep(db, identity, &batch.evidence).await?;
    tally.apply(db, root).await?;
    bells::ring(db, "journal").await
}

async fn notice(db: &mut PgConnection, changes: &[Change]) -> Result<()> {
    let added = journal::insert(db, changes, State::Settled).await?;
    for change in changes {
        if let Some(undone) = &change.undoes
            && added.contains(&change.id.0)
        {
            undo::mark(db, &undone.0).await?;
        }
    }
    Ok(())
}

/// Moves files with all that is known of them, all at once: two files may have changed places.
async fn relocate(
    db: &mut PgConnection,
    root: i64,
    identity: &Identity,
    moved: &[(EntryPath, EntryPath)],
    tally: &mut Tally,
) -> Result<()> {
    if moved.is_empty() {
        return Ok(());
    }
    // Names that no path can have, for the time between.
    let between: Vec<String> = (0..moved.len()).map(|at| format!("\u{1}{at}")).collect();
    let mut seen = HashSet::new();
    let from: Vec<(&str, &str)> = moved
        .iter()
        .zip(&between)
        .map(|((from, _), between)| (from.as_str(), between.as_str()))
        .filter(|(from, _)| seen.insert(*from))
        .collect();
    rename(db, root, identity, &from).await?;
    // Of several that go to one name the last one stays.
    let last: HashMap<&str, &str> =
        moved.iter().zip(&between).map(|((_, to), between)| (to.as_str(), between.as_str())).collect();
    let (to, lost): (Vec<_>, Vec<_>) = moved
        .iter()
        .zip(&between)
        .map(|((_, to), between)| (between.as_str(), to.as_str()))
        .partition(|(between, to)| last.get(to) == Some(between));
    let paths: Vec<&str> = to.iter().map(|(_, to)| *to).collect();
    let lost = lost.iter().map(|(between, _)| *between);
    forget(db, root, identity, &paths.iter().copied().chain(lost).collect::<Vec<_>>(), tally).await?;
    rename(db, root, identity, &to).await?;
    documents::renumber(db, root, &paths, tally).await
}

async fn rename(db: &mut PgConnection, root: i64, identity: &Identity, pairs: &[(&str, &str)]) -> Result<()> {
    let (from, to): (Vec<&str>, Vec<&str>) = pairs.iter().copied().unzip();
    documents::rename(db, root, &from, &to).await?;
    life::rename(db, identity, &from, &to).await?;
    evidence::rename(db, identity, &from, &to).await
}

async fn forget(
    db: &mut PgConnection,
    root: i64,
    identity: &Identity,
    paths: &[&str],
    tally: &mut Tally,
) -> Result<()> {
    if paths.is_empty() {
        return Ok(());
    }
    documents::forget(db, root, paths, tally).await?;
    life::forget(db, identity, paths).await?;
    evidence::forget(db, identity, paths).await
}
