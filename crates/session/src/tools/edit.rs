//! `edit`: one place of a file.

use crate::files::{Files, gone, path};
use crate::{Error, Result};
use loci_store::Expect;

pub async fn edit(files: &Files, given: &str, old: &str, new: &str) -> Result<String> {
    let path = path(given)?;
    let text = files.read(&path).await?.ok_or_else(|| gone(&path))?;
    if old.is_empty() {
        return Err(Error::File("old_str is empty; give the text to replace".to_owned()));
    }
    let places = count(&text.content, old);
    if places != 1 {
        let advice = if places == 0 { "read the file again" } else { "give more of the text around it" };
        return Err(Error::File(format!("old_str stands at {places} places of {path}, not at one; {advice}")));
    }
    files.write(&path, text.content.replacen(old, new, 1), Expect::Is(text.digest)).await?;
    Ok(format!("changed {path}"))
}

/// How often a text stands in another, overlapping places too.
fn count(text: &str, part: &str) -> usize {
    text.char_indices().filter(|(at, _)| text[*at..].starts_with(part)).count()
}
