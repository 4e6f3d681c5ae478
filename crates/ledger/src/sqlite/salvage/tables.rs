//! The tables whose rows files cannot tell: how each is read, proved and kept.

use crate::Result;
use crate::columns::Columns;
use crate::rows::{accounts, journal, purge, sessions, spend, tasks, turns};
use rusqlite::Row;

pub(in crate::sqlite) struct Table {
    pub(in crate::sqlite) select: &'static str,
    pub(in crate::sqlite) key: &'static str,
    pub(in crate::sqlite) insert: &'static str,
    /// Fails on a row that makes no sense.
    pub(in crate::sqlite) proof: fn(&Row<'_>) -> Result<()>,
}

pub(super) const ROOTS: Table = Table {
    select: "SELECT id, place, identity FROM roots",
    key: "id",
    insert: "INSERT OR IGNORE INTO roots (id, place, identity) VALUES (?1, ?2, ?3)",
    proof: |row| row.text(1).map(drop),
};
pub(super) const IMAGES: Table = Table {
    select: "SELECT digest, codec, size, data FROM images",
    key: "id",
    insert: "INSERT OR IGNORE INTO images (digest, codec, size, data) VALUES (?1, ?2, ?3, ?4)",
    proof: |row| purge::image(row).map(drop),
};
pub(super) const CHANGES: Table = Table {
    // In the order of `journal::change`, which proves it; the place is proved by its own row.
    select: "SELECT id, grouped, at, actor, op, '', path, new_path, before, after, undoes, seq, root, settled, undone
             FROM changes",
    key: "seq",
    insert: "INSERT OR IGNORE INTO changes
               (id, grouped, at, actor, op, path, new_path, before, after, undoes, seq, root, settled, undone)
             SELECT ?1, ?2, ?3, ?4, ?5, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15 WHERE ?6 = ''",
    proof: |row| {
        row.number(12)?;
        row.flag(13)?;
        row.flag(14)?;
        journal::change(row).map(drop)
    },
};
pub(super) const USAGE: Table = Table {
    select: "SELECT identity, path, uses, last_used_at FROM usage",
    key: "identity {}, path",
    insert: "INSERT OR IGNORE INTO usage VALUES (?1, ?2, ?3, ?4)",
    proof: |row| row.path(1).and(row.count(2)).and(row.time(3)).map(drop),
};
pub(super) const PINS: Table = Table {
    select: "SELECT identity, path, at FROM pins",
    key: "identity {}, path",
    insert: "INSERT OR IGNORE INTO pins VALUES (?1, ?2, ?3)",
    proof: |row| row.path(1).and(row.time(2)).map(drop),
};
pub(super) const ACCEPTED: Table = Table {
    select: "SELECT identity, digest, at FROM accepted",
    key: "identity {}, digest",
    insert: "INSERT OR IGNORE INTO accepted VALUES (?1, ?2, ?3)",
    proof: |row| row.digest(1).and(row.time(2)).map(drop),
};
pub(super) const NOTES: Table = Table {
    select: "SELECT key, value FROM notes",
    key: "key",
    insert: "INSERT OR IGNORE INTO notes VALUES (?1, ?2)",
    proof: |row| row.text(0).and(row.text(1)).map(drop),
};
pub(super) const SPEND: Table = Table {
    select: "SELECT day, model, calls, input, output FROM spend",
    key: "day {}, model",
    insert: "INSERT OR IGNORE INTO spend VALUES (?1, ?2, ?3, ?4, ?5)",
    proof: |row| spend::spending(row).map(drop),
};

/// The key first: without it the marks mean nothing.
pub(super) const FACT_KEY: Table = Table {
    select: "SELECT id, key FROM fact_key",
    key: "id",
    insert: "INSERT OR REPLACE INTO fact_key (id, key) VALUES (?1, ?2)",
    proof: |row| row.digest(1).map(drop),
};
pub(super) const TOMBSTONES: Table = Table {
    select: "SELECT identity, mark, at FROM tombstones",
    key: "identity {}, mark",
    insert: "INSERT OR IGNORE INTO tombstones VALUES (?1, ?2, ?3)",
    proof: |row| row.digest(1).and(row.time(2)).map(drop),
};
pub(super) const SOURCES: Table = Table {
    select: "SELECT identity, fact, session, message, at FROM sources",
    key: "id",
    insert: "INSERT OR IGNORE INTO sources (identity, fact, session, message, at) VALUES (?1, ?2, ?3, ?4, ?5)",
    proof: |row| row.digest(1).and(row.time(4)).map(drop),
};

/// Leases are not kept: whoever held one has lost its ledger.
pub(super) const CURSORS: Table = Table {
    select: "SELECT identity, session, processed, at FROM cursors",
    key: "identity {}, session",
    insert: "INSERT OR IGNORE INTO cursors VALUES (?1, ?2, ?3, ?4)",
    proof: |row| row.count(2).and(row.time(3)).map(drop),
};
pub(super) const PROPOSALS: Table = Table {
    select: "SELECT identity, id, at, summary, body FROM proposals",
    key: "seq",
    insert: "INSERT OR IGNORE INTO proposals (identity, id, at, summary, body) VALUES (?1, ?2, ?3, ?4, ?5)",
    proof: |row| row.time(2).and(row.text(4)).map(drop),
};

pub(super) const CLIENTS: Table = Table {
    select: "SELECT id, at FROM clients",
    key: "seq",
    insert: "INSERT OR IGNORE INTO clients (id, at) VALUES (?1, ?2)",
    proof: |row| row.text(0).and(row.time(1)).map(drop),
};
pub(super) const TOKENS: Table = Table {
    select: "SELECT name, hash, read_only, at FROM tokens",
    key: "name",
    insert: "INSERT OR IGNORE INTO tokens VALUES (?1, ?2, ?3, ?4)",
    proof: |row| accounts::token(row).map(drop),
};
pub(super) const TASKS: Table = Table {
    select: "SELECT id, lane, kind, client, words, mode, scope, status, result, code, message, cuts, run, worker,
               created_at, updated_at, seq FROM tasks",
    key: "seq",
    insert: "INSERT OR IGNORE INTO tasks
               (id, lane, kind, client, words, mode, scope, status, result, code, message, cuts, run, worker,
                created_at, updated_at, seq)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    proof: |row| tasks::task(row).map(drop),
};

pub(super) const ACCOUNTS: Table = Table {
    select: "SELECT id, name, hash, at FROM accounts",
    key: "id",
    insert: "INSERT OR IGNORE INTO accounts VALUES (?1, ?2, ?3, ?4)",
    proof: |row| accounts::account(row).map(drop),
};
pub(super) const HOLDINGS: Table = Table {
    select: "SELECT id, account, body, created_at, updated_at, kind, seq FROM holdings",
    key: "seq",
    insert: "INSERT OR IGNORE INTO holdings (id, account, body, created_at, updated_at, kind, seq)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    proof: |row| accounts::card(row).and(row.text(5)).map(drop),
};
/// A turn that was running goes on: its caller knows nothing of the damage.
pub(super) const CONVERSATIONS: Table = Table {
    select: "SELECT id, account, key, messages, created_at, updated_at, turn FROM conversations",
    key: "id",
    insert: "INSERT OR IGNORE INTO conversations (id, account, key, messages, created_at, updated_at, turn)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    proof: |row| turns::conversation(row).map(drop),
};
pub(super) const TURNS: Table = Table {
    select: "SELECT seq, id, conversation, agent, event, status, until, account, claims, updated_at FROM turns",
    key: "seq",
    insert: "INSERT OR IGNORE INTO turns
               (seq, id, conversation, agent, event, status, until, account, claims, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    proof: |row| turns::turn(row).and(row.time(9)).map(drop),
};
pub(super) const LINES: Table = Table {
    select: "SELECT position, role, content, at, turn, covers_from, covers_to, event, conversation, id FROM lines",
    key: "id",
    insert: "INSERT OR IGNORE INTO lines
               (position, role, content, at, turn, covers_from, covers_to, event, conversation, id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    proof: |row| turns::line(row).map(drop),
};

pub(super) const TITLES: Table = Table {
    select: "SELECT session, title FROM titles",
    key: "session",
    insert: "INSERT OR IGNORE INTO titles VALUES (?1, ?2)",
    proof: |row| row.number(0).and(row.text(1)).map(drop),
};

/// Of sessions, what was said and where its words stand; since the second step of the schema.
pub(super) const SESSIONS: [Table; 5] = [
    Table {
        select: "SELECT id, account, project, generation FROM talkers",
        key: "id",
        insert: "INSERT OR IGNORE INTO talkers VALUES (?1, ?2, ?3, ?4)",
        proof: |row| row.text(1).and(row.text(2)).and(row.number(3)).map(drop),
    },
    Table {
        select: "SELECT id, talker, name, format, at, kept_at, messages FROM sessions",
        key: "id",
        insert: "INSERT OR IGNORE INTO sessions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        proof: |row| {
            row.text(2).and(row.text(3))?;
            row.time(4).and(row.time(5)).and(row.count(6)).map(drop)
        },
    },
    Table {
        select: "SELECT name, role, content, at, calls, mark, id, session, position FROM messages",
        key: "id",
        insert: "INSERT OR IGNORE INTO messages (name, role, content, at, calls, mark, id, session, position)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        proof: |row| sessions::message(row).and(row.count(8)).map(drop),
    },
    Table {
        select: "SELECT id, talker, session, first, maker, measures, terms, vectors FROM chunks",
        key: "id",
        insert: "INSERT OR IGNORE INTO chunks VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        proof: |row| {
            row.borrowed_bytes(5).and(row.borrowed_bytes(6))?;
            row.count(3).and(row.text(4)).map(drop)
        },
    },
    Table {
        select: "SELECT talker, term, chunk, places FROM spoken",
        key: "talker {}, term {}, chunk",
        insert: "INSERT OR IGNORE INTO spoken VALUES (?1, ?2, ?3, ?4)",
        proof: |row| row.borrowed_bytes(3).map(drop),
    },
];
