//! `create`: a new file, and only a new one.

use super::{about, target};
use crate::store::Store;
use crate::transaction::By;
use crate::{Error, Result};
use loci_domain::access::Mode;
use loci_domain::fault::Fault;
use loci_domain::path::{BadPath, Spot, Virtual};

pub(super) async fn run(store: &Store, given: &str, file_text: String, mode: Mode, by: By) -> Result<String> {
    let path = Virtual::parse(given, store.layout())?;
    if path.folder && matches!(path.spot, Spot::Inside(..)) {
        let reason = "a file's name does not end in /".to_owned();
        return Err(BadPath::Invalid { path: path.given, reason }.into());
    }
    let (root, inner) = target(store, &path, mode)?;
    let exists = || Error::refused(Fault::Conflict, format!("File {} already exists", path.given));
    let mut change = store.begin(root, by).await?;
    if root.backend.stat(Some(&inner)).await.map_err(|error| about(&path, error))?.is_some() {
        return Err(exists());
    }
    change.put(&inner, file_text).await.map_err(|error| about(&path, error))?;
    match change.commit().await {
        Ok(_) => Ok(format!("File created successfully at: {}", path.given)),
        // An editor was quicker.
        Err(Error::Exists) => Err(exists()),
        Err(error) => Err(about(&path, error)),
    }
}
