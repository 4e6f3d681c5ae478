//! Backends as a whole: the contract of the port, and what only a disk can do to it.
// Helpers of tests are tests too.
#![allow(clippy::unwrap_used)]

mod contract;
mod glance;
mod half_way;
mod local;
mod screening;
