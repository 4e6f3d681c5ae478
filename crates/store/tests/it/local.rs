//! What only a disk can do: links, pipes, hard links, modes, leftovers, strange names, large folders.

mod leftovers;
mod links;
mod modes;
mod names;
mod odd;
mod size;

use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use loci_store::local::{Local, Modes};
use loci_store::{Backend, Care, Error, Expect, Show};
use std::path::{Path, PathBuf};

/// A root on disk, a folder beside it, and a backend over the root.
struct Disk {
    dir: tempfile::TempDir,
    backend: Local,
}

impl Disk {
    fn new(modes: Modes) -> Disk {
        let dir = tempfile::tempdir().unwrap();
        let disk = Disk { backend: Local::new(dir.path().join("home"), &["memory"], modes), dir };
        std::fs::create_dir_all(disk.root()).unwrap();
        std::fs::create_dir_all(disk.outside()).unwrap();
        disk
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("home/memory")
    }

    /// What nobody may touch.
    fn outside(&self) -> PathBuf {
        self.dir.path().join("outside")
    }

    async fn put(&self, path: &str, content: &str) -> Result<(), Error> {
        self.backend.write_if(&at(path), &text(content), Expect::Absent, Care::Durable).await.map(drop)
    }

    async fn replace(&self, path: &str, was: &str, content: &str) -> Result<(), Error> {
        let expect = Expect::Is(Digest::of(was.as_bytes()));
        self.backend.write_if(&at(path), &text(content), expect, Care::Durable).await.map(drop)
    }

    async fn names(&self) -> Vec<String> {
        let listing = self.backend.list(None, Show::Visible, 100_000).await.unwrap();
        listing.files.iter().map(|(path, _)| path.to_string()).collect()
    }

    async fn refused(&self) -> Vec<String> {
        let mut refused = self.backend.list(None, Show::Visible, 100_000).await.unwrap().refused;
        refused.sort();
        refused
    }
}

fn at(path: &str) -> EntryPath {
    EntryPath::parse(path).unwrap()
}

fn text(text: &str) -> Clean {
    Clean::kept(text.as_bytes().to_vec())
}

/// All paths below a folder with what they are: enough to see that nothing changed.
fn snapshot(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    loci_testkit::home::walk(folder, &mut |path, kind| {
        let content = if kind.is_file() { std::fs::read(path).unwrap() } else { Vec::new() };
        found.push(format!("{} {kind:?} {}", path.display(), Digest::of(&content)));
    });
    found.sort();
    found
}
