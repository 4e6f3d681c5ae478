//! Consolidate: one handbook from what all past sessions of a project came to.
//!
//! Owns what a model is shown of them, what its answer must look like, and the files that become of it.
//! Never writes a file: whoever asked holds the claim, stages the book and puts it in place. Without a model it is a
//! digest, the same bytes for the same extractions.
//! Start at [`Memory::consolidate`].

mod answer;
mod book;
mod digest;
mod fit;
mod skills;

pub use book::Book;

use crate::asked::{self, Question, Unanswered};
use crate::prompts::{self, CONSOLIDATION};
use crate::{Memory, Result, Verb};
use answer::Answer;
use loci_domain::tokens::{estimate, within};
use loci_llm::Role;
use loci_llm::provider::Spent;
use loci_store::record::Extraction;

/// Extractions that a handbook is made of at most.
pub const MOST: usize = 200;

/// The tokens for extractions in a question that leave some for each, whatever the settings say.
const LEAST: usize = 1_000;

/// What a handbook is to be made of.
#[derive(Debug, Clone, Copy)]
pub struct Consolidate<'a> {
    /// What sessions came to, newest first.
    pub extractions: &'a [Extraction],
    /// Tokens of the question.
    pub input_tokens: usize,
    /// Tokens of the summary that an agent is given.
    pub summary_tokens: usize,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consolidated {
    /// There is nothing to make it of: no handbook.
    Nothing,
    /// The files of it.
    Book(Book),
    /// The model gave no answer that can be used.
    Failed(Unanswered),
}

impl Memory {
    /// Makes a handbook, and says what that cost.
    pub fn consolidate<'a>(&'a self, ask: Consolidate<'a>) -> Verb<'a, (Consolidated, Spent)> {
        Box::pin(async move {
            let mut spent = Spent::default();
            if ask.extractions.is_empty() {
                return Ok((Consolidated::Nothing, spent));
            }
            let answer = if self.models.has(Role::Smol) {
                let prompt = self.consolidation(ask)?;
                let shape = ("handbook", answer::schema());
                let question = Question { role: Role::Smol, system: String::new(), prompt, shape };
                match asked::ask::<Answer>(self, question, &mut spent).await {
                    Ok(answer) => answer,
                    Err(why) => return Ok((Consolidated::Failed(why), spent)),
                }
            } else {
                digest::digest(ask.extractions, ask.summary_tokens)
            };
            Ok(match Book::of(answer, ask.extractions) {
                Ok(book) => (Consolidated::Book(book), spent),
                Err(why) => (Consolidated::Failed(Unanswered::Shape(why.to_owned())), spent),
            })
        })
    }

    /// Tokens that a model would be asked with; nothing is asked.
    pub fn price_of_consolidation(&self, ask: Consolidate<'_>) -> Result<u64> {
        Ok(if ask.extractions.is_empty() { 0 } else { estimate(&self.consolidation(ask)?) as u64 })
    }

    /// The question: every extraction has its share of the room.
    fn consolidation(&self, ask: Consolidate<'_>) -> Result<String> {
        let values = [("raw_memories", ""), ("rollout_summaries", "")];
        let around = estimate(&self.prompts.filled(&CONSOLIDATION, &values)?) + 100;
        let room = within(ask.input_tokens).saturating_sub(around).max(LEAST);
        let raw: Vec<String> = ask.extractions.iter().map(|one| shown(one, &one.raw_memory)).collect();
        let summaries: Vec<String> = ask.extractions.iter().map(|one| shown(one, &one.summary)).collect();
        // What was learnt matters more than what was talked about.
        let summaries = fit::within(summaries, room / 4).concat();
        let raw = fit::within(raw, room - estimate(&summaries).min(room / 4)).concat();
        let values = [
            ("raw_memories", prompts::data("raw_memories", &raw)),
            ("rollout_summaries", prompts::data("rollout_summaries", &summaries)),
        ];
        self.prompts.filled(&CONSOLIDATION, &values.each_ref().map(|(name, value)| (*name, value.as_str())))
    }
}

/// A text of a session under its name and day; nothing for one that is empty.
fn shown(extraction: &Extraction, text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text => format!("## {} ({})\n\n{text}\n\n", extraction.session, day(extraction)),
    }
}

/// The day on which something was last said in a session.
fn day(extraction: &Extraction) -> String {
    extraction.said_at.to_string().chars().take(10).collect()
}
