//! `delete`: a file, or a directory with all that is in it; never a root.

use super::{about, nothing_at, target};
use crate::backend::Node;
use crate::store::Store;
use crate::transaction::By;
use crate::{Error, Result};
use loci_domain::access::Mode;
use loci_domain::fault::Fault;
use loci_domain::path::Virtual;

pub(super) async fn run(store: &Store, given: &str, mode: Mode, by: By) -> Result<String> {
    if let Some(root) = Virtual::root_spelled(given, store.layout()) {
        return Err(Error::refused(Fault::Denied, format!("Cannot delete the {root} directory itself")));
    }
    let path = Virtual::parse(given, store.layout())?;
    let (root, inner) = target(store, &path, mode)?;
    let node = |meta: Option<crate::Meta>| match meta {
        None => Err(nothing_at(&path)),
        Some(meta) if path.folder && meta.node == Node::File => Err(nothing_at(&path)),
        Some(_) => Ok(()),
    };
    // Looked at before the lock is taken, so that a wrong path makes no lock and no root.
    node(root.backend.stat(Some(&inner)).await.map_err(|error| about(&path, error))?)?;
    let mut change = store.begin(root, by).await?;
    change.remove(&inner).await.map_err(|error| about(&path, error))?;
    change.commit().await.map_err(|error| about(&path, error))?;
    Ok(format!("Successfully deleted {}", path.given))
}
