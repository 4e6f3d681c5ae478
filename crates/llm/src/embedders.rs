//! The embedders that there are.
//!
//! Owns the list. [`StaticMinilm`] is always there; [`Folder`] is a stronger model on disk, for who wants one.
//! An endpoint that speaks OpenAI's protocol is the third kind; it comes with the HTTP client of the providers.
//! Start at [`static_minilm`].

pub mod folder;
pub mod static_minilm;

pub use folder::Folder;
pub use static_minilm::StaticMinilm;

/// The most tokens of a text that count, where nobody says otherwise.
pub const MOST_TOKENS: usize = 512;
