//! Rows of sources.

use crate::columns::Columns;
use crate::{Result, Source};

/// Reads `session, message, at`; a source without a message has an empty one in its row.
pub(crate) fn source(row: &impl Columns) -> Result<Source> {
    let message = Some(row.text(1)?).filter(|message| !message.is_empty());
    Ok(Source { session: row.text(0)?, message, at: row.time(2)? })
}
