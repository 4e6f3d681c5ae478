//! What imports wrote, to know it again: a hash of the path and the digest of the bytes, never a word of either.

use crate::{Memory, Result};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;
use std::collections::BTreeMap;

/// What imports wrote into one scope.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Written {
    known: BTreeMap<String, String>,
    changed: bool,
}

impl Written {
    pub(super) async fn read(memory: &Memory, scope: Scope) -> Result<Written> {
        let note = memory.record()?.note(&key(memory, scope)?).await?;
        let known = note.and_then(|note| serde_json::from_str(&note).ok()).unwrap_or_default();
        Ok(Written { known, changed: false })
    }

    /// True when an import wrote something to this path.
    pub(super) fn knows(&self, path: &EntryPath) -> bool {
        self.known.contains_key(&mark(path))
    }

    /// True when these are the bytes that the last import wrote to this path.
    pub(super) fn has(&self, path: &EntryPath, digest: Digest) -> bool {
        self.known.get(&mark(path)).is_some_and(|known| *known == digest.to_string())
    }

    pub(super) fn note(&mut self, path: &EntryPath, digest: Digest) {
        self.known.insert(mark(path), digest.to_string());
        self.changed = true;
    }

    pub(super) async fn keep(self, memory: &Memory, scope: Scope) -> Result<()> {
        if self.changed {
            let text = serde_json::to_string(&self.known).unwrap_or_default();
            memory.record()?.set_note(&key(memory, scope)?, Some(&text)).await?;
        }
        Ok(())
    }
}

fn key(memory: &Memory, scope: Scope) -> Result<String> {
    let root = memory.store().root(Some(scope))?;
    Ok(format!("imported:{}", root.key.identity.0))
}

fn mark(path: &EntryPath) -> String {
    Digest::of(path.as_str().as_bytes()).to_string()[..24].to_owned()
}
