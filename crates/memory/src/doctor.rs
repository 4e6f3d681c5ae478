//! Doctor: what is wrong with memory, what could be better, and what was mended.
//!
//! A *fault* makes `loci doctor` exit 1; *advice* does not.

use crate::{Memory, Result, Verb};
use loci_domain::document::{self, Complaint};
use loci_domain::path::{EntryPath, INDEX};
use loci_domain::secrets;
use loci_store::{Listing, Root, catalog};
use serde::Serialize;

/// One thing that a person should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it is about: a virtual path, a scope, `ledger`, `config`.
    pub about: String,
    /// What is the matter, and what to do.
    pub message: String,
}

/// All that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Examined {
    /// Wrong.
    pub faults: Vec<Finding>,
    /// Could be better.
    pub advice: Vec<Finding>,
    /// Mended on the way.
    pub fixed: Vec<Finding>,
}

impl Examined {
    /// Notes a fault.
    pub fn fault(&mut self, about: impl Into<String>, message: impl Into<String>) {
        self.faults.push(Finding { about: about.into(), message: message.into() });
    }

    /// Notes advice.
    pub fn advise(&mut self, about: impl Into<String>, message: impl Into<String>) {
        self.advice.push(Finding { about: about.into(), message: message.into() });
    }

    /// Notes what was mended.
    pub fn mended(&mut self, about: impl Into<String>, message: impl Into<String>) {
        self.fixed.push(Finding { about: about.into(), message: message.into() });
    }
}

/// Whether to mend what can be mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mend {
    /// Only look.
    Look,
    /// Mend.
    Fix,
}

impl Memory {
    /// Looks at every file of every scope that is there. The catalogue is brought up to date on the way, as by any command;
    /// an index that somebody changed stays as it is until it is to be mended.
    pub fn doctor(&self, mend: Mend) -> Verb<'_, Examined> {
        Box::pin(async move {
            let mut examined = Examined::default();
            for root in self.store.roots() {
                match self.look_closely(root, mend, &mut examined).await {
                    Ok(listing) => self.examine(root, &listing, &mut examined).await?,
                    Err(error) => examined.fault(scope(root), format!("cannot be read: {error}")),
                }
            }
            Ok(examined)
        })
    }

    async fn examine(&self, root: &Root, listing: &Listing, examined: &mut Examined) -> Result<()> {
        for name in &listing.refused {
            examined.advise(scope(root), format!("{name:?} is ignored: a link, an odd file, or a name that memory does not allow; rename or remove it"));
        }
        if !listing.complete {
            let cap = self.store.settings().files_per_scope;
            examined.advise(
                scope(root),
                format!("holds more than {cap} files; the rest is not seen (limits.files_per_scope)"),
            );
        }
        for (path, meta) in &listing.files {
            if meta.bytes > self.store.settings().file_bytes {
                let cap = self.store.settings().file_bytes;
                examined
                    .fault(root.name(path), format!("has {} bytes, the limit is {cap}; split it by topic", meta.bytes));
                continue;
            }
            match self.store.read(root, path).await {
                Ok(Some(blob)) => document_findings(&root.name(path), path, &blob.bytes, examined),
                Ok(None) => {}
                Err(error @ loci_store::Error::Forbidden) => {
                    examined.fault(root.name(path), format!("cannot be read: {error}"));
                }
                Err(error) => return Err(error.into()),
            }
        }
        let mut drifted: Vec<_> = self.store.all_drifted(root).await?.into_iter().collect();
        drifted.sort();
        for (path, (digest, said)) in drifted {
            let known = self.record()?.known_file(&root.key.place, &path).await?;
            if known.is_none_or(|known| known.digest != digest) {
                continue;
            }
            examined.advise(root.name(&path), format!("may be out of date: {said}; correct it or remove it"));
        }
        if self.store.has_stale_index(root).await? && !examined.faults.iter().any(|fault| fault.about == index(root)) {
            examined.fault(index(root), "cannot be written; look who may write there, and how much room is left");
        }
        Ok(())
    }

    /// The files of a root, with the catalogue up to date.
    async fn look_closely(&self, root: &Root, mend: Mend, examined: &mut Examined) -> Result<Listing> {
        match (self.store.foreign_index(root).await?, mend) {
            (Some(listing), Mend::Look) => {
                examined.fault(index(root), "does not agree with the documents; run `loci index`");
                return Ok(listing);
            }
            (Some(_), Mend::Fix) => {
                self.store.reindex(root).await?;
                examined.mended(index(root), "written anew from the documents");
            }
            (None, _) => {}
        }
        Ok(self.store.sync(root).await?)
    }
}

fn index(root: &Root) -> String {
    format!("{}/{INDEX}", scope(root))
}

fn scope(root: &Root) -> String {
    root.scope.map_or_else(|| "/memories".to_owned(), |scope| format!("/memories/{scope}"))
}

fn document_findings(name: &str, path: &EntryPath, bytes: &[u8], examined: &mut Examined) {
    let Some(text) = catalog::text(bytes) else {
        examined.fault(name, "is not a text file (UTF-8 without NUL bytes); remove it from memory");
        return;
    };
    for complaint in document::read(path, text).complaints {
        match complaint {
            Complaint::Fault(message) => examined.fault(name, message),
            Complaint::Advice(message) => examined.advise(name, message),
        }
    }
    for found in secrets::scan(text) {
        examined.advise(name, format!("line {} looks like a secret ({}); remove it", found.line, found.rule));
    }
}
