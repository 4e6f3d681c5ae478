//! The domain by other people's inputs: the public test suites of the formats that it reads.
//!
//! `cargo xtask test` fetches the suites and says in `LOCI_SUITES` where they are; they are never copied into the
//! repository. Without them the tests have a few inputs of our own, and say so.

// Helpers of tests are tests too.
#![allow(clippy::unwrap_used)]

mod commonmark;
mod suites;
mod yaml;
