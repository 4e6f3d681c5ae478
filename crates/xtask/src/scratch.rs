//! A directory that goes away with its owner.

use crate::repo;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A fresh directory below `target/`, so on the disk that the project is on.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes one.
    pub fn new(name: &str) -> Result<Scratch> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = repo::root().join(format!("target/scratch/{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| format!("make {}", path.display()))?;
        Ok(Scratch(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed lies below target/, where it disturbs nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
