//! Models and the headless scoped agent.
//!
//! Owns providers (one call each), embedders, and the agent that can do what is in its toolbox and nothing else.
//! Never knows memory: this crate depends on none of ours.
//! Start at [`provider`] for the port of language models, at [`models`] for who answers in which role, at [`agent`] for
//! the loop with tools, and at [`embed`] for the port of embedders.

pub mod agent;
pub mod embed;
pub mod embedders;
pub mod http;
pub mod models;
pub mod provider;
pub mod providers;
mod wordpiece;

pub use agent::Toolbox;
pub use embed::Embedder;
pub use models::{Meter, Models, Reserved, Role};
pub use provider::{Answer, Ask, Provider};
