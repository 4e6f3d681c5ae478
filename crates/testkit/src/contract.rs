//! Contract suites: what every implementation of a port must do.
//!
//! A case is a plain function over the port; a macro beside them makes one test of each, in the crate that has the
//! implementation (`tests/it/main.rs`), so that a failure is named after the sentence that is broken.

pub mod backend;
pub mod ledger;
pub mod provider;
