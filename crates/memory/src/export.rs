//! Export: the documents of one scope or of all, with a manifest; a surface writes them down.
//!
//! Owns what an export holds and how it is laid out. Equal memory makes equal exports, byte for byte.
//! Never exports what only this machine knows (usage, pins, the journal), nor the generated index.

use crate::import::{MANIFEST, Manifest, Refused};
use crate::{Memory, Result};
use loci_domain::digest::Digest;
use loci_domain::scope::Scope;
use loci_store::store::LARGEST_IMAGE;
use loci_store::{Error, Root, Show};
use std::collections::BTreeMap;

/// An export, ready to be written.
#[derive(Debug, Clone)]
pub struct Exported {
    /// What it says of itself.
    pub manifest: Manifest,
    /// Every file by its path below the export, the manifest included.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What could not be read, by the path that it would have; the rest is complete.
    pub refused: Vec<Refused>,
}

impl Memory {
    /// All documents of one scope, or of every scope that is there in a folder each.
    pub async fn export(&self, scope: Option<Scope>) -> Result<Exported> {
        let (mut files, mut refused) = (BTreeMap::new(), Vec::new());
        for root in self.roots(scope)? {
            let prefix = root.scope.filter(|_| scope.is_none()).map_or(String::new(), |of| format!("{of}/"));
            self.look(root).await?;
            self.gather(root, &prefix, &mut files, &mut refused).await?;
        }
        let digests = files.iter().map(|(path, bytes)| (path.clone(), Digest::of(bytes).to_string())).collect();
        let manifest = Manifest { loci: 1, scope: scope.map(|scope| scope.to_string()), files: digests };
        let text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
        files.insert(MANIFEST.to_owned(), format!("{text}\n").into_bytes());
        Ok(Exported { manifest, files, refused })
    }

    /// The files of a root as they lie there, whatever their size: a backup should be complete, and one file that cannot be
    /// read must not cost the others.
    async fn gather(
        &self,
        root: &Root,
        prefix: &str,
        files: &mut BTreeMap<String, Vec<u8>>,
        refused: &mut Vec<Refused>,
    ) -> Result<()> {
        let most = self.store().settings().files_per_scope;
        let mut listing = root.backend.list(None, Show::Visible, most.saturating_add(1)).await?;
        listing.files.retain(|(path, _)| !path.is_index());
        if !listing.complete || listing.files.len() > most {
            let reason =
                format!("the scope holds more than {most} files; the rest is left out (limits.files_per_scope)");
            refused.push(Refused { path: format!("{prefix}…"), reason });
        }
        for (path, _) in listing.files.into_iter().take(most) {
            let name = format!("{prefix}{path}");
            match root.backend.read(&path, LARGEST_IMAGE).await {
                Ok(Some(blob)) => drop(files.insert(name, blob.bytes)),
                Ok(None) => {}
                Err(error @ (Error::TooLarge { .. } | Error::Forbidden | Error::Link | Error::Odd | Error::Folder)) => {
                    refused.push(Refused { path: name, reason: error.to_string() });
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}
