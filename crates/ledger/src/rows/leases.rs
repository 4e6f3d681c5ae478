//! Rows of leases.

use crate::columns::Columns;
use crate::{Lease, Result};

/// The columns of a lease, in the order that [`lease`] reads them.
macro_rules! lease_columns {
    () => {
        "name, owner, token, until"
    };
}
pub(crate) use lease_columns;

pub(crate) fn lease(row: &impl Columns) -> Result<Lease> {
    Ok(Lease { name: row.text(0)?, owner: row.text(1)?, token: row.count(2)?, until: row.time(3)? })
}
