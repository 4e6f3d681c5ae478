//! Files of the home that memory does not know and that may hold what was purged: earlier indexes kept as spares, ledgers
//! that were set aside when they were damaged or that a repair which was cut off left, and drafts that an editor session left.

use crate::fault::Failure;
use loci_domain::alike;
use loci_memory::forget::{Forgotten, RemovedFrom};
use std::path::{Path, PathBuf};

/// What the ledger's repair leaves beside it: the damaged one, and after a crash the copy that it read and the new one.
const REPAIRS: [&str; 4] = ["loci.db.damaged-", "loci.db.salvage", "loci.db.repaired", "loci.db.ready"];

/// Removes them after a purge, and says so.
pub fn sweep(home: &Path, mut forgotten: Forgotten) -> Result<Forgotten, Failure> {
    let Some(purged) = &forgotten.purged else { return Ok(forgotten) };
    // What is in a damaged ledger cannot be told, so it goes as a whole.
    let aside = files(home).into_iter().filter(|file| REPAIRS.iter().any(|left| name(file).starts_with(left)));
    let drafts = files(&home.join("drafts")).into_iter().filter(|file| holds(file, &purged.texts));
    let found: [(&str, Vec<PathBuf>); 3] = [
        ("earlier indexes", files(&home.join("spare"))),
        ("damaged ledgers set aside", aside.collect()),
        ("drafts", drafts.collect()),
    ];
    for (place, files) in found {
        for file in &files {
            std::fs::remove_file(file)?;
        }
        if !files.is_empty() {
            let note = crate::output::count(files.len(), "file", "files");
            forgotten.removed_from.push(RemovedFrom { place: place.to_owned(), state: "removed", note });
        }
    }
    Ok(forgotten)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(listing) = std::fs::read_dir(folder) else { return Vec::new() };
    listing
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| entry.path())
        .collect()
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn holds(file: &Path, texts: &[String]) -> bool {
    let Ok(bytes) = std::fs::read(file) else { return false };
    let draft = alike::normalised(&String::from_utf8_lossy(&bytes));
    let lines = texts.iter().flat_map(|text| text.lines()).map(alike::normalised);
    lines.filter(|line| line.len() >= 8).any(|line| draft.contains(&line))
}
