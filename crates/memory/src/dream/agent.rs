//! Tidying with a model: the scoped agent over a draft, within rails that are code.

use super::loss::Entries;
use super::{Settings, Staged};
use crate::draft::{Draft, Hand};
use crate::prompts::{self, DREAM};
use crate::toolbox::{MemoryBox, Writes};
use crate::{Memory, Result};
use loci_domain::block::index_block;
use loci_domain::document;
use loci_domain::entry;
use loci_llm::Role;
use loci_llm::agent::{self, Ended, Task};

/// Lines of the list of files in the prompt.
const LISTED: usize = 400;

/// What the agent would change; `None` when there is no model, it failed, was cut off, or changed nothing.
pub(super) async fn tidy(memory: &Memory, settings: &Settings) -> Result<Option<Staged>> {
    if !memory.models.has(Role::Default) {
        return Ok(None);
    }
    let draft = Draft::open(memory, Hand::Machine).await?;
    let before = Entries::now(memory).await?;
    if before.count() == 0 {
        return Ok(None);
    }
    let scopes = draft.scopes().into_iter().collect();
    let task = Task {
        name: "dream",
        role: Role::Default,
        system: String::new(),
        prompt: prompt(memory).await?,
        turns: settings.turns,
        time: settings.time,
    };
    let toolbox = MemoryBox::new(draft, Writes::Scopes(scopes));
    match agent::run(&memory.models, &toolbox, &task).await {
        Ok(finished) if finished.ended == Ended::Done => {}
        // Half of its work may be worse than none of it.
        Ok(finished) => {
            tracing::warn!(ended = ?finished.ended, turns = finished.turns, "the agent was cut off; its changes are dropped");
            return Ok(None);
        }
        Err(error) => {
            tracing::warn!(%error, "the agent failed; its changes are dropped");
            return Ok(None);
        }
    }
    let (mut draft, _) = toolbox.into_parts();
    remove_emptied(&mut draft).await?;
    if draft.is_empty() {
        return Ok(None);
    }
    let after = Entries::after(&mut draft).await?;
    let deduped = before.count().saturating_sub(after.count());
    Ok(Some(Staged { loss: before.lost_in(&after), draft, deduped }))
}

impl Memory {
    /// The exact prompt that a model would be given.
    pub async fn dream_prompt(&self) -> Result<String> {
        prompt(self).await
    }
}

/// The filled template.
async fn prompt(memory: &Memory) -> Result<String> {
    let files = memory.list(None).await?;
    let rows: Vec<(String, String)> = files
        .iter()
        .take(LISTED)
        .map(|file| (file.path.clone(), format!("{}{}", if file.pinned { "(pinned) " } else { "" }, file.description)))
        .collect();
    let listed = index_block(&rows, files.len().saturating_sub(rows.len()));
    let today = memory.store.now().strftime("%Y-%m-%d").to_string();
    let listed = prompts::data("files", &listed);
    memory.prompts.filled(&DREAM, &[("today", &today), ("memory", &listed)])
}

/// The agent has no tool to remove a file: one that it left without an entry goes.
async fn remove_emptied(draft: &mut Draft) -> Result<()> {
    for edit in draft.edits() {
        let Some(text) = &edit.after else { continue };
        let body = document::read(&edit.path, text).body;
        if entry::entries(text, body).is_empty() {
            draft.remove(edit.scope, &edit.path).await?;
        }
    }
    Ok(())
}
