//! Pin: a person's mark "always in context, never removed by a machine".

use crate::{Error, Memory, Result};

/// What a person wants of a pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pin {
    /// Set it.
    Set,
    /// Take it away; usage stays.
    Remove,
}

impl Memory {
    /// Sets or removes a pin and says whether anything changed. The file itself is not touched: a file cannot pin itself.
    pub async fn pin(&self, given: &str, pin: Pin) -> Result<bool> {
        let (root, path) = self.locate(given)?;
        if path.is_index() {
            return Err(Error::Generated);
        }
        self.look(root).await?;
        let record = self.record()?;
        if record.known_file(&root.key.place, &path).await?.is_none() {
            return Err(self.no_document(root, &path).await);
        }
        let at = (pin == Pin::Set).then(|| self.store.now());
        Ok(record.pin(&root.key.identity, &path, at).await?)
    }
}
