//! The turns topic on PostgreSQL: `turns/begin.rs` takes events and conversations, `turns/lines.rs` keeps what is said.
//!
//! Invariant: turn_is_fenced. A step of a turn happens only while its row says that it runs. The step holds that row to
//! its end, and whoever takes the conversation or the event over must have the row first: so only one of them goes on.
//! A conversation in which something happened rings its bell.

mod begin;
mod lines;

use super::bells::ring;
use super::clock::now;
use super::engine::{Durability, asking, reading, writing};
use super::subject::Subject;
use super::{Postgres, Result, codec};
use crate::columns::Columns;
use crate::rows::turns::{conversation, select_conversation, select_turn, turn};
use crate::span::micros;
use crate::{Begin, Begun, Conversation, Line, Spoken, Step, Turn, TurnStatus, Turns, Visible};
use async_trait::async_trait;
use sqlx::{PgConnection, query};
use std::time::Duration;

/// The turn of a step, which ends here when the turn has its conversation no more.
macro_rules! held {
    ($db:ident, $token:ident) => {
        match hold($db, $token).await? {
            Ok(held) => held,
            Err(over) => return Ok(over),
        }
    };
}

#[async_trait]
impl Turns for Postgres {
    async fn begin_turn(&self, begin: &Begin) -> crate::Result<Begun> {
        writing!(self, begin::subject(begin), Durability::Full, |db| {
            let begun = begin::begin(db, begin).await?;
            if let Begun::Started(_) = begun {
                rang(db, &begin.account, &begin.key).await?;
            }
            Ok(begun)
        })
    }

    async fn is_claimed(&self, account: &str, event: &str, claimed: Duration) -> crate::Result<bool> {
        asking!(self, |db| { begin::is_claimed(db, account, event, claimed).await })
    }

    async fn turn(&self, account: &str, key: &str, id: &str) -> crate::Result<Option<Turn>> {
        asking!(self, |db| {
            let asked = query(select_turn!(
                "JOIN conversations c ON c.id = t.conversation WHERE t.id = $3 AND c.account = $1 AND c.key = $2"
            ));
            let asked = asked.bind(codec::text(account)).bind(codec::text(key)).bind(codec::text(id));
            codec::first(asked.fetch_optional(&mut *db).await?, turn)
        })
    }

    async fn renew_turn(&self, token: u64, lasts: Duration) -> crate::Result<Step> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let Held { now, .. } = held!(db, token);
            let until = now.saturating_add(micros(lasts));
            let renew = query("UPDATE turns SET until = $2 WHERE seq = $1").bind(codec::number(token)).bind(until);
            renew.execute(&mut *db).await?;
            Ok(Step::Done(codec::time(until)?))
        })
    }

    async fn complete_turn(&self, token: u64, messages: &[Spoken]) -> crate::Result<Step> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let Held { turn, account, key, now } = held!(db, token);
            lines::append(db, turn.conversation, &turn.id, None, messages, now).await?;
            // What the event brought has found its answer: the same id may mean something new one day.
            let answered = query("UPDATE lines SET event = NULL WHERE conversation = $1 AND event = $2");
            answered.bind(codec::number(turn.conversation)).bind(&turn.event).execute(&mut *db).await?;
            begin::end(db, &turn, TurnStatus::Completed, now).await?;
            rang(db, &account, &key).await?;
            Ok(Step::Done(turn.until))
        })
    }

    async fn fail_turn(&self, token: u64) -> crate::Result<Step> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let Held { turn, account, key, now } = held!(db, token);
            begin::end(db, &turn, TurnStatus::Failed, now).await?;
            rang(db, &account, &key).await?;
            Ok(Step::Done(turn.until))
        })
    }

    async fn keep_summary(&self, token: u64, content: &str, covers: (u64, u64)) -> crate::Result<Step> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let Held { turn, account, key, now } = held!(db, token);
            lines::summarise(db, &turn, content, covers, now).await?;
            rang(db, &account, &key).await?;
            Ok(Step::Done(turn.until))
        })
    }

    async fn visible(&self, turn: &Turn) -> crate::Result<Visible> {
        reading!(self, |db| { lines::visible(db, turn).await })
    }

    async fn conversations(&self, account: &str, limit: usize) -> crate::Result<Vec<Conversation>> {
        asking!(self, |db| {
            let asked = query(select_conversation!("WHERE account = $1 ORDER BY updated_at DESC, id DESC LIMIT $2"));
            let asked = asked.bind(codec::text(account)).bind(codec::limit(limit));
            codec::all(&asked.fetch_all(&mut *db).await?, conversation)
        })
    }

    async fn conversation(&self, account: &str, key: &str) -> crate::Result<Option<Conversation>> {
        asking!(self, |db| {
            let asked = query(select_conversation!("WHERE account = $1 AND key = $2"));
            let found = asked.bind(codec::text(account)).bind(codec::text(key)).fetch_optional(&mut *db).await?;
            codec::first(found, conversation)
        })
    }

    async fn lines(&self, conversation: u64, from: u64, limit: usize) -> crate::Result<Vec<Line>> {
        asking!(self, |db| { lines::from(db, conversation, from, limit).await })
    }

    async fn calls(&self, conversation: u64) -> crate::Result<Vec<Line>> {
        asking!(self, |db| { lines::calls(db, conversation).await })
    }

    async fn redact_lines(&self, account: &str, text: &str, with: &str) -> crate::Result<u64> {
        writing!(self, Subject::none(), Durability::Full, |db| {
            let redact = query(
                "UPDATE lines SET content = replace(content, $2, $3)
                 WHERE conversation IN (SELECT id FROM conversations WHERE account = $1) AND strpos(content, $2) > 0",
            );
            let redact = redact.bind(codec::text(account)).bind(codec::text(text)).bind(codec::text(with));
            Ok(redact.execute(&mut *db).await?.rows_affected())
        })
    }

    async fn drop_conversation(&self, account: &str, key: &str) -> crate::Result<bool> {
        writing!(self, Subject::conversation(account, key), Durability::Full, |db| {
            let Some((conversation, _)) = begin::find(db, account, key).await? else { return Ok(false) };
            // The turns first: a step that is under way is waited for, and after that none has anything to write to.
            for sql in [
                "DELETE FROM turns WHERE conversation = $1",
                "DELETE FROM lines WHERE conversation = $1",
                "DELETE FROM conversations WHERE id = $1",
            ] {
                query(sql).bind(conversation).execute(&mut *db).await?;
            }
            rang(db, account, key).await?;
            Ok(true)
        })
    }
}

/// A turn that has its conversation, and whose row is this transaction's.
struct Held {
    turn: Turn,
    account: String,
    key: String,
    now: i64,
}

/// Takes the row of a turn that still has its conversation, or says what else became of it.
async fn hold(db: &mut PgConnection, token: u64) -> Result<std::result::Result<Held, Step>> {
    let asked = query(select_turn!(
        with "c.account, c.key",
        "JOIN conversations c ON c.id = t.conversation WHERE t.seq = $1 FOR UPDATE OF t"
    ));
    let Some(row) = asked.bind(codec::number(token)).fetch_optional(&mut *db).await? else {
        return Ok(Err(Step::Lost));
    };
    let (turn, account, key) = (turn(&row)?, row.text(7)?, row.text(8)?);
    Ok(match turn.status {
        TurnStatus::Running => Ok(Held { turn, account, key, now: now(db).await? }),
        TurnStatus::Lost => Err(Step::Lost),
        TurnStatus::Completed | TurnStatus::Failed => Err(Step::Over),
    })
}

async fn rang(db: &mut PgConnection, account: &str, key: &str) -> Result<()> {
    ring(db, &format!("conversation:{account}/{key}")).await
}
