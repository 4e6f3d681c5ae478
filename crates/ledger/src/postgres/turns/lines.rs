//! What is said in conversations: put behind what is there, and never changed.

use crate::postgres::{Result, codec};
use crate::rows::turns::{brought, line, select_line};
use crate::{Line, Spoken, Turn, Visible, turns};
use sqlx::{PgConnection, query, query_scalar};
use std::borrow::Cow;

pub(super) async fn append(
    db: &mut PgConnection,
    conversation: u64,
    turn: &str,
    event: Option<&str>,
    messages: &[Spoken],
    now: i64,
) -> Result<()> {
    let conversation = codec::number(conversation);
    let first = grow(db, conversation, messages.len(), now).await?;
    let roles: Vec<&str> = messages.iter().map(|message| message.role.word()).collect();
    let contents: Vec<Cow<'_, str>> = messages.iter().map(|message| codec::text(&message.content)).collect();
    let insert = query(
        "INSERT INTO lines (conversation, position, role, at, turn, event, content)
         SELECT $1, $2 + place - 1, role, $3, $4, $5, content
         FROM unnest($6::text[], $7::text[]) WITH ORDINALITY AS said (role, content, place)",
    );
    insert
        .bind(conversation)
        .bind(first)
        .bind(now)
        .bind(codec::text(turn))
        .bind(codec::maybe_text(event))
        .bind(roles)
        .bind(contents)
        .execute(db)
        .await?;
    Ok(())
}

pub(super) async fn summarise(
    db: &mut PgConnection,
    turn: &Turn,
    content: &str,
    covers: (u64, u64),
    now: i64,
) -> Result<()> {
    let conversation = codec::number(turn.conversation);
    let position = grow(db, conversation, 1, now).await?;
    let insert = query(
        "INSERT INTO lines (conversation, position, role, at, turn, covers_from, covers_to, content)
         VALUES ($1, $2, 'system', $3, $4, $5, $6, $7)",
    );
    insert
        .bind(conversation)
        .bind(position)
        .bind(now)
        .bind(&turn.id)
        .bind(codec::number(covers.0))
        .bind(codec::number(covers.1))
        .bind(codec::text(content))
        .execute(db)
        .await?;
    Ok(())
}

pub(super) async fn from(db: &mut PgConnection, conversation: u64, from: u64, limit: usize) -> Result<Vec<Line>> {
    let asked = query(select_line!("WHERE conversation = $1 AND position >= $2 ORDER BY position LIMIT $3"));
    let asked = asked.bind(codec::number(conversation)).bind(codec::number(from)).bind(codec::limit(limit));
    codec::all(&asked.fetch_all(db).await?, line)
}

pub(super) async fn calls(db: &mut PgConnection, conversation: u64) -> Result<Vec<Line>> {
    let asked = query(select_line!(
        "WHERE conversation = $1
           AND EXISTS (SELECT FROM lines WHERE conversation = $1 AND strpos(content, '\"tool-approval-request\"') > 0)
           AND (strpos(content, '\"tool-') > 0 OR position = (SELECT messages - 1 FROM conversations WHERE id = $1))
         ORDER BY position"
    ));
    codec::all(&asked.bind(codec::number(conversation)).fetch_all(db).await?, line)
}

pub(super) async fn visible(db: &mut PgConnection, turn: &Turn) -> Result<Visible> {
    let conversation = codec::number(turn.conversation);
    let last = query(select_line!(
        "WHERE conversation = $1 AND role = 'system' AND covers_to IS NOT NULL ORDER BY position DESC LIMIT 1"
    ));
    let summary = codec::first(last.bind(conversation).fetch_optional(&mut *db).await?, line)?;
    let told =
        query(select_line!("WHERE conversation = $1 AND role = 'system' AND covers_to IS NULL ORDER BY position"));
    let persisted = codec::all(&told.bind(conversation).fetch_all(&mut *db).await?, line)?;
    let others = query(select_line!(
        "WHERE conversation = $1 AND role <> 'system' AND (position > $2 OR event = $3) ORDER BY position"
    ));
    let event = codec::text(&turn.event);
    let others = others.bind(conversation).bind(turns::covered(summary.as_ref())).bind(&*event);
    let rest = codec::all(&others.fetch_all(&mut *db).await?, |row| brought(row, &event))?;
    Ok(turns::visible(summary, persisted, rest))
}

/// Makes room behind all lines of a conversation; says where it begins.
async fn grow(db: &mut PgConnection, conversation: i64, count: usize, now: i64) -> Result<i64> {
    let grow = query_scalar(
        "UPDATE conversations SET messages = messages + $2, updated_at = $3 WHERE id = $1 RETURNING messages - $2",
    );
    Ok(grow.bind(conversation).bind(codec::limit(count)).bind(now).fetch_one(db).await?)
}
