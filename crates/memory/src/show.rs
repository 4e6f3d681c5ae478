//! Show: one file, as it is; looking is no use of it.

use crate::list::File;
use crate::{Error, Memory, Result};
use jiff::Timestamp;
use loci_domain::{document, entry, fact};
use loci_store::catalog;
use serde::Serialize;

/// A file's facts and text.
#[derive(Debug, Clone, Serialize)]
pub struct Shown {
    /// Its facts; the generated index has none.
    #[serde(flatten)]
    pub file: Option<File>,
    /// Its text.
    pub content: String,
}

/// Where the entries of a file came from.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Origins {
    /// Its virtual path.
    pub path: String,
    /// Who made the file.
    pub origin: String,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Its entries, in order.
    pub entries: Vec<EntryOrigin>,
}

/// Where one entry came from.
#[derive(Debug, Clone, Serialize)]
pub struct EntryOrigin {
    /// How it is named.
    pub id: String,
    /// What it says.
    pub summary: String,
    /// The conversations in which it was said, oldest first; none when a person or an agent wrote it.
    pub sources: Vec<Said>,
}

/// Where a fact was said.
#[derive(Debug, Clone, Serialize)]
pub struct Said {
    /// In which session.
    pub session: String,
    /// By which message.
    pub message: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl Memory {
    /// Where each entry of a file came from.
    pub async fn origins(&self, given: &str) -> Result<Origins> {
        let shown = self.show(given).await?;
        let (root, path) = self.locate(given)?;
        let file = shown.file.ok_or(Error::Generated)?;
        let record = self.record()?;
        let key = record.fact_key().await?;
        let found = entry::entries(&shown.content, document::read(&path, &shown.content).body);
        let mut entries = Vec::new();
        for (n, one) in found.iter().enumerate() {
            let sources = record.sources(&root.key.identity, &fact::mark(&key, &one.summary)).await?;
            entries.push(EntryOrigin {
                id: entry::id(file.scope, &path, n, found.len()),
                summary: one.summary.clone(),
                sources: sources
                    .into_iter()
                    .map(|source| Said { session: source.session, message: source.message, at: source.at })
                    .collect(),
            });
        }
        Ok(Origins { path: file.path, origin: file.origin, updated_at: file.updated_at, entries })
    }

    /// One file.
    pub async fn show(&self, given: &str) -> Result<Shown> {
        let (root, path) = self.locate(given)?;
        let name = root.name(&path);
        let blob = match self.store.read(root, &path).await {
            Ok(Some(blob)) => blob,
            Ok(None) => return Err(Error::Missing(name)),
            Err(loci_store::Error::Folder) => return Err(Error::NotAFile(name)),
            Err(error) => return Err(error.into()),
        };
        let content = catalog::text(&blob.bytes).ok_or(Error::NotText(name))?.to_owned();
        self.look(root).await?;
        let listed = self.record()?.listed_file(&root.key, &path).await?;
        Ok(Shown { file: listed.map(|listed| crate::list::file(root, listed)), content })
    }
}
