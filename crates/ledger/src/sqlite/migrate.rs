//! The schema, as numbered steps that are only ever added.

use super::Result;
use super::fault::damaged;
use crate::Error;
use rusqlite::{Connection, TransactionBehavior};

/// Each step brings the schema from its position to the next number.
const STEPS: &[&str] = &[
    include_str!("migrations/0001_ledger.sql"),
    include_str!("migrations/0002_sessions.sql"),
    include_str!("migrations/0003_evidence.sql"),
    include_str!("migrations/0004_facts.sql"),
    include_str!("migrations/0005_upkeep.sql"),
    include_str!("migrations/0006_spend.sql"),
    include_str!("migrations/0007_lean.sql"),
    include_str!("migrations/0008_daemon.sql"),
    include_str!("migrations/0009_jobs.sql"),
    include_str!("migrations/0010_extractions.sql"),
    include_str!("migrations/0011_conversations.sql"),
    include_str!("migrations/0012_tellings.sql"),
    include_str!("migrations/0013_titles.sql"),
];

/// The newest schema that this binary knows.
pub(super) const KNOWN: u32 = STEPS.len() as u32;

/// The schema of the file; 0 = new.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection
        .query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))
        .map(|found| u32::try_from(found).unwrap_or(u32::MAX))
}

/// Applies the steps that are missing, all or none.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done it while this one waited for the lock.
    let found = version(&tx)?;
    if found > KNOWN {
        return Err(Error::Newer { found, known: KNOWN }.into());
    }
    if found == 0 && tx.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))? > 0 {
        return Err(damaged("it is a database, but not one of loci's"));
    }
    for step in STEPS.iter().skip(found as usize) {
        tx.execute_batch(step)?;
    }
    tx.execute_batch(&format!("PRAGMA user_version = {KNOWN}"))?;
    tx.commit()?;
    Ok(())
}
