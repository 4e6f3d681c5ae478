//! Evidence: looks at the checkout for what memories name, and later whether it still is the same.
//!
//! Owns the bounds of that look: so many names, files and bytes, never outside the checkout, never through a link.
//! Never decides what a name is (`domain::evidence` does), and never fails a write or a read: what cannot be seen is unknown.
//! Start at [`Store::evidence`] (taking) and [`Store::drifted`] (judging).

mod definitions;

use crate::backend::{Blob, Meta, Node};
use crate::local::{Local, Modes, offload};
use crate::store::{Root, Store};
use crate::{Error, Result, catalog};
use definitions::{Definitions, Known};
use loci_domain::digest::Digest;
use loci_domain::evidence::{Called, Evidence, Fate, Kind, Sure, Thing, definers, named, told};
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The largest file whose bytes are compared; of a larger one only that it is there.
const LARGEST: u64 = 1 << 20;
/// Things that one document may rest on.
const MOST: usize = 24;

/// Who looks at a checkout.
pub(crate) struct Witness {
    top: PathBuf,
    files: Local,
    known: Known,
}

/// How much of the project a memory may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Breadth {
    /// All of it: a memory of the project or of a workspace.
    Project,
    /// Only what is named with its folder: the person's own memory speaks of many projects, and each has a `package.json`.
    Folders,
}

impl Store {
    /// What these bytes of a document rest on, seen now; `None` without a checkout to look at.
    pub(crate) async fn evidence(&self, root: &Root, path: &EntryPath, bytes: &[u8]) -> Option<Evidence> {
        let witness = Arc::clone(self.witness()?);
        let project = self.project_identity()?;
        let names = named(catalog::text(bytes)?);
        let breadth = if root.scope == Some(Scope::Global) { Breadth::Folders } else { Breadth::Project };
        let things = match names.is_empty() {
            true => Vec::new(),
            false => offload(move || Ok(witness.take(&names, breadth))).await.unwrap_or_default(),
        };
        Some(Evidence { path: path.clone(), digest: Digest::of(bytes), project, things })
    }

    /// What has changed or gone of what a document names, as half a sentence; `None` when all is as it was, or unknown.
    pub async fn drifted(&self, root: &Root, path: &EntryPath, digest: &Digest) -> Result<Option<String>> {
        let (Some(record), Some(_)) = (self.record(), self.witness()) else { return Ok(None) };
        let found = record.evidence_of(&root.key.identity, path).await?.filter(|found| found.digest == *digest);
        let drifted = self.judged(found.into_iter().collect()).await?;
        Ok(drifted.into_iter().next().map(|(_, (_, said))| said))
    }

    /// The same for all documents of a root, with the bytes for which it holds.
    pub async fn all_drifted(&self, root: &Root) -> Result<HashMap<EntryPath, (Digest, String)>> {
        let (Some(record), Some(_)) = (self.record(), self.witness()) else { return Ok(HashMap::new()) };
        self.judged(record.evidence(&root.key.identity).await?).await
    }

    async fn judged(&self, mut evidence: Vec<Evidence>) -> Result<HashMap<EntryPath, (Digest, String)>> {
        let (Some(witness), Some(project)) = (self.witness().cloned(), self.project_identity()) else {
            return Ok(HashMap::new());
        };
        evidence.retain(|evidence| evidence.project == project && !evidence.things.is_empty());
        if evidence.is_empty() {
            return Ok(HashMap::new());
        }
        offload(move || Ok(witness.judge(evidence))).await
    }

    fn project_identity(&self) -> Option<String> {
        Some(self.root(Some(Scope::Project)).ok()?.key.identity.0.clone())
    }
}

impl Witness {
    pub(crate) fn new(top: PathBuf) -> Witness {
        let top = std::fs::canonicalize(&top).unwrap_or(top);
        Witness { files: Local::new(top.clone(), &[], Modes::Umask), top, known: Known::default() }
    }

    /// What the names stand for, as it is now; names of what is not there stand for nothing.
    fn take(&self, names: &[Called], breadth: Breadth) -> Vec<Thing> {
        let mut things: Vec<Thing> = Vec::new();
        let mut read = HashMap::new();
        for name in names {
            let found = match name {
                Called::Path(path) => self.path(path, breadth, &mut read),
                Called::Command(command) if breadth == Breadth::Project => self.command(command),
                Called::Command(_) | Called::Symbol { .. } => None,
            };
            things.extend(found);
        }
        // Symbols come last: they are looked for in the files that were named anywhere in the memory.
        for name in names {
            let Called::Symbol { name, sure } = name else { continue };
            let near = read.iter().find_map(|(file, blob)| symbol(name, file, blob));
            let far = || (*sure == Sure::Name && breadth == Breadth::Project).then(|| self.symbol(name)).flatten();
            if let Some(found) = near.or_else(far) {
                // A file that is named for where a symbol is stands for that symbol, not for all of its bytes.
                for place in things.iter_mut().filter(|thing| thing.file == found.file && thing.kind == Kind::File) {
                    (place.kind, place.digest) = (Kind::Place, there());
                }
                things.push(found);
            }
        }
        things.truncate(MOST);
        things
    }

    fn path(&self, given: &str, breadth: Breadth, read: &mut HashMap<EntryPath, Blob>) -> Option<Thing> {
        let inside = match given.starts_with('/') {
            true => given.strip_prefix(self.top.to_str()?)?.strip_prefix('/')?,
            false => given,
        };
        let path = EntryPath::parse(inside.trim_end_matches('/')).ok()?;
        let bare = !path.as_str().contains('/');
        if path.segments().next() == Some(".git") || (bare && breadth == Breadth::Folders) {
            return None;
        }
        let (path, meta) = match self.files.stat_here(&path) {
            Ok(Some(meta)) => (path, meta),
            Ok(None) if bare => {
                let path = self.definitions().file(path.as_str())?;
                let meta = self.files.stat_here(&path).ok()??;
                (path, meta)
            }
            _ => return None,
        };
        let name = inside.to_owned();
        match self.bytes(&path, &meta) {
            Some(blob) => {
                let thing = Thing {
                    kind: Kind::File,
                    name,
                    file: path.clone(),
                    digest: blob.digest(),
                    stamp: blob.meta.stamp.clone(),
                };
                read.insert(path, blob);
                Some(thing)
            }
            None => Some(Thing { kind: Kind::Place, name, file: path, digest: there(), stamp: String::new() }),
        }
    }

    fn command(&self, command: &str) -> Option<Thing> {
        definers(command).iter().find_map(|file| {
            let file = EntryPath::parse(file).ok()?;
            let blob = self.files.read_here(&file, LARGEST).ok()??;
            let digest = Kind::Command.part(command, &file, &blob.bytes)?;
            Some(Thing { kind: Kind::Command, name: command.to_owned(), file, digest, stamp: blob.meta.stamp })
        })
    }

    /// A symbol anywhere in the project.
    fn symbol(&self, name: &str) -> Option<Thing> {
        let last = name.rsplit([':', '.', '#']).next()?;
        self.definitions().files_with(last).find_map(|file| {
            let blob = self.files.read_here(file, LARGEST).ok()??;
            symbol(name, file, &blob)
        })
    }

    fn definitions(&self) -> Arc<Definitions> {
        self.known.fresh(&self.top, &self.files)
    }

    /// The bytes of a file that is not too large.
    fn bytes(&self, path: &EntryPath, meta: &Meta) -> Option<Blob> {
        (meta.node == Node::File).then(|| self.files.read_here(path, LARGEST).ok().flatten()).flatten()
    }

    fn judge(&self, evidence: Vec<Evidence>) -> HashMap<EntryPath, (Digest, String)> {
        let mut stamps: HashMap<EntryPath, Seen> = HashMap::new();
        let mut drifted = HashMap::new();
        for Evidence { path, digest, things, .. } in evidence {
            let fates: Vec<(&Thing, Fate)> =
                things.iter().filter_map(|thing| Some((thing, self.fate(thing, &mut stamps)?))).collect();
            if !fates.is_empty() {
                drifted.insert(path, (digest, told(&fates)));
            }
        }
        drifted
    }

    fn fate(&self, thing: &Thing, stamps: &mut HashMap<EntryPath, Seen>) -> Option<Fate> {
        let seen = stamps.entry(thing.file.clone()).or_insert_with(|| Seen::of(self.files.stat_here(&thing.file)));
        match seen {
            Seen::Stamp(stamp) if *stamp == thing.stamp || thing.kind == Kind::Place => None,
            Seen::Stamp(_) => match self.files.read_here(&thing.file, LARGEST) {
                Ok(Some(blob)) => match thing.kind.part(&thing.name, &thing.file, &blob.bytes) {
                    Some(digest) if digest == thing.digest => None,
                    Some(_) => Some(Fate::Changed),
                    None => Some(Fate::Gone),
                },
                Ok(None) => Some(Fate::Gone),
                Err(Error::TooLarge { .. } | Error::Folder | Error::Link | Error::Odd) => Some(Fate::Changed),
                Err(_) => None,
            },
            Seen::Gone => Some(Fate::Gone),
            Seen::Other => Some(Fate::Changed),
            Seen::Unknown => None,
        }
    }
}

/// What lies at a path now.
enum Seen {
    Stamp(String),
    Gone,
    /// A link or an odd node, where a file or folder was.
    Other,
    Unknown,
}

impl Seen {
    fn of(stat: Result<Option<Meta>>) -> Seen {
        match stat {
            Ok(Some(meta)) => Seen::Stamp(meta.stamp),
            Ok(None) => Seen::Gone,
            Err(Error::Link | Error::Odd) => Seen::Other,
            Err(_) => Seen::Unknown,
        }
    }
}

fn symbol(name: &str, file: &EntryPath, blob: &Blob) -> Option<Thing> {
    let digest = Kind::Symbol.part(name, file, &blob.bytes)?;
    let stamp = blob.meta.stamp.clone();
    Some(Thing { kind: Kind::Symbol, name: name.to_owned(), file: file.clone(), digest, stamp })
}

/// What a thing is of which only being there counts.
fn there() -> Digest {
    Digest::of(b"")
}
