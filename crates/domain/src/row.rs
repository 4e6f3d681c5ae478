//! What is written down about files: the values that the store hands to its recorder, and reads back.
//!
//! Owns the shapes that `store::Record` and the ledger's topics share, so that neither knows the other.
//! Everything here except journal, pins and acceptance can be rebuilt from the files.

use crate::change::{Actor, Change, ChangeId, Identity, Image, Place};
use crate::digest::Digest;
use crate::document::Kind;
use crate::evidence::Evidence;
use crate::path::EntryPath;
use jiff::Timestamp;

/// One root as the ledger names it: where its files lie, and whose memory it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootKey {
    /// Where.
    pub place: Place,
    /// Whose.
    pub identity: Identity,
}

/// What the catalogue knows of a file, enough to see whether somebody changed it meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Which file.
    pub path: EntryPath,
    /// The backend's own cheap mark of a version (size, times, inode; or an etag).
    pub stamp: String,
    /// Its bytes' digest.
    pub digest: Digest,
}

/// Where a document came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Whoever made it here.
    Made(Actor),
    /// It lay in a checkout when Loci first saw it.
    Checkout,
}

impl Origin {
    /// The word on the wire and in rows.
    pub fn word(self) -> &'static str {
        match self {
            Origin::Made(actor) => actor.word(),
            Origin::Checkout => "checkout",
        }
    }

    /// Reads the word back.
    pub fn from_word(word: &str) -> Option<Origin> {
        if word == "checkout" { Some(Origin::Checkout) } else { Actor::from_word(word).map(Origin::Made) }
    }

    /// True when a person must accept the bytes before they count as trusted.
    pub fn needs_acceptance(self) -> bool {
        matches!(self, Origin::Checkout | Origin::Made(Actor::Import))
    }
}

/// A document's words, cut by [`crate::words`] into space-separated tokens, for the search index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchText {
    /// Tokens of the name.
    pub name: String,
    /// Tokens of the description.
    pub description: String,
    /// Tokens of the body.
    pub body: String,
}

/// One file of a root as the catalogue keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRow {
    /// Which file.
    pub path: EntryPath,
    /// See [`Known::stamp`].
    pub stamp: String,
    /// Its bytes' digest.
    pub digest: Digest,
    /// Its size.
    pub bytes: u64,
    /// When the file was last changed.
    pub updated_at: Timestamp,
    /// Where it came from; an update of a known file keeps the origin on record.
    pub origin: Origin,
    /// What it says of itself; `None` = it cannot be read as a document (binary, too large).
    pub card: Option<Card>,
    /// Its line in the index ([`crate::index::line`]), made once and not at every write of the index; empty without a card.
    pub line: String,
    /// Its words; empty when it has no card.
    pub search: SearchText,
}

/// A document's face: what lists and the index show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// Its name.
    pub name: String,
    /// Its one-line description; may be empty.
    pub description: String,
    /// What kind of fact it holds.
    pub kind: Kind,
}

/// A catalogue row with what the ledger alone knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The row; `line` and `search` are left empty.
    pub row: DocumentRow,
    /// How often it was used.
    pub uses: u64,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
    /// A person's mark.
    pub pinned: bool,
    /// A person accepted exactly these bytes.
    pub accepted: bool,
}

/// All that one step changed about one root; recorded as a whole or not at all.
///
/// Order inside: `noticed` and `images` first, then `settled`, `moved`, `gone`, `absent`, `documents`, `restamped`, `used`,
/// `accepted`, `evidence`.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Which root.
    pub root: RootKey,
    /// When.
    pub at: Timestamp,
    /// Changes that are journaled only now because somebody else made them.
    pub noticed: Vec<Change>,
    /// Bytes that `noticed` refers to.
    pub images: Vec<Image>,
    /// Intended changes that are now true on disk.
    pub settled: Vec<ChangeId>,
    /// Files that moved: usage, pins and origin go along.
    pub moved: Vec<(EntryPath, EntryPath)>,
    /// Files that went: usage, pins and search rows go with them.
    pub gone: Vec<EntryPath>,
    /// Files that are not in this folder any more, but whose usage and pins go on: another branch or worktree may have them.
    pub absent: Vec<EntryPath>,
    /// Files as they are now.
    pub documents: Vec<DocumentRow>,
    /// Files whose bytes are the ones on record, under a stamp that now holds; nothing else of them changes.
    pub restamped: Vec<(EntryPath, String)>,
    /// Files that were used, once each.
    pub used: Vec<EntryPath>,
    /// Bytes that count as accepted from now on.
    pub accepted: Vec<Digest>,
    /// What documents rest on; of bytes whose evidence is on record already, that stays.
    pub evidence: Vec<Evidence>,
}

impl Batch {
    /// An empty batch for a root.
    pub fn new(root: RootKey, at: Timestamp) -> Batch {
        Batch {
            root,
            at,
            noticed: Vec::new(),
            images: Vec::new(),
            settled: Vec::new(),
            moved: Vec::new(),
            gone: Vec::new(),
            absent: Vec::new(),
            documents: Vec::new(),
            restamped: Vec::new(),
            used: Vec::new(),
            accepted: Vec::new(),
            evidence: Vec::new(),
        }
    }
}
