//! One change to one memory file: what the journal keeps and what undo reads.
//!
//! Owns the words for who did what to which file, and the digests before and after.
//! Never holds content: bytes are kept once, by digest, in the ledger.

use crate::digest::Digest;
use crate::path::EntryPath;
use jiff::Timestamp;
use std::fmt;

/// Where a root's files really lie, as the ledger names it: `home:memory`, `home:projects/<key>/memory`, `checkout:<path>`.
///
/// Catalogue, journal and lock belong to a place; usage, pins and trust belong to an [`Identity`],
/// because two worktrees of one repository have two folders and one memory life.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(pub String);

/// Whose memory it is, whatever folder it lies in: `global`, `project:<identity>`, `workspace:<id>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(pub String);

/// Names one change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeId(pub String);

/// Names the changes that one command, run or undo made together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub String);

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// The word on the wire and in rows.
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            /// Reads the word back.
            pub fn from_word(word: &str) -> Option<$name> {
                match word { $($word => Some($name::$variant),)+ _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.word())
            }
        }
    };
}

words! {
    /// Who made a change.
    Actor {
        /// An agent, by the memory tool.
        Agent = "agent",
        /// A person, by a Loci command or the page.
        User = "user",
        /// A dream.
        Dream = "dream",
        /// Extraction from a conversation.
        Extract = "extract",
        /// The verb remember.
        Remember = "remember",
        /// The verb forget.
        Forget = "forget",
        /// An import.
        Import = "import",
        /// Somebody outside Loci: an editor, a script, a `git pull`.
        Editor = "editor",
    }
}

words! {
    /// What was done.
    Op {
        /// A file came to be.
        Create = "create",
        /// A file's bytes changed.
        Modify = "modify",
        /// A file went.
        Delete = "delete",
        /// A file moved.
        Rename = "rename",
    }
}

/// One change to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its name.
    pub id: ChangeId,
    /// What it was made together with.
    pub group: GroupId,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub actor: Actor,
    /// What.
    pub op: Op,
    /// In which folder.
    pub place: Place,
    /// Which file.
    pub path: EntryPath,
    /// Where it went, for a rename.
    pub new_path: Option<EntryPath>,
    /// The file before; `None` = it was not there.
    pub before: Option<Digest>,
    /// The file after; `None` = it is gone.
    pub after: Option<Digest>,
    /// The change that this one takes back, when it is an undo.
    pub undoes: Option<ChangeId>,
}

/// Bytes that a journal row refers to by digest.
#[derive(Debug, Clone)]
pub struct Image {
    /// Their SHA-256.
    pub digest: Digest,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Image {
    /// The image of these bytes.
    pub fn of(bytes: Vec<u8>) -> Image {
        Image { digest: Digest::of(&bytes), bytes }
    }
}
