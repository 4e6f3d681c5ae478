//! Taking an event and a conversation, and giving them back.

use super::lines;
use crate::rows::turns::{select_turn, turn};
use crate::span::micros;
use crate::sqlite::clock::now;
use crate::sqlite::{Result, codec};
use crate::turns::is_taken;
use crate::{Begin, Begun, Turn, TurnStatus};
use rusqlite::{Connection, OptionalExtension, params};
use std::time::Duration;

/// The claim first, then the conversation, then the words: what is refused leaves nothing behind.
pub(super) fn begin(db: &Connection, begin: &Begin) -> Result<Begun> {
    let now = now(db)?;
    if is_claimed(db, &begin.account, &begin.event, begin.claimed, now)? {
        return Ok(Begun::Duplicate);
    }
    let found = find(db, &begin.account, &begin.key)?;
    if let Some(until) = found.and_then(|(_, until)| until).filter(|until| *until > now) {
        return Ok(Begun::Busy(codec::time(until)?));
    }
    // Nothing refuses from here on. What ran out is over, whether it had the event or the conversation.
    if let Some((claim, _)) = claim(db, &begin.account, &begin.event)? {
        give_way(db, &claim, now)?;
    }
    let conversation = match found {
        Some((conversation, _)) => {
            if let Some(late) = holder(db, conversation)? {
                give_way(db, &late, now)?;
            }
            conversation
        }
        None => {
            db.prepare_cached(
                "INSERT INTO conversations (account, key, messages, turn, created_at, updated_at)
                 VALUES (?1, ?2, 0, NULL, ?3, ?3)",
            )?
            .execute(params![begin.account, begin.key, now])?;
            db.last_insert_rowid()
        }
    };
    let until = now.saturating_add(micros(begin.lasts));
    db.prepare_cached(
        "INSERT INTO turns (id, conversation, account, agent, event, claims, status, until, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, 1, 'running', ?6, ?7)",
    )?
    .execute(params![begin.turn, conversation, begin.account, begin.agent, begin.event, until, now])?;
    let token = db.last_insert_rowid();
    db.prepare_cached("UPDATE conversations SET turn = ?2, updated_at = ?3 WHERE id = ?1")?.execute([
        conversation,
        token,
        now,
    ])?;
    // Turns of this conversation that nobody can ask about any more.
    db.prepare_cached("DELETE FROM turns WHERE conversation = ?1 AND status <> 'running' AND updated_at < ?2")?
        .execute([conversation, now.saturating_sub(micros(begin.claimed))])?;
    let stored = db
        .prepare_cached("SELECT 1 FROM lines WHERE conversation = ?1 AND event = ?2")?
        .exists(params![conversation, begin.event])?;
    if !stored {
        lines::append(db, conversation.unsigned_abs(), &begin.turn, Some(&begin.event), &begin.ingress, now)?;
    }
    Ok(Begun::Started(Turn {
        token: token.unsigned_abs(),
        id: begin.turn.clone(),
        conversation: conversation.unsigned_abs(),
        agent: begin.agent.clone(),
        event: begin.event.clone(),
        status: TurnStatus::Running,
        until: codec::time(until)?,
    }))
}

/// Ends a turn, and frees its conversation; only one that said what it had to say keeps its event.
pub(super) fn end(db: &Connection, turn: &Turn, status: TurnStatus, now: i64) -> Result<()> {
    let token = codec::number(turn.token);
    db.prepare_cached("UPDATE turns SET status = ?2, claims = ?3, updated_at = ?4 WHERE seq = ?1")?
        .execute(params![token, status.word(), status == TurnStatus::Completed, now])?;
    db.prepare_cached("UPDATE conversations SET turn = NULL, updated_at = ?2 WHERE turn = ?1")?
        .execute([token, now])?;
    Ok(())
}

/// A turn whose time is over loses what it has; of one that was completed long ago, only the claim goes.
fn give_way(db: &Connection, turn: &Turn, now: i64) -> Result<()> {
    if turn.status == TurnStatus::Running {
        return end(db, turn, TurnStatus::Lost, now);
    }
    db.prepare_cached("UPDATE turns SET claims = 0 WHERE seq = ?1")?.execute([codec::number(turn.token)])?;
    Ok(())
}

/// Whether the event is taken.
pub(super) fn is_claimed(db: &Connection, account: &str, event: &str, claimed: Duration, now: i64) -> Result<bool> {
    Ok(claim(db, account, event)?.is_some_and(|(claim, updated)| is_taken(claimed, &claim, updated, now)))
}

/// The turn that has taken the event, and when it last changed.
fn claim(db: &Connection, account: &str, event: &str) -> Result<Option<(Turn, i64)>> {
    let mut statement = db.prepare_cached(select_turn!("WHERE t.account = ?1 AND t.event = ?2 AND t.claims"))?;
    let Some(found) = codec::first(statement.query([account, event])?, turn)? else { return Ok(None) };
    let updated = db
        .prepare_cached("SELECT updated_at FROM turns WHERE seq = ?1")?
        .query_row([codec::number(found.token)], |row| row.get(0))?;
    Ok(Some((found, updated)))
}

/// The turn that has a conversation.
fn holder(db: &Connection, conversation: i64) -> Result<Option<Turn>> {
    let mut statement = db.prepare_cached(select_turn!("JOIN conversations c ON c.turn = t.seq WHERE c.id = ?1"))?;
    codec::first(statement.query([conversation])?, turn)
}

/// A conversation's number, and until when somebody has it.
pub(super) fn find(db: &Connection, account: &str, key: &str) -> Result<Option<(i64, Option<i64>)>> {
    let mut statement = db.prepare_cached(
        "SELECT c.id, t.until FROM conversations c LEFT JOIN turns t ON t.seq = c.turn
         WHERE c.account = ?1 AND c.key = ?2",
    )?;
    Ok(statement.query_row([account, key], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
}
