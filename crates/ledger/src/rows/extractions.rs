//! Rows of what sessions came to, and of handbooks.

use crate::columns::Columns;
use crate::{Extraction, Handbook, Result, Watermark};

/// True of a row that says something.
macro_rules! telling {
    () => {
        "(raw_memory <> '' OR summary <> '')"
    };
}

/// Asks for extractions as [`extraction`] reads them.
macro_rules! select_extraction {
    ($($rest:tt)*) => {
        concat!(
            "SELECT project, session, mark, kept_at, said_at, at, slug, summary, raw_memory FROM extractions ",
            $($rest)*
        )
    };
}
pub(crate) use {select_extraction, telling};

pub(crate) fn extraction(row: &impl Columns) -> Result<Extraction> {
    Ok(Extraction {
        project: row.text(0)?,
        session: row.text(1)?,
        mark: row.count(2)?,
        kept_at: row.time(3)?,
        said_at: row.time(4)?,
        at: row.time(5)?,
        slug: row.maybe_text(6)?,
        summary: row.text(7)?,
        raw_memory: row.text(8)?,
    })
}

/// Reads `project, session, mark, kept_at`.
pub(crate) fn watermark(row: &impl Columns) -> Result<Watermark> {
    Ok(Watermark { project: row.text(0)?, session: row.text(1)?, mark: row.count(2)?, kept_at: row.time(3)? })
}

/// Reads `project, changed, made, made_at`, and how many extractions say something and how many nothing.
pub(crate) fn handbook(row: &impl Columns) -> Result<Handbook> {
    Ok(Handbook {
        project: row.text(0)?,
        changed: row.count(1)?,
        made: row.count(2)?,
        made_at: row.maybe_time(3)?,
        extractions: row.count(4)?,
        nothing: row.count(5)?,
    })
}
