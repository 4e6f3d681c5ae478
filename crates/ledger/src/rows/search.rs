//! Rows of what is searched.

use crate::columns::Columns;
use crate::{Result, Searched, values};
use loci_domain::row::Card;

/// The columns of a document that is searched, in the order that [`searched`] reads them; its number is the first.
macro_rules! searched_columns {
    () => {
        "id, path, kind, updated_at, name_words, description_words, body_words"
    };
}
pub(crate) use searched_columns;

pub(crate) fn searched(row: &impl Columns, number: u64) -> Result<Searched> {
    Ok(Searched {
        number,
        path: row.path(1)?,
        kind: row.word(2, values::kind)?,
        updated_at: row.time(3)?,
        words: [row.small_count(4)?, row.small_count(5)?, row.small_count(6)?],
    })
}

/// Reads `name, description, kind`, which begin there.
pub(crate) fn card(row: &impl Columns, at: usize) -> Result<Card> {
    Ok(Card { name: row.text(at)?, description: row.text(at + 1)?, kind: row.word(at + 2, values::kind)? })
}
