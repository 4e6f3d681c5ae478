//! The search topic on PostgreSQL: an inverted index over each place's own vocabulary, and counts beside it.
//!
//! No query language is involved: a term is a value, which the server itself quotes (the text of a tsvector is a tsquery
//! of its words), so nothing in it can be read as an operator. Vectors are in `vectors.rs`.

use super::engine::{Durability, asking, reading, writing};
use super::subject::Subject;
use super::{Postgres, Result, codec, roots, vectors};
use crate::columns::Columns;
use crate::rows::search::{card, searched, searched_columns};
use crate::tokens::{self, MOST_IN_A_ROW};
use crate::{Posting, Search, Searched, Vectors};
use async_trait::async_trait;
use loci_domain::change::Place;
use loci_domain::row::{Card, DocumentRow, SearchText};
use sqlx::{PgConnection, Row};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// Bytes of a word that the index can tell apart; PostgreSQL has 11 bits for it.
const LONGEST: usize = 2046;
/// Bytes of a document's whole vocabulary; PostgreSQL has 20 bits for it. 20,000 tokens of common length are a fifth.
const LARGEST: usize = 1_000_000;

#[async_trait]
impl Search for Postgres {
    async fn generation(&self, place: &Place) -> crate::Result<u64> {
        asking!(self, |db| {
            let ask = sqlx::query_scalar("SELECT generation FROM roots WHERE place = $1").bind(codec::text(&place.0));
            Ok(codec::counted(ask.fetch_optional(&mut *db).await?.unwrap_or(0))?)
        })
    }

    async fn searched(&self, place: &Place, after: u64) -> crate::Result<Vec<Searched>> {
        asking!(self, |db| {
            let ask = sqlx::query(concat!(
                "SELECT ",
                searched_columns!(),
                " FROM documents
                 WHERE root = (SELECT id FROM roots WHERE place = $1) AND name IS NOT NULL AND id > $2 ORDER BY id"
            ));
            let ask = ask.bind(codec::text(&place.0)).bind(codec::number(after));
            codec::all(&ask.fetch_all(&mut *db).await?, |row| searched(row, row.count(0)?))
        })
    }

    async fn cards(&self, place: &Place, numbers: &[u64]) -> crate::Result<Vec<(u64, Card)>> {
        asking!(self, |db| {
            let ask = sqlx::query(
                "SELECT d.id, name, description, kind
                 FROM unnest($2::bigint[]) WITH ORDINALITY asked (id, place) JOIN documents d ON d.id = asked.id
                 WHERE root = (SELECT id FROM roots WHERE place = $1) AND name IS NOT NULL ORDER BY asked.place",
            );
            let numbers: Vec<i64> = numbers.iter().map(|number| codec::number(*number)).collect();
            codec::all(&ask.bind(codec::text(&place.0)).bind(numbers).fetch_all(&mut *db).await?, |row| {
                Ok((row.count(0)?, card(row, 1)?))
            })
        })
    }

    async fn numbers(&self, place: &Place) -> crate::Result<Vec<u64>> {
        asking!(self, |db| {
            let ask = sqlx::query(
                "SELECT id FROM documents
                 WHERE root = (SELECT id FROM roots WHERE place = $1) AND name IS NOT NULL ORDER BY id",
            );
            let rows = ask.bind(codec::text(&place.0)).fetch_all(&mut *db).await?;
            codec::all(&rows, |row| row.count(0))
        })
    }

    async fn postings(&self, place: &Place, terms: &[String]) -> crate::Result<Vec<Posting>> {
        reading!(self, |db| { postings(db, place, terms).await })
    }

    async fn phrase(&self, place: &Place, tokens: &[String]) -> crate::Result<Vec<u64>> {
        reading!(self, |db| { phrase(db, place, tokens).await })
    }

    async fn vectors(&self, place: &Place, embedder: &str, after: u64, most: usize) -> crate::Result<Vec<Vectors>> {
        asking!(self, |db| { vectors::after(db, place, embedder, after, most).await })
    }

    async fn keep_vectors(&self, embedder: &str, vectors: &[Vectors]) -> crate::Result<()> {
        if vectors.is_empty() {
            return Ok(());
        }
        writing!(self, Subject::of("embedder", &[embedder]), Durability::Normal, |db| {
            vectors::keep(db, embedder, vectors).await
        })
    }
}

/// Adds the words of documents, whose numbers are by path.
pub(super) async fn add(
    db: &mut PgConnection,
    root: i64,
    rows: &[&DocumentRow],
    numbers: &HashMap<String, i64>,
) -> Result<()> {
    let rows: Vec<(i64, &SearchText, Counted)> = rows
        .iter()
        .filter_map(|row| Some((*numbers.get(row.path.as_str())?, &row.search)))
        .map(|(number, text)| (number, text, Counted::of(root, text)))
        .filter(|(_, _, counted)| !counted.tokens.is_empty())
        .collect();
    if rows.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO words (document, root, name, description, body, counts, vocabulary)
         SELECT document, $1, name, description, body,
           (SELECT jsonb_object_agg(token, times::jsonb)
            FROM unnest(string_to_array(tokens, ' '), string_to_array(counts, ' ')) AS counted (token, times)),
           array_to_tsvector(string_to_array(vocabulary, ' '))
         FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
           AS added (document, name, description, body, tokens, counts, vocabulary)",
    )
    .bind(root)
    .bind(rows.iter().map(|(number, _, _)| *number).collect::<Vec<_>>())
    .bind(rows.iter().map(|(_, text, _)| codec::text(&text.name)).collect::<Vec<_>>())
    .bind(rows.iter().map(|(_, text, _)| codec::text(&text.description)).collect::<Vec<_>>())
    .bind(rows.iter().map(|(_, text, _)| codec::text(&text.body)).collect::<Vec<_>>())
    .bind(rows.iter().map(|(_, _, counted)| counted.tokens.as_str()).collect::<Vec<_>>())
    .bind(rows.iter().map(|(_, _, counted)| counted.times.as_str()).collect::<Vec<_>>())
    .bind(rows.iter().map(|(_, _, counted)| counted.vocabulary.as_str()).collect::<Vec<_>>())
    .execute(db)
    .await?;
    Ok(())
}

/// A document's distinct tokens, each followed by a space but for the last one; and the same of what belongs to them.
#[derive(Default)]
struct Counted {
    tokens: String,
    times: String,
    vocabulary: String,
}

impl Counted {
    fn of(root: i64, text: &SearchText) -> Counted {
        let mut times: BTreeMap<String, [u32; 3]> = BTreeMap::new();
        for (field, text) in [&text.name, &text.description, &text.body].into_iter().enumerate() {
            for token in text.split_ascii_whitespace() {
                times.entry(term(token)).or_default()[field] += 1;
            }
        }
        let mut counted = Counted::default();
        for (token, [name, description, body]) in times {
            let coded = coded(root, &token);
            join(&mut counted.tokens, &token);
            join(&mut counted.times, &format!("[{name},{description},{body}]"));
            if counted.vocabulary.len() + coded.len() < LARGEST {
                join(&mut counted.vocabulary, &coded);
            }
        }
        counted
    }
}

fn join(all: &mut String, one: &str) {
    if !all.is_empty() {
        all.push(' ');
    }
    all.push_str(one);
}

/// A token as it is kept and as it is asked for.
fn term(token: &str) -> String {
    tokens::folded(&codec::text(token)).into_owned()
}

/// A term with its root's number in front: `12xmemory`.
fn coded(root: i64, term: &str) -> String {
    let mut coded = format!("{root}x{term}");
    coded.truncate(coded.floor_char_boundary(LONGEST));
    coded
}

async fn postings(db: &mut PgConnection, place: &Place, terms: &[String]) -> Result<Vec<Posting>> {
    let Some(root) = roots::find(db, place).await? else { return Ok(Vec::new()) };
    let mut positions: BTreeMap<String, Vec<u16>> = BTreeMap::new();
    for (text, position) in terms.iter().zip(0..=u16::MAX) {
        positions.entry(term(text)).or_default().push(position);
    }
    let distinct: Vec<&str> = positions.keys().map(String::as_str).collect();
    let rows = sqlx::query(
        "SELECT place, document, (times ->> 0)::bigint, (times ->> 1)::bigint, (times ->> 2)::bigint
         FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (term, lexeme, place)
           CROSS JOIN LATERAL (
             SELECT document, counts -> term AS times FROM words
             WHERE vocabulary @@ (array_to_tsvector(ARRAY[lexeme])::text)::tsquery) AS found
         WHERE times IS NOT NULL",
    )
    .bind(&distinct)
    .bind(distinct.iter().map(|term| coded(root, term)).collect::<Vec<_>>())
    .fetch_all(db)
    .await?;
    let asked: Vec<&Vec<u16>> = positions.values().collect();
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        let (number, times) = (row.count(1)?, [row.small_count(2)?, row.small_count(3)?, row.small_count(4)?]);
        let place = usize::try_from(row.count(0)?).unwrap_or(0);
        let terms = asked.get(place.wrapping_sub(1)).into_iter().flat_map(|terms| terms.iter());
        found.extend(terms.map(|term| Posting { number, term: *term, times }));
    }
    found.sort_unstable_by_key(|posting| (posting.term, posting.number));
    Ok(found)
}

/// All tokens are asked for; whether they stand in a row is seen in the texts.
async fn phrase(db: &mut PgConnection, place: &Place, tokens: &[String]) -> Result<Vec<u64>> {
    let (Some(root), [_, ..]) = (roots::find(db, place).await?, tokens) else { return Ok(Vec::new()) };
    let tokens: Vec<String> = tokens.iter().take(MOST_IN_A_ROW).map(|token| term(token)).collect();
    let rows = sqlx::query(
        "SELECT document, name, description, body FROM words
         WHERE vocabulary @@ (SELECT string_agg(array_to_tsvector(ARRAY[lexeme])::text, ' & ')::tsquery
                              FROM unnest($1::text[]) AS asked (lexeme))
         ORDER BY document",
    )
    .bind(tokens.iter().map(|token| coded(root, token)).collect::<Vec<_>>())
    .fetch_all(db)
    .await?;
    let mut found = Vec::new();
    for row in &rows {
        let texts: [Cow<'_, str>; 3] = [row.try_get(1)?, row.try_get(2)?, row.try_get(3)?];
        if texts.iter().any(|text| tokens::in_a_row(text, &tokens)) {
            found.push(row.count(0)?);
        }
    }
    Ok(found)
}
