//! The port `Backend`: one folder of files, wherever it really is.
//!
//! Owns the contract that local disk, memory, object storage and SSH all keep; `testkit::contract::backend` checks it.
//! Never knows scopes, journals or documents: bytes in, bytes out.

use crate::Result;
use async_trait::async_trait;
use jiff::Timestamp;
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;

/// What must hold for a write to happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// Nothing is there yet.
    Absent,
    /// A file with these bytes is there.
    Is(Digest),
    /// Whatever is there gives way: for what is derived.
    Anything,
}

/// How much a write must survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Care {
    /// It is on disk when the call returns.
    Durable,
    /// It is atomic, but can be made again if the power goes.
    Derived,
}

/// Which names a listing shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// No name that starts with a dot, and none that the path grammar refuses.
    Visible,
    /// Hidden files too: for taking a whole folder away.
    All,
}

/// What lies at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Node {
    /// A regular file.
    File,
    /// A folder.
    Folder,
}

/// A node's facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meta {
    /// File or folder.
    pub node: Node,
    /// Size of a file.
    pub bytes: u64,
    /// When it was last changed.
    pub modified: Timestamp,
    /// A cheap mark that differs when the bytes may differ. One that ends in [`UNSETTLED`] was taken too early to tell.
    pub stamp: String,
}

/// How a stamp ends that the next look does not repeat: the file may have changed once more without a trace.
pub const UNSETTLED: char = '?';

impl Meta {
    /// True when the earlier stamp was taken too early, and is otherwise the same.
    pub fn settles(&self, earlier: &str) -> bool {
        self.stamp.trim_end_matches(UNSETTLED) == earlier.trim_end_matches(UNSETTLED)
    }
}

/// A file's bytes and facts, read together.
#[derive(Debug, Clone)]
pub struct Blob {
    /// All bytes.
    pub bytes: Vec<u8>,
    /// Its facts.
    pub meta: Meta,
}

impl Blob {
    /// The digest of the bytes.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.bytes)
    }
}

/// Files and folders below a folder.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Files in byte order of their whole path, the first ones when not all fit.
    pub files: Vec<(EntryPath, Meta)>,
    /// Folders among them, empty ones too.
    pub folders: Vec<EntryPath>,
    /// Names on disk that the path grammar refuses, a few of them.
    pub refused: Vec<String>,
    /// How many files and folders have such names, links and odd nodes left out.
    pub nameless: usize,
    /// Folders (`None` = the root) in which a crash left temporary files behind.
    pub leftovers: Vec<Option<EntryPath>>,
    /// False when the limit was reached: what is not listed is unknown, not absent.
    pub complete: bool,
}

/// What a derived write that was cut off may leave in its folder; everything else that is unfinished has a pending change.
pub const CUT_OFF: &str = ".loci-derived.tmp";

/// One folder of files.
///
/// - A missing root is an empty folder; only a write makes it.
/// - A link anywhere on a path is refused ([`crate::Error::Link`]), dangling or not, and never followed.
/// - A node that is neither file nor folder is refused ([`crate::Error::Odd`]) and not listed.
/// - A failing call changes nothing and leaves no new folder.
#[async_trait]
pub trait Backend: Send + Sync {
    /// What lies at a path; `None` path = the root itself. Missing, also below a file, is `None`.
    async fn stat(&self, path: Option<&EntryPath>) -> Result<Option<Meta>>;

    /// A file's bytes, if it has at most `limit`; more is [`crate::Error::TooLarge`], a folder [`crate::Error::Folder`].
    async fn read(&self, path: &EntryPath, limit: u64) -> Result<Option<Blob>>;

    /// Writes a whole file, atomically, if `expect` holds, else [`crate::Error::Changed`]; makes parent folders.
    async fn write_if(&self, path: &EntryPath, bytes: &Clean, expect: Expect, care: Care) -> Result<Meta>;

    /// Takes a file or a whole folder away, durably, in one step where the place allows it. Removing the missing succeeds.
    /// Links inside a removed folder go; what they point to stays.
    async fn remove(&self, path: &EntryPath) -> Result<()>;

    /// Moves a file or folder, durably; makes parent folders. An existing target is [`crate::Error::Exists`],
    /// a missing source [`crate::Error::Missing`], a target inside the source [`crate::Error::IntoItself`].
    async fn rename(&self, from: &EntryPath, to: &EntryPath) -> Result<()>;

    /// Files and folders below `under` (`None` = the root), at most `limit` files. Listing the missing is empty.
    /// What cannot be read is an error, never an empty answer.
    async fn list(&self, under: Option<&EntryPath>, show: Show, limit: usize) -> Result<Listing>;

    /// Removes what a crash left behind in a folder (`None` = the root): parts of an unfinished write or removal.
    /// Called only while the root's lock is held.
    async fn sweep(&self, folder: Option<&EntryPath>) -> Result<()>;

    /// Takes a folder away if nothing is in it; anything else is left as it is. Places without folders of their own have
    /// nothing to do. Called only while the root's lock is held.
    async fn remove_empty(&self, _folder: &EntryPath) -> Result<()> {
        Ok(())
    }

    /// Something that notices changes, whoever makes them; `None` where nobody can tell without a look at every file.
    fn watch(&self) -> Option<Box<dyn Watch>> {
        None
    }
}

/// Notices that something below a root may have changed. May cry wolf. Over a file system it never keeps silent about a change
/// of names, bytes or times; over a network it may keep silent for as long as it says, about what Loci did not write.
pub trait Watch: Send + Sync {
    /// Watches the root and these folders of it from now on; true when it watched all of them before.
    fn over(&self, folders: &[EntryPath]) -> bool;

    /// True when nothing happened in what is watched since this was asked last.
    fn quiet(&self) -> bool;
}
