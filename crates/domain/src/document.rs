//! What a memory file says of itself.
//!
//! Owns the fall-backs for what a file leaves unsaid, and the difference between a fault and advice.
//! Never fails and never drops a file: whatever its header looks like, it is a document with a card and a body.
//! Start at [`read`].

pub(crate) mod line;
pub mod made;

use crate::entry;
use crate::frontmatter::{self, Outcome};
use crate::path::EntryPath;
use crate::row::Card;
use std::fmt;
use std::ops::Range;

const DESCRIPTION: usize = 120;

/// What kind of fact a document holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Role, skills, habits and preferences of the person.
    User,
    /// What agents should avoid or keep doing.
    Feedback,
    /// Who does what, why, by when; goals, decisions, incidents.
    Project,
    /// Where things are elsewhere, and what for.
    Reference,
}

impl Kind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Kind; 4] = [Kind::User, Kind::Feedback, Kind::Project, Kind::Reference];

    /// The word in headers, on the wire and in rows.
    pub fn word(self) -> &'static str {
        match self {
            Kind::User => "user",
            Kind::Feedback => "feedback",
            Kind::Project => "project",
            Kind::Reference => "reference",
        }
    }

    /// Reads the word back.
    pub fn from_word(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl serde::Serialize for Kind {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.word())
    }
}

/// A file as memory sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its face, with fall-backs filled in; name and description are one line each, without hidden characters.
    pub card: Card,
    /// Where its body lies in the text.
    pub body: Range<usize>,
    /// What a person should know about its header.
    pub complaints: Vec<Complaint>,
}

/// Something about a header that `loci doctor` tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Complaint {
    /// It is wrong: a malformed or unclosed header, an unknown type.
    Fault(String),
    /// It could be better: no header, no type, no description.
    Advice(String),
}

/// Reads a file's text.
pub fn read(path: &EntryPath, text: &str) -> Document {
    let split = frontmatter::split(text);
    let mut complaints = Vec::new();
    let fields = match split.outcome {
        Outcome::Fields(fields) => {
            complaints.extend(missing("type", &fields.kind));
            complaints.extend(missing("description", &fields.description));
            fields
        }
        Outcome::None => {
            complaints.push(Complaint::Advice("no frontmatter; name, description and type are guessed".to_owned()));
            Default::default()
        }
        Outcome::Malformed(reason) => {
            complaints.push(Complaint::Fault(format!("malformed frontmatter: {reason}")));
            Default::default()
        }
        Outcome::Unclosed => {
            complaints.push(Complaint::Fault("the frontmatter is never closed by a line ---".to_owned()));
            Default::default()
        }
    };
    let word = fields.kind.as_deref().map(str::trim);
    let kind = word.and_then(Kind::from_word);
    if let (Some(word), None) = (word, kind) {
        let word = line::cut(&line::one_line(word), 40);
        complaints.push(Complaint::Fault(format!("unknown type {word:?}; use user, feedback, project or reference")));
    }
    let said = |field: Option<String>| field.map(|text| line::one_line(&text)).filter(|text| !text.is_empty());
    let card = Card {
        name: said(fields.name).unwrap_or_else(|| name_of(path)),
        description: said(fields.description).unwrap_or_else(|| opening(text, split.body.clone())),
        kind: kind.unwrap_or_else(|| kind_of(path)),
    };
    Document { card, body: split.body, complaints }
}

fn missing(field: &str, value: &Option<String>) -> Option<Complaint> {
    value.is_none().then(|| Complaint::Advice(format!("no {field} in the frontmatter")))
}

fn name_of(path: &EntryPath) -> String {
    let file = path.file_name();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let name = line::one_line(&stem.replace(['-', '_'], " "));
    if name.is_empty() { file.to_owned() } else { name }
}

fn kind_of(path: &EntryPath) -> Kind {
    let folder = path.as_str().split_once('/').map(|(first, _)| first);
    folder.and_then(Kind::from_word).unwrap_or(Kind::Project)
}

/// The first line of the first entry, for a document that does not describe itself.
fn opening(text: &str, body: Range<usize>) -> String {
    let first = entry::entries(text, body).into_iter().next();
    first.map(|entry| line::cut(&entry.summary, DESCRIPTION)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
