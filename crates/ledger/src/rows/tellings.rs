//! Rows of what was told.

use crate::columns::Columns;
use crate::{Result, Telling};

/// Asks for tellings as [`telling`] reads them.
macro_rules! select_telling {
    ($rest:literal) => {
        concat!("SELECT seq, room, kind, data, client FROM tellings ", $rest)
    };
}
pub(crate) use select_telling;

pub(crate) fn telling(row: &impl Columns) -> Result<(u64, Telling)> {
    let telling = Telling { room: row.text(1)?, kind: row.text(2)?, data: row.text(3)?, client: row.maybe_text(4)? };
    Ok((row.count(0)?, telling))
}
