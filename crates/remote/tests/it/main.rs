//! Both backends against real servers on loopback: the contract of the port, and what only a network can do to it.
// Helpers of tests are tests too.
#![allow(clippy::unwrap_used)]

mod s3;
mod ssh;
