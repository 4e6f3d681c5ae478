//! Trust: a person's word that these bytes may be taken for their own.

use crate::list::Trust;
use crate::{Error, Memory, Result};

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
            Which::File(given) => {
                let (root, path) = self.locate(given)?;
                Some(root.name(&path))
            }
        };
        let mut changed = Vec::new();
        let mut found = wanted.is_none();
        for file in self.list(None).await? {
            if wanted.as_ref().is_some_and(|wanted| *wanted != file.path) {
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
            Some(path) if !found => Err(Error::Missing(path)),
            _ => Ok(changed),
        }
    }
}
