//! The tellings topic on SQLite.

use super::engine::Durability;
use super::{Sqlite, codec};
use crate::columns::Columns;
use crate::rows::tellings::{select_telling, telling};
use crate::{Listener, Telling, Tellings};
use async_trait::async_trait;
use rusqlite::{Row, params};

/// What ends a room in the list of them: no name has it.
const END: char = '\u{1f}';

#[async_trait]
impl Tellings for Sqlite {
    async fn tell(&self, telling: &Telling, keep: usize) -> crate::Result<u64> {
        let telling = telling.clone();
        self.write(Durability::Normal, move |tx| {
            tx.prepare_cached("INSERT INTO tellings (room, kind, data, client) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![telling.room, telling.kind, telling.data, telling.client])?;
            let number = tx.last_insert_rowid();
            tx.prepare_cached("DELETE FROM tellings WHERE seq <= ?1")?.execute([number - codec::limit(keep)])?;
            Ok(number.unsigned_abs())
        })
        .await
    }

    async fn told(&self, after: u64, limit: usize) -> crate::Result<Vec<(u64, Telling)>> {
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_telling!("WHERE seq > ?1 ORDER BY seq LIMIT ?2"))?;
            codec::all(statement.query([codec::number(after), codec::limit(limit)])?, telling)
        })
        .await
    }

    async fn last_told(&self) -> crate::Result<u64> {
        self.read(|db| {
            let mut statement = db.prepare_cached("SELECT coalesce(max(seq), 0) FROM tellings")?;
            Ok(statement.query_row([], |row| Ok(row.count(0)))??)
        })
        .await
    }

    async fn admit(&self, listener: &Listener, keep: usize) -> crate::Result<()> {
        let listener = listener.clone();
        self.write(Durability::Normal, move |tx| {
            tx.prepare_cached("INSERT OR REPLACE INTO listeners (id, account, rooms) VALUES (?1, ?2, ?3)")?
                .execute(params![listener.id, listener.account, joined(&listener.rooms)])?;
            tx.prepare_cached("DELETE FROM listeners WHERE seq <= ?1")?
                .execute([tx.last_insert_rowid() - codec::limit(keep)])?;
            Ok(())
        })
        .await
    }

    async fn admitted(&self, id: &str) -> crate::Result<Option<Listener>> {
        let id = id.to_owned();
        self.read(move |db| {
            let mut statement = db.prepare_cached("SELECT id, account, rooms FROM listeners WHERE id = ?1")?;
            codec::first(statement.query([id])?, listener)
        })
        .await
    }
}

fn listener(row: &Row<'_>) -> crate::Result<Listener> {
    let rooms = row.text(2)?;
    Ok(Listener {
        id: row.text(0)?,
        account: row.text(1)?,
        rooms: rooms.split_terminator(END).map(str::to_owned).collect(),
    })
}

fn joined(rooms: &[String]) -> String {
    rooms.iter().flat_map(|room| room.chars().chain([END])).collect()
}
