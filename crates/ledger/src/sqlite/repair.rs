//! What to do about a damaged ledger: look at it, or set it aside and start again with what can be read.
//!
//! Never works on the damaged file itself: rows are read from a copy, so the one that is set aside stays as it was found.
//! Invariant: a_crash_in_a_repair_loses_nothing. The damaged ledger lies where it was, with its log, or the new one is whole
//! and lies ready: then the next opening finds no ledger and puts that one in its place.

use super::Result;
use super::file::{self, COMPANIONS};
use super::salvage::{self, Salvaged};
use super::{fault, guard, migrate, open};
use crate::Error;
use jiff::Timestamp;
use rusqlite::Connection;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a repair kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// Where the damaged ledger lies now.
    pub aside: PathBuf,
    /// Changes of the journal.
    pub changes: u64,
    /// Images.
    pub images: u64,
    /// Files with their usage.
    pub usage: u64,
    /// Pins.
    pub pins: u64,
    /// Accepted bytes.
    pub accepted: u64,
    /// Notes.
    pub notes: u64,
}

/// See [`super::Sqlite::repair`].
pub(super) fn repair(path: &Path) -> Result<Repaired> {
    let _guard = guard::alone(path)?;
    if !path.exists() {
        return Err(Error::Missing(format!("a ledger at {}", path.display())).into());
    }
    let (copy, fresh) = (file::beside(path, ".salvage"), file::beside(path, ".repaired"));
    let kept = rebuild(path, &copy, &fresh);
    clear(&copy)?;
    let kept = kept.inspect_err(|_| drop(clear(&fresh)))?;
    let aside = swap(path, &fresh).map_err(|error| fault::io(&error, path))?;
    tracing::warn!(aside = %aside.display(), changes = kept.changes, images = kept.images, "the ledger was repaired");
    let Salvaged { changes, images, usage, pins, accepted, notes } = kept;
    Ok(Repaired { aside, changes, images, usage, pins, accepted, notes })
}

/// Fills a new ledger with what a copy of the damaged one still says.
fn rebuild(path: &Path, copy: &Path, fresh: &Path) -> Result<Salvaged> {
    clear(copy)?;
    clear(fresh)?;
    clear(&file::beside(path, file::READY))?;
    for suffix in ["", "-wal"] {
        let (from, to) = (file::beside(path, suffix), file::beside(copy, suffix));
        match fs::copy(&from, &to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(fault::io(&error, &to).into());
            }
            _ => {}
        }
    }
    drop(open::writer(fresh)?);
    let old = salvage::open(copy, fresh)?;
    if let Some(found) = old.as_ref().and_then(|old| migrate::version(old).ok()).filter(|found| *found > migrate::KNOWN)
    {
        return Err(Error::Newer { found, known: migrate::KNOWN }.into());
    }
    let (mut new, _) = open::writer(fresh)?;
    let kept = old.map_or(Ok(Salvaged::default()), |old| salvage::copy(&old, &mut new))?;
    // Closing brings everything from the log into the file, on disk.
    new.close().map_err(|(_, error)| error)?;
    Ok(kept)
}

/// Puts the new one in the place of the damaged one, which goes aside with what lies beside it.
fn swap(path: &Path, fresh: &Path) -> io::Result<PathBuf> {
    let now = Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    let names = (1..).map(|try_| if try_ == 1 { format!(".damaged-{now}") } else { format!(".damaged-{now}-{try_}") });
    let mut names = names.map(|name| file::beside(path, &name));
    let aside = names.find(|name| !name.exists()).unwrap_or_else(|| unreachable!("the numbers do not end"));
    for (from, to) in steps(path, fresh, &aside) {
        fs::rename(from, to)?;
    }
    fs::File::open(file::folder(path))?.sync_all()?;
    Ok(aside)
}

/// The renames of a swap. The log goes after its database: a damaged one without it would be opened as if it had never held
/// what is only there. And it goes before the new one comes, which it would ruin.
fn steps(path: &Path, fresh: &Path, aside: &Path) -> Vec<(PathBuf, PathBuf)> {
    let ready = file::beside(path, file::READY);
    let mut steps = vec![(fresh.to_owned(), ready.clone()), (path.to_owned(), aside.to_owned())];
    let companions = COMPANIONS.map(|companion| (file::beside(path, companion), file::beside(aside, companion)));
    steps.extend(companions.into_iter().filter(|(from, _)| from.exists()));
    steps.push((ready, path.to_owned()));
    steps
}

fn clear(path: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let path = file::beside(path, suffix);
        file::remove(&path).map_err(|error| fault::io(&error, &path))?;
    }
    Ok(())
}

/// See [`super::Sqlite::check`].
pub(super) fn check(db: &Connection) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    match lines(db, "PRAGMA integrity_check", |row| row.get(0)) {
        Ok(said) => wrong.extend(said.into_iter().filter(|line| line != "ok")),
        Err(error) if fault::is_damage(&error) => return Ok(vec![error.0.to_string()]),
        Err(error) => return Err(error),
    }
    wrong.extend(lines(db, "PRAGMA foreign_key_check", |row| {
        Ok(format!("a row of {} refers to a missing row of {}", row.get::<_, String>(0)?, row.get::<_, String>(2)?))
    })?);
    wrong.extend(lines(
        db,
        "SELECT place FROM roots WHERE files <> (SELECT count(*) FROM documents WHERE root = roots.id)
           OR cards <> (SELECT count(*) FROM documents WHERE root = roots.id AND name IS NOT NULL)",
        |row| Ok(format!("the sums of {} are wrong", row.get::<_, String>(0)?)),
    )?);
    Ok(wrong)
}

fn lines(db: &Connection, sql: &str, read: fn(&rusqlite::Row<'_>) -> rusqlite::Result<String>) -> Result<Vec<String>> {
    let mut statement = db.prepare(sql)?;
    let lines = statement.query_map([], read)?.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(lines)
}

#[cfg(test)]
mod tests;
