//! Where the folders of memory lie: on this machine's disk, in a bucket, on another machine.
//!
//! Owns the port [`Site`] and the site that is a home on disk. Never says which folders there are: `workspace.rs` does.

use crate::Backend;
use crate::local::{Generations, Local, Modes};
use crate::lock::{FileLock, Lock};
use crate::shelf::{Book, Pointed, PointedBook};
use loci_domain::change::Place;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

/// One folder of a site, ready to be used.
pub struct Ground {
    /// How the ledger names it: the same for everybody who shares the ledger, and never that of another folder.
    pub place: Place,
    /// Its files.
    pub backend: Arc<dyn Backend>,
    /// What serialises its writers.
    pub lock: Arc<dyn Lock>,
}

/// A place with folders. Nothing is asked for before a folder is used.
pub trait Site: Debug + Send + Sync {
    /// The folder below these segments; it need not be there.
    fn ground(&self, inside: &[&str]) -> Ground;

    /// The folder below these segments as one that is only ever replaced as a whole.
    fn book(&self, inside: &[&str]) -> Book {
        let backend = self.ground(inside).backend;
        Book { shelf: Arc::new(Pointed::new(Arc::clone(&backend))), pages: Arc::new(PointedBook::new(backend)) }
    }

    /// The whole of it, as a person would write it; no password is in it.
    fn address(&self) -> PathBuf;

    /// Its folder on this machine's disk, if it has one.
    fn disk(&self) -> Option<PathBuf> {
        None
    }
}

/// A home on this machine's disk.
#[derive(Debug, Clone)]
pub struct Disk {
    home: PathBuf,
    /// What its places begin with.
    word: String,
}

impl Disk {
    /// The home whose ledger is its own.
    pub fn new(home: PathBuf) -> Disk {
        Disk { home, word: "home".to_owned() }
    }

    /// A home among others on one ledger: `id` tells it apart.
    pub fn among(home: PathBuf, id: &str) -> Disk {
        Disk { home, word: format!("home@{id}") }
    }
}

impl Site for Disk {
    fn ground(&self, inside: &[&str]) -> Ground {
        let place = Place(format!("{}:{}", self.word, inside.join("/")));
        Ground {
            backend: Arc::new(Local::new(self.home.clone(), inside, Modes::Private)),
            lock: Arc::new(FileLock::of_place(&self.home, &place)),
            place,
        }
    }

    fn book(&self, inside: &[&str]) -> Book {
        let pages = Local::new(self.home.clone(), inside, Modes::Private);
        let (name, above) = inside.split_last().unwrap_or((&"", &[]));
        Book { shelf: Arc::new(Generations::new(&self.home, above, name)), pages: Arc::new(pages) }
    }

    fn address(&self) -> PathBuf {
        self.home.clone()
    }

    fn disk(&self) -> Option<PathBuf> {
        Some(self.home.clone())
    }
}
