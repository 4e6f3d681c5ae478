//! Rows of turns, of conversations and of what is said in them.

use crate::columns::Columns;
use crate::{Conversation, Line, Result, Turn, TurnStatus};
use loci_domain::transcript::Role;

/// The columns of a turn, in the order that [`turn`] reads them, from a table `t`.
macro_rules! turn_columns {
    () => {
        "t.seq, t.id, t.conversation, t.agent, t.event, t.status, t.until"
    };
}

/// Asks for turns as [`turn`] reads them, `with` columns behind.
macro_rules! select_turn {
    ($(with $more:literal,)? $rest:literal) => {
        concat!("SELECT ", $crate::rows::turns::turn_columns!(), $(", ", $more,)? " FROM turns t ", $rest)
    };
}

/// Asks for conversations as [`conversation`] reads them.
macro_rules! select_conversation {
    ($rest:literal) => {
        concat!("SELECT id, account, key, messages, created_at, updated_at FROM conversations ", $rest)
    };
}

/// Asks for lines as [`line`] and [`brought`] read them.
macro_rules! select_line {
    ($rest:literal) => {
        concat!("SELECT position, role, content, at, turn, covers_from, covers_to, event FROM lines ", $rest)
    };
}
pub(crate) use {select_conversation, select_line, select_turn, turn_columns};

pub(crate) fn turn(row: &impl Columns) -> Result<Turn> {
    Ok(Turn {
        token: row.count(0)?,
        id: row.text(1)?,
        conversation: row.count(2)?,
        agent: row.text(3)?,
        event: row.text(4)?,
        status: row.word(5, TurnStatus::from_word)?,
        until: row.time(6)?,
    })
}

pub(crate) fn conversation(row: &impl Columns) -> Result<Conversation> {
    Ok(Conversation {
        number: row.count(0)?,
        account: row.text(1)?,
        key: row.text(2)?,
        messages: row.count(3)?,
        created_at: row.time(4)?,
        updated_at: row.time(5)?,
    })
}

pub(crate) fn line(row: &impl Columns) -> Result<Line> {
    let covers = row.maybe(5, Columns::count)?.zip(row.maybe(6, Columns::count)?);
    Ok(Line {
        position: row.count(0)?,
        role: row.word(1, Role::from_word)?,
        content: row.text(2)?,
        at: row.time(3)?,
        turn: row.text(4)?,
        covers,
    })
}

/// Reads a line, and whether this event brought it.
pub(crate) fn brought(row: &impl Columns, event: &str) -> Result<(Line, bool)> {
    Ok((line(row)?, row.maybe_text(7)?.as_deref() == Some(event)))
}
