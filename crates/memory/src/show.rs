//! Show: one file, as it is; looking is no use of it.

use crate::list::File;
use crate::{Error, Memory, Result};
use jiff::Timestamp;
use loci_domain::{entry, fact, frontmatter};
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

/// Where one entry came from.
#[derive(Debug, Clone, Serialize)]
pub struct EntrySources {
    /// Its first line.
    pub summary: String,
    /// Sessions in which it was said; none for what was written by hand.
    pub sources: Vec<SourceShown>,
}

/// One session in which a fact was said.
#[derive(Debug, Clone, Serialize)]
pub struct SourceShown {
    /// Which session.
    pub session: String,
    /// Which message, if it has an id.
    pub message: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl Memory {
    /// Which conversations the entries of a file came from.
    pub async fn sources(&self, given: &str) -> Result<Vec<EntrySources>> {
        let content = self.show(given).await?.content;
        let (root, _) = self.locate(given)?;
        let record = self.record()?;
        let key = record.fact_key().await?;
        let mut all = Vec::new();
        for entry in entry::entries(&content, frontmatter::split(&content).body) {
            let sources = record.sources(&root.key.identity, &fact::mark(&key, &entry.summary)).await?;
            let shown = |source: loci_store::record::Source| SourceShown {
                session: source.session,
                message: source.message,
                at: source.at,
            };
            all.push(EntrySources { summary: entry.summary, sources: sources.into_iter().map(shown).collect() });
        }
        Ok(all)
    }

    /// One file.
    pub async fn show(&self, given: &str) -> Result<Shown> {
        let (root, path) = self.locate(given)?;
        let name = root.name(&path);
        let blob = match self.store.read(root, &path).await {
            Ok(Some(blob)) => blob,
            Ok(None) => return Err(Error::Missing(name)),
            Err(loci_store::Error::Folder) => return Err(Error::NotAFile(name)),
            Err(loci_store::Error::TooLarge { bytes, limit }) => {
                return Err(Error::TooLarge { path: name, bytes, limit });
            }
            Err(error @ loci_store::Error::Forbidden) => return Err(Error::Unread { path: name, error }),
            Err(error) => return Err(error.into()),
        };
        let content = catalog::text(&blob.bytes).ok_or(Error::NotText(name))?.to_owned();
        self.look(root).await?;
        let listed = self.record()?.listed_file(&root.key, &path).await?;
        let mut file = listed.map(|listed| crate::list::file(root, listed));
        if let Some(file) = &mut file {
            file.stale = self.store.drifted(root, &path, &file.sha256).await?.is_some();
        }
        Ok(Shown { file, content })
    }
}
