//! Show: one file, as it is; looking is no use of it.

use crate::list::File;
use crate::{Error, Memory, Result};
use loci_store::catalog;
use serde::Serialize;

/// A file's facts and text.
#[derive(Debug, Clone, Serialize)]
pub struct Shown {
    /// Its facts; the generated index has none.
    #[serde(flatten)]
    pub file: Option<File>,
    /// Its text.
    pub content: String,
}

impl Memory {
    /// One file.
    pub async fn show(&self, given: &str) -> Result<Shown> {
        let (root, path) = self.locate(given)?;
        let name = root.name(&path);
        let blob = match self.store.read(root, &path).await {
            Ok(Some(blob)) => blob,
            Ok(None) => return Err(Error::Missing(name)),
            Err(loci_store::Error::Folder) => return Err(Error::NotAFile(name)),
            Err(error) => return Err(error.into()),
        };
        let content = catalog::text(&blob.bytes).ok_or(Error::NotText(name))?.to_owned();
        self.look(root).await?;
        let listed = self.record()?.listed_file(&root.key, &path).await?;
        let mut file = listed.map(|listed| crate::list::file(root, listed));
        if let Some(file) = &mut file {
            file.stale = self.store.drifted(root, &path, &file.sha256).await?.is_some();
        }
        Ok(Shown { file, content })
    }
}
