//! Generations where folders cannot change places: each has a folder of its own, and a small file says which one counts.
//!
//! The file is only ever replaced on a condition. A sweep writes it anew with another number, so that whoever saw it before
//! can put nothing in place any more. What is taken away was listed before that write: somebody who freezes right after
//! it knows nothing of the generation that another one points to by then.
//! Invariant: a_pointer_is_moved_by_the_last_to_sweep.

use super::{Shelf, Staged};
use crate::backend::{Backend, Blob, Care, Expect, Listing, Meta, Show};
use crate::store::fresh_id;
use crate::{Error, Result};
use async_trait::async_trait;
use loci_domain::digest::Digest;
use loci_domain::fault::Fault;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use std::sync::Arc;
use tokio::sync::Mutex;

/// The file that says which generation counts: its folder in the first line (empty = none), the number of the last sweep
/// in the second.
const POINTER: &str = "current";
/// What the folder of a generation is called.
const GENERATION: &str = "g-";
/// How often a sweep tries against others that sweep at the same time.
const TRIES: usize = 20;
const SMALL: u64 = 1_024;
const MANY: usize = 100_000;

/// A folder whose generations are pointed to.
pub struct Pointed {
    backend: Arc<dyn Backend>,
    /// The pointer as our sweep left it.
    swept: Mutex<Option<Digest>>,
}

/// The same folder to be read: the generation that counts right now.
pub struct PointedBook {
    backend: Arc<dyn Backend>,
}

impl Pointed {
    /// Over the folder that holds the pointer and all generations.
    pub fn new(backend: Arc<dyn Backend>) -> Pointed {
        Pointed { backend, swept: Mutex::new(None) }
    }

    /// Points to a generation, if the pointer is still what it was.
    async fn point(&self, generation: &str, expect: Expect) -> Result<Digest> {
        let text = format!("{generation}\n{}\n", fresh_id()).into_bytes();
        let digest = Digest::of(&text);
        self.backend.write_if(&name(POINTER)?, &Clean::kept(text), expect, Care::Durable).await?;
        Ok(digest)
    }

    /// The generations that lie here now.
    async fn generations(&self) -> Result<Vec<String>> {
        let listing = self.backend.list(None, Show::All, MANY).await?;
        let folders = listing.files.iter().filter_map(|(path, _)| path.segments().next());
        let mut found: Vec<String> = folders.filter(|name| name.starts_with(GENERATION)).map(str::to_owned).collect();
        found.dedup();
        Ok(found)
    }

    /// Takes all of these away but the one that counts.
    async fn remove_others(&self, found: &[String], counts: &str) -> Result<()> {
        for other in found.iter().filter(|other| *other != counts) {
            self.backend.remove(&name(other)?).await?;
        }
        Ok(())
    }

    /// The pointer that our own sweep left; without one nobody gave us the right to move it.
    async fn ours(&self) -> Result<Digest> {
        self.swept.lock().await.ok_or(Error::Missing)
    }
}

#[async_trait]
impl Shelf for Pointed {
    async fn sweep(&self) -> Result<()> {
        for _ in 0..TRIES {
            let (generation, before) = pointer(&*self.backend).await?;
            let found = self.generations().await?;
            let expect = before.map_or(Expect::Absent, Expect::Is);
            match self.point(&generation, expect).await {
                Ok(digest) => {
                    *self.swept.lock().await = Some(digest);
                    return self.remove_others(&found, &generation).await;
                }
                Err(Error::Changed { .. } | Error::Exists) => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::Busy)
    }

    async fn stage(&self, files: Vec<(EntryPath, Clean)>) -> Result<Staged> {
        let generation = format!("{GENERATION}{}", fresh_id());
        for (path, bytes) in &files {
            self.backend.write_if(&below(&generation, path)?, bytes, Expect::Absent, Care::Durable).await?;
        }
        Ok(Staged(generation))
    }

    async fn swap(&self, Staged(generation): Staged) -> Result<()> {
        let ours = self.ours().await?;
        let found = self.generations().await?;
        match self.point(&generation, Expect::Is(ours)).await {
            Ok(digest) => *self.swept.lock().await = Some(digest),
            Err(Error::Changed { .. } | Error::Exists) => return Err(Error::Missing),
            Err(error) => return Err(error),
        }
        if let Err(error) = self.remove_others(&found, &generation).await {
            tracing::warn!(%error, "the generation before is swept later");
        }
        Ok(())
    }

    async fn discard(&self, Staged(generation): Staged) -> Result<()> {
        self.backend.remove(&name(&generation)?).await
    }

    async fn clear(&self) -> Result<()> {
        self.sweep().await?;
        self.swap(Staged(String::new())).await
    }
}

impl PointedBook {
    /// Over the folder that holds the pointer and all generations.
    pub fn new(backend: Arc<dyn Backend>) -> PointedBook {
        PointedBook { backend }
    }

    async fn generation(&self) -> Result<Option<String>> {
        Ok(Some(pointer(&*self.backend).await?.0).filter(|generation| !generation.is_empty()))
    }

    fn refused<T>(&self) -> Result<T> {
        Err(Error::refused(Fault::Denied, "the handbook is only ever replaced as a whole"))
    }
}

#[async_trait]
impl Backend for PointedBook {
    async fn stat(&self, path: Option<&EntryPath>) -> Result<Option<Meta>> {
        let Some(generation) = self.generation().await? else { return Ok(None) };
        let inside = path.map_or_else(|| name(&generation), |path| below(&generation, path))?;
        let found = self.backend.stat(Some(&inside)).await?;
        // Each generation has names of its own, so its name tells it apart where a time cannot.
        Ok(found.map(|meta| Meta { stamp: format!("{generation}/{}", meta.stamp), ..meta }))
    }

    async fn read(&self, path: &EntryPath, limit: u64) -> Result<Option<Blob>> {
        loop {
            let Some(generation) = self.generation().await? else { return Ok(None) };
            let found = self.backend.read(&below(&generation, path)?, limit).await?;
            // It may have been taken away while we looked.
            if found.is_some() || self.generation().await?.as_deref() == Some(&generation) {
                return Ok(found);
            }
        }
    }

    async fn list(&self, under: Option<&EntryPath>, show: Show, limit: usize) -> Result<Listing> {
        loop {
            let Some(generation) = self.generation().await? else { return Ok(complete()) };
            let inside = under.map_or_else(|| name(&generation), |path| below(&generation, path))?;
            let listing = self.backend.list(Some(&inside), show, limit).await?;
            if self.generation().await?.as_deref() == Some(&generation) {
                return Ok(above(listing, &generation));
            }
        }
    }

    async fn write_if(&self, _: &EntryPath, _: &Clean, _: Expect, _: Care) -> Result<Meta> {
        self.refused()
    }

    async fn remove(&self, _: &EntryPath) -> Result<()> {
        self.refused()
    }

    async fn rename(&self, _: &EntryPath, _: &EntryPath) -> Result<()> {
        self.refused()
    }

    async fn sweep(&self, _: Option<&EntryPath>) -> Result<()> {
        Ok(())
    }
}

/// The generation that counts, and the version of the file that says so.
async fn pointer(backend: &dyn Backend) -> Result<(String, Option<Digest>)> {
    let Some(blob) = backend.read(&name(POINTER)?, SMALL).await? else { return Ok((String::new(), None)) };
    let text = String::from_utf8_lossy(&blob.bytes).into_owned();
    Ok((text.lines().next().unwrap_or_default().to_owned(), Some(blob.digest())))
}

fn name(text: &str) -> Result<EntryPath> {
    Ok(EntryPath::parse(text)?)
}

fn below(generation: &str, path: &EntryPath) -> Result<EntryPath> {
    name(&format!("{generation}/{path}"))
}

fn complete() -> Listing {
    Listing { complete: true, ..Listing::default() }
}

/// A listing as seen from inside a generation.
fn above(listing: Listing, generation: &str) -> Listing {
    let inner = |path: &EntryPath| {
        let rest = path.as_str().strip_prefix(generation)?.strip_prefix('/')?;
        EntryPath::parse(rest).ok()
    };
    Listing {
        files: listing.files.into_iter().filter_map(|(path, meta)| Some((inner(&path)?, meta))).collect(),
        folders: listing.folders.iter().filter_map(inner).collect(),
        ..listing
    }
}

#[cfg(test)]
mod tests;
