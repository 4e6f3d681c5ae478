//! One file per word; `router.rs` lists them.

pub mod capabilities;
pub mod clients;
pub mod health;
pub mod metrics;
pub mod openapi;
pub mod session;
pub mod tasks;
