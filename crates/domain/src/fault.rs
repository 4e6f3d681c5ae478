//! The closed list of fault kinds.
//!
//! Owns the names by which every surface tells one failure from another.
//! Never carries a message: each crate's error says what happened, its `fault()` says which kind it is.

/// What kind of failure it was; each surface maps this to its own codes in one exhaustive match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The request itself is wrong: a bad path, a missing field, blank content.
    Invalid,
    /// What was named is not there.
    Missing,
    /// It is there, but not as expected: changed meanwhile, or in the way.
    Conflict,
    /// Policy says no: a read-only scope, a link, a generated file.
    Denied,
    /// The text holds a secret.
    Secret,
    /// Somebody else is at it; later may work.
    Busy,
    /// A cap is reached: size, count, length.
    Limit,
    /// A service that we depend on answered badly.
    Upstream,
    /// Not available here and now: no project, no workspace, no model, a full or read-only disk.
    Offline,
    /// Our own mistake.
    Bug,
}
