//! A model's choice among documents, in place of the heuristic one.
//!
//! Owns the manifest that a model sees and the reading of its answer.
//! Never delays or spoils the heuristic answer, which is there before the model is asked: an error, a late answer or a
//! path that was not offered means that the heuristic one stands.

use super::Recall;
use super::fuse::Ranked;
use super::question::Question;
use super::shelf::Shelf;
use crate::prompts::{self, RECALL};
use crate::{Memory, Result};
use loci_domain::document::line::{cut, one_line};
use loci_domain::row::Card;
use loci_llm::provider::{Ask, Message, Shape};
use loci_llm::{Role, models::Models};
use loci_store::record::Record;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// Documents in a manifest.
const MOST: usize = 200;
/// Bytes of a manifest.
const BYTES: usize = 25_000;
/// Characters of a description in a manifest.
const DESCRIPTION: usize = 240;

/// The documents that a model may choose from, by virtual path, with the lines that describe them.
pub(super) struct Manifest {
    lines: String,
    offered: HashMap<String, Ranked>,
}

impl Manifest {
    /// What fits comes first, then the newest others; nothing that the session has been shown.
    pub(super) async fn of(
        record: &dyn Record,
        shelves: &[Arc<Shelf>],
        fitting: &[Ranked],
        left_out: &[String],
    ) -> Result<Manifest> {
        let ranked: Vec<(usize, usize)> = fitting.iter().map(|ranked| (ranked.shelf, ranked.document)).collect();
        let mut others: Vec<(usize, usize)> = shelves
            .iter()
            .enumerate()
            .flat_map(|(at, shelf)| (0..shelf.documents.len()).map(move |document| (at, document)))
            .filter(|place| !ranked.contains(place))
            .collect();
        others.sort_by_key(|(at, document)| std::cmp::Reverse(shelves[*at].documents[*document].updated_at));
        let others = others.into_iter().map(|(shelf, document)| Ranked::unranked(shelf, document));
        let path = |ranked: &Ranked| shelves[ranked.shelf].virtual_path(ranked.document);
        let all = fitting.iter().cloned().chain(others).filter(|ranked| !left_out.contains(&path(ranked)));
        let offered: Vec<Ranked> = all.take(MOST).collect();
        let cards = cards(record, shelves, &offered).await?;
        let mut manifest = Manifest { lines: String::new(), offered: HashMap::new() };
        for ranked in offered {
            let number = shelves[ranked.shelf].documents[ranked.document].number;
            // One that went meanwhile is offered to nobody.
            let Some(card) = cards.get(&number) else { continue };
            let path = path(&ranked);
            let description = cut(&one_line(&card.description), DESCRIPTION);
            let line = format!("- {path} ({}) {}: {description}\n", card.kind, one_line(&card.name));
            if manifest.lines.len() + line.len() > BYTES {
                break;
            }
            manifest.lines.push_str(&line);
            manifest.offered.insert(path, ranked);
        }
        Ok(manifest)
    }

    /// The exact words that a model is given.
    pub(super) fn prompt(&self, memory: &Memory, ask: &Recall) -> Result<String> {
        let values = [
            ("limit", ask.limit.to_string()),
            ("query", prompts::data("query", &ask.query)),
            ("manifest", prompts::data("manifest", &self.lines)),
        ];
        let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
        memory.prompts.filled(&RECALL, &values)
    }

    /// The model's choice, in its order and without a limit: what is over it is on the receipt; `None` = the heuristic answer stands.
    pub(super) async fn chosen(mut self, models: &Models, prompt: String, wait: Duration) -> Option<Vec<Ranked>> {
        let ask = Ask {
            messages: vec![Message::User(prompt)],
            shape: Some(shape()),
            temperature: Some(0.0),
            ..Ask::default()
        };
        let text = match tokio::time::timeout(wait, models.ask(Role::Fast, &ask)).await {
            Ok(Ok(answer)) => answer.text,
            Ok(Err(error)) => {
                tracing::info!(%error, "the model did not choose; the heuristic answer stands");
                return None;
            }
            Err(_) => {
                tracing::info!("the model was late; the heuristic answer stands");
                return None;
            }
        };
        let Ok(Choice { selected_memories }) = serde_json::from_str(text.trim()) else {
            tracing::info!("the model's choice cannot be read; the heuristic answer stands");
            return None;
        };
        let mut chosen = Vec::new();
        let mut taken = Vec::new();
        for path in selected_memories {
            if taken.contains(&path) {
                continue;
            }
            let Some(ranked) = self.offered.remove(&path) else {
                tracing::info!("the model chose what was not offered; the heuristic answer stands");
                return None;
            };
            chosen.push(ranked);
            taken.push(path);
        }
        Some(chosen)
    }
}

/// The faces of these documents, by number.
async fn cards(record: &dyn Record, shelves: &[Arc<Shelf>], wanted: &[Ranked]) -> Result<HashMap<u64, Card>> {
    let mut cards = HashMap::new();
    for (at, shelf) in shelves.iter().enumerate() {
        let of_shelf = wanted.iter().filter(|ranked| ranked.shelf == at);
        let numbers: Vec<u64> = of_shelf.map(|ranked| shelf.documents[ranked.document].number).collect();
        cards.extend(record.cards(&shelf.place, &numbers).await?);
    }
    Ok(cards)
}

#[derive(Deserialize)]
struct Choice {
    selected_memories: Vec<String>,
}

fn shape() -> Shape {
    Shape {
        name: "selected_memories".to_owned(),
        schema: serde_json::json!({
            "type": "object",
            "properties": { "selected_memories": { "type": "array", "items": { "type": "string" } } },
            "required": ["selected_memories"],
            "additionalProperties": false,
        }),
    }
}

impl Memory {
    /// What the model chooses for a question, if one is to be asked and answers well.
    pub(super) async fn chosen(
        &self,
        ask: &Recall,
        question: &Question,
        shelves: &[Arc<Shelf>],
        fitting: &[Ranked],
        left_out: &[String],
    ) -> Result<Option<Vec<Ranked>>> {
        let Some(wait) = ask.model.filter(|_| self.models.has(Role::Fast) && !question.is_empty()) else {
            return Ok(None);
        };
        let manifest = Manifest::of(self.record()?, shelves, fitting, left_out).await?;
        if manifest.offered.is_empty() || ask.limit == 0 {
            return Ok(None);
        }
        let prompt = match manifest.prompt(self, ask) {
            Ok(prompt) => prompt,
            Err(error) => {
                tracing::warn!(%error, "no model is asked; the heuristic answer stands");
                return Ok(None);
            }
        };
        Ok(manifest.chosen(&self.models, prompt, wait).await)
    }
}
