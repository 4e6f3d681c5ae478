//! What a draft would do, for a person to look at.

use super::{Draft, Edit};
use similar::TextDiff;

impl Draft {
    /// A unified diff of all that would change; empty when nothing would.
    pub fn diff(&self) -> String {
        self.edits().iter().map(diff).collect()
    }
}

/// The unified diff of one file, by its virtual path.
pub fn diff(edit: &Edit) -> String {
    let name = edit.name();
    let side = |text: &Option<String>| text.as_ref().map_or("/dev/null".to_owned(), |_| name.clone());
    let (before, after) = (side(&edit.before), side(&edit.after));
    let (old, new) = (edit.before.as_deref().unwrap_or_default(), edit.after.as_deref().unwrap_or_default());
    TextDiff::from_lines(old, new).unified_diff().context_radius(3).header(&before, &after).to_string()
}
