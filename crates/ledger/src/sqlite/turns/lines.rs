//! What is said in conversations: put behind what is there, and never changed.

use crate::rows::turns::{brought, line, select_line};
use crate::sqlite::{Result, codec};
use crate::{Line, Spoken, Turn, Visible, turns};
use rusqlite::{Connection, params};

pub(super) fn append(
    db: &Connection,
    conversation: u64,
    turn: &str,
    event: Option<&str>,
    messages: &[Spoken],
    now: i64,
) -> Result<()> {
    let conversation = codec::number(conversation);
    let first = length(db, conversation)?;
    let mut insert = db.prepare_cached(
        "INSERT INTO lines (conversation, position, role, at, turn, event, content) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (message, position) in messages.iter().zip(first..) {
        insert.execute(params![conversation, position, message.role.word(), now, turn, event, message.content])?;
    }
    grown(db, conversation, first + codec::limit(messages.len()), now)
}

pub(super) fn summarise(db: &Connection, turn: &Turn, content: &str, covers: (u64, u64), now: i64) -> Result<()> {
    let conversation = codec::number(turn.conversation);
    let position = length(db, conversation)?;
    let (from, to) = (codec::number(covers.0), codec::number(covers.1));
    db.prepare_cached(
        "INSERT INTO lines (conversation, position, role, at, turn, covers_from, covers_to, content)
         VALUES (?1, ?2, 'system', ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![conversation, position, now, turn.id, from, to, content])?;
    grown(db, conversation, position + 1, now)
}

pub(super) fn from(db: &Connection, conversation: u64, from: u64, limit: usize) -> Result<Vec<Line>> {
    let mut statement =
        db.prepare_cached(select_line!("WHERE conversation = ?1 AND position >= ?2 ORDER BY position LIMIT ?3"))?;
    codec::all(statement.query(params![codec::number(conversation), codec::number(from), codec::limit(limit)])?, line)
}

pub(super) fn calls(db: &Connection, conversation: u64) -> Result<Vec<Line>> {
    let mut statement = db.prepare_cached(select_line!(
        "WHERE conversation = ?1
           AND EXISTS (SELECT 1 FROM lines WHERE conversation = ?1 AND instr(content, '\"tool-approval-request\"') > 0)
           AND (instr(content, '\"tool-') > 0 OR position = (SELECT messages - 1 FROM conversations WHERE id = ?1))
         ORDER BY position"
    ))?;
    codec::all(statement.query([codec::number(conversation)])?, line)
}

pub(super) fn visible(db: &Connection, turn: &Turn) -> Result<Visible> {
    let conversation = codec::number(turn.conversation);
    let mut last = db.prepare_cached(select_line!(
        "WHERE conversation = ?1 AND role = 'system' AND covers_to IS NOT NULL ORDER BY position DESC LIMIT 1"
    ))?;
    let summary = codec::first(last.query([conversation])?, line)?;
    let mut told = db.prepare_cached(select_line!(
        "WHERE conversation = ?1 AND role = 'system' AND covers_to IS NULL ORDER BY position"
    ))?;
    let persisted = codec::all(told.query([conversation])?, line)?;
    let mut others = db.prepare_cached(select_line!(
        "WHERE conversation = ?1 AND role <> 'system' AND (position > ?2 OR event = ?3) ORDER BY position"
    ))?;
    let others = others.query(params![conversation, turns::covered(summary.as_ref()), turn.event])?;
    let rest = codec::all(others, |row| brought(row, &turn.event))?;
    Ok(turns::visible(summary, persisted, rest))
}

fn length(db: &Connection, conversation: i64) -> Result<i64> {
    let mut statement = db.prepare_cached("SELECT messages FROM conversations WHERE id = ?1")?;
    Ok(statement.query_row([conversation], |row| row.get(0))?)
}

fn grown(db: &Connection, conversation: i64, messages: i64, now: i64) -> Result<()> {
    db.prepare_cached("UPDATE conversations SET messages = ?2, updated_at = ?3 WHERE id = ?1")?.execute([
        conversation,
        messages,
        now,
    ])?;
    Ok(())
}
