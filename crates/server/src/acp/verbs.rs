//! A task in the worker: the verb is called, its outcome told as the task API tells it.
//!
//! Owns the words of results and errors. Never lets content, a secret or a path outside memory into an error.

use super::wire::{Ask, Trouble};
use super::worker::Opened;
use loci_domain::change::GroupId;
use loci_domain::fault::Fault;
use loci_domain::scope::Scope;
use loci_domain::secrets::Policy;
use loci_memory::draft::Hand;
use loci_memory::dream::{Doing, Dream, Status};
use loci_memory::forget::{Extent, Forget};
use loci_memory::remember::{ContextMode, Remember};
use loci_memory::upkeep::Trigger;
use loci_memory::{Error, Memory};
use loci_store::record::TaskKind;
use serde_json::{Value, json};
use std::time::Duration;

/// Forgets as a slash command does: a person looks at what goes, so it is only a little.
pub async fn forget_few(opened: &Opened, ask: Ask) -> Result<Value, Trouble> {
    if !opened.enabled {
        return Err(off());
    }
    let forgotten = forget(opened, ask, opened.slash_max).await;
    forgotten.map_err(|error| trouble(TaskKind::Forget, &error))
}

/// Does a task within its time.
pub async fn perform(opened: &Opened, kind: TaskKind, ask: Ask) -> Result<Value, Trouble> {
    if !opened.enabled {
        return Err(off());
    }
    let limit = Duration::from_secs(ask.seconds.unwrap_or(u64::from(u32::MAX)));
    let done = async {
        match kind {
            TaskKind::Remember => remember(opened, ask).await,
            TaskKind::Forget => forget(opened, ask, opened.forget_max).await,
            TaskKind::Dream => dream(opened, ask).await,
        }
    };
    match tokio::time::timeout(limit, done).await {
        Ok(done) => done.map_err(|error| trouble(kind, &error)),
        Err(_) => Err(timeout(kind)),
    }
}

fn off() -> Trouble {
    Trouble::new("managed_memory_unavailable", "memory is switched off here")
}

/// A task that took too long.
pub fn timeout(kind: TaskKind) -> Trouble {
    Trouble::new(format!("{}_timeout", kind.word()), "the task took too long and was ended")
}

async fn remember(opened: &Opened, ask: Ask) -> Result<Value, Error> {
    let remembered = grouped(opened, &ask)
        .remember(Remember {
            content: ask.content.unwrap_or_default(),
            context: if ask.context_mode.as_deref() == Some("clean") {
                ContextMode::Clean
            } else {
                ContextMode::Workspace
            },
            scope: ask.scope.as_deref().and_then(scope),
            kind: None,
            secrets: Policy::Redact,
            turns: opened.turns,
            time: opened.time,
        })
        .await?;
    Ok(json!({
        "summary": remembered.summary,
        "filesTouched": remembered.files_touched.iter().map(|path| (opened.display)(path)).collect::<Vec<_>>(),
        "touchedScopes": words(&remembered.touched_scopes),
    }))
}

async fn forget(opened: &Opened, ask: Ask, limit: usize) -> Result<Value, Error> {
    let forgotten = grouped(opened, &ask)
        .forget(Forget {
            query: ask.query.unwrap_or_default(),
            scope: ask.scope.as_deref().and_then(scope),
            limit: Some(limit),
            extent: Extent::Memory,
            // Nobody is asked on this way, so it is a machine's: a pin holds.
            hand: Hand::Machine,
        })
        .await?
        .with_more(None);
    let removed: Vec<Value> = forgotten
        .removed_entries
        .iter()
        .map(|entry| {
            json!({
                "id": entry.id, "topic": entry.topic, "summary": entry.summary,
                "filePath": (opened.display)(&entry.file_path),
            })
        })
        .collect();
    Ok(json!({
        "summary": forgotten.summary,
        "removedEntries": removed,
        "touchedTopics": forgotten.touched_topics,
        "touchedScopes": words(&forgotten.touched_scopes),
    }))
}

async fn dream(opened: &Opened, ask: Ask) -> Result<Value, Error> {
    let wanted = Dream { trigger: Trigger::Manual, session: None, doing: Doing::Apply, settings: opened.dream.clone() };
    let dreamt = grouped(opened, &ask).dream(wanted).await?;
    // A proposal waits for a person, so nothing was touched yet.
    let touched = dreamt.status == Status::Updated;
    Ok(json!({
        "summary": dreamt.summary,
        "touchedTopics": dreamt.touched_topics.iter().filter(|_| touched).collect::<Vec<_>>(),
        "dedupedEntries": if touched { dreamt.deduped_entries } else { 0 },
        "touchedScopes": if touched { words(&dreamt.touched_scopes) } else { Vec::new() },
    }))
}

fn grouped(opened: &Opened, ask: &Ask) -> Memory {
    match &ask.group {
        Some(group) => opened.memory.clone().grouped(GroupId(group.clone())),
        None => opened.memory.clone(),
    }
}

/// The scope of a word of the task API.
pub fn scope(word: &str) -> Option<Scope> {
    match word {
        "user" | "global" => Some(Scope::Global),
        "project" => Some(Scope::Project),
        "workspace" => Some(Scope::Workspace),
        _ => None,
    }
}

fn words(scopes: &[Scope]) -> Vec<&'static str> {
    scopes
        .iter()
        .map(|scope| match scope {
            Scope::Global => "user",
            Scope::Project => "project",
            Scope::Workspace => "workspace",
        })
        .collect()
}

/// What may be told of an error: its kind, in fixed words.
fn trouble(kind: TaskKind, error: &Error) -> Trouble {
    tracing::warn!(kind = kind.word(), code = error.code(), "a task failed");
    match error {
        Error::RememberEscape | Error::RememberScope | Error::RememberNothing | Error::RememberLoss(_) => {
            Trouble::new(error.code(), error.to_string())
        }
        // Why it is so may name a path of the machine.
        Error::Store(loci_store::Error::Unavailable { scope, .. }) => {
            let text = format!("there is no {scope} memory here; `loci status` tells why");
            Trouble::new(format!("{}_failed", kind.word()), text)
        }
        other => Trouble::new(format!("{}_failed", kind.word()), sentence(other.fault())),
    }
}

fn sentence(fault: Fault) -> &'static str {
    match fault {
        Fault::Invalid => "it cannot be done as it was asked for",
        Fault::Missing => "something that it needs is not there",
        Fault::Conflict => "a file was changed meanwhile; it stays as it is",
        Fault::Denied => "memory does not allow it",
        Fault::Secret => "the text is nothing but a secret",
        Fault::Busy => "somebody else is at it; try again later",
        Fault::Limit => "a limit of memory is reached",
        Fault::Upstream => "the model came to nothing",
        Fault::Offline => "the scope, the disk or the model is not available here",
        Fault::Bug => "something went wrong; the daemon's log tells more",
    }
}
