//! The sessions topic on PostgreSQL: rows of sessions and messages; `sessions/chunks.rs` keeps where their words stand.
//!
//! Who writes a session has all sessions of its talker to itself, so chunks become visible in the order of their numbers.
//! What goes is deleted: the server writes something else over it in time, and keeps its bytes in its own log and backups
//! for as long as the operator keeps those.

mod chunks;

use super::engine::{Durability, asking, writing};
use super::subject::Subject;
use super::{Postgres, Result, codec, extractions};
use crate::columns::Columns;
use crate::rows::sessions::{kept, message, select_message, select_session};
use crate::sessions::whole;
use crate::{Chunk, Error, Heard, Kept, Message, Said, Session, Sessions, Whose};
use async_trait::async_trait;
use sqlx::{PgConnection, query, query_as, query_scalar};
use std::borrow::Cow;

/// How many messages go to the server in one statement, and how many bytes unless one has more: a whole transcript may be
/// larger than what it takes at once.
const TOGETHER: (usize, usize) = (512, 4 << 20);

#[async_trait]
impl Sessions for Postgres {
    async fn say(&self, session: &Session, from: u64, maker: &str, messages: &[Said]) -> crate::Result<()> {
        let Whose { account, project } = &session.whose;
        writing!(self, subject(account, project), Durability::Full, |db| {
            say(db, session, from, maker, messages).await
        })
    }

    async fn sessions(&self, account: &str) -> crate::Result<Vec<Kept>> {
        asking!(self, |db| {
            let asked = query(select_session!("WHERE account = $1 ORDER BY at DESC, name, project"));
            codec::all(&asked.bind(codec::text(account)).fetch_all(&mut *db).await?, |row| kept(row, row.count(0)?))
        })
    }

    async fn session(&self, whose: &Whose, id: &str) -> crate::Result<Option<Kept>> {
        asking!(self, |db| {
            let asked = query(select_session!("WHERE account = $1 AND project = $2 AND name = $3"));
            let asked = asked.bind(codec::text(&whose.account)).bind(codec::text(&whose.project));
            let found = asked.bind(codec::text(id)).fetch_optional(&mut *db).await?;
            codec::first(found, |row| kept(row, row.count(0)?))
        })
    }

    async fn marks(&self, whose: &Whose, id: &str) -> crate::Result<Vec<u64>> {
        asking!(self, |db| {
            let asked = query(
                "SELECT position, mark FROM messages WHERE session = (
                   SELECT s.id FROM sessions s JOIN talkers t ON t.id = s.talker
                   WHERE account = $1 AND project = $2 AND s.name = $3)
                 ORDER BY position",
            );
            let asked = asked.bind(codec::text(&whose.account)).bind(codec::text(&whose.project));
            let rows = asked.bind(codec::text(id)).fetch_all(&mut *db).await?;
            codec::all(&rows, |row| Ok((row.count(0)?, row.number(1)?))).map(whole)
        })
    }

    async fn messages(&self, session: u64, from: u64, limit: usize) -> crate::Result<Vec<Message>> {
        asking!(self, |db| {
            let asked = query(select_message!("WHERE session = $1 AND position >= $2 ORDER BY position LIMIT $3"));
            let asked = asked.bind(codec::number(session)).bind(codec::number(from)).bind(codec::limit(limit));
            codec::all(&asked.fetch_all(&mut *db).await?, message)
        })
    }

    async fn drop_session(&self, session: u64) -> crate::Result<bool> {
        let number = codec::number(session);
        // Whose it is never changes, so it may be asked before anything is held.
        let whose: Option<(i64, String, String)> = asking!(self, |db| {
            let asked = query_as(
                "SELECT t.id, account, project FROM sessions s JOIN talkers t ON t.id = s.talker WHERE s.id = $1",
            );
            Ok(asked.bind(number).fetch_optional(&mut *db).await?)
        })?;
        let Some((talker, account, project)) = whose else { return Ok(false) };
        writing!(self, subject(&account, &project), Durability::Full, |db| {
            extractions::drop_of(db, number).await?;
            chunks::remove(db, talker, number).await?;
            query("DELETE FROM messages WHERE session = $1").bind(number).execute(&mut *db).await?;
            entitle(db, number, "").await?;
            let gone = query("DELETE FROM sessions WHERE id = $1").bind(number).execute(&mut *db).await?;
            if gone.rows_affected() > 0 {
                changed(db, talker).await?;
            }
            Ok(gone.rows_affected() > 0)
        })
    }

    async fn said(&self, account: &str, text: &str) -> crate::Result<Vec<(u64, u64)>> {
        asking!(self, |db| {
            let asked = query(
                "SELECT m.session, m.position
                 FROM messages m JOIN sessions s ON s.id = m.session JOIN talkers t ON t.id = s.talker
                 WHERE account = $1 AND (strpos(lower(content), lower($2)) > 0 OR strpos(lower(calls), lower($2)) > 0) ORDER BY 1, 2",
            );
            let rows = asked.bind(codec::text(account)).bind(codec::text(text)).fetch_all(&mut *db).await?;
            codec::all(&rows, |row| Ok((row.count(0)?, row.count(1)?)))
        })
    }

    async fn talk(&self, whose: &Whose) -> crate::Result<u64> {
        asking!(self, |db| {
            let asked = query_scalar("SELECT generation FROM talkers WHERE account = $1 AND project = $2");
            let asked = asked.bind(codec::text(&whose.account)).bind(codec::text(&whose.project));
            let generation: Option<i64> = asked.fetch_optional(&mut *db).await?;
            Ok(codec::counted(generation.unwrap_or(0))?)
        })
    }

    async fn chunk_numbers(&self, whose: &Whose) -> crate::Result<Vec<u64>> {
        asking!(self, |db| {
            let asked = query(
                "SELECT id FROM chunks WHERE talker = (SELECT id FROM talkers WHERE account = $1 AND project = $2)
                 ORDER BY session, first",
            );
            let asked = asked.bind(codec::text(&whose.account)).bind(codec::text(&whose.project));
            codec::all(&asked.fetch_all(&mut *db).await?, |row| row.count(0))
        })
    }

    async fn chunks(&self, whose: &Whose, after: u64, limit: usize) -> crate::Result<Vec<Chunk>> {
        asking!(self, |db| { chunks::after(db, whose, after, limit).await })
    }

    async fn heard(&self, whose: &Whose, terms: &[String]) -> crate::Result<Vec<Heard>> {
        asking!(self, |db| { chunks::heard(db, whose, terms).await })
    }
}

/// All sessions of a talker, and what they came to.
pub(super) fn subject(account: &str, project: &str) -> Subject {
    Subject::of("talker", &[account, project])
}

async fn say(db: &mut PgConnection, session: &Session, from: u64, maker: &str, messages: &[Said]) -> Result<()> {
    let talker = talker(db, &session.whose).await?;
    let (number, had) = ensure_session(db, talker, &session.id).await?;
    let first = codec::number(from);
    if first > had {
        return Err(Error::Missing(format!("message {from} of the session {}", session.id)).into());
    }
    if first < had {
        let gone = query("DELETE FROM messages WHERE session = $1 AND position >= $2").bind(number).bind(first);
        gone.execute(&mut *db).await?;
    }
    let (mut place, mut rest) = (first, messages);
    while !rest.is_empty() {
        let (some, more) = rest.split_at(together(rest));
        insert(db, number, place, some).await?;
        (place, rest) = (place + codec::limit(some.len()), more);
    }
    chunks::put(db, talker, number, first, maker, messages).await?;
    let update = query("UPDATE sessions SET format = $2, at = $3, kept_at = $4, messages = $5 WHERE id = $1");
    update
        .bind(number)
        .bind(codec::text(&session.format))
        .bind(session.at.as_microsecond())
        .bind(session.kept_at.as_microsecond())
        .bind(first + codec::limit(messages.len()))
        .execute(&mut *db)
        .await?;
    entitle(db, number, &session.title).await
}

async fn entitle(db: &mut PgConnection, session: i64, title: &str) -> Result<()> {
    let put = if title.is_empty() {
        query("DELETE FROM titles WHERE session = $1").bind(session)
    } else {
        let put = query(
            "INSERT INTO titles (session, title) VALUES ($1, $2)
             ON CONFLICT (session) DO UPDATE SET title = excluded.title",
        );
        put.bind(session).bind(codec::text(title))
    };
    put.execute(db).await?;
    Ok(())
}

/// How many of these messages, at least one, go to the server together.
fn together(messages: &[Said]) -> usize {
    let (most, mut bytes) = TOGETHER;
    let fits = messages.iter().take(most).take_while(|said| {
        let fits = bytes > 0;
        bytes = bytes.saturating_sub(said.message.content.len() + said.message.calls.len());
        fits
    });
    fits.count()
}

async fn insert(db: &mut PgConnection, session: i64, first: i64, said: &[Said]) -> Result<()> {
    let messages = || said.iter().map(|said| &said.message);
    let texts = |of: fn(&Message) -> &str| {
        messages().map(move |message| codec::text(of(message))).collect::<Vec<Cow<'_, str>>>()
    };
    let insert = query(
        "INSERT INTO messages (session, position, name, role, at, mark, calls, content)
         SELECT $1, $2 + place - 1, name, role, at, mark, calls, content
         FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[])
           WITH ORDINALITY AS said (name, role, at, mark, calls, content, place)",
    );
    insert
        .bind(session)
        .bind(first)
        .bind(texts(|message| &message.id))
        .bind(texts(|message| message.role.word()))
        .bind(messages().map(|message| message.at.map(|at| at.as_microsecond())).collect::<Vec<_>>())
        .bind(messages().map(|message| message.mark.cast_signed()).collect::<Vec<_>>())
        .bind(texts(|message| &message.calls))
        .bind(texts(|message| &message.content))
        .execute(db)
        .await?;
    Ok(())
}

/// The session's number and how many messages it has; made when it is new.
async fn ensure_session(db: &mut PgConnection, talker: i64, name: &str) -> Result<(i64, i64)> {
    let asked = query_as("SELECT id, messages FROM sessions WHERE talker = $1 AND name = $2");
    if let Some(found) = asked.bind(talker).bind(codec::text(name)).fetch_optional(&mut *db).await? {
        return Ok(found);
    }
    let make = query_as(
        "INSERT INTO sessions (talker, name, format, at, kept_at, messages) VALUES ($1, $2, '', 0, 0, 0)
         RETURNING id, messages",
    );
    Ok(make.bind(talker).bind(codec::text(name)).fetch_one(db).await?)
}

/// The number of a talker, made when it is new and counted as changed when it is not.
async fn talker(db: &mut PgConnection, whose: &Whose) -> Result<i64> {
    let count = query_scalar(
        "INSERT INTO talkers (account, project) VALUES ($1, $2)
         ON CONFLICT (account, project) DO UPDATE SET generation = talkers.generation + 1 RETURNING id",
    );
    Ok(count.bind(codec::text(&whose.account)).bind(codec::text(&whose.project)).fetch_one(db).await?)
}

async fn changed(db: &mut PgConnection, talker: i64) -> Result<()> {
    let count = query("UPDATE talkers SET generation = generation + 1 WHERE id = $1").bind(talker);
    count.execute(db).await?;
    Ok(())
}
