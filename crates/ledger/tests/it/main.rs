//! Engines as a whole: the contract of the port, and what only one of them promises.
// Helpers of tests are tests too.
#![allow(clippy::unwrap_used)]

mod contract;
mod postgres;
mod sqlite;
