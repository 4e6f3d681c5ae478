//! Values and rules of memory.
//!
//! Owns what a scope, a path, a document, an entry, a change and a secret *are*.
//! Never does IO, never asks a clock, never knows a database or a protocol.
//! Start at [`path`] (what may be named), then [`document`] (what a file says), then [`change`] (what happens to it).

pub mod access;
pub mod age;
pub mod agent;
pub mod alike;
pub mod block;
pub mod change;
pub mod digest;
pub mod document;
pub mod entry;
pub mod evidence;
pub mod fact;
pub mod fault;
pub mod foreign;
pub mod form;
pub mod frontmatter;
pub mod hot;
pub mod index;
pub mod message;
pub mod page;
pub mod path;
pub mod project;
pub mod row;
pub mod sandbox;
pub mod scope;
pub mod secrets;
pub mod sign;
pub mod slug;
pub mod statement;
pub mod tidy;
pub mod tokens;
pub mod transcript;
pub mod words;
pub mod workspace;
