//! The embedders that there are.
//!
//! Owns the list. [`StaticMinilm`] is always there; [`Folder`] is a stronger model on disk, for who wants one.
//! [`Endpoint`] is a service that speaks OpenAI's protocol.
//! Start at [`static_minilm`].

pub mod endpoint;
pub mod folder;
pub mod static_minilm;

pub use endpoint::Endpoint;
pub use folder::Folder;
pub use static_minilm::StaticMinilm;

/// The most tokens of a text that count, where nobody says otherwise.
pub const MOST_TOKENS: usize = 512;
