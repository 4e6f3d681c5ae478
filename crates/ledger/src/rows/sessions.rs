//! Rows of sessions, of their messages and of the chunks of those.

use crate::columns::Columns;
use crate::sessions::measures;
use crate::{Chunk, Kept, Message, Result, Session, Whose};
use loci_domain::transcript::Role;

/// Asks for sessions as [`kept`] reads them; the number of a session is the first column.
macro_rules! select_session {
    ($rest:literal) => {
        concat!(
            "SELECT s.id, account, project, name, coalesce(title, ''), format, at, kept_at, messages
             FROM sessions s JOIN talkers t ON t.id = s.talker LEFT JOIN titles ON titles.session = s.id ",
            $rest
        )
    };
}

/// Asks for messages as [`message`] reads them.
macro_rules! select_message {
    ($rest:literal) => {
        concat!("SELECT name, role, content, at, calls, mark FROM messages ", $rest)
    };
}

/// Asks for chunks as [`chunk`] reads them; the numbers of the chunk and of its session are the first columns.
macro_rules! select_chunk {
    ($rest:literal) => {
        concat!("SELECT id, session, first, maker, measures, vectors FROM chunks ", $rest)
    };
}
pub(crate) use {select_chunk, select_message, select_session};

pub(crate) fn kept(row: &impl Columns, number: u64) -> Result<Kept> {
    let session = Session {
        whose: Whose { account: row.text(1)?, project: row.text(2)? },
        id: row.text(3)?,
        title: row.text(4)?,
        format: row.text(5)?,
        at: row.time(6)?,
        kept_at: row.time(7)?,
    };
    Ok(Kept { number, session, messages: row.count(8)? })
}

pub(crate) fn message(row: &impl Columns) -> Result<Message> {
    Ok(Message {
        id: row.text(0)?,
        role: row.word(1, Role::from_word)?,
        content: row.text(2)?,
        at: row.maybe_time(3)?,
        calls: row.text(4)?,
        mark: row.number(5)?.cast_unsigned(),
    })
}

pub(crate) fn chunk(row: &impl Columns, number: u64, session: u64) -> Result<Chunk> {
    Ok(Chunk {
        number,
        session,
        first: row.count(2)?,
        maker: row.text(3)?,
        measures: measures(row.borrowed_bytes(4)?),
        vectors: row.bytes(5)?,
    })
}
