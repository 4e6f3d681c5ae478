//! Hooks: what an agent tells Loci of its session, and what it is given back.
//!
//! Owns the neutral event and answer, and what is done with them; each agent's own JSON is read and written in
//! `hooks/<agent>.rs`, and nothing else knows it; the list of agents is that of `agents.rs`.
//! Never fails or holds up an agent: whatever goes wrong, the answer is nothing.
//! Start at [`fire`].

pub mod claude_code;
pub mod codex;
pub mod cursor;
mod deadline;
mod fields;
pub mod gemini_cli;
pub mod opencode;
mod queue;
pub mod qwen_code;

pub use deadline::{Deadline, Haste};
pub use queue::wake;

use crate::agents;
use crate::boot::App;
use crate::commands::{context, recall};
use crate::fault::Failure;
use crate::switches;
use loci_domain::transcript::Format;
use loci_memory::context::{Boundary, Context};
use loci_memory::recall::Recall;
use loci_pipeline::jobs::extract_turn;
use serde_json::Value;
use std::path::PathBuf;

/// Characters of a prompt that are asked about: what is longer holds its question at one of its ends.
const QUESTION: usize = 4_000;

/// What happened, whoever tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The agent's name for its session.
    pub session: Option<String>,
    /// Where the agent works.
    pub directory: Option<PathBuf>,
    /// What.
    pub what: What,
}

/// What can happen.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// A session starts or goes on.
    Start(Boundary),
    /// A person asks something.
    Prompt(String),
    /// A turn or a session is over, or about to be compacted; this was said in it.
    Over(Said),
    /// The agent wrote these memories itself.
    Wrote(Vec<String>),
}

/// Where it can be read what was said.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// In a file, in this dialect.
    File(PathBuf, Format),
    /// Here, in Loci's own dialect.
    Here(Vec<Value>),
    /// Nowhere.
    Unknown,
}

/// What the agent is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// For the model.
    pub context: Option<String>,
    /// For the person.
    pub notice: Option<String>,
}

/// How an agent tells of its session.
#[derive(Clone, Copy)]
pub struct Hooks {
    /// Its name of the event for which a person waits.
    pub prompt: &'static str,
    /// Reads an event of this name; `None` = it is none of ours, or makes no sense.
    pub read: fn(&str, &Value) -> Option<Event>,
    /// Writes the answer to an event of this name.
    pub write: fn(&str, &Answer) -> Value,
}

/// The hooks of the agent of this name.
pub fn of(name: &str) -> Option<Hooks> {
    agents::ALL.iter().find(|agent| agent.id == name)?.hooks
}

impl Answer {
    fn is_empty(&self) -> bool {
        self == &Answer::default()
    }
}

/// Does what an event asks for, and answers in the agent's own words; `None` = nothing.
pub async fn fire(app: &App, hooks: Hooks, name: &str, event: Event) -> Result<Option<Value>, Failure> {
    if !switches::is_on(&app.config, "memory") || app.read_only {
        return Ok(None);
    }
    let answer = match event.what {
        What::Start(boundary) => {
            let answer = start(app, event.session.as_deref(), boundary).await?;
            queue::wake(app).await;
            answer
        }
        What::Prompt(prompt) => ask(app, event.session, prompt).await?,
        What::Over(said) => {
            if let Some(session) = event.session.filter(|_| switches::is_on(&app.config, "extract")) {
                queue::extract(app, session, said).await?;
            }
            Answer::default()
        }
        What::Wrote(paths) => {
            if let Some(session) = &event.session {
                app.memory.note_written(session, &paths).await?;
            }
            Answer::default()
        }
    };
    Ok((!answer.is_empty()).then(|| (hooks.write)(name, &answer)))
}

/// What `loci context` gives; the session gets the same bytes until its next boundary.
async fn start(app: &App, session: Option<&str>, boundary: Boundary) -> Result<Answer, Failure> {
    let ask = Context { session: session.map(str::to_owned), boundary, ..context::settled(&app.config) };
    let text = app.with_prompts().context(ask).await?.text;
    Ok(Answer { context: Some(text).filter(|text| !text.is_empty()), notice: saved(app, session).await? })
}

/// What fits the prompt and was not shown yet; no model is asked.
async fn ask(app: &App, session: Option<String>, prompt: String) -> Result<Answer, Failure> {
    let notice = saved(app, session.as_deref()).await?;
    if !switches::is_on(&app.config, "recall") {
        return Ok(Answer { context: None, notice });
    }
    let question = Recall { query: ends(&prompt), session, model: None, ..recall::settled(&app.config) };
    let recalled = app.memory.recall(question).await?;
    Ok(Answer { context: Some(recalled.prompt).filter(|prompt| !prompt.is_empty()), notice })
}

/// How many memories were made of the session since the person was last told.
async fn saved(app: &App, session: Option<&str>) -> Result<Option<String>, Failure> {
    let Some(session) = session else { return Ok(None) };
    let project = app.memory.upkeep_of()?.0;
    Ok(match app.ledger.take_tally(extract_turn::KIND, &project, session).await? {
        0 => None,
        1 => Some("Loci: 1 memory saved".to_owned()),
        many => Some(format!("Loci: {many} memories saved")),
    })
}

/// Both ends of a long prompt.
fn ends(prompt: &str) -> String {
    if prompt.len() <= 2 * QUESTION {
        return prompt.to_owned();
    }
    let (first, last) = (prompt.floor_char_boundary(QUESTION), prompt.ceil_char_boundary(prompt.len() - QUESTION));
    format!("{}\n{}", &prompt[..first], &prompt[last..])
}

#[cfg(test)]
mod tests;
