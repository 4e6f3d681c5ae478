//! Putting a listing together from names that come in any order.
//!
//! Owns what a listing shows, counts and leaves out; memory is bounded whatever lies in the place.

use loci_domain::path::EntryPath;
use loci_store::{Listing, Meta, Show};
use std::collections::{BTreeMap, BTreeSet};

/// How the name of every unfinished piece of work starts.
pub(crate) const UNFINISHED: &str = ".loci-";
/// How many refused names are worth telling.
const TOLD: usize = 50;
/// Names that one listing looks at: behind them all is unknown, and the listing says that it is not complete.
const MOST: usize = 200_000;

pub(crate) struct Gather {
    show: Show,
    limit: usize,
    seen: usize,
    files: BTreeMap<EntryPath, Meta>,
    folders: BTreeSet<EntryPath>,
    leftovers: BTreeSet<Option<EntryPath>>,
    refused: Vec<String>,
    nameless: usize,
    complete: bool,
}

/// What became of a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// A path of ours that is to be shown.
    Shown(EntryPath),
    /// Hidden, unfinished or refused: not looked into.
    LeftOut,
}

impl Gather {
    pub fn new(show: Show, limit: usize) -> Gather {
        Gather {
            show,
            limit,
            seen: 0,
            files: BTreeMap::new(),
            folders: BTreeSet::new(),
            leftovers: BTreeSet::new(),
            refused: Vec::new(),
            nameless: 0,
            complete: true,
        }
    }

    /// Judges a path relative to the root.
    pub fn name(&mut self, relative: &str) -> Name {
        self.seen += 1;
        let unfinished = relative.split('/').position(|segment| segment.starts_with(UNFINISHED));
        if let Some(depth) = unfinished {
            let above: Vec<&str> = relative.split('/').take(depth).collect();
            self.leftovers.insert(EntryPath::parse(&above.join("/")).ok());
            return Name::LeftOut;
        }
        if self.show == Show::Visible && relative.split('/').any(|segment| segment.starts_with('.')) {
            return Name::LeftOut;
        }
        match EntryPath::parse(relative) {
            Ok(path) => Name::Shown(path),
            Err(_) => {
                self.nameless += 1;
                self.refuse(relative);
                Name::LeftOut
            }
        }
    }

    /// Tells of a name that is not listed.
    pub fn refuse(&mut self, name: &str) {
        if self.refused.len() < TOLD {
            self.refused.push(name.to_owned());
        }
    }

    /// A name that is no text.
    pub fn nameless(&mut self, name: &str) {
        self.seen += 1;
        self.nameless += 1;
        self.refuse(name);
    }

    /// Keeps a file, if it is among the first ones.
    pub fn file(&mut self, path: EntryPath, meta: Meta) {
        self.files.insert(path, meta);
        if self.files.len() > self.limit {
            self.files.pop_last();
            self.complete = false;
        }
    }

    /// Keeps a folder.
    pub fn folder(&mut self, path: EntryPath) {
        self.folders.insert(path);
    }

    /// Keeps the folders between `under` and a file.
    pub fn folders_of(&mut self, path: &EntryPath, under: Option<&EntryPath>) {
        let mut folder = path.parent();
        while let Some(path) = folder.filter(|path| under.is_none_or(|under| path != under && path.is_within(under))) {
            folder = path.parent();
            if !self.folders.insert(path) {
                break;
            }
        }
    }

    /// True when so much was looked at that the rest stays unknown.
    pub fn is_full(&mut self) -> bool {
        let full = self.seen >= MOST;
        self.complete &= !full;
        full
    }

    pub fn finish(self) -> Listing {
        Listing {
            files: self.files.into_iter().collect(),
            folders: self.folders.into_iter().collect(),
            refused: self.refused,
            nameless: self.nameless,
            leftovers: self.leftovers.into_iter().collect(),
            complete: self.complete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use loci_store::Node;

    fn gathered(show: Show, limit: usize, names: &[&str]) -> Listing {
        let mut gather = Gather::new(show, limit);
        for name in names {
            if let Name::Shown(path) = gather.name(name) {
                gather.folders_of(&path, None);
                let modified = Timestamp::UNIX_EPOCH;
                gather.file(path, Meta { node: Node::File, bytes: 0, modified, stamp: String::new() });
            }
        }
        gather.finish()
    }

    #[test]
    fn the_first_ones_stay_whatever_the_order() {
        let listing = gathered(Show::Visible, 2, &["b/c.md", "d.md", "a.md"]);
        let names: Vec<&str> = listing.files.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!((names, listing.complete), (vec!["a.md", "b/c.md"], false));
        assert!(gathered(Show::Visible, 3, &["b/c.md", "d.md", "a.md"]).complete);
    }

    #[test]
    fn what_is_unfinished_is_told_by_its_folder() {
        let listing = gathered(Show::All, 9, &[".loci-x", "a/.loci-1.gone/b.md", "a/.loci-2.tmp", ".b/c.md"]);
        assert_eq!(listing.leftovers, [None, Some(EntryPath::parse("a").unwrap())]);
        assert_eq!(listing.files.len(), 1);
    }

    #[test]
    fn odd_names_are_counted_and_told() {
        let listing = gathered(Show::Visible, 9, &["a~b.md", "..x/y", ".hidden"]);
        assert_eq!((listing.nameless, listing.refused), (1, vec!["a~b.md".to_owned()]));
    }
}
