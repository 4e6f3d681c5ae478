//! One file per word; `router.rs` lists them.

pub mod capabilities;
pub mod clients;
pub mod health;
pub mod memory;
pub mod openapi;
pub mod past;
pub mod settings;
