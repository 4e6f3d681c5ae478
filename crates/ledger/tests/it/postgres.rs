//! PostgreSQL: the contract of the port, and what only a server promises.

mod bells;
mod contract;
mod nodes;
mod opening;
mod together;
mod vanishing;

use loci_ledger::Postgres;
use loci_testkit::servers::postgres::Database;

/// An empty ledger.
async fn fresh() -> (Postgres, Database) {
    let database = Database::shared().await;
    (Postgres::open(&database.url()).await.unwrap(), database)
}
