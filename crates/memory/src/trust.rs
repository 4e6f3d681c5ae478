//! Trust: a person's word that these bytes may be taken for their own.

use crate::list::Trust;
use crate::{Memory, Result};

/// Which files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which<'p> {
    /// One.
    File(&'p str),
    /// All that are not trusted yet.
    All,
}

impl Memory {
    /// Accepts the bytes as they are now, or takes that back; answers the files whose trust changed.
    pub async fn trust(&self, which: Which<'_>, trust: Trust) -> Result<Vec<String>> {
        let accepted_at = (trust == Trust::Trusted).then(|| self.store.now());
        let wanted = match which {
            Which::All => None,
            Which::File(given) => Some(self.locate(given)?),
        };
        let mut changed = Vec::new();
        let mut found = wanted.is_none();
        for file in self.list(None).await? {
            if wanted.as_ref().is_some_and(|(root, path)| root.name(path) != file.path) {
                continue;
            }
            found = true;
            if file.trust != trust {
                let root = self.store.root(Some(file.scope))?;
                self.record()?.accept(&root.key.identity, &file.sha256, accepted_at).await?;
                changed.push(file.path);
            }
        }
        match wanted {
            Some((root, path)) if !found => Err(self.no_document(root, &path).await),
            _ => Ok(changed),
        }
    }
}
