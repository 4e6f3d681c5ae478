//! The turns topic on SQLite: `turns/begin.rs` takes events and conversations, `turns/lines.rs` keeps what is said.
//!
//! Invariant: turn_is_fenced. A step of a turn happens only while the conversation's row names that turn; both are looked
//! at and changed in one transaction.

mod begin;
mod lines;

use super::clock::now;
use super::engine::Durability;
use super::sessions::overwriting;
use super::{Result, Sqlite, codec};
use crate::rows::turns::{conversation, select_conversation, select_turn, turn};
use crate::span::micros;
use crate::{Begin, Begun, Conversation, Line, Spoken, Step, Turn, TurnStatus, Turns, Visible};
use async_trait::async_trait;
use rusqlite::{Connection, params};
use std::time::Duration;

#[async_trait]
impl Turns for Sqlite {
    async fn begin_turn(&self, begin: &Begin) -> crate::Result<Begun> {
        let begin = begin.clone();
        self.write(Durability::Full, move |tx| begin::begin(tx, &begin)).await
    }

    async fn is_claimed(&self, account: &str, event: &str, claimed: Duration) -> crate::Result<bool> {
        let (account, event) = (account.to_owned(), event.to_owned());
        self.read(move |db| begin::is_claimed(db, &account, &event, claimed, now(db)?)).await
    }

    async fn turn(&self, account: &str, key: &str, id: &str) -> crate::Result<Option<Turn>> {
        let given = [account.to_owned(), key.to_owned(), id.to_owned()];
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_turn!(
                "JOIN conversations c ON c.id = t.conversation WHERE t.id = ?3 AND c.account = ?1 AND c.key = ?2"
            ))?;
            codec::first(statement.query(given)?, turn)
        })
        .await
    }

    async fn renew_turn(&self, token: u64, lasts: Duration) -> crate::Result<Step> {
        self.write(Durability::Full, move |tx| {
            stepping(tx, token, |_, now| {
                let until = now.saturating_add(micros(lasts));
                tx.prepare_cached("UPDATE turns SET until = ?2 WHERE seq = ?1")?
                    .execute(params![codec::number(token), until])?;
                Ok(until)
            })
        })
        .await
    }

    async fn complete_turn(&self, token: u64, messages: &[Spoken]) -> crate::Result<Step> {
        let messages = messages.to_vec();
        self.write(Durability::Full, move |tx| {
            stepping(tx, token, |turn, now| {
                lines::append(tx, turn.conversation, &turn.id, None, &messages, now)?;
                // What the event brought has found its answer: the same id may mean something new one day.
                tx.prepare_cached("UPDATE lines SET event = NULL WHERE conversation = ?1 AND event = ?2")?
                    .execute(params![codec::number(turn.conversation), turn.event])?;
                begin::end(tx, &turn, TurnStatus::Completed, now)?;
                Ok(turn.until.as_microsecond())
            })
        })
        .await
    }

    async fn fail_turn(&self, token: u64) -> crate::Result<Step> {
        self.write(Durability::Full, move |tx| {
            stepping(tx, token, |turn, now| {
                begin::end(tx, &turn, TurnStatus::Failed, now)?;
                Ok(turn.until.as_microsecond())
            })
        })
        .await
    }

    async fn keep_summary(&self, token: u64, content: &str, covers: (u64, u64)) -> crate::Result<Step> {
        let content = content.to_owned();
        self.write(Durability::Full, move |tx| {
            stepping(tx, token, |turn, now| {
                lines::summarise(tx, &turn, &content, covers, now)?;
                Ok(turn.until.as_microsecond())
            })
        })
        .await
    }

    async fn visible(&self, turn: &Turn) -> crate::Result<Visible> {
        let turn = turn.clone();
        self.read(move |db| lines::visible(db, &turn)).await
    }

    async fn conversations(&self, account: &str, limit: usize) -> crate::Result<Vec<Conversation>> {
        let account = account.to_owned();
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_conversation!(
                "WHERE account = ?1 ORDER BY updated_at DESC, id DESC LIMIT ?2"
            ))?;
            codec::all(statement.query(params![account, codec::limit(limit)])?, conversation)
        })
        .await
    }

    async fn conversation(&self, account: &str, key: &str) -> crate::Result<Option<Conversation>> {
        let given = [account.to_owned(), key.to_owned()];
        self.read(move |db| {
            let mut statement = db.prepare_cached(select_conversation!("WHERE account = ?1 AND key = ?2"))?;
            codec::first(statement.query(given)?, conversation)
        })
        .await
    }

    async fn lines(&self, conversation: u64, from: u64, limit: usize) -> crate::Result<Vec<Line>> {
        self.read(move |db| lines::from(db, conversation, from, limit)).await
    }

    async fn calls(&self, conversation: u64) -> crate::Result<Vec<Line>> {
        self.read(move |db| lines::calls(db, conversation)).await
    }

    async fn redact_lines(&self, account: &str, text: &str, with: &str) -> crate::Result<u64> {
        let given = [account.to_owned(), text.to_owned(), with.to_owned()];
        self.write(Durability::Full, move |tx| {
            overwriting(tx, || {
                let mut redact = tx.prepare_cached(
                    "UPDATE lines SET content = replace(content, ?2, ?3)
                     WHERE conversation IN (SELECT id FROM conversations WHERE account = ?1) AND instr(content, ?2) > 0",
                )?;
                Ok(redact.execute(given)? as u64)
            })
        })
        .await
    }

    async fn drop_conversation(&self, account: &str, key: &str) -> crate::Result<bool> {
        let (account, key) = (account.to_owned(), key.to_owned());
        let dropped =
            self.write(Durability::Full, move |tx| overwriting(tx, || drop_conversation(tx, &account, &key))).await?;
        if dropped {
            self.write_back_log().await?;
        }
        Ok(dropped)
    }
}

/// Does a step of a turn that still has its conversation; the step answers until when.
fn stepping(db: &Connection, token: u64, step: impl FnOnce(Turn, i64) -> Result<i64>) -> Result<Step> {
    let mut statement = db.prepare_cached(select_turn!("WHERE t.seq = ?1"))?;
    let Some(found) = codec::first(statement.query([codec::number(token)])?, turn)? else { return Ok(Step::Lost) };
    match found.status {
        TurnStatus::Running => Ok(Step::Done(codec::time(step(found, now(db)?)?)?)),
        TurnStatus::Lost => Ok(Step::Lost),
        TurnStatus::Completed | TurnStatus::Failed => Ok(Step::Over),
    }
}

fn drop_conversation(db: &Connection, account: &str, key: &str) -> Result<bool> {
    let Some((conversation, _)) = begin::find(db, account, key)? else { return Ok(false) };
    for sql in [
        "DELETE FROM lines WHERE conversation = ?1",
        "DELETE FROM turns WHERE conversation = ?1",
        "DELETE FROM conversations WHERE id = ?1",
    ] {
        db.prepare_cached(sql)?.execute([conversation])?;
    }
    Ok(true)
}
