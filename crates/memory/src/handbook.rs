//! The handbook: what was distilled from past sessions of a project, page by page.
//!
//! Owns which pages there are and how one is read by its `memory://` address.
//! Never writes: the pipeline makes it, and swaps it in as a whole. Nothing outside its folder can be reached, by no
//! spelling and by no link.
//! Start at [`Memory::read_page`].

use crate::{Error, Memory, Result};
use loci_domain::document;
use loci_domain::page::{BadUri, PageUri};
use loci_domain::path::{EntryPath, INDEX};
use loci_domain::scope::Scope;
use loci_domain::tokens;
use loci_store::{Backend, Show, catalog};
use serde::Serialize;
use std::sync::Arc;

/// The folder of the handbook.
pub(crate) type Shelf = Arc<dyn Backend>;

/// The largest page, in bytes.
const LARGEST: u64 = 1 << 20;
/// Pages that are looked at for a list, and skills that are described in it.
const LISTED: usize = 1_000;

/// A page, as every surface answers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageText {
    /// As it was asked for.
    pub uri: String,
    /// Its text.
    pub content: String,
}

/// A page in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its address.
    pub uri: PageUri,
    /// What it is called.
    pub name: String,
    /// What it is for; a skill says so itself.
    pub description: String,
    /// Its size.
    pub bytes: u64,
}

/// The handbook as a person looks at it: all of one generation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Exactly what an agent is given of it; empty where nothing is.
    pub injected: String,
    /// `MEMORY.md`; none where there is no handbook.
    pub handbook: Option<String>,
    /// The names of its skills.
    pub skills: Vec<String>,
}

impl Memory {
    /// What is injected within so many tokens, and the handbook behind it.
    pub async fn view_handbook(&self, summary_tokens: Option<usize>) -> Result<View> {
        let Some(folder) = &self.handbook else {
            return self.store.root(Some(Scope::Project)).map(|_| View::default()).map_err(Error::from);
        };
        loop {
            let before = folder.stat(None).await?;
            let summary = self.page(&PageUri::summary()?).await?.unwrap_or_default();
            let injected = summary_tokens.map(|limit| self.framed(&summary, tokens::within(limit))).unwrap_or_default();
            let handbook = self.page(&PageUri::parse("memory://root/MEMORY.md")?).await?;
            let pages = self.pages().await?;
            let skills = pages.iter().filter(|page| page.uri.path().file_name() == "SKILL.md");
            let skills = skills.map(|page| page.name.clone()).collect();
            let after = folder.stat(None).await?;
            // Another generation may have come between two pages.
            let same = match (&before, &after) {
                (Some(before), Some(after)) => after.settles(&before.stamp),
                (before, after) => before.is_none() && after.is_none(),
            };
            if same {
                return Ok(View { injected, handbook, skills });
            }
        }
    }

    /// The same with a handbook.
    pub fn with_handbook(self, folder: Arc<dyn Backend>) -> Memory {
        Memory { handbook: Some(folder), ..self }
    }

    /// One page by its address.
    pub async fn read_page(&self, given: &str) -> Result<PageText> {
        let uri = PageUri::parse(given)?;
        let content = self.page(&uri).await?.ok_or_else(|| Error::Missing(given.to_owned()))?;
        Ok(PageText { uri: given.to_owned(), content })
    }

    /// The summary, the handbook itself and its skills; none where there is no handbook yet, or no project.
    pub async fn pages(&self) -> Result<Vec<Page>> {
        let Some(folder) = &self.handbook else { return Ok(Vec::new()) };
        let listing = folder.list(None, Show::Visible, LISTED).await?;
        let mut pages = Vec::new();
        for (path, meta) in listing.files {
            let uri = PageUri::of(path);
            let (name, description) = match uri.path().segments().collect::<Vec<_>>().as_slice() {
                _ if uri.is_summary() => ("summary".to_owned(), "The handbook of this project in short".to_owned()),
                [INDEX] => ("handbook".to_owned(), "What past sessions of this project taught".to_owned()),
                ["skills", _, "SKILL.md"] => self.skill(&uri).await,
                ["skills", _, .., file] => ((*file).to_owned(), "Part of a skill".to_owned()),
                _ => continue,
            };
            pages.push(Page { uri, name, description, bytes: meta.bytes });
        }
        // The summary first; the rest in the order of paths.
        pages.sort_by_key(|page| !page.uri.is_summary());
        Ok(pages)
    }

    /// A mark of a page that differs when its text may differ; `None` = it is not there.
    pub async fn page_stamp(&self, uri: &PageUri) -> Option<String> {
        let meta = self.handbook.as_ref()?.stat(Some(uri.path())).await.ok()??;
        Some(meta.stamp)
    }

    /// The text of the summary, if there is one.
    pub(crate) async fn handbook_summary(&self) -> Result<Option<String>> {
        if self.handbook.is_none() {
            return Ok(None);
        }
        self.page(&PageUri::summary()?).await
    }

    async fn page(&self, uri: &PageUri) -> Result<Option<String>> {
        let Some(folder) = &self.handbook else {
            // The scope says why there is no project, and so no handbook.
            return self.store.root(Some(Scope::Project)).map(|_| None).map_err(Error::from);
        };
        let blob = match folder.read(uri.path(), LARGEST).await {
            Ok(Some(blob)) => blob,
            Ok(None) => return Ok(None),
            Err(loci_store::Error::Folder) => return Err(Error::NotAFile(uri.to_string())),
            Err(loci_store::Error::Link | loci_store::Error::Odd) => return Err(BadUri::Path(uri.to_string()).into()),
            Err(error) => return Err(error.into()),
        };
        let text = catalog::text(&blob.bytes).ok_or_else(|| Error::NotText(uri.to_string()))?;
        Ok(Some(text.to_owned()))
    }

    /// How a skill presents itself; one that cannot be read is still there by its folder's name.
    async fn skill(&self, uri: &PageUri) -> (String, String) {
        let folder = uri.path().parent().as_ref().map(EntryPath::file_name).unwrap_or_default().to_owned();
        match self.page(uri).await {
            Ok(Some(text)) => {
                let card = document::read(uri.path(), &text).card;
                (folder, card.description)
            }
            _ => (folder, String::new()),
        }
    }
}
