//! What tests of several rooms share; never shipped.
//!
//! Owns the contract suites: one suite for each port, run by every implementation of it.
//! Never holds a rule of its own: a case here repeats a sentence of the port's docs, edge cases included.
//! [`home`] is one person's machine for tests through the real binary.
//! Start at [`contract`].
// A case that cannot go on should stop with its line; nothing of this ships.
#![allow(clippy::unwrap_used, clippy::expect_used)]

pub mod blessed;
pub mod contract;
pub mod daemon;
pub mod disk;
pub mod home;
pub mod hooked;
pub mod mcp;
pub mod model;
pub mod ram;
pub mod servers;

/// How often a test that hopes to meet a rare moment tries: once, and twenty times in `cargo xtask nightly`.
pub fn rounds() -> u64 {
    if std::env::var_os("LOCI_NIGHTLY").is_some() { 20 } else { 1 }
}
