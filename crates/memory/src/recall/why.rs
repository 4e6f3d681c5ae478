//! What speaks for a hit, and the receipt that can be asked for later.

use super::fuse::Ranked;
use super::question::Question;
use super::shelf::Shelf;
use super::{Hit, Recall};
use crate::list::File;
use crate::{Error, Memory, Result};
use jiff::Timestamp;
use loci_domain::digest::Digest;
use loci_store::record::LOCAL;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Receipts that are kept.
pub(super) const MOST: u64 = 10_000;

/// What speaks for a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Why {
    /// Words of the question that it has, as stems, with the fields in which they stand.
    pub terms: BTreeMap<String, Vec<String>>,
    /// The weight of those words, of all words of the question.
    pub coverage: f64,
    /// How near its best part is in meaning, from 0 to 1.
    pub similarity: f64,
    /// How often it was used.
    pub uses: u64,
    /// Days since it was changed.
    pub age_days: i64,
    /// What it names that has changed or gone, if something has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale: Option<String>,
}

/// What a recall did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// Its name.
    pub id: String,
    /// When.
    pub at: Timestamp,
    /// The question's digest; its words are not kept.
    pub query: String,
    /// For which session.
    pub session: Option<String>,
    /// What was shown, with what spoke for it.
    pub shown: Vec<Shown>,
    /// What fitted and was not shown, or not in full, and why.
    pub cut: Vec<Cut>,
}

/// A document that was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Its virtual path.
    pub path: String,
    /// Its score.
    pub score: f64,
    /// What spoke for it.
    pub why: Why,
    /// True when the session's agent named it later, in its words or to a tool.
    #[serde(default)]
    pub cited: bool,
}

/// A document that fitted and was not shown, or not all of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    /// Its virtual path.
    pub path: String,
    /// `limit`, `shown before`, or `doc_chars`: it was shown, but not all of its body.
    pub reason: String,
}

impl Cut {
    pub(super) fn new(path: String, reason: &str) -> Cut {
        Cut { path, reason: reason.to_owned() }
    }
}

impl Why {
    pub(super) fn of(question: &Question, ranked: &Ranked, file: &File, now: Timestamp) -> Why {
        let names = ["name", "description", "body"];
        let fields = |found: &[bool; 3]| {
            names.iter().zip(found).filter(|(_, found)| **found).map(|(name, _)| (*name).to_owned()).collect()
        };
        let stems = question.terms.iter().enumerate().filter(|(term, _)| ranked.lexical.has(*term));
        let terms = stems.map(|(term, stem)| (stem.clone(), fields(&ranked.lexical.fields(term))));
        let round = |value: f64| (value * 1e3).round() / 1e3;
        Why {
            terms: terms.collect(),
            coverage: round(ranked.lexical.coverage),
            similarity: round(ranked.semantic.similarity.min(1.0)),
            uses: file.uses,
            age_days: (now.as_second() - file.updated_at.as_second()).max(0) / 86_400,
            stale: None,
        }
    }
}

impl Memory {
    /// Keeps a receipt and answers its id. Where nothing can be written, recall still works.
    pub(super) async fn receipt(
        &self,
        question: &Question,
        hits: &[Hit],
        fitting: &[Ranked],
        shelves: &[Arc<Shelf>],
        mut cut: Vec<Cut>,
        ask: &Recall,
    ) -> Result<String> {
        let id = loci_store::store::fresh_id();
        let over = fitting.iter().skip(ask.limit).take(20);
        let over = over.map(|ranked| Cut::new(shelves[ranked.shelf].virtual_path(ranked.document), "limit"));
        cut.splice(0..0, over);
        let receipt = Receipt {
            id: id.clone(),
            at: self.store.now(),
            query: Digest::of(question.text.as_bytes()).to_string(),
            session: ask.session.clone(),
            shown: hits
                .iter()
                .map(|hit| Shown { path: hit.path.clone(), score: hit.score, why: hit.why.clone(), cited: false })
                .collect(),
            cut,
        };
        let body = serde_json::to_string(&receipt).unwrap_or_default();
        if let Err(error) = self.record()?.keep_receipt(&self.own(&id), receipt.at, &body, MOST).await {
            tracing::warn!(%error, "the receipt was not kept");
        }
        Ok(id)
    }

    /// The name under which the ledger keeps a receipt of this account, which is nobody else's.
    pub(super) fn own(&self, id: &str) -> String {
        if &*self.account == LOCAL { id.to_owned() } else { format!("{}/{id}", self.account) }
    }

    /// What a recall did, by its receipt.
    pub async fn why(&self, id: &str) -> Result<Receipt> {
        let missing = || Error::NoSuchReceipt(id.to_owned());
        // No account can spell the key of another one.
        let key = if id.contains('/') { return Err(missing()) } else { self.own(id) };
        let body = self.record()?.receipt(&key).await?.ok_or_else(missing)?;
        serde_json::from_str(&body).map_err(|_| Error::NoSuchReceipt(id.to_owned()))
    }
}
