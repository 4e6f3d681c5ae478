//! The headless agent: a model with a box of tools, a number of turns and a time limit.
//!
//! Owns the loop and its limits. Can do what is in its box and nothing else; what the box refuses is told to the model.
//! Start at [`run`]; `agent/circles.rs` notices one that gets nowhere.

mod circles;

use crate::models::{Models, Role};
use crate::provider::{Ask, Call, CallResult, Error, Message, Result, Spent, Tool};
use async_trait::async_trait;
use circles::Circles;
use std::time::Duration;

/// A result that is longer is cut, for the model pays for it on every turn that follows.
const RESULT_BYTES: usize = 16 * 1024;

/// What an agent can do.
#[async_trait]
pub trait Toolbox: Send + Sync {
    /// The tools in it.
    fn tools(&self) -> Vec<Tool>;

    /// Does one call; both answers are words for the model. Arguments may be malformed: then they are a string.
    async fn call(&self, call: &Call) -> std::result::Result<String, String>;

    /// True when nothing is left to do, so that a model that never stops by itself is not asked again.
    fn is_done(&self) -> bool {
        false
    }
}

/// Something for an agent to do.
#[derive(Debug, Clone)]
pub struct Task {
    /// Who it is, in logs.
    pub name: &'static str,
    /// Which model does it.
    pub role: Role,
    /// What it is to be.
    pub system: String,
    /// What it is to do.
    pub prompt: String,
    /// At most this many answers of the model.
    pub turns: usize,
    /// At most this long, all turns together.
    pub time: Duration,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The model had nothing more to do.
    Done,
    /// It was stopped at the last turn.
    Turns,
    /// It went round in circles: the same calls with the same results.
    Circles,
}

/// What an agent did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Its last words.
    pub text: String,
    /// How it ended.
    pub ended: Ended,
    /// How often the model answered.
    pub turns: usize,
    /// What it cost.
    pub spent: Spent,
}

/// Lets an agent do its task. An error of the model or the end of the time is an error; what was done by then is done,
/// so a caller that wants all or nothing gives it a box that only stages.
///
/// All calls of an answer are done in their order, those of the last turn too; before its last turn the model is told.
pub async fn run(models: &Models, toolbox: &dyn Toolbox, task: &Task) -> Result<Finished> {
    let limit = task.time;
    let finished =
        tokio::time::timeout(limit, turns(models, toolbox, task)).await.map_err(|_| Error::Late { limit })?;
    match &finished {
        Ok(done) => tracing::debug!(agent = task.name, turns = done.turns, ended = ?done.ended, "an agent is done"),
        Err(error) => tracing::debug!(agent = task.name, %error, "an agent was stopped"),
    }
    finished
}

async fn turns(models: &Models, toolbox: &dyn Toolbox, task: &Task) -> Result<Finished> {
    let mut ask = Ask {
        system: task.system.clone(),
        messages: vec![Message::User(task.prompt.clone())],
        tools: toolbox.tools(),
        ..Ask::default()
    };
    let mut finished = Finished { text: String::new(), ended: Ended::Turns, turns: 0, spent: Spent::default() };
    let mut circles = Circles::default();
    while finished.turns < task.turns {
        let answer = models.ask(task.role, &ask).await?;
        finished.turns += 1;
        finished.spent += answer.spent;
        finished.text = answer.text.clone();
        if answer.calls.is_empty() {
            finished.ended = Ended::Done;
            break;
        }
        let mut results = Vec::new();
        for call in &answer.calls {
            let text = cut(perform(toolbox, &ask.tools, call).await);
            results.push(CallResult { id: call.id.clone(), name: call.name.clone(), text });
        }
        if toolbox.is_done() {
            finished.ended = Ended::Done;
            break;
        }
        if circles.closed(&answer.calls, &results) {
            finished.ended = Ended::Circles;
            break;
        }
        if finished.turns + 1 == task.turns
            && let Some(last) = results.last_mut()
        {
            last.text.push_str("\n\n[This is your last turn: make the calls that are still needed, all at once.]");
        }
        ask.messages.push(Message::Assistant { text: answer.text, calls: answer.calls });
        ask.messages.push(Message::Results(results));
    }
    Ok(finished)
}

/// One call, in words for the model.
async fn perform(toolbox: &dyn Toolbox, tools: &[Tool], call: &Call) -> String {
    if !tools.iter().any(|tool| tool.name == call.name) {
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        return format!("Error: there is no tool of this name; there are: {}", names.join(", "));
    }
    match toolbox.call(call).await {
        Ok(text) => text,
        Err(denial) => format!("Error: {denial}"),
    }
}

/// A result of bearable length, with a note where something is missing.
fn cut(mut text: String) -> String {
    if text.len() > RESULT_BYTES {
        let all = text.len();
        text.truncate(text.floor_char_boundary(RESULT_BYTES));
        text.push_str(&format!("\n\n[cut: these are the first {} of {all} bytes; ask for a part]", text.len()));
    }
    text
}

#[cfg(test)]
mod tests;
