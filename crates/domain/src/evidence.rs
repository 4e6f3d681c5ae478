//! Evidence: what a memory names in its project, and whether that still is what it was.
//!
//! Owns which words of a memory name a file, a symbol or a command, and which part of a file each of them stands for.
//! Never looks at a disk: [`named`] says what to look for, [`Kind::part`] what to compare in a text that somebody read.
//! Start at [`named`]; a name counts only when the project has such a thing at the time the memory is written.

mod definition;
mod named;
mod script;

pub use definition::defined;
pub use named::{Called, Sure, named};
pub use script::definers;

use crate::digest::Digest;
use crate::path::EntryPath;

/// What kind of thing was named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A file: all of its bytes.
    File,
    /// A file that is only the place of a symbol, or too large to read, or a folder: that it is there.
    Place,
    /// A function, type, constant or field: its definition.
    Symbol,
    /// A target, recipe or script: its definition.
    Command,
}

impl Kind {
    /// The word in rows.
    pub fn word(self) -> &'static str {
        match self {
            Kind::File => "file",
            Kind::Place => "place",
            Kind::Symbol => "symbol",
            Kind::Command => "command",
        }
    }

    /// Reads the word back.
    pub fn from_word(word: &str) -> Option<Kind> {
        [Kind::File, Kind::Place, Kind::Symbol, Kind::Command].into_iter().find(|kind| kind.word() == word)
    }

    /// The digest of what a name stands for in a file's bytes; `None` = it is not in there.
    pub fn part(self, name: &str, file: &EntryPath, bytes: &[u8]) -> Option<Digest> {
        let text = || String::from_utf8_lossy(bytes);
        match self {
            Kind::File => Some(Digest::of(bytes)),
            Kind::Place => Some(Digest::of(b"")),
            Kind::Symbol => definition::region(&text(), name).map(|region| Digest::of(region.as_bytes())),
            Kind::Command => script::script(file.as_str(), name, &text()).map(|said| Digest::of(said.as_bytes())),
        }
    }
}

/// One thing that a memory named, as it was then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thing {
    /// What it is.
    pub kind: Kind,
    /// As a person knows it: `src/lib.rs`, `Store::read`, `npm run lint`.
    pub name: String,
    /// In which file of the checkout.
    pub file: EntryPath,
    /// What it was.
    pub digest: Digest,
    /// The file's cheap mark when it was last known to be the same.
    pub stamp: String,
}

/// What one version of a document rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Which document.
    pub path: EntryPath,
    /// Which bytes of it.
    pub digest: Digest,
    /// The identity of the project that was looked at.
    pub project: String,
    /// What was found there.
    pub things: Vec<Thing>,
}

/// What became of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is not what it was.
    Changed,
    /// It is not there.
    Gone,
}

/// Half a sentence about things that are not what they were: `src/lib.rs changed, npm run lint is gone`.
pub fn told(fates: &[(&Thing, Fate)]) -> String {
    let said = fates.iter().map(|(thing, fate)| match fate {
        Fate::Changed => format!("{} changed", thing.name),
        Fate::Gone => format!("{} is gone", thing.name),
    });
    let said: Vec<String> = said.collect();
    format!("{} since it was written", said.join(", "))
}

#[cfg(test)]
mod tests;
