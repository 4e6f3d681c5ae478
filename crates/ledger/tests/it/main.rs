//! Engines as a whole: the contract of the port, and what only SQLite promises.
// Helpers of tests are tests too.
#![allow(clippy::unwrap_used)]

mod contract;
mod sqlite;
