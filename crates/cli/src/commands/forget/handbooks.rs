//! Handbooks that hold what was purged: its words are taken out at once, in every project of the home; the next run makes
//! them anew from what is left.

use crate::boot::App;
use crate::fault::Failure;
use crate::output::count;
use jiff::Timestamp;
use loci_domain::path::EntryPath;
use loci_domain::secrets::{Clean, Policy, screen};
use loci_memory::forget::{Forgotten, PURGED, RemovedFrom};
use loci_pipeline::jobs::PHASES;
use loci_store::{Backend, Book, Show};

/// Files of a handbook, and bytes of one.
const FILES: usize = 10_000;
const LARGEST: u64 = 16 << 20;

/// Takes what was purged out of handbooks, and out of what somebody was just making of it.
pub async fn purge(app: &App, mut forgotten: Forgotten) -> Result<Forgotten, Failure> {
    let Some(purged) = &forgotten.purged else { return Ok(forgotten) };
    // Whoever read it before it went settles nothing; what was settled just before is looked at once more.
    app.ledger.unseat_jobs(&PHASES, Timestamp::now()).await?;
    if !app.ledger.redact_extractions(&purged.said, PURGED).await?.is_empty() {
        app.ledger.scrub().await?;
    }
    let mut changed = 0;
    for Book { shelf, pages } in app.places.handbooks().await? {
        shelf.sweep().await?;
        if let Some(files) = without(&*pages, &purged.said).await? {
            let staged = shelf.stage(files).await?;
            shelf.swap(staged).await?;
            changed += 1;
        }
    }
    if changed > 0 || !purged.projects.is_empty() {
        let note = format!("from {}; the next run makes them anew", count(changed, "handbook", "handbooks"));
        forgotten.removed_from.retain(|place| place.place != "handbook");
        forgotten.removed_from.push(RemovedFrom { place: "handbook".to_owned(), state: "removed", note });
    }
    Ok(forgotten)
}

/// The files of a handbook without these words; `None` when none of them is in it.
async fn without(book: &dyn Backend, words: &[String]) -> Result<Option<Vec<(EntryPath, Clean)>>, Failure> {
    let (mut files, mut changed) = (Vec::new(), false);
    for (path, _) in book.list(None, Show::All, FILES).await?.files {
        let Some(blob) = book.read(&path, LARGEST).await? else { continue };
        let text = String::from_utf8_lossy(&blob.bytes).into_owned();
        let clean = words.iter().fold(text.clone(), |text, word| text.replace(word, PURGED));
        // The page of a session is called by what it was about.
        let path = match clean != text && path.as_str().starts_with("rollout_summaries/") {
            true => EntryPath::parse(&format!("rollout_summaries/purged-{}.md", loci_store::store::fresh_id()))
                .map_err(loci_store::Error::from)?,
            false => path,
        };
        changed |= clean != text;
        files.push((path, screen(clean, None, Policy::Redact).map_err(loci_store::Error::from)?));
    }
    Ok(changed.then_some(files))
}
