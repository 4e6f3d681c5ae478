//! The checkout: where it is and what belongs to it.
//!
//! Owns the answer to "which files are ours": what git tracks, and what it would track.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the checkout that this binary was built from.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// A file of the checkout.
pub struct File {
    /// Relative to the root, `/` between segments.
    pub path: String,
    /// All of it; nothing for a picture.
    pub text: String,
}

impl File {
    /// True for Rust source.
    pub fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// True for a file that holds nothing but tests.
    pub fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.split('/').any(|segment| segment == "tests")
    }
}

/// All files that git tracks or would track, in path order; what is no UTF-8 has no text.
pub fn files() -> Result<Vec<File>> {
    let root = root();
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(&root)
        .output()
        .context("git ls-files")?;
    ensure!(listed.status.success(), "git ls-files: {}", String::from_utf8_lossy(&listed.stderr).trim());
    let mut paths: Vec<String> = String::from_utf8_lossy(&listed.stdout)
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect();
    paths.sort();
    paths.dedup();
    // A tracked file may be gone from the disk in the middle of somebody's work.
    let read = |path: String| {
        let text = String::from_utf8(std::fs::read(root.join(&path)).ok()?).unwrap_or_default();
        Some(File { path, text })
    };
    Ok(paths.into_iter().filter_map(read).collect())
}
