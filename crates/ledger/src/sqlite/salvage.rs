//! Reading what can still be read of a damaged ledger.
//!
//! Each table is read from both ends until a page cannot be read, so one bad page costs its own rows only.
//! Each row is decoded before it is kept: a new ledger never holds a row that would be damage to a reader.

mod tables;

use super::{Result, Trouble};
use super::{extractions, fault, migrate};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
pub(super) use tables::Table;
use tables::*;

/// How many rows were kept.
#[derive(Debug, Default)]
pub(super) struct Salvaged {
    pub(super) changes: u64,
    pub(super) images: u64,
    pub(super) usage: u64,
    pub(super) pins: u64,
    pub(super) accepted: u64,
    pub(super) notes: u64,
}

/// Opens a copy of a damaged ledger; `None` = nothing of it can be read.
///
/// The first page tells where each table starts. When it is lost, that of a new ledger fits: tables of one schema
/// always start on the same pages, because they were all made in the same order in an empty file.
pub(super) fn open(copy: &Path, fresh: &Path) -> Result<Option<Connection>> {
    for _ in 0..2 {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(copy, flags)?;
        let tables = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0));
        match tables.map_err(Trouble::from) {
            Ok(0) => return Ok(None),
            Ok(_) => return Ok(Some(connection)),
            Err(error) if fault::is_damage(&error) => drop(connection),
            Err(error) => return Err(error),
        }
        if !graft(copy, fresh).map_err(|error| fault::io(&error, copy))? {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Gives a copy the first page of a new ledger; `false` = it has no second page that would be worth it.
fn graft(copy: &Path, fresh: &Path) -> io::Result<bool> {
    const PAGE: usize = 4096;
    let pages = u32::try_from(fs::metadata(copy)?.len() / PAGE as u64).unwrap_or(u32::MAX);
    if pages < 2 {
        return Ok(false);
    }
    let mut first = [0; PAGE];
    fs::File::open(fresh)?.read_exact(&mut first)?;
    // How many pages there are, and that none of them is free: the list of free ones belongs to the lost page.
    first[28..32].copy_from_slice(&pages.to_be_bytes());
    first[32..40].fill(0);
    OpenOptions::new().write(true).open(copy)?.write_all(&first)?;
    Ok(true)
}

/// Copies what can be read.
pub(super) fn copy(old: &Connection, new: &mut Connection) -> Result<Salvaged> {
    // A change whose place is lost is kept all the same, and gets a place below.
    new.execute_batch("PRAGMA foreign_keys = OFF")?;
    let tx = new.transaction()?;
    table(old, &tx, &ROOTS)?;
    table(old, &tx, &SPEND)?;
    let kept = Salvaged {
        images: table(old, &tx, &IMAGES)?,
        changes: table(old, &tx, &CHANGES)?,
        usage: table(old, &tx, &USAGE)?,
        pins: table(old, &tx, &PINS)?,
        accepted: table(old, &tx, &ACCEPTED)?,
        notes: table(old, &tx, &NOTES)?,
    };
    // A ledger of an older schema has no such tables yet.
    let later = [
        &FACT_KEY,
        &TOMBSTONES,
        &SOURCES,
        &CURSORS,
        &PROPOSALS,
        &CLIENTS,
        &TOKENS,
        &TASKS,
        &ACCOUNTS,
        &HOLDINGS,
        &CONVERSATIONS,
        &TURNS,
        &LINES,
        &TITLES,
    ];
    for facts in later.into_iter().chain(&extractions::SALVAGED).filter(|facts| old.prepare(facts.select).is_ok()) {
        table(old, &tx, facts)?;
    }
    if migrate::version(old).is_ok_and(|version| version >= 2) {
        for topic in &SESSIONS {
            table(old, &tx, topic)?;
        }
    }
    tx.execute(
        "INSERT INTO roots (id, place) SELECT DISTINCT root, 'lost:' || root FROM changes
         WHERE root NOT IN (SELECT id FROM roots)",
        [],
    )?;
    tx.commit()?;
    Ok(kept)
}

fn table(old: &Connection, new: &Connection, table: &Table) -> Result<u64> {
    let mut kept = 0;
    for direction in ["ASC", "DESC"] {
        let sql = format!("{} ORDER BY {} {direction}", table.select, table.key.replace("{}", direction));
        match pass(old, new, table, &sql, &mut kept) {
            Ok(()) => break,
            Err(error) if fault::is_damage(&error) => {
                tracing::warn!(error = %error.0, %sql, "rows were lost")
            }
            Err(error) => return Err(error),
        }
    }
    Ok(kept)
}

fn pass(old: &Connection, new: &Connection, table: &Table, sql: &str, kept: &mut u64) -> Result<()> {
    let mut statement = match old.prepare(sql) {
        Ok(statement) => statement,
        // A table that is not in the schema any more.
        Err(error) => return Err(fault::damaged(error.to_string())),
    };
    let columns = statement.column_count();
    let mut insert = new.prepare_cached(table.insert)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if (table.proof)(row).is_ok() {
            let values = (0..columns).map(|at| row.get::<_, Value>(at)).collect::<rusqlite::Result<Vec<_>>>()?;
            *kept += insert.execute(params_from_iter(values))? as u64;
        }
    }
    Ok(())
}
