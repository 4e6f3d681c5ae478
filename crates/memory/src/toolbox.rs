//! Toolbox: what the scoped agent can do, and nothing else.
//!
//! Owns the five tools and the fence around them: virtual paths of memory, the scopes that the run may write, what is
//! pinned, what is generated. All of it is code; no prompt can widen it.
//! Never touches a file: writes go to a [`Draft`], and whoever owns the run commits it or does not.
//! Start at [`MemoryBox`]; `toolbox/arguments.rs` reads what a model sends, `toolbox/search.rs` looks around.
//!
//! Invariant: an_obedient_model_stays_in_memory. Whatever a model is told to do, it reads and writes memory only.

mod arguments;
mod denial;
mod offer;
mod search;

use crate::draft::Draft;
use arguments::Arguments;
use async_trait::async_trait;
use denial::{No, missing};
use loci_domain::path::{EntryPath, Layout, Spot, Virtual};
use loci_domain::scope::Scope;
use loci_domain::secrets;
use loci_llm::Toolbox;
use loci_llm::provider::{Call, Tool};
use loci_store::commands::replaced;
use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Mutex;

/// Lines of a file that one call shows unless asked for fewer.
const MOST_LINES: usize = 2_000;
/// Bytes that one answer has at most.
const MOST_BYTES: usize = 64 * 1024;

/// What a model hears that goes on when there is nothing left to do.
const STORED: &str = "Everything is stored already; change what you wrote, or stop: you are done.";
const SAME: &str = "The file has exactly this text already; if everything is stored, stop: you are done.";

/// Which scopes a run may write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writes {
    /// It may only look.
    Nothing,
    /// These.
    Scopes(BTreeSet<Scope>),
}

/// What a run may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    /// All of memory.
    All,
    /// Only what it has written itself.
    Own,
}

/// What the fence turned away.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Denials {
    /// Writes that would have left memory.
    pub escapes: usize,
    /// Writes into a scope that the run may not write.
    pub scopes: usize,
    /// Everything else: reads elsewhere, pinned and generated files, malformed calls, unknown tools.
    pub others: usize,
}

/// The tools of the scoped agent over a draft.
pub struct MemoryBox {
    draft: Mutex<Draft>,
    writes: Writes,
    sight: Sight,
    /// New files that the run may make; a run that has so many things to store is done once it gets no further.
    facts: Option<usize>,
    /// Whether a call of this turn brought something new.
    moved: AtomicBool,
    /// Calls with what came of them.
    seen: Mutex<HashSet<String>>,
    denials: Mutex<Denials>,
}

impl MemoryBox {
    /// A box over a draft.
    pub fn new(draft: Draft, writes: Writes) -> MemoryBox {
        MemoryBox {
            draft: Mutex::new(draft),
            writes,
            sight: Sight::All,
            facts: None,
            moved: AtomicBool::new(false),
            seen: Mutex::default(),
            denials: Mutex::default(),
        }
    }

    /// The same box for a run that has so many facts to store: it makes no more new files than that (a first one in
    /// another scope is never refused), and once something is stored a turn that brings nothing new is the last. Small
    /// models never stop by themselves, and tell a fact in ever new files.
    pub fn for_facts(self, facts: usize) -> MemoryBox {
        MemoryBox { facts: Some(facts.max(1)), ..self }
    }

    /// The same box without sight of prior memory: the run sees what it writes, and can write new files only.
    pub fn without_prior(self) -> MemoryBox {
        MemoryBox { sight: Sight::Own, ..self }
    }

    /// The draft with all that the agent did, and what it was denied.
    pub fn into_parts(self) -> (Draft, Denials) {
        (self.draft.into_inner(), self.denials.into_inner())
    }

    async fn run(&self, call: &Call) -> Result<String, No> {
        let arguments = Arguments::read(call)?;
        let mut draft = self.draft.lock().await;
        match call.name.as_str() {
            "read_file" => read_file(&mut draft, &arguments, self.sight).await,
            "grep" => search::grep(&mut draft, &arguments, self.sight).await,
            "ls" => search::ls(&draft, &arguments, self.sight).await,
            "write_file" => self.write_file(&mut draft, &arguments).await,
            "edit" => self.edit(&mut draft, &arguments).await,
            other => {
                let names: Vec<String> = self.tools().into_iter().map(|tool| tool.name).collect();
                Err(No::other(format!("There is no tool {other:?}; there are: {}.", names.join(", "))))
            }
        }
    }

    async fn write_file(&self, draft: &mut Draft, arguments: &Arguments<'_>) -> Result<String, No> {
        let (given, content) = (arguments.text("path")?, arguments.text("content")?);
        let (scope, path) = self.target(given)?;
        let before = draft.read(scope, &path).await.map_err(|error| No::to_write(given, error))?;
        let existed = before.is_some();
        if existed && self.sight == Sight::Own && !draft.has_changed(scope, &path) {
            return Err(No::other(format!("{given} exists already; choose another name.")));
        }
        if before.is_some_and(|before| before == content) {
            return Ok(SAME.to_owned());
        }
        // A weak model takes the folder of a type for a file; then no file could ever be in it.
        if !existed && !path.file_name().ends_with(".md") {
            return Err(No::other(format!("A memory is a Markdown file; name it like {given}/few-words.md.")));
        }
        let made: Vec<Scope> =
            draft.edits().iter().filter(|edit| edit.before.is_none()).map(|edit| edit.scope).collect();
        if !existed && self.facts.is_some_and(|most| made.len() >= most) && made.contains(&scope) {
            return Err(No::other(STORED));
        }
        draft.put(scope, &path, content.to_owned()).await.map_err(|error| No::to_write(given, error))?;
        Ok(format!("{} {given}.", if existed { "Replaced" } else { "Created" }))
    }

    async fn edit(&self, draft: &mut Draft, arguments: &Arguments<'_>) -> Result<String, No> {
        let given = arguments.text("path")?;
        let (old, new) = (arguments.text("old_string")?, arguments.text("new_string")?);
        let (scope, path) = self.target(given)?;
        self.sight.check(draft, scope, &path, given)?;
        let text = draft.read(scope, &path).await.map_err(|error| No::to_write(given, error))?;
        let text = text.ok_or_else(|| missing(given))?;
        let words = |error: loci_store::Error| {
            No::other(error.to_string().replace("old_str", "old_string").replace("`str_replace`", "`edit`"))
        };
        let (changed, answer) = replaced(given, &text, old, new).map_err(words)?;
        draft.put(scope, &path, changed).await.map_err(|error| No::to_write(given, error))?;
        Ok(answer)
    }

    /// Marks the turn as one that gets somewhere: a call that did something for the first time, or may be mended.
    async fn notice(&self, call: &Call, came: &Result<String, No>) {
        let words = match came {
            Ok(words) => words.clone(),
            Err(no) => no.to_string(),
        };
        let new = self.seen.lock().await.insert(format!("{} {} {words}", call.name, call.arguments));
        if new && words != STORED && words != SAME {
            self.moved.store(true, Ordering::Relaxed);
        }
    }

    /// A file that the run may write.
    fn target(&self, given: &str) -> Result<(Scope, EntryPath), No> {
        let (scope, path) = file(given).map_err(No::for_writing)?;
        match &self.writes {
            Writes::Scopes(scopes) if scopes.contains(&scope) => Ok((scope, path)),
            Writes::Scopes(_) => Err(No::Scope(format!("This run may not write the {scope} scope."))),
            Writes::Nothing => Err(No::other("This run may only read.".to_owned())),
        }
    }
}

#[async_trait]
impl Toolbox for MemoryBox {
    fn tools(&self) -> Vec<Tool> {
        offer::tools(&self.writes)
    }

    fn is_done(&self) -> bool {
        let stored = self.facts.is_some() && self.draft.try_lock().is_ok_and(|draft| !draft.is_empty());
        let moved = self.moved.swap(false, Ordering::Relaxed);
        stored && !moved
    }

    async fn call(&self, call: &Call) -> Result<String, String> {
        let came = self.run(call).await;
        self.notice(call, &came).await;
        match came {
            Ok(answer) => Ok(bounded(secrets::redact(&answer).into_owned())),
            Err(no) => {
                let mut denials = self.denials.lock().await;
                match no {
                    No::Escape(_) => denials.escapes += 1,
                    No::Scope(_) => denials.scopes += 1,
                    No::Path(_) | No::Other(_) => denials.others += 1,
                }
                Err(bounded(secrets::redact(&no.to_string()).into_owned()))
            }
        }
    }
}

impl Sight {
    /// Says whether a file may be looked at.
    fn check(self, draft: &Draft, scope: Scope, path: &EntryPath, given: &str) -> Result<(), No> {
        match self {
            Sight::Own if !draft.has_changed(scope, path) => Err(missing(given)),
            Sight::Own | Sight::All => Ok(()),
        }
    }

    /// The files of a scope that may be looked at.
    fn paths(self, draft: &Draft, scope: Scope) -> Vec<EntryPath> {
        let mut paths = draft.paths(scope);
        if self == Sight::Own {
            paths.retain(|path| draft.has_changed(scope, path));
        }
        paths
    }
}

async fn read_file(draft: &mut Draft, arguments: &Arguments<'_>, sight: Sight) -> Result<String, No> {
    let given = arguments.text("path")?;
    let (scope, path) = file(given)?;
    sight.check(draft, scope, &path, given)?;
    let (offset, limit) = (arguments.count("offset")?.unwrap_or(1), arguments.count("limit")?.unwrap_or(MOST_LINES));
    let text = draft.read(scope, &path).await.map_err(|error| No::to_read(given, error))?;
    let text = text.ok_or_else(|| missing(given))?;
    let total = text.lines().count();
    let lines = text.lines().enumerate().skip(offset.saturating_sub(1)).take(limit.min(MOST_LINES));
    let mut shown: String = lines.map(|(at, line)| format!("{:>6}\t{line}\n", at + 1)).collect();
    let last = offset.saturating_sub(1).saturating_add(limit.min(MOST_LINES));
    if offset > total.max(1) {
        return Err(No::other(format!("{given} has {total} lines; offset {offset} is behind its end.")));
    }
    if last < total {
        shown.push_str(&format!("({} more lines; go on with offset {})\n", total - last, last + 1));
    }
    Ok(if shown.is_empty() { format!("{given} is empty.") } else { shown })
}

/// A path that names a file of a scope.
fn file(given: &str) -> Result<(Scope, EntryPath), No> {
    let path = Virtual::parse(given, Layout::Scoped).map_err(No::Path)?;
    match path.spot {
        Spot::Inside(Some(scope), inner) if !path.folder => Ok((scope, inner)),
        _ => Err(No::other(format!("{given} is a folder; name a file in it."))),
    }
}

/// An answer that a conversation can carry.
fn bounded(mut text: String) -> String {
    if text.len() > MOST_BYTES {
        text.truncate(text.floor_char_boundary(MOST_BYTES));
        text.push_str("\n(cut here; ask for less)");
    }
    text
}
