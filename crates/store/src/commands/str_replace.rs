//! `str_replace`: a text that occurs exactly once gives way to another, literally.

use super::{about, check_lines, editable, file_path, numbered, target};
use crate::store::Store;
use crate::transaction::By;
use crate::{Error, Result};
use loci_domain::access::Mode;
use loci_domain::fault::Fault;

/// Lines shown on either side of the change.
const AROUND: usize = 2;

pub(super) async fn run(store: &Store, given: &str, old: &str, new: &str, mode: Mode, by: By) -> Result<String> {
    let path = file_path(store, given)?;
    let (root, inner) = target(store, &path, mode)?;
    if old.is_empty() {
        return Err(nothing_to_replace());
    }
    let mut change = store.begin(root, by).await?;
    let blob = change.read(&inner).await.map_err(|error| about(&path, error))?;
    let text = editable(&path, &blob, store.settings().file_bytes)?;
    check_lines(&path, text)?;
    let (changed, answer) = replaced(&path.given, text, old, new)?;
    change.put(&inner, changed).await.map_err(|error| about(&path, error))?;
    change.commit().await.map_err(|error| about(&path, error))?;
    Ok(answer)
}

/// The text with the one occurrence of `old` replaced, and the words for the model; `given` is how it named the file.
pub fn replaced(given: &str, text: &str, old: &str, new: &str) -> Result<(String, String)> {
    if old.is_empty() {
        return Err(nothing_to_replace());
    }
    let at = match occurrences(text, old).as_slice() {
        [at] => *at,
        [] => {
            let text = format!("No replacement was performed, old_str `{old}` did not appear verbatim in {given}.");
            return Err(Error::refused(Fault::Missing, text));
        }
        several => return Err(ambiguous(text, old, several)),
    };
    let changed = format!("{}{new}{}", &text[..at], &text[at + old.len()..]);
    let snippet = snippet(&changed, at, new);
    let answer = format!(
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"
    );
    Ok((changed, answer))
}

fn nothing_to_replace() -> Error {
    let text = "The command `str_replace` needs a non-empty `old_str`; to add lines, use `insert`.";
    Error::refused(Fault::Invalid, text)
}

/// Where `old` starts, overlapping places too; it stops once it is clear that there are many.
fn occurrences(text: &str, old: &str) -> Vec<usize> {
    const ENOUGH: usize = 1000;
    let first = old.chars().next().map_or(1, char::len_utf8);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(old) {
        found.push(from + at);
        from += at + first;
        if found.len() >= ENOUGH {
            break;
        }
    }
    found
}

fn ambiguous(text: &str, old: &str, places: &[usize]) -> Error {
    let mut lines: Vec<usize> = places.iter().map(|at| line_of(text, *at)).collect();
    lines.dedup();
    let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
    let text = format!(
        "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {}. Please ensure it is unique",
        lines.join(", ")
    );
    Error::refused(Fault::Conflict, text)
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].bytes().filter(|byte| *byte == b'\n').count() + 1
}

fn snippet(text: &str, at: usize, new: &str) -> String {
    let first = line_of(text, at);
    let last = first + new.bytes().filter(|byte| *byte == b'\n').count() + AROUND;
    let start = first.saturating_sub(AROUND).max(1);
    numbered(text.split('\n').skip(start - 1).take(last + 1 - start), start)
}
