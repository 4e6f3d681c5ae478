//! The files of memory: atomic, conditional, jailed.
//!
//! Owns scopes as folders, every write to them, the six-command memory tool, and the upkeep of index and catalogue.
//! Never knows SQL, a protocol or a model; what it changes is recorded through the port [`record::Record`].
//! Start at [`Store`], then [`transaction`] (how a change happens), then [`commands`] (what a model may ask for).

pub mod backend;
pub mod catalog;
pub mod commands;
pub mod error;
pub mod evidence;
pub mod glance;
pub mod local;
pub mod lock;
pub mod owner;
pub mod project;
pub mod ram;
pub mod record;
pub mod shelf;
pub mod site;
pub mod store;
pub mod sync;
pub mod transaction;
pub mod workspace;

pub use backend::{Backend, Blob, Care, Expect, Listing, Meta, Node, Show};
pub use error::{Error, Result};
pub use lock::{Guard, Held, Lock};
pub use record::Record;
pub use shelf::{Book, Shelf};
pub use site::{Ground, Site};
pub use store::{Clock, Root, Settings, Store};
pub use transaction::{By, Count, Transaction};
