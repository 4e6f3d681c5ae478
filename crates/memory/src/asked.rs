//! One question to a model whose answer must have exactly one shape.
//!
//! Owns the reading of such an answer and why there is none, in words without content. Never tries again: whoever asks
//! has a queue for that.

use crate::{Memory, prompts};
use loci_llm::Role;
use loci_llm::provider::{Ask, Error, Message, Shape};

pub use loci_llm::provider::Spent;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Why there is no answer that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The day's tokens are used up.
    #[error("the daily token limit is reached")]
    Spent,
    /// The model could not be asked.
    #[error("{0}")]
    Unasked(String),
    /// What it said is not of the agreed shape.
    #[error("the model's answer is not of the agreed shape: {0}")]
    Shape(String),
}

/// What is asked.
pub(crate) struct Question<'a> {
    pub role: Role,
    pub system: String,
    pub prompt: String,
    /// A short name for the answer, and its JSON schema.
    pub shape: (&'a str, Value),
}

/// Asks once; what it cost is added up whatever comes of it.
pub(crate) async fn ask<T: DeserializeOwned>(
    cx: &Memory,
    question: Question<'_>,
    spent: &mut Spent,
) -> Result<T, Unanswered> {
    let Question { role, system, prompt, shape: (name, schema) } = question;
    let ask = Ask {
        system,
        messages: vec![Message::User(prompt)],
        shape: Some(Shape { name: name.to_owned(), schema }),
        temperature: Some(0.0),
        ..Ask::default()
    };
    let answer = cx.models.ask(role, &ask).await.map_err(|error| {
        *spent += error.spent();
        match error {
            Error::Spent => Unanswered::Spent,
            error => Unanswered::Unasked(error.to_string()),
        }
    })?;
    *spent += answer.spent;
    // Not the reader's own words: they repeat what stands in the answer.
    serde_json::from_str(prompts::unfenced(&answer.text)).map_err(|error| {
        let what = match error.classify() {
            serde_json::error::Category::Data => "a key or a type is wrong",
            _ => "it is no JSON",
        };
        Unanswered::Shape(format!("{what} (line {}, column {})", error.line(), error.column()))
    })
}
