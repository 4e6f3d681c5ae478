//! The binary as people, agents, crashes and hostile checkouts meet it.
//!
//! One file a topic; each test has a machine of its own (`loci_testkit::home`).
// Helpers of tests are tests too.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod agent_loop;
mod attacks;
mod bad_paths;
mod connect;
mod context;
mod cut_off_dream;
mod daemon;
mod damaged_ledger;
mod descriptors;
mod discover;
mod doctor;
mod editor;
mod elsewhere;
mod exit_codes;
mod full_disk;
mod handbook;
mod hooks;
mod identity;
mod import;
mod injected;
mod killed;
mod long_conversation;
mod many_writers;
mod mcp;
mod models;
mod modes;
mod nodes;
mod outside_edits;
mod page;
mod pipes;
mod purge;
mod read_only;
mod readme;
mod records;
mod secrets;
mod sessions;
mod settings;
mod shared_checkout;
mod stale;
mod support;
mod swapped_links;
mod switches;
mod telemetry;
mod trust;
mod undo;
mod usage;
mod week;
