//! What connecting or disconnecting would change; nothing is changed here.

use super::content::Seen;
use super::jsonc::Wrong;
use super::note::Note;
use super::patch::{Patch, revert};
use super::real::{self, Found};
use super::{Content, File};
use crate::fault::Failure;
use loci_domain::digest::Digest;
use loci_domain::fault::Fault;

/// How an agent stands to Loci.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing of ours is there.
    Apart,
    /// Some of it is missing or of another day; connecting again mends it.
    Partly,
    /// All of it is there.
    Connected,
}

/// One file, before and after.
pub struct Step {
    pub found: Found,
    /// How it is called in answers.
    pub shown: String,
    pub what: &'static str,
    /// `None` = it goes.
    pub after: Option<String>,
    /// What is known of it afterwards; `None` = nothing is left of us.
    pub note: Option<Note>,
    /// What was known before.
    pub old: Option<Note>,
    /// A person changed a file of ours: it is kept under another name.
    pub aside: bool,
}

impl Step {
    /// True when the file stays as it is.
    pub fn is_idle(&self) -> bool {
        self.found.text == self.after
    }
}

/// What connecting does to one file.
pub fn connect(file: &File, shown: String, old: Option<Note>) -> Result<Step, Failure> {
    let found = real::read(&file.path, &shown)?;
    let wrong = |wrong: Wrong| unreadable(&shown, &wrong);
    let idle = match &found.text {
        Some(text) => file.content.seen(text).map_err(wrong)? == Seen::All,
        None => false,
    };
    if idle {
        let after = found.text.clone();
        return Ok(Step { found, shown, what: file.what, after, note: old.clone(), old, aside: false });
    }
    let base = match (&found.text, &old) {
        (Some(text), Some(note)) => without(&file.content, text, Some(note)).map_err(wrong)?,
        (text, _) => text.clone(),
    };
    let before = base.as_deref().unwrap_or_default();
    let mut patch = Patch::new(before);
    let was = file.content.put(&mut patch).map_err(wrong)?;
    let mut folders = old.as_ref().map(|note| note.folders.clone()).unwrap_or_default();
    folders.extend(real::missing_folders(&found.real));
    folders.dedup();
    let note = Note {
        made: base.is_none(),
        folders,
        after: Digest::of(patch.text.as_bytes()).to_string(),
        containers: file.content.missing(before),
        edits: patch.edits,
        was,
    };
    Ok(Step { found, shown, what: file.what, after: Some(patch.text), note: Some(note), old, aside: false })
}

/// What disconnecting does to one file.
pub fn disconnect(file: &File, shown: String, old: Option<Note>) -> Result<Step, Failure> {
    let found = real::read(&file.path, &shown)?;
    let after = match &found.text {
        None => None,
        Some(text) => {
            let seen = file.content.seen(text).map_err(|wrong| unreadable(&shown, &wrong))?;
            match seen {
                Seen::Nothing if old.is_none() => found.text.clone(),
                _ => without(&file.content, text, old.as_ref()).map_err(|wrong| unreadable(&shown, &wrong))?,
            }
        }
    };
    let edited = |whole: &str, text: &str| match &old {
        Some(note) => Digest::of(text.as_bytes()).to_string() != note.after,
        None => whole != text,
    };
    let aside = match (&file.content, &found.text) {
        (Content::Whole(whole), Some(text)) => after.is_none() && edited(whole, text),
        _ => false,
    };
    Ok(Step { found, shown, what: file.what, after, note: None, old, aside })
}

/// A text without what is ours; `None` = the file was ours. Exactly the text before, if nobody changed it since.
fn without(content: &Content, text: &str, note: Option<&Note>) -> Result<Option<String>, Wrong> {
    if let Some(note) = note.filter(|note| note.after == Digest::of(text.as_bytes()).to_string())
        && let Some(before) = revert(text, &note.edits)
    {
        return Ok((!note.made).then_some(before));
    }
    let mut patch = Patch::new(text);
    content.take(&mut patch, note.map(|note| note.containers.as_slice()))?;
    if let Some(was) = note.and_then(|note| note.was.as_ref()) {
        content.put_back(&mut patch, was)?;
    }
    let ours = note.is_some_and(|note| note.made) || matches!(content, Content::Whole(_));
    Ok((!(ours && content.is_bare(&patch.text))).then_some(patch.text))
}

fn unreadable(shown: &str, wrong: &Wrong) -> Failure {
    let Wrong { what, line, column } = wrong;
    let text = format!("{shown}, line {line}, column {column}: {what}; nothing was changed");
    Failure::new(Fault::Invalid, "invalid_config", text)
}
