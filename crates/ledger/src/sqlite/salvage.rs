//! Reading what can still be read of a damaged ledger.
//!
//! Each table is read from both ends until a page cannot be read, so one bad page costs its own rows only.
//! Each row is decoded before it is kept: a new ledger never holds a row that would be damage to a reader.

use super::{Result, Trouble};
use super::{accounts, clients, codec, fault, images, migrate, sessions, spend, tasks, turns};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, Row, params_from_iter};
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

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

struct Table {
    select: &'static str,
    key: &'static str,
    insert: &'static str,
    /// Fails on a row that makes no sense.
    proof: fn(&Row<'_>) -> Result<()>,
}

const ROOTS: Table = Table {
    select: "SELECT id, place, identity FROM roots",
    key: "id",
    insert: "INSERT OR IGNORE INTO roots (id, place, identity) VALUES (?1, ?2, ?3)",
    proof: |row| Ok(row.get::<_, String>(1).map(drop)?),
};
const IMAGES: Table = Table {
    select: "SELECT digest, codec, size, data FROM images",
    key: "id",
    insert: "INSERT OR IGNORE INTO images (digest, codec, size, data) VALUES (?1, ?2, ?3, ?4)",
    proof: |row| images::unpack(&codec::digest(row, 0)?, row.get(1)?, row.get(2)?, row.get(3)?).map(drop),
};
const CHANGES: Table = Table {
    // In the order of `codec::change`, which proves it; the place is proved by its own row.
    select: "SELECT id, grouped, at, actor, op, '', path, new_path, before, after, undoes, seq, root, settled, undone
             FROM changes",
    key: "seq",
    insert: "INSERT OR IGNORE INTO changes
               (id, grouped, at, actor, op, path, new_path, before, after, undoes, seq, root, settled, undone)
             SELECT ?1, ?2, ?3, ?4, ?5, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15 WHERE ?6 = ''",
    proof: |row| {
        row.get::<_, i64>(12)?;
        row.get::<_, bool>(13)?;
        row.get::<_, bool>(14)?;
        codec::change(row).map(drop)
    },
};
const USAGE: Table = Table {
    select: "SELECT identity, path, uses, last_used_at FROM usage",
    key: "identity {}, path",
    insert: "INSERT OR IGNORE INTO usage VALUES (?1, ?2, ?3, ?4)",
    proof: |row| codec::path(row, 1).and(codec::count(row, 2)).and(codec::time(row.get(3)?)).map(drop),
};
const PINS: Table = Table {
    select: "SELECT identity, path, at FROM pins",
    key: "identity {}, path",
    insert: "INSERT OR IGNORE INTO pins VALUES (?1, ?2, ?3)",
    proof: |row| codec::path(row, 1).and(codec::time(row.get(2)?)).map(drop),
};
const ACCEPTED: Table = Table {
    select: "SELECT identity, digest, at FROM accepted",
    key: "identity {}, digest",
    insert: "INSERT OR IGNORE INTO accepted VALUES (?1, ?2, ?3)",
    proof: |row| codec::digest(row, 1).and(codec::time(row.get(2)?)).map(drop),
};
const NOTES: Table = Table {
    select: "SELECT key, value FROM notes",
    key: "key",
    insert: "INSERT OR IGNORE INTO notes VALUES (?1, ?2)",
    proof: |row| Ok(row.get::<_, String>(0).and(row.get::<_, String>(1)).map(drop)?),
};
const SPEND: Table = Table {
    select: "SELECT day, model, calls, input, output FROM spend",
    key: "day {}, model",
    insert: "INSERT OR IGNORE INTO spend VALUES (?1, ?2, ?3, ?4, ?5)",
    proof: |row| spend::spending(row).map(drop),
};

/// The key first: without it the marks mean nothing.
const FACT_KEY: Table = Table {
    select: "SELECT id, key FROM fact_key",
    key: "id",
    insert: "INSERT OR REPLACE INTO fact_key (id, key) VALUES (?1, ?2)",
    proof: |row| codec::digest(row, 1).map(drop),
};
const TOMBSTONES: Table = Table {
    select: "SELECT identity, mark, at FROM tombstones",
    key: "identity {}, mark",
    insert: "INSERT OR IGNORE INTO tombstones VALUES (?1, ?2, ?3)",
    proof: |row| codec::digest(row, 1).and(codec::time(row.get(2)?)).map(drop),
};
const SOURCES: Table = Table {
    select: "SELECT identity, fact, session, message, at FROM sources",
    key: "id",
    insert: "INSERT OR IGNORE INTO sources (identity, fact, session, message, at) VALUES (?1, ?2, ?3, ?4, ?5)",
    proof: |row| codec::digest(row, 1).and(codec::time(row.get(4)?)).map(drop),
};

/// Leases are not kept: whoever held one has lost its ledger.
const CURSORS: Table = Table {
    select: "SELECT identity, session, processed, at FROM cursors",
    key: "identity {}, session",
    insert: "INSERT OR IGNORE INTO cursors VALUES (?1, ?2, ?3, ?4)",
    proof: |row| codec::count(row, 2).and(codec::time(row.get(3)?)).map(drop),
};
const PROPOSALS: Table = Table {
    select: "SELECT identity, id, at, summary, body FROM proposals",
    key: "seq",
    insert: "INSERT OR IGNORE INTO proposals (identity, id, at, summary, body) VALUES (?1, ?2, ?3, ?4, ?5)",
    proof: |row| codec::time(row.get(2)?).and(Ok(row.get::<_, String>(4)?)).map(drop),
};

const CLIENTS: Table = Table {
    select: "SELECT id, at FROM clients",
    key: "seq",
    insert: "INSERT OR IGNORE INTO clients (id, at) VALUES (?1, ?2)",
    proof: |row| Ok(row.get::<_, String>(0)?).and(codec::time(row.get(1)?)).map(drop),
};
const TOKENS: Table = Table {
    select: "SELECT name, hash, read_only, at FROM tokens",
    key: "name",
    insert: "INSERT OR IGNORE INTO tokens VALUES (?1, ?2, ?3, ?4)",
    proof: |row| clients::token(row).map(drop),
};
const TASKS: Table = Table {
    select: "SELECT id, lane, kind, client, words, mode, scope, status, result, code, message, cuts, run, worker,
               created_at, updated_at, seq FROM tasks",
    key: "seq",
    insert: "INSERT OR IGNORE INTO tasks
               (id, lane, kind, client, words, mode, scope, status, result, code, message, cuts, run, worker,
                created_at, updated_at, seq)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    proof: |row| tasks::task(row).map(drop),
};

const ACCOUNTS: Table = Table {
    select: "SELECT id, name, hash, at FROM accounts",
    key: "id",
    insert: "INSERT OR IGNORE INTO accounts VALUES (?1, ?2, ?3, ?4)",
    proof: |row| accounts::account(row).map(drop),
};
const HOLDINGS: Table = Table {
    select: "SELECT id, account, body, created_at, updated_at, kind, seq FROM holdings",
    key: "seq",
    insert: "INSERT OR IGNORE INTO holdings (id, account, body, created_at, updated_at, kind, seq)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    proof: |row| accounts::card(row).and(Ok(row.get::<_, String>(5)?)).map(drop),
};
/// A turn that was running goes on: its caller knows nothing of the damage.
const CONVERSATIONS: Table = Table {
    select: "SELECT id, account, key, messages, created_at, updated_at, turn FROM conversations",
    key: "id",
    insert: "INSERT OR IGNORE INTO conversations (id, account, key, messages, created_at, updated_at, turn)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    proof: |row| turns::conversation(row).map(drop),
};
const TURNS: Table = Table {
    select: "SELECT seq, id, conversation, agent, event, status, until, account, claims, updated_at FROM turns",
    key: "seq",
    insert: "INSERT OR IGNORE INTO turns
               (seq, id, conversation, agent, event, status, until, account, claims, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    proof: |row| turns::turn(row).and(codec::time(row.get(9)?)).map(drop),
};
const LINES: Table = Table {
    select: "SELECT position, role, content, at, turn, covers_from, covers_to, event, conversation, id FROM lines",
    key: "id",
    insert: "INSERT OR IGNORE INTO lines
               (position, role, content, at, turn, covers_from, covers_to, event, conversation, id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    proof: |row| turns::line(row).map(drop),
};

/// Of sessions, what was said and where its words stand; since the second step of the schema.
const SESSIONS: [Table; 5] = [
    Table {
        select: "SELECT id, account, project, generation FROM talkers",
        key: "id",
        insert: "INSERT OR IGNORE INTO talkers VALUES (?1, ?2, ?3, ?4)",
        proof: |row| Ok(row.get::<_, String>(1).and(row.get::<_, String>(2)).and(row.get::<_, i64>(3)).map(drop)?),
    },
    Table {
        select: "SELECT id, talker, name, format, at, kept_at, messages FROM sessions",
        key: "id",
        insert: "INSERT OR IGNORE INTO sessions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        proof: |row| {
            row.get::<_, String>(2).and(row.get::<_, String>(3))?;
            codec::time(row.get(4)?).and(codec::time(row.get(5)?)).and(codec::count(row, 6)).map(drop)
        },
    },
    Table {
        select: "SELECT name, role, content, at, calls, mark, id, session, position FROM messages",
        key: "id",
        insert: "INSERT OR IGNORE INTO messages (name, role, content, at, calls, mark, id, session, position)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        proof: |row| sessions::message(row).and(codec::count(row, 8)).map(drop),
    },
    Table {
        select: "SELECT id, talker, session, first, maker, measures, terms, vectors FROM chunks",
        key: "id",
        insert: "INSERT OR IGNORE INTO chunks VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        proof: |row| {
            row.get_ref(5)?.as_blob().and(row.get_ref(6)?.as_blob()).map_err(rusqlite::Error::from)?;
            codec::count(row, 3).and(Ok(row.get::<_, String>(4)?)).map(drop)
        },
    },
    Table {
        select: "SELECT talker, term, chunk, places FROM spoken",
        key: "talker {}, term {}, chunk",
        insert: "INSERT OR IGNORE INTO spoken VALUES (?1, ?2, ?3, ?4)",
        proof: |row| Ok(row.get_ref(3)?.as_blob().map(drop).map_err(rusqlite::Error::from)?),
    },
];

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
    let later = [&FACT_KEY, &TOMBSTONES, &SOURCES, &CURSORS, &PROPOSALS, &CLIENTS, &TOKENS, &TASKS, &ACCOUNTS, &HOLDINGS, &CONVERSATIONS, &TURNS, &LINES];
    for facts in later.into_iter().filter(|facts| old.prepare(facts.select).is_ok()) {
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
