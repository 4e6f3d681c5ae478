//! One file per word; `router.rs` lists them.

pub mod accounts;
pub mod agents;
pub mod capabilities;
pub mod clients;
pub mod conversations;
pub mod health;
pub mod memory;
pub mod metrics;
pub mod openapi;
pub mod past;
pub mod pipeline;
pub mod session;
pub mod settings;
pub mod tasks;
pub mod workspaces;
