//! Models and the headless scoped agent.
//!
//! Owns providers (one streaming call each), embedders, and the agent that can do what is in its toolbox and nothing else.
//! Never knows memory: this crate depends on none of ours.
//! Empty until recall brings the first embedder (`embed.rs`) and the verbs bring providers (`provider.rs`).
