//! Chunks on PostgreSQL: where the words of messages stand, and their vectors. What a chunk is, `crate::sessions` knows.

use crate::columns::Columns;
use crate::postgres::{Result, codec};
use crate::rows::sessions::{chunk, select_chunk};
use crate::sessions::{self, Fate, Open, code, column};
use crate::{Chunk, Heard, Said, Whose};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row, query, query_as, query_scalar};

/// Puts messages behind the first `from` ones of a session.
pub(super) async fn put(
    db: &mut PgConnection,
    talker: i64,
    session: i64,
    from: i64,
    maker: &str,
    messages: &[Said],
) -> Result<()> {
    let maker = &*codec::text(maker);
    let mut open = Open::at(from, maker);
    loop {
        let last = query(
            "SELECT id, first, maker, measures, terms, vectors FROM chunks WHERE session = $1 ORDER BY first DESC LIMIT 1",
        );
        let Some(row) = last.bind(session).fetch_optional(&mut *db).await? else { break };
        let (number, first, measures): (i64, i64, &[u8]) = (row.try_get(0)?, row.try_get(1)?, row.try_get(3)?);
        let fate = sessions::fate(first, measures.len(), row.try_get::<&str, _>(2)? == maker, from, messages);
        let left = match fate {
            Fate::Stays => break,
            Fate::Goes => {
                take(db, talker, number, row.try_get(4)?).await?;
                continue;
            }
            Fate::Cut(left) | Fate::Joins(left) => left,
        };
        let terms = take(db, talker, number, row.try_get(4)?).await?;
        let terms = terms.into_iter().map(|(term, places)| (term.cast_unsigned(), places)).collect();
        let found =
            Open { first, maker: row.try_get(2)?, measures: measures.to_vec(), vectors: row.try_get(5)?, terms };
        match fate {
            Fate::Joins(_) => open = found.cut(left),
            _ => write(db, talker, session, &found.cut(left)).await?,
        }
        break;
    }
    for chunk in sessions::fill(open, messages) {
        write(db, talker, session, &chunk).await?;
    }
    Ok(())
}

/// Removes all chunks of a session.
pub(super) async fn remove(db: &mut PgConnection, talker: i64, session: i64) -> Result<()> {
    put(db, talker, session, 0, "", &[]).await
}

/// See [`crate::Sessions::chunks`].
pub(super) async fn after(db: &mut PgConnection, whose: &Whose, after: u64, limit: usize) -> Result<Vec<Chunk>> {
    let asked = query(select_chunk!(
        "WHERE talker = (SELECT id FROM talkers WHERE account = $1 AND project = $2) AND id > $3 ORDER BY id LIMIT $4"
    ));
    let asked = asked.bind(codec::text(&whose.account)).bind(codec::text(&whose.project));
    let rows = asked.bind(codec::number(after)).bind(codec::limit(limit)).fetch_all(db).await?;
    codec::all(&rows, |row| chunk(row, row.count(0)?, row.count(1)?))
}

/// See [`crate::Sessions::heard`].
pub(super) async fn heard(db: &mut PgConnection, whose: &Whose, terms: &[String]) -> Result<Vec<Heard>> {
    let (codes, places): (Vec<i64>, Vec<i32>) =
        terms.iter().zip(0..=u16::MAX).map(|(text, place)| (column(code(text)), i32::from(place))).unzip();
    let asked = query(
        "SELECT chunk, place, places FROM unnest($3::bigint[], $4::integer[]) AS asked (code, place)
           JOIN spoken ON talker = (SELECT id FROM talkers WHERE account = $1 AND project = $2) AND term = code
         ORDER BY place, chunk",
    );
    let asked = asked.bind(codec::text(&whose.account)).bind(codec::text(&whose.project));
    let rows = asked.bind(codes).bind(places).fetch_all(db).await?;
    let heard = |row: &PgRow| {
        let term = u16::try_from(row.try_get::<i32, _>(1)?).unwrap_or(u16::MAX);
        Ok(Heard { chunk: row.count(0)?, term, places: sessions::places(row.borrowed_bytes(2)?) })
    };
    rows.iter().map(heard).collect()
}

/// Removes a chunk; gives back where its terms stood.
async fn take(db: &mut PgConnection, talker: i64, number: i64, terms: &[u8]) -> Result<Vec<(i64, Vec<u8>)>> {
    query("DELETE FROM chunks WHERE id = $1").bind(number).execute(&mut *db).await?;
    let gone =
        query_as("DELETE FROM spoken WHERE talker = $1 AND term = ANY($2) AND chunk = $3 RETURNING term, places");
    let codes: Vec<i64> = sessions::codes(terms).map(column).collect();
    Ok(gone.bind(talker).bind(codes).bind(number).fetch_all(db).await?)
}

async fn write(db: &mut PgConnection, talker: i64, session: i64, chunk: &Open) -> Result<()> {
    let insert = query_scalar(
        "INSERT INTO chunks (talker, session, first, maker, measures, terms, vectors)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
    );
    let number: i64 = insert
        .bind(talker)
        .bind(session)
        .bind(chunk.first)
        .bind(&chunk.maker)
        .bind(&chunk.measures)
        .bind(chunk.codes())
        .bind(&chunk.vectors)
        .fetch_one(&mut *db)
        .await?;
    let (codes, places): (Vec<i64>, Vec<&[u8]>) =
        chunk.terms.iter().map(|(term, places)| (column(*term), places.as_slice())).unzip();
    let insert = query(
        "INSERT INTO spoken (talker, term, chunk, places)
         SELECT $1, term, $2, places FROM unnest($3::bigint[], $4::bytea[]) AS said (term, places)",
    );
    insert.bind(talker).bind(number).bind(codes).bind(places).execute(db).await?;
    Ok(())
}
