//! Transcripts: what was said in a session, whoever kept it.
//!
//! Owns what a turn is, and the readers of each known format (`transcript/<dialect>.rs`).
//! Never does IO and never holds more of a transcript than one unit of it: bytes go in as they come, turns come out.
//! Start at [`Reader`]; `transcript/cutter.rs` finds the units, a dialect is a function that reads one.

mod claude_code;
mod codex;
mod cutter;
mod fields;
mod format;
mod gemini_cli;
mod loci;
mod oh_my_pi;
mod opencode;
mod parts;
mod qwen_code;
mod reader;
mod revised;

pub use format::Format;
pub use reader::{About, Reader};
pub use revised::{Gone, Scout};

use jiff::Timestamp;
use serde_json::Value;
use std::fmt;

/// Who speaks in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// A person.
    User,
    /// The model.
    Assistant,
    /// What a tool answered.
    Tool,
    /// What the harness said.
    System,
}

/// A tool that a turn called.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// Which tool.
    pub name: String,
    /// With what; text that is itself JSON is read as such.
    pub arguments: Value,
}

/// One message of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// Its name in the session.
    pub id: String,
    /// Who speaks.
    pub role: Role,
    /// The words, without thoughts; may be empty when it only calls tools.
    pub content: String,
    /// When.
    pub at: Option<Timestamp>,
    /// The tools that it calls.
    pub calls: Vec<Called>,
}

/// What one unit of a transcript says.
#[derive(Debug, Clone, Default, PartialEq)]
struct Piece {
    /// What was said; none for a line that is only about the session. An id may be empty: the reader numbers it.
    turns: Vec<Turn>,
    /// What the session is called, where the unit says so.
    session: Option<String>,
    /// The directory in which it took place, where the unit says so.
    directory: Option<String>,
    /// A hash of that directory, where the unit says only that.
    hashed: Option<String>,
    /// The session that started this one for a task of its own, where the unit says so.
    parent: Option<String>,
    /// What the session is about, where the unit says so.
    title: Option<Title>,
    /// What it does to what was said before.
    revises: Option<Revision>,
}

/// What a session is about.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Title {
    by: Titled,
    text: String,
}

/// Who found a title; what a person chose stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Titled {
    Machine,
    Person,
}

/// How a unit changes what other units said.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Revision {
    /// This message and all after it are taken back.
    Back(String),
    /// Its turns are a copy of the whole conversation, as the model sees it.
    Copy,
}

impl Role {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            Role::System => "system",
        }
    }

    /// The role of a word.
    pub fn from_word(word: &str) -> Option<Role> {
        [Role::User, Role::Assistant, Role::Tool, Role::System].into_iter().find(|role| role.word() == word)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests;
