//! A folder that is only ever replaced as a whole: the handbook.
//!
//! Owns the port [`Shelf`]: on disk a folder takes another one's place ([`crate::local::Generations`]), elsewhere a pointer
//! is moved ([`Pointed`]). A reader sees one generation or the next, and no gap between them.
//!
//! The fence: whoever takes the work over first sweeps. From then on nobody else can put anything in place, however long
//! they slept.

mod pointed;

pub use pointed::{Pointed, PointedBook};

use crate::{Backend, Result};
use async_trait::async_trait;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use std::sync::Arc;

/// A generation that is whole and durable, and not in place yet. Dropping it leaves it to the next sweep.
#[derive(Debug)]
pub struct Staged(pub(crate) String);

/// A folder with its generations.
#[async_trait]
pub trait Shelf: Send + Sync {
    /// Takes away what others staged, or left when they died: from now on nobody else can put anything in place.
    async fn sweep(&self) -> Result<()>;

    /// Writes a generation beside the folder; it is durable when this returns.
    async fn stage(&self, files: Vec<(EntryPath, Clean)>) -> Result<Staged>;

    /// Puts a generation in place in one step, and takes the one before away. [`crate::Error::Missing`] when somebody
    /// swept since: then nothing has changed.
    async fn swap(&self, staged: Staged) -> Result<()>;

    /// Takes a generation away that is not wanted any more.
    async fn discard(&self, staged: Staged) -> Result<()>;

    /// Takes the folder away in one step, and all that was staged.
    async fn clear(&self) -> Result<()>;
}

/// A handbook: to be replaced as a whole, and to be read.
#[derive(Clone)]
pub struct Book {
    /// Replaces it.
    pub shelf: Arc<dyn Shelf>,
    /// Reads it.
    pub pages: Arc<dyn Backend>,
}
