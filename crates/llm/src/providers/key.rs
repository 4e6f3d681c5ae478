//! A key that shows itself to the service and to nobody else.

use std::fmt;

/// A service's key. It has no `Display`, and its `Debug` hides it.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// A key without the white space that copying brings along; `None` when nothing is left.
    pub fn new(text: &str) -> Option<Key> {
        let text = text.trim();
        (!text.is_empty()).then(|| Key(text.to_owned()))
    }

    /// For a header, and nothing else.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(hidden)")
    }
}
