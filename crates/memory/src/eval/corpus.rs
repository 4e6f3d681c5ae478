//! Loci's own format: documents with their paths, and questions with the paths that answer them.

use loci_domain::path::{EntryPath, Layout, Spot, Virtual};
use loci_domain::scope::Scope;
use serde::Deserialize;

/// A corpus and its questions; they may be in one file or in two.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Corpus {
    /// What there is to find.
    pub documents: Vec<Document>,
    /// What is asked.
    pub questions: Vec<Question>,
}

/// One document.
#[derive(Debug, Clone, Deserialize)]
pub struct Document {
    /// Its path in its scope.
    pub path: String,
    /// Its scope.
    pub scope: String,
    /// Its whole text.
    pub content: String,
}

/// One question.
#[derive(Debug, Clone, Deserialize)]
pub struct Question {
    /// Its name.
    pub id: String,
    /// What kind of question it is.
    pub slice: String,
    /// `tune` or `held`.
    #[serde(default)]
    pub split: String,
    /// Its words.
    pub query: String,
    /// The virtual paths that answer it; none = nothing does.
    pub gold: Vec<String>,
}

impl Document {
    /// Where it goes, if its path is one.
    pub fn place(&self) -> Option<(Scope, EntryPath)> {
        let given = format!("/memories/{}/{}", self.scope, self.path);
        match Virtual::parse(&given, Layout::Scoped).ok()?.spot {
            Spot::Inside(Some(scope), path) => Some((scope, path)),
            _ => None,
        }
    }
}
