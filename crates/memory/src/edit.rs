//! Edit: a person's own hand. Save, remove, move; always conditional on what the person saw.

use crate::{Error, Memory, Result};
use loci_domain::change::Actor;
use loci_domain::digest::Digest;
use loci_domain::path::{EntryPath, Spot};
use loci_domain::secrets::Policy;
use loci_store::{By, Count, Root};

fn by_person(policy: Policy) -> By {
    By::new(Actor::User, policy, Count::Nothing)
}

impl Memory {
    /// Saves a whole file if it still is what the person saw (`None` = it must not exist).
    pub async fn save(&self, given: &str, text: String, seen: Option<Digest>, policy: Policy) -> Result<Digest> {
        let (root, path) = self.changeable(given)?;
        let mut change = self.store.begin(root, by_person(policy)).await?;
        let now = change.read(&path).await?.map(|blob| blob.digest());
        if now != seen {
            return Err(Error::Changed { path: root.name(&path) });
        }
        let digest = Digest::of(text.as_bytes());
        change.put(&path, text).await?;
        change.commit().await?;
        Ok(digest)
    }

    /// Removes a file or a folder; undo brings it back.
    pub async fn remove(&self, given: &str) -> Result<()> {
        self.no_root("delete", given)?;
        let (root, path) = self.changeable(given)?;
        let name = root.name(&path);
        if root.backend.stat(Some(&path)).await?.is_none() {
            return Err(Error::Missing(name));
        }
        let mut change = self.store.begin(root, by_person(Policy::Allow)).await?;
        change.remove(&path).await.map_err(|error| about(error, &name))?;
        change.commit().await.map(drop).map_err(|error| about(error, &name))
    }

    /// Removes a file if it still is what the person saw.
    pub async fn remove_version(&self, given: &str, seen: Digest) -> Result<()> {
        let (root, path) = self.changeable(given)?;
        let name = root.name(&path);
        let mut change = self.store.begin(root, by_person(Policy::Allow)).await?;
        if change.read(&path).await?.map(|blob| blob.digest()) != Some(seen) {
            return Err(Error::Changed { path: name });
        }
        change.remove(&path).await.map_err(|error| about(error, &name))?;
        change.commit().await.map(drop).map_err(|error| about(error, &name))
    }

    /// The version of the file that is there now; `None` = there is none.
    pub async fn version(&self, given: &str) -> Result<Option<Digest>> {
        let (root, path) = self.locate(given)?;
        Ok(self.store.read(root, &path).await?.map(|blob| blob.digest()))
    }

    /// Moves a file or a folder within its scope; usage and pins go along.
    pub async fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.no_root("rename", from)?;
        let (root, source) = self.changeable(from)?;
        let (other, target) = self.changeable(to)?;
        if root.scope != other.scope {
            return Err(Error::OtherScope);
        }
        if root.backend.stat(Some(&source)).await?.is_none() {
            return Err(Error::Missing(root.name(&source)));
        }
        let mut change = self.store.begin(root, by_person(Policy::Refuse)).await?;
        change.rename(&source, &target).await.map_err(|error| about(error, &root.name(&source)))?;
        change.commit().await.map(drop).map_err(|error| about(error, &root.name(&target)))
    }

    /// Whether a person may change what is at a path; nothing need be there.
    pub fn may_change(&self, given: &str) -> Result<()> {
        self.changeable(given).map(drop)
    }

    /// Memory itself and its scopes stay where they are.
    fn no_root(&self, verb: &'static str, given: &str) -> Result<()> {
        let path = self.spot(given)?;
        match path.spot {
            Spot::Inside(..) => Ok(()),
            Spot::Root(_) | Spot::Top => Err(Error::Root { verb, root: path.given.trim_end_matches('/').to_owned() }),
        }
    }

    /// A path that a person may change.
    fn changeable(&self, given: &str) -> Result<(&Root, EntryPath)> {
        let (root, path) = self.locate(given)?;
        if path.is_index() { Err(Error::Generated) } else { Ok((root, path)) }
    }
}

fn about(error: loci_store::Error, name: &str) -> Error {
    match error {
        loci_store::Error::Missing => Error::Missing(name.to_owned()),
        loci_store::Error::Exists => Error::Exists(name.to_owned()),
        other => other.into(),
    }
}
