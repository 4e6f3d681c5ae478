//! Export: the documents of one scope or of all, with a manifest; a surface writes them down.
//!
//! Owns what an export holds and how it is laid out. Equal memory makes equal exports, byte for byte.
//! Never exports what only this machine knows (usage, pins, the journal), nor the generated index.

use crate::import::{MANIFEST, Manifest};
use crate::{Memory, Result};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;
use std::collections::BTreeMap;

/// An export, ready to be written.
#[derive(Debug, Clone)]
pub struct Exported {
    /// What it says of itself.
    pub manifest: Manifest,
    /// Every file by its path below the export, the manifest included.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Memory {
    /// All documents of one scope, or of every scope that is there in a folder each.
    pub async fn export(&self, scope: Option<Scope>) -> Result<Exported> {
        let mut files = BTreeMap::new();
        for root in self.roots(scope)? {
            let Some(of) = root.scope else { continue };
            self.look(root).await?;
            for listed in self.record()?.listed(&root.key).await? {
                let path: EntryPath = listed.row.path;
                let Some(blob) = self.store().read(root, &path).await? else { continue };
                let name = if scope.is_some() { path.as_str().to_owned() } else { format!("{of}/{}", path.as_str()) };
                files.insert(name, blob.bytes);
            }
        }
        let digests = files.iter().map(|(path, bytes)| (path.clone(), Digest::of(bytes).to_string())).collect();
        let manifest = Manifest { loci: 1, scope: scope.map(|scope| scope.to_string()), files: digests };
        let text = serde_json::to_string_pretty(&manifest).unwrap_or_default();
        files.insert(MANIFEST.to_owned(), format!("{text}\n").into_bytes());
        Ok(Exported { manifest, files })
    }
}
