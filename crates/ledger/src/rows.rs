//! Rows as values, by topic: the columns that are asked for, and the reader that takes them in that order.
//!
//! Each stands here once for all engines. Where statements differ beyond the columns, they are the engine's own.

pub(crate) mod accounts;
pub(crate) mod catalog;
pub(crate) mod evidence;
pub(crate) mod extractions;
pub(crate) mod jobs;
pub(crate) mod journal;
pub(crate) mod leases;
pub(crate) mod provenance;
pub(crate) mod purge;
pub(crate) mod search;
pub(crate) mod sessions;
pub(crate) mod spend;
pub(crate) mod tasks;
pub(crate) mod tellings;
pub(crate) mod turns;
pub(crate) mod upkeep;
