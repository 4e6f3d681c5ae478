//! Words in a row. FTS5 knows where each word stands, so the engine itself looks; its query language sees one quoted string.

use super::numbers::Numbers;
use super::{Result, codec, filing, roots, search};
use crate::tokens::MOST_IN_A_ROW;
use loci_domain::change::Place;
use rusqlite::Connection;

/// See [`crate::Search::phrase`].
pub(super) fn find(db: &Connection, place: &Place, tokens: &[String]) -> Result<Vec<u64>> {
    let (Some(root), [_, ..]) = (roots::find(db, place)?, tokens) else { return Ok(Vec::new()) };
    let tokens: Vec<String> = tokens.iter().take(MOST_IN_A_ROW).map(|token| token.to_ascii_lowercase()).collect();
    let numbers = Numbers::of(db)?;
    let coded: Vec<String> = tokens.iter().map(|token| format!("{root}x{}", token.replace('"', "\"\""))).collect();
    let mut statement = db.prepare_cached("SELECT rowid FROM words WHERE words MATCH ?1")?;
    let mut found = codec::all(statement.query([format!("\"{}\"", coded.join(" "))])?, |row| numbers.read(row, 0))?;
    let dead = filing::dead(db, numbers)?;
    found.retain(|number| dead.binary_search(number).is_err());
    let moved = search::moved(db, numbers, root)?;
    found.iter_mut().for_each(|number| *number = *moved.get(number).unwrap_or(number));
    found.extend(filing::fresh_with(db, numbers, root, &tokens)?);
    found.sort_unstable();
    Ok(found)
}
