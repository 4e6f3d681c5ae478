//! Rows of spending.

use crate::columns::Columns;
use crate::{Error, Result, Spending};

/// Asks for spending as [`spending`] reads it.
macro_rules! select_spending {
    ($rest:literal) => {
        concat!("SELECT day, model, calls, input, output FROM spend ", $rest)
    };
}
pub(crate) use select_spending;

pub(crate) fn spending(row: &impl Columns) -> Result<Spending> {
    let day = row.text(0)?.parse().map_err(|_| Error::Corrupt("a day of spending is no day".to_owned()))?;
    Ok(Spending { day, model: row.text(1)?, calls: row.count(2)?, input: row.count(3)?, output: row.count(4)? })
}
