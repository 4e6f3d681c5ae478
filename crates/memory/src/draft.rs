//! Draft: changes on their way, staged over the scopes and made true all at once.
//!
//! Owns what a run has read and would change, the preview of it, and that it happens as a whole or not at all: a run
//! that fails, is cancelled or killed before [`Draft::commit`] has changed nothing.
//! Never overwrites what came meanwhile, and never lets a machine touch a pinned file.
//! Start at [`Draft::open`]; how it becomes true is in `draft/commit.rs`.
//!
//! Invariant: draft_is_all_or_nothing. Every file is checked in every scope before the first one changes.

mod commit;
mod preview;

pub use commit::Committed;
pub use preview::diff;

use crate::{Error, Memory, Result};
use loci_domain::path::EntryPath;
use loci_domain::row::Card;
use loci_domain::scope::Scope;
use loci_store::{Root, catalog};
use std::collections::{BTreeMap, BTreeSet};

/// Whose changes they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    /// A person's own act, which may change what is pinned.
    Person,
    /// Anything else: what is pinned stays as it is.
    Machine,
}

/// One file that would change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// In which scope.
    pub scope: Scope,
    /// Which file.
    pub path: EntryPath,
    /// Its text before; `None` = it was not there.
    pub before: Option<String>,
    /// Its text after; `None` = it goes.
    pub after: Option<String>,
}

impl Edit {
    /// How a model names the file.
    pub fn name(&self) -> String {
        self.path.virtual_in(self.scope)
    }
}

type Spot = (Scope, EntryPath);

/// What a file was when the draft first read it, and what it would be.
#[derive(Debug, Clone)]
struct Staged {
    before: Option<String>,
    after: Option<String>,
}

/// Changes on their way.
pub struct Draft {
    memory: Memory,
    hand: Hand,
    /// Every file that was read or changed.
    files: BTreeMap<Spot, Staged>,
    /// Every file of the scopes that are there, as they were at the start.
    listed: BTreeSet<Spot>,
    pinned: BTreeSet<Spot>,
    /// What the documents say of themselves, as they were at the start.
    cards: Vec<(Spot, Card)>,
}

impl Draft {
    /// An empty draft over all scopes that are there; outside edits are seen first.
    pub async fn open(memory: &Memory, hand: Hand) -> Result<Draft> {
        let mut draft = Draft {
            memory: memory.clone(),
            hand,
            files: BTreeMap::new(),
            listed: BTreeSet::new(),
            pinned: BTreeSet::new(),
            cards: Vec::new(),
        };
        for root in memory.store.roots() {
            let Some(scope) = root.scope else { return Err(Error::Bare) };
            memory.look(root).await?;
            for listed in memory.record()?.listed(&root.key).await? {
                let spot = (scope, listed.row.path);
                if listed.pinned {
                    draft.pinned.insert(spot.clone());
                }
                if let Some(card) = listed.row.card {
                    draft.cards.push((spot.clone(), card));
                }
                draft.listed.insert(spot);
            }
        }
        Ok(draft)
    }

    /// The scopes that can be drafted on.
    pub fn scopes(&self) -> Vec<Scope> {
        self.memory.store.roots().into_iter().filter_map(|root| root.scope).collect()
    }

    /// The text of a file as it would be; `None` = it is not there. A link, a folder or what is no text is an error.
    pub async fn read(&mut self, scope: Scope, path: &EntryPath) -> Result<Option<String>> {
        let spot = (scope, path.clone());
        if let Some(staged) = self.files.get(&spot) {
            return Ok(staged.after.clone());
        }
        let root = self.memory.store.root(Some(scope))?;
        let text = match self.memory.store.read(root, path).await? {
            Some(blob) => Some(catalog::text(&blob.bytes).ok_or_else(|| Error::NotText(root.name(path)))?.to_owned()),
            None => None,
        };
        self.files.insert(spot, Staged { before: text.clone(), after: text.clone() });
        Ok(text)
    }

    /// The files of a scope as they would be, in path order.
    pub fn paths(&self, scope: Scope) -> Vec<EntryPath> {
        let mut paths: BTreeSet<&EntryPath> =
            self.listed.iter().filter(|(of, _)| *of == scope).map(|(_, path)| path).collect();
        for ((of, path), staged) in &self.files {
            match staged.after {
                _ if *of != scope || path.is_index() => false,
                Some(_) => paths.insert(path),
                None => paths.remove(path),
            };
        }
        paths.into_iter().cloned().collect()
    }

    /// The documents as they were at the start: virtual path and face, in the order of scopes and paths.
    pub fn cards(&self) -> Vec<(String, &Card)> {
        self.cards.iter().map(|((scope, path), card)| (path.virtual_in(*scope), card)).collect()
    }

    /// True when this draft made or changed the file.
    pub fn has_changed(&self, scope: Scope, path: &EntryPath) -> bool {
        self.files.get(&(scope, path.clone())).is_some_and(|staged| staged.before != staged.after)
    }

    /// True for a file that a person pinned.
    pub fn is_pinned(&self, scope: Scope, path: &EntryPath) -> bool {
        self.pinned.contains(&(scope, path.clone()))
    }

    /// Says whether this hand may change a file: the index is generated, and what is pinned is a person's.
    pub fn may_change(&self, scope: Scope, path: &EntryPath) -> Result<()> {
        self.memory.store.root(Some(scope))?;
        if path.is_index() {
            return Err(Error::Generated);
        }
        match self.hand {
            Hand::Machine if self.is_pinned(scope, path) => Err(Error::Pinned(path.virtual_in(scope))),
            Hand::Machine | Hand::Person => Ok(()),
        }
    }

    /// Stages the whole text of a file, new or not.
    pub async fn put(&mut self, scope: Scope, path: &EntryPath, text: String) -> Result<()> {
        self.may_change(scope, path)?;
        let limit = self.memory.store.settings().file_bytes;
        if text.len() as u64 > limit {
            return Err(loci_store::Error::TooLarge { bytes: text.len() as u64, limit }.into());
        }
        if text.contains('\0') {
            return Err(Error::NotText(path.virtual_in(scope)));
        }
        if self.read(scope, path).await?.is_none() {
            self.check_way(scope, path).await?;
        }
        self.stage(scope, path, Some(text));
        Ok(())
    }

    /// Stages the removal of a file; one that is not there stays so.
    pub async fn remove(&mut self, scope: Scope, path: &EntryPath) -> Result<()> {
        self.may_change(scope, path)?;
        self.read(scope, path).await?;
        self.stage(scope, path, None);
        Ok(())
    }

    /// What would change, in the order of scopes and paths.
    pub fn edits(&self) -> Vec<Edit> {
        let changed = self.files.iter().filter(|(_, staged)| staged.before != staged.after);
        changed
            .map(|((scope, path), staged)| Edit {
                scope: *scope,
                path: path.clone(),
                before: staged.before.clone(),
                after: staged.after.clone(),
            })
            .collect()
    }

    /// True when nothing would change.
    pub fn is_empty(&self) -> bool {
        self.files.values().all(|staged| staged.before == staged.after)
    }

    fn stage(&mut self, scope: Scope, path: &EntryPath, after: Option<String>) {
        if let Some(staged) = self.files.get_mut(&(scope, path.clone())) {
            staged.after = after;
        }
    }

    /// A new file needs a way to it: no parent may be a file, and nothing may lie below it.
    async fn check_way(&mut self, scope: Scope, path: &EntryPath) -> Result<()> {
        let below = |other: &&EntryPath| *other != path && other.is_within(path);
        if self.paths(scope).iter().find(below).is_some() {
            return Err(loci_store::Error::Folder.into());
        }
        let mut parent = path.parent();
        while let Some(folder) = parent {
            match self.read(scope, &folder).await {
                Ok(None) | Err(Error::Store(loci_store::Error::Folder)) => {}
                Ok(Some(_)) | Err(Error::NotText(_)) => return Err(loci_store::Error::InTheWay.into()),
                Err(error) => return Err(error),
            }
            parent = folder.parent();
        }
        Ok(())
    }

    fn root(&self, scope: Scope) -> Result<&Root> {
        Ok(self.memory.store.root(Some(scope))?)
    }
}
