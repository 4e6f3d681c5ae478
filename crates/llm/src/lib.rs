//! Models and the headless scoped agent.
//!
//! Owns providers (one streaming call each), embedders, and the agent that can do what is in its toolbox and nothing else.
//! Never knows memory: this crate depends on none of ours.
//! Start at [`embed`] for the port of embedders and at [`embedders`] for those that there are; providers
//! (`provider.rs`) come with the first verb that asks a model.

pub mod embed;
pub mod embedders;
mod wordpiece;

pub use embed::Embedder;
