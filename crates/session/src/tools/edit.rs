//! `edit`: one place of a file.

use crate::fence::Fence;
use crate::files::{Files, gone, path};
use crate::{Error, Result};
use loci_domain::path::EntryPath;
use loci_store::Expect;

/// How often an edit is tried while others change the same file: of those that try at once, one gets through.
const TRIES: usize = 32;

pub async fn edit(fence: Fence<'_>, files: &Files, given: &str, old: &str, new: &str) -> Result<String> {
    let path = path(given)?;
    if old.is_empty() {
        return Err(Error::File("old_str is empty; give the text to replace".to_owned()));
    }
    for _ in 1..TRIES {
        match try_edit(fence, files, &path, old, new).await {
            // Whatever else changed, the place that is meant is looked for anew.
            Err(Error::Conflict { .. }) => {}
            edited => return edited,
        }
    }
    try_edit(fence, files, &path, old, new).await
}

async fn try_edit(fence: Fence<'_>, files: &Files, path: &EntryPath, old: &str, new: &str) -> Result<String> {
    let text = files.read(path).await?.ok_or_else(|| gone(path))?;
    let places = count(&text.content, old);
    if places != 1 {
        let advice = if places == 0 { "read the file again" } else { "give more of the text around it" };
        return Err(Error::File(format!("old_str stands at {places} places of {path}, not at one; {advice}")));
    }
    fence.passed().await?;
    files.write(path, text.content.replacen(old, new, 1), Expect::Is(text.digest)).await?;
    Ok(format!("changed {path}"))
}

/// How often a text stands in another, overlapping places too.
fn count(text: &str, part: &str) -> usize {
    text.char_indices().filter(|(at, _)| text[*at..].starts_with(part)).count()
}
