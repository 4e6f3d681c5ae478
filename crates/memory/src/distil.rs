//! Distil: what one past session came to.
//!
//! Owns what of a session is read, in which parts, and what an answer must look like.
//! Never stores anything: whoever asked has a claim, and only its holder may. Without a model the person's explicit
//! statements are taken.
//! Start at [`Memory::distil`]; `distil/items.rs` cuts a session into questions.

mod items;
mod plain;

use crate::asked::{self, Question, Unanswered};
use crate::prompts::{self, STAGE_ONE_INPUT, STAGE_ONE_SYSTEM};
use crate::{Memory, Result, Verb};
use items::Items;
use loci_domain::block::neutralise;
use loci_domain::tokens::{estimate, within};
use loci_domain::{secrets, slug};
use loci_llm::Role;
use loci_llm::provider::Spent;
use loci_store::record::{Kept, LOCAL, Whose};
use serde::Deserialize;
use serde_json::{Value, json};

/// Bytes of what a session comes to; more is no distillate.
const RAW: usize = 48 << 10;
/// Bytes of its summary.
const SUMMARY: usize = 8 << 10;
/// Messages that are taken from the ledger together; few, for one may be long.
const AT_ONCE: usize = 64;
/// The smallest part of a session that is asked about, in tokens, whatever the settings say.
const LEAST: usize = 500;

/// Which session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distil {
    /// The identity of its project.
    pub project: String,
    /// Its name.
    pub session: String,
    /// Tokens of one question.
    pub input_tokens: usize,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Distilled {
    /// There is no such session any more.
    Gone,
    /// It was read to its end.
    Read(Box<Read>),
    /// The model gave no answer that can be used.
    Failed(Unanswered),
}

/// What a session came to; all of it empty when nothing durable was in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The session as it was when it was read.
    pub kept: Kept,
    /// What is worth keeping.
    pub raw_memory: String,
    /// What it was about.
    pub summary: String,
    /// A short name for it.
    pub slug: Option<String>,
}

/// What asking about a session would take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Price {
    /// Questions.
    pub questions: u64,
    /// Tokens of them, estimated.
    pub tokens: u64,
}

/// Exactly what a model answers: all keys, and no other.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    raw_memory: String,
    rollout_summary: String,
    // Null is an answer, silence is none.
    #[serde(deserialize_with = "Option::deserialize")]
    rollout_slug: Option<String>,
}

impl Memory {
    /// Reads a session and says what it came to, and what that cost.
    pub fn distil<'a>(&'a self, ask: &'a Distil) -> Verb<'a, (Distilled, Spent)> {
        Box::pin(async move {
            let mut spent = Spent::default();
            let whose = Whose { account: LOCAL.to_owned(), project: ask.project.clone() };
            let Some(kept) = self.record()?.session(&whose, &ask.session).await? else {
                return Ok((Distilled::Gone, spent));
            };
            if !self.models.has(Role::Default) {
                let (raw_memory, summary, slug) = plain::digest(self.record()?, &kept).await?;
                return Ok((Distilled::Read(Box::new(read(kept, vec![raw_memory], vec![summary], slug))), spent));
            }
            let system = self.prompts.filled(&STAGE_ONE_SYSTEM, &[])?;
            let mut items = Items::new(self.record()?, kept.number, self.room(ask, &system)?);
            let (mut raw, mut summaries, mut slug) = (Vec::new(), Vec::new(), None);
            while let Some(part) = items.next().await? {
                let prompt = self.part(&ask.session, &part)?;
                let question =
                    Question { role: Role::Default, system: system.clone(), prompt, shape: ("session", schema()) };
                let answer: Answer = match asked::ask(self, question, &mut spent).await {
                    Ok(answer) => answer,
                    Err(why) => return Ok((Distilled::Failed(why), spent)),
                };
                raw.push(answer.raw_memory);
                summaries.push(answer.rollout_summary);
                slug = slug.or(answer.rollout_slug);
            }
            Ok((Distilled::Read(Box::new(read(kept, raw, summaries, slug))), spent))
        })
    }

    /// What asking a model about a session would take; nothing is asked.
    pub async fn price_of(&self, ask: &Distil) -> Result<Price> {
        let whose = Whose { account: LOCAL.to_owned(), project: ask.project.clone() };
        let mut price = Price::default();
        let Some(kept) = self.record()?.session(&whose, &ask.session).await? else { return Ok(price) };
        let system = self.prompts.filled(&STAGE_ONE_SYSTEM, &[])?;
        let mut items = Items::new(self.record()?, kept.number, self.room(ask, &system)?);
        while let Some(part) = items.next().await? {
            price.questions += 1;
            price.tokens += (estimate(&system) + estimate(&self.part(&ask.session, &part)?)) as u64;
        }
        Ok(price)
    }

    fn part(&self, session: &str, part: &str) -> Result<String> {
        let items = prompts::data("session", part);
        // A session is called what somebody else called it.
        let name = neutralise(session);
        let values = [("thread_id", &*secrets::redact(&name)), ("response_items_json", items.as_str())];
        self.prompts.filled(&STAGE_ONE_INPUT, &values)
    }

    /// Tokens that are left for messages in one question.
    fn room(&self, ask: &Distil, system: &str) -> Result<usize> {
        let around = estimate(system) + estimate(&self.part(&ask.session, "")?);
        Ok(within(ask.input_tokens).saturating_sub(around).max(LEAST))
    }
}

/// Parts put together, without secrets and within their bounds.
fn read(kept: Kept, raw: Vec<String>, summaries: Vec<String>, slug: Option<String>) -> Read {
    let joined = |texts: Vec<String>, between: &str, most: usize| {
        let said: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
        let mut text = secrets::redact(&said.join(between)).into_owned();
        if text.len() > most {
            text.truncate(text.floor_char_boundary(most));
            text.push_str("\n(cut here)");
        }
        text
    };
    let (raw_memory, summary) = (joined(raw, "\n", RAW), joined(summaries, "\n\n", SUMMARY));
    let nothing = raw_memory.is_empty() && summary.is_empty();
    let slug = slug.map(|slug| slug::slug(&secrets::redact(&slug), 8)).filter(|slug| !slug.is_empty() && !nothing);
    Read { kept, raw_memory, summary, slug }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "raw_memory": {"type": "string"},
            "rollout_summary": {"type": "string"},
            "rollout_slug": {"type": ["string", "null"]},
        },
        "required": ["raw_memory", "rollout_summary", "rollout_slug"],
        "additionalProperties": false,
    })
}
