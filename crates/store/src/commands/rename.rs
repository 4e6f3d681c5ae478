//! `rename`: a file or directory to a place that is free, within one scope.

use super::{about, nothing_at, target};
use crate::store::Store;
use crate::transaction::By;
use crate::{Error, Result};
use loci_domain::access::Mode;
use loci_domain::fault::Fault;
use loci_domain::path::Virtual;

pub(super) async fn run(store: &Store, old: &str, new: &str, mode: Mode, by: By) -> Result<String> {
    if let Some(root) = Virtual::root_spelled(old, store.layout()) {
        return Err(Error::refused(Fault::Denied, format!("Cannot rename the {root} directory itself")));
    }
    let occupied = || Error::refused(Fault::Conflict, format!("The destination {new} already exists"));
    if Virtual::root_spelled(new, store.layout()).is_some() {
        return Err(occupied());
    }
    let (from, to) = (Virtual::parse(old, store.layout())?, Virtual::parse(new, store.layout())?);
    let (root, source) = target(store, &from, mode)?;
    let (other, destination) = target(store, &to, mode)?;
    if root.scope != other.scope {
        let text =
            format!("Cannot rename {old} to {new}: a memory stays in its scope. Create it there and delete it here.");
        return Err(Error::refused(Fault::Invalid, text));
    }
    if root.backend.stat(Some(&source)).await.map_err(|error| about(&from, error))?.is_none() {
        return Err(nothing_at(&from));
    }
    let mut change = store.begin(root, by).await?;
    if root.backend.stat(Some(&destination)).await.map_err(|error| about(&to, error))?.is_some() {
        return Err(occupied());
    }
    change.rename(&source, &destination).await.map_err(|error| about(&from, error))?;
    match change.commit().await {
        Ok(_) => Ok(format!("Successfully renamed {old} to {new}")),
        Err(Error::Exists) => Err(occupied()),
        Err(Error::InTheWay) => Err(about(&to, Error::InTheWay)),
        Err(error) => Err(about(&from, error)),
    }
}
