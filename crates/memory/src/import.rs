//! Import: what other tools remember, as documents of a scope.
//!
//! Owns which source becomes which document, that a second import changes nothing, and that nobody's own words are
//! overwritten: a document that was not made by an import, or was changed since, stays as it is.
//! Never reads a disk: a surface hands the [`Source`]s over. What comes in is untrusted until a person accepts it.
//! Start at [`Memory::import`]; what a tool's files look like is in `import/<format>.rs`.

mod anthropic;
mod basic_memory;
mod claude_code;
mod codex;
mod face;
mod format;
mod markdown;
mod own;
mod qwen;
mod written;

pub use format::Format;
pub use own::{MANIFEST, Manifest};

use crate::draft::{Draft, Hand};
use crate::{Error, Memory, Result, Verb};
use loci_domain::change::Actor;
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;
use loci_domain::secrets::{self, Policy};
use serde::Serialize;
use std::collections::BTreeSet;
use written::Written;

/// A file of another tool.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its path below what is imported, `/` between names; not checked yet.
    pub path: String,
    /// Its text, or why there is none.
    pub text: std::result::Result<String, String>,
}

/// A document to be.
#[derive(Debug, Clone)]
struct Piece {
    /// Which file it comes from.
    from: String,
    /// In which scope, where the source says so.
    scope: Option<Scope>,
    /// Where it goes.
    to: String,
    text: std::result::Result<String, String>,
}

impl Piece {
    fn new(source: &Source, to: impl Into<String>, text: std::result::Result<String, String>) -> Piece {
        Piece { from: source.path.clone(), scope: None, to: to.into(), text }
    }
}

/// What is to be imported.
#[derive(Debug, Clone)]
pub struct Import {
    /// The files.
    pub sources: Vec<Source>,
    /// How they are to be read.
    pub format: Format,
    /// Where all of them go; `None` = where the format says: its own scope, the project for a memory folder of
    /// Claude Code or Qwen Code, else global.
    pub scope: Option<Scope>,
    /// What happens to secrets.
    pub policy: Policy,
    /// Whether something changes.
    pub run: Run,
}

/// Whether something changes, or is only told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    /// It is done.
    Real,
    /// It is only told.
    Dry,
}

/// What an import did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// New documents.
    pub created: usize,
    /// Documents of an earlier import that are new again.
    pub updated: usize,
    /// Documents that were there already.
    pub unchanged: usize,
    /// What does not come in.
    pub refused: Vec<Refused>,
    /// The virtual paths that were created or updated.
    pub paths: Vec<String>,
    /// The group that one undo takes back; none when nothing changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// A file that does not come in, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// Its path in the source.
    pub path: String,
    /// Why.
    pub reason: String,
}

impl Memory {
    /// Takes documents in from outside, as one group of changes.
    pub fn import(&self, ask: Import) -> Verb<'_, Imported> {
        Box::pin(async move {
            let mut draft = Draft::open(self, Hand::Machine).await?;
            let mut done = Imported::default();
            let mut seen = BTreeSet::new();
            let mut written: Vec<(Scope, Written)> = Vec::new();
            for piece in ask.format.pieces(&screened(&ask.sources, ask.policy)) {
                let refused = |reason: String| Refused { path: secrets::redact(&piece.from).into_owned(), reason };
                let scope = self.target(&ask, &piece)?;
                if !written.iter().any(|(of, _)| *of == scope) {
                    written.push((scope, Written::read(self, scope).await?));
                }
                let Some((_, written)) = written.iter_mut().find(|(of, _)| *of == scope) else { continue };
                let placed = match place(&piece, ask.policy) {
                    Ok((path, _)) if !seen.insert((scope, path.as_str().to_owned())) => {
                        Err(format!("two files would become {}", path.virtual_in(scope)))
                    }
                    placed => placed,
                };
                let (path, text) = match placed {
                    Ok(placed) => placed,
                    Err(reason) => {
                        done.refused.push(refused(reason));
                        continue;
                    }
                };
                match self.stage(&mut draft, written, scope, &path, text).await {
                    Ok(Fate::Unchanged) => done.unchanged += 1,
                    Ok(Fate::Created) => done.created += 1,
                    Ok(Fate::Updated) => done.updated += 1,
                    Err(error) => {
                        let reason = reason(error)?;
                        done.refused.push(refused(reason));
                    }
                }
            }
            done.paths = draft.edits().iter().map(|edit| edit.name()).collect();
            if ask.run == Run::Real && !draft.is_empty() {
                let policy = if ask.policy == Policy::Allow { Policy::Allow } else { Policy::Redact };
                done.group = Some(draft.commit(Actor::Import, policy).await?.group.0);
            }
            if ask.run == Run::Real {
                for (scope, written) in written {
                    written.keep(self, scope).await?;
                }
            }
            Ok(done)
        })
    }

    /// Which scope a piece goes to; it must be there.
    fn target(&self, ask: &Import, piece: &Piece) -> Result<Scope> {
        let usual = match ask.format {
            // A memory folder of Qwen Code is one of a project too; only its QWEN.md is the person's.
            Format::Qwen if qwen::knows(&ask.sources) => Scope::Global,
            Format::ClaudeCode | Format::Qwen if self.store().root(Some(Scope::Project)).is_ok() => Scope::Project,
            _ => Scope::Global,
        };
        let scope = ask.scope.or(piece.scope).unwrap_or(usual);
        self.store().root(Some(scope))?;
        Ok(scope)
    }

    async fn stage(
        &self,
        draft: &mut Draft,
        written: &mut Written,
        scope: Scope,
        path: &EntryPath,
        text: String,
    ) -> Result<Fate> {
        let digest = Digest::of(text.as_bytes());
        let there = draft.read(scope, path).await?;
        let fate = match &there {
            Some(there) if *there == text => return Ok(Fate::Unchanged),
            Some(there) if !written.has(path, Digest::of(there.as_bytes())) => {
                let whose =
                    if written.knows(path) { "was changed since the last import" } else { "is not from an import" };
                return Err(Error::Content(format!("{} {whose}; it stays as it is", path.virtual_in(scope))));
            }
            Some(_) => Fate::Updated,
            None if draft.paths(scope).len() >= self.store().settings().files_per_scope => {
                return Err(Error::Content("the scope is full".to_owned()));
            }
            None => Fate::Created,
        };
        draft.put(scope, path, text).await?;
        written.note(path, digest);
        Ok(fate)
    }
}

/// The sources without their secrets, where those are to be taken out. That comes before names and descriptions are made
/// of their words: half a secret in a name is found by no rule any more.
fn screened(sources: &[Source], policy: Policy) -> Vec<Source> {
    let text = |text: &String| match policy {
        Policy::Redact => secrets::redact(text).into_owned(),
        Policy::Allow | Policy::Refuse => text.clone(),
    };
    let screen = |source: &Source| Source {
        path: source.path.clone(),
        text: source.text.as_ref().map(text).map_err(String::clone),
    };
    sources.iter().map(screen).collect()
}

/// What becomes of a piece.
enum Fate {
    Created,
    Updated,
    Unchanged,
}

/// The path and the screened text of a piece.
fn place(piece: &Piece, policy: Policy) -> std::result::Result<(EntryPath, String), String> {
    let text = piece.text.clone()?;
    let path = EntryPath::parse(&piece.to).map_err(|bad| secrets::redact(&bad.to_string()).into_owned())?;
    if path.is_hidden() {
        return Err("hidden files are not memory".to_owned());
    }
    if path.is_index() {
        return Err("MEMORY.md is generated".to_owned());
    }
    if policy != Policy::Allow && !secrets::scan(path.as_str()).is_empty() {
        return Err("its name looks like a secret".to_owned());
    }
    let clean = secrets::screen(text, None, policy).map_err(|refused| refused.to_string())?;
    let text = String::from_utf8(clean.into_bytes()).map_err(|_| "it is not a text file".to_owned())?;
    Ok((path, text))
}

/// Why one file does not come in; what concerns all of them is an error of the whole import.
fn reason(error: Error) -> Result<String> {
    match error {
        Error::Content(reason) => Ok(reason),
        Error::Store(
            loci_store::Error::TooLarge { .. }
            | loci_store::Error::InTheWay
            | loci_store::Error::Folder
            | loci_store::Error::Link,
        )
        | Error::NotText(_)
        | Error::Pinned(_)
        | Error::Generated => Ok(error.to_string()),
        other => Err(other),
    }
}

fn is_markdown(path: &str) -> bool {
    let lower = path.to_lowercase();
    lower.ends_with(".md") || lower.ends_with(".markdown")
}

/// The last name of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The text of the file at this very path.
fn text_of<'s>(sources: &'s [Source], path: &str) -> Option<&'s str> {
    sources.iter().find(|source| source.path == path).and_then(|source| source.text.as_deref().ok())
}

#[cfg(test)]
mod tests;
