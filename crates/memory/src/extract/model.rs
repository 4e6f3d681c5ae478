//! Facts with a model: structured patches, chunk by chunk, each with the message that says it.
//!
//! The model proposes; the same filters as without one decide. An error or an answer of another shape means that the way
//! without a model is taken.

use super::Candidate;
use crate::list::{File, Trust};
use crate::prompts::{self, EXTRACT};
use crate::{Memory, Result};
use loci_domain::block::{index_block, marked};
use loci_domain::document::Kind;
use loci_domain::statement::without_injected;
use loci_domain::transcript::{Role as Speaker, Turn};
use loci_llm::Role;
use loci_llm::provider::{Ask, Message, Shape};
use serde::Deserialize;
use serde_json::json;

/// Characters of a conversation in one question; longer ones are asked about in parts, and nothing is left out.
const CHUNK: usize = 48_000;
/// Characters of one message; a longer one was pasted.
const MESSAGE: usize = 8_000;
/// Lines of the list of what is known.
const LISTED: usize = 200;
/// Characters of a summary.
const SUMMARY: usize = 400;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    patches: Vec<Proposed>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proposed {
    topic: String,
    summary: String,
    #[serde(default)]
    why: Option<String>,
    #[serde(default)]
    how_to_apply: Option<String>,
    message: String,
}

/// What a model finds; `None` without a model, and when it cannot be asked or understood.
pub(super) async fn candidates(memory: &Memory, turns: &[Turn]) -> Option<Vec<Candidate>> {
    if !memory.models.has(Role::Default) || !turns.iter().any(|turn| turn.role == Speaker::User) {
        return None;
    }
    let known = known(memory).await.ok()?;
    let mut found = Vec::new();
    for chunk in chunks(turns) {
        match ask(memory, &known, &chunk).await {
            Ok(Some(patches)) => found.extend(patches.into_iter().filter_map(|patch| candidate(patch, turns))),
            Ok(None) => {
                tracing::warn!("the model's patches cannot be read; explicit statements are taken instead");
                return None;
            }
            Err(error) => {
                tracing::warn!(%error, "the model cannot be asked; explicit statements are taken instead");
                return None;
            }
        }
    }
    Some(found)
}

async fn known(memory: &Memory) -> Result<String> {
    let files = memory.list(None).await?;
    let described = |file: &'_ File| marked(&file.description, file.trust == Trust::Trusted).into_owned();
    let rows: Vec<(&str, String)> =
        files.iter().take(LISTED).map(|file| (file.path.as_str(), described(file))).collect();
    Ok(index_block(&rows, files.len().saturating_sub(rows.len())))
}

/// The words of person and model, in parts that fit one question.
fn chunks(turns: &[Turn]) -> Vec<String> {
    let mut chunks = vec![String::new()];
    for turn in turns.iter().filter(|turn| matches!(turn.role, Speaker::User | Speaker::Assistant)) {
        let text = without_injected(&turn.content);
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        let cut: String = text.chars().take(MESSAGE).collect();
        let mark = if cut.len() < text.len() { "\n(cut here)" } else { "" };
        let said = format!("[{}] {}: {cut}{mark}\n", turn.id, turn.role);
        match chunks.last_mut() {
            Some(last) if last.is_empty() || last.len() + said.len() <= CHUNK => last.push_str(&said),
            _ => chunks.push(said),
        }
    }
    chunks.retain(|chunk| !chunk.is_empty());
    chunks
}

/// What a model is asked about these turns, a question for each part.
pub(super) async fn prompts(memory: &Memory, turns: &[Turn]) -> Result<Vec<String>> {
    let known = known(memory).await?;
    chunks(turns).iter().map(|chunk| prompt(memory, &known, chunk)).collect()
}

fn prompt(memory: &Memory, known: &str, chunk: &str) -> Result<String> {
    let (known, chunk) = (prompts::data("known", known), prompts::data("conversation", chunk));
    memory.prompts.filled(&EXTRACT, &[("memory", &known), ("conversation", &chunk)])
}

/// One side query; `None` = the answer has another shape.
async fn ask(memory: &Memory, known: &str, chunk: &str) -> Result<Option<Vec<Proposed>>> {
    let ask = Ask {
        messages: vec![Message::User(prompt(memory, known, chunk)?)],
        shape: Some(Shape { name: "patches".to_owned(), schema: schema() }),
        temperature: Some(0.0),
        ..Ask::default()
    };
    let answer = match memory.models.ask(Role::Default, &ask).await {
        Ok(answer) => answer,
        Err(error) => {
            tracing::warn!(%error, "a model did not answer");
            return Ok(None);
        }
    };
    let read: Option<Answer> = serde_json::from_str(prompts::unfenced(&answer.text)).ok();
    Ok(read.map(|answer| answer.patches))
}

fn schema() -> serde_json::Value {
    let text = json!({"type": ["string", "null"]});
    json!({
        "type": "object",
        "properties": {"patches": {"type": "array", "items": {
            "type": "object",
            "properties": {
                "topic": {"type": "string", "enum": ["user", "feedback", "project", "reference"]},
                "summary": {"type": "string"},
                "why": text,
                "how_to_apply": text,
                "message": {"type": "string", "description": "The id of the person's message that says it."},
            },
            "required": ["topic", "summary", "why", "how_to_apply", "message"],
            "additionalProperties": false,
        }}},
        "required": ["patches"],
        "additionalProperties": false,
    })
}

/// A patch with evidence: a message of the person in this part. Without it the model made it up.
fn candidate(patch: Proposed, turns: &[Turn]) -> Option<Candidate> {
    let kind = Kind::from_word(&patch.topic)?;
    let turn = turns.iter().find(|turn| turn.id == patch.message && turn.role == Speaker::User)?;
    let line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = |text: Option<String>| text.map(line).filter(|text| !text.is_empty());
    let summary = line(patch.summary);
    let summary = summary.trim_end_matches(['.', '。']).to_owned();
    (summary.chars().count() <= SUMMARY).then(|| Candidate {
        kind: Some(kind),
        summary,
        why: said(patch.why),
        how: said(patch.how_to_apply),
        message: turn.id.clone(),
        at: turn.at,
    })
}
