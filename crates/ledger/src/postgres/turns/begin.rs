//! Taking an event and a conversation, and giving them back.
//!
//! Who begins has the event and the conversation to itself, so of two that bring the same event one sees what the other
//! did, whatever the conversations. A turn that stands in the way may be of a third conversation and may be ending at this
//! very moment: its row is taken before it is judged.

use super::lines;
use crate::columns::Columns;
use crate::postgres::clock::now;
use crate::postgres::subject::Subject;
use crate::postgres::{Result, codec};
use crate::rows::turns::{select_turn, turn, turn_columns};
use crate::span::micros;
use crate::turns::is_taken;
use crate::{Begin, Begun, Turn, TurnStatus};
use sqlx::{PgConnection, query, query_as, query_scalar};
use std::time::Duration;

pub(super) fn subject(begin: &Begin) -> Subject {
    let event = Subject::of("event", &[&begin.account, &begin.event]);
    event.and(Subject::conversation(&begin.account, &begin.key))
}

/// The claim first, then the conversation, then the words: what is refused leaves nothing behind.
pub(super) async fn begin(db: &mut PgConnection, begin: &Begin) -> Result<Begun> {
    let claim = claim(db, begin).await?;
    let found = find(db, &begin.account, &begin.key).await?;
    let holder = match found {
        Some((_, Some(token))) => holder(db, token).await?,
        _ => None,
    };
    // After the rows: whoever was waited for has used up time.
    let now = now(db).await?;
    if claim.as_ref().is_some_and(|(claim, updated)| is_taken(begin.claimed, claim, *updated, now)) {
        return Ok(Begun::Duplicate);
    }
    if let Some(holder) = &holder
        && holder.until.as_microsecond() > now
    {
        return Ok(Begun::Busy(holder.until));
    }
    // Nothing refuses from here on. What ran out is over, whether it had the event or the conversation.
    if let Some((claim, _)) = &claim {
        give_way(db, claim, now).await?;
    }
    if let Some(late) = &holder {
        give_way(db, late, now).await?;
    }
    let conversation = match found {
        Some((conversation, _)) => conversation,
        None => make(db, begin, now).await?,
    };
    let started = start(db, begin, conversation, now).await?;
    let stored = query_scalar("SELECT EXISTS (SELECT FROM lines WHERE conversation = $1 AND event = $2)");
    let stored: bool = stored.bind(conversation).bind(codec::text(&begin.event)).fetch_one(&mut *db).await?;
    if !stored {
        let (number, event) = (started.conversation, Some(begin.event.as_str()));
        lines::append(db, number, &begin.turn, event, &begin.ingress, now).await?;
    }
    Ok(Begun::Started(started))
}

/// Ends a turn, and frees its conversation; only one that said what it had to say keeps its event.
pub(super) async fn end(db: &mut PgConnection, turn: &Turn, status: TurnStatus, now: i64) -> Result<()> {
    let token = codec::number(turn.token);
    let end = query("UPDATE turns SET status = $2, claims = $3, updated_at = $4 WHERE seq = $1");
    let end = end.bind(token).bind(status.word()).bind(status == TurnStatus::Completed).bind(now);
    end.execute(&mut *db).await?;
    let free = query("UPDATE conversations SET turn = NULL, updated_at = $3 WHERE id = $1 AND turn = $2");
    free.bind(codec::number(turn.conversation)).bind(token).bind(now).execute(&mut *db).await?;
    Ok(())
}

/// A conversation's number, and the turn that has it.
pub(super) async fn find(db: &mut PgConnection, account: &str, key: &str) -> Result<Option<(i64, Option<i64>)>> {
    let asked = query_as("SELECT id, turn FROM conversations WHERE account = $1 AND key = $2");
    Ok(asked.bind(codec::text(account)).bind(codec::text(key)).fetch_optional(db).await?)
}

/// A turn whose time is over loses what it has; of one that was completed long ago, only the claim goes.
async fn give_way(db: &mut PgConnection, turn: &Turn, now: i64) -> Result<()> {
    if turn.status == TurnStatus::Running {
        return end(db, turn, TurnStatus::Lost, now).await;
    }
    let gone = query("UPDATE turns SET claims = FALSE WHERE seq = $1").bind(codec::number(turn.token));
    gone.execute(db).await?;
    Ok(())
}

async fn make(db: &mut PgConnection, begin: &Begin, now: i64) -> Result<i64> {
    let make = query_scalar(
        "INSERT INTO conversations (account, key, messages, turn, created_at, updated_at)
         VALUES ($1, $2, 0, NULL, $3, $3) RETURNING id",
    );
    Ok(make.bind(codec::text(&begin.account)).bind(codec::text(&begin.key)).bind(now).fetch_one(db).await?)
}

async fn start(db: &mut PgConnection, begin: &Begin, conversation: i64, now: i64) -> Result<Turn> {
    let until = now.saturating_add(micros(begin.lasts));
    let start = query(concat!(
        "INSERT INTO turns AS t (id, conversation, account, agent, event, claims, status, until, updated_at)
         VALUES ($1, $2, $3, $4, $5, TRUE, 'running', $6, $7)
         RETURNING ",
        turn_columns!()
    ));
    let started = start
        .bind(codec::text(&begin.turn))
        .bind(conversation)
        .bind(codec::text(&begin.account))
        .bind(codec::text(&begin.agent))
        .bind(codec::text(&begin.event))
        .bind(until)
        .bind(now)
        .fetch_one(&mut *db)
        .await?;
    let started = turn(&started)?;
    let take = query("UPDATE conversations SET turn = $2, updated_at = $3 WHERE id = $1");
    take.bind(conversation).bind(codec::number(started.token)).bind(now).execute(&mut *db).await?;
    // Turns of this conversation that nobody can ask about any more.
    let old = query("DELETE FROM turns WHERE conversation = $1 AND status <> 'running' AND updated_at < $2");
    old.bind(conversation).bind(now.saturating_sub(micros(begin.claimed))).execute(db).await?;
    Ok(started)
}

/// Whether the event is taken; nothing is held for it.
pub(super) async fn is_claimed(db: &mut PgConnection, account: &str, event: &str, claimed: Duration) -> Result<bool> {
    let asked = query(select_turn!(with "t.updated_at", "WHERE t.account = $1 AND t.event = $2 AND t.claims"));
    let found = asked.bind(codec::text(account)).bind(codec::text(event)).fetch_optional(&mut *db).await?;
    let found = codec::first(found, |row| Ok((turn(row)?, row.number(7)?)))?;
    let now = now(db).await?;
    Ok(found.is_some_and(|(claim, updated)| is_taken(claimed, &claim, updated, now)))
}

/// The turn that has taken the event, and when it last changed. Its row is this transaction's.
async fn claim(db: &mut PgConnection, begin: &Begin) -> Result<Option<(Turn, i64)>> {
    let asked =
        query(select_turn!(with "t.updated_at", "WHERE t.account = $1 AND t.event = $2 AND t.claims FOR UPDATE OF t"));
    let found = asked.bind(codec::text(&begin.account)).bind(codec::text(&begin.event)).fetch_optional(db).await?;
    codec::first(found, |row| Ok((turn(row)?, row.number(7)?)))
}

/// The turn that has a conversation, unless it gave it back just now. Its row is this transaction's.
async fn holder(db: &mut PgConnection, token: i64) -> Result<Option<Turn>> {
    let asked = query(select_turn!("WHERE t.seq = $1 AND t.status = 'running' FOR UPDATE OF t"));
    codec::first(asked.bind(token).fetch_optional(db).await?, turn)
}
