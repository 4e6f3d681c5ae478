//! Purging: no byte of what was forgotten is left in the home, names that were made of it included.
//!
//! Owns what counts as the same text in old versions, and the order of dropping. Matching is done here, so it is the same
//! on every engine.

use super::sessions::{self, Redacted};
use super::{Candidate, Forgotten, RemovedFrom, candidates, choose};
use crate::draft::Draft;
use crate::{Memory, Result};
use loci_domain::alike;
use loci_domain::change::{GroupId, Place};
use loci_domain::digest::Digest;
use loci_domain::document::{Kind, made};
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;
use loci_domain::slug::slug;
use loci_domain::{document, entry, words};
use loci_store::catalog;
use loci_store::record::{Log, Record, Scrubbed};
use std::collections::BTreeSet;

/// Images that are looked at together.
const AT_ONCE: usize = 64;
/// A line that is shorter says too little to stand for its entry.
const TELLING: usize = 8;
/// An older wording of the same entry is this much like it.
const OLDER: f64 = 0.5;

/// What a purge did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purged {
    /// Old versions of files that went from the journal.
    pub versions: u64,
    /// Changes in the journal whose path was made of the text and has another name now.
    pub renamed: u64,
    /// Messages of sessions from which the text was taken out.
    pub messages: u64,
    /// Projects whose sessions had come to something with the text in it; their handbooks are out of date.
    pub projects: Vec<String>,
    /// Receipts and contexts of sessions.
    pub receipts: u64,
    /// Whether the ledger's own files are clean.
    pub scrubbed: Scrubbed,
    /// Texts that must be nowhere any more, for whoever looks after files that memory does not know.
    pub texts: Vec<String>,
    /// Lines of these texts as people say them, longest first: [`super::PURGED`] stands in their place now.
    pub said: Vec<String>,
}

/// Gives documents that stay another name where theirs was made of what goes; answers the paths that were left.
pub(super) async fn rename_faces(draft: &mut Draft, chosen: &[Candidate]) -> Result<Vec<(Scope, EntryPath)>> {
    let mut left = Vec::new();
    let files: BTreeSet<(Scope, EntryPath)> =
        chosen.iter().map(|candidate| (candidate.scope, candidate.path.clone())).collect();
    for (scope, path) in files {
        let gone: Vec<&Candidate> =
            chosen.iter().filter(|candidate| candidate.scope == scope && candidate.path == path).collect();
        let made_of = |text: &str| gone.iter().any(|candidate| is_made_of(text, &candidate.text));
        let Some(text) = draft.read(scope, &path).await? else {
            if names(&path).any(made_of) {
                left.push((scope, path));
            }
            continue;
        };
        let document = document::read(&path, &text);
        let first = entry::entries(&text, document.body.clone()).into_iter().next().map(|entry| entry.summary);
        let first = first.unwrap_or_default();
        let mut changed = text.clone();
        for (said, field) in [
            (&document.card.name, made::field("name", &made::name(&first))),
            (&document.card.description, made::field("description", &made::description(&first))),
        ] {
            if made_of(said) {
                changed = with_field(&changed, &document, &field);
            }
        }
        let body = &changed[document::read(&path, &changed).body];
        let tells = |name: &str| made_of(name) && !is_made_of(name, body);
        if !names(&path).any(tells) {
            draft.put(scope, &path, changed).await?;
            continue;
        }
        let folders: String = folders(&path)
            .filter(|name| Kind::from_word(name).is_some() || !tells(name))
            .map(|name| format!("{name}/"))
            .collect();
        let name = format!("{folders}{}-{}.md", slug(&first, 4), &loci_store::store::fresh_id()[20..]);
        let target = EntryPath::parse(&name).map_err(loci_store::Error::from)?;
        draft.remove(scope, &path).await?;
        draft.put(scope, &target, changed).await?;
        left.push((scope, path));
    }
    Ok(left)
}

/// A header with one of its lines written anew.
fn with_field(text: &str, document: &document::Document, field: &str) -> String {
    let key = field.split(':').next().unwrap_or_default();
    let header_end = document.body.start;
    let lines: Vec<String> = text[..header_end]
        .split_inclusive('\n')
        .map(|line| match line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')) {
            true => format!("{field}{}", &line[line.trim_end_matches(['\r', '\n']).len()..]),
            false => line.to_owned(),
        })
        .collect();
    format!("{}{}", lines.concat(), &text[header_end..])
}

/// Drops what was chosen from everywhere the ledger keeps it; `query` also finds what was forgotten earlier.
pub(super) async fn purge(
    memory: &Memory,
    query: Option<&str>,
    chosen: &[Candidate],
    left: Vec<(Scope, EntryPath)>,
    group: Option<&GroupId>,
) -> Result<Purged> {
    let record = memory.record()?;
    let mut needles = Needles::of(chosen);
    if let Some(query) = query {
        // All of them first: an older wording may come before the version that tells what the query means.
        each_version(record, |_, text| needles.learn(query, text)).await?;
    }
    let mut dropped: Vec<Digest> = Vec::new();
    each_version(record, |digest, text| {
        if needles.are_in(text) {
            dropped.push(digest);
        }
    })
    .await?;
    let mut files: BTreeSet<_> = record.files_of(&dropped).await?.into_iter().collect();
    pass_over(record, &files, &dropped, group).await?;
    let versions = record.drop_images(&dropped).await?;
    for (scope, path) in left {
        files.insert((memory.store.root(Some(scope))?.key.place.clone(), path));
    }
    let mut renamed = 0;
    for (place, path) in files {
        let lives = record.known_file(&place, &path).await?.is_some();
        if !lives && needles.texts.iter().any(|text| names(&path).any(|name| is_made_of(name, text))) {
            let id = loci_store::store::fresh_id();
            let neutral = EntryPath::parse(&format!("purged-{id}.md")).map_err(loci_store::Error::from)?;
            renamed += record.rename_past(&place, &path, &neutral).await?;
        }
    }
    let Redacted { messages, projects, needles: said } = sessions::redact(memory, &needles.texts).await?;
    let receipts = record.drop_receipts().await?;
    record.drop_proposals().await?;
    let scrubbed = record.scrub().await?;
    Ok(Purged { versions, renamed, messages, projects, receipts, scrubbed, texts: needles.texts, said })
}

/// Shows every old version that is text.
async fn each_version(record: &dyn Record, mut show: impl FnMut(Digest, &str)) -> Result<()> {
    let mut after: Option<Digest> = None;
    loop {
        let images = record.images_after(after.as_ref(), AT_ONCE).await?;
        let Some(last) = images.last() else { return Ok(()) };
        after = Some(last.digest);
        for image in &images {
            if let Some(text) = catalog::text(&image.bytes) {
                show(image.digest, text);
            }
        }
    }
}

/// Older changes whose bytes go cannot be taken back, and must not stand in the way of those before them. The forgetting
/// itself stays the next to undo, so that whoever tries is told.
async fn pass_over(
    record: &dyn Record,
    files: &BTreeSet<(Place, EntryPath)>,
    dropped: &[Digest],
    group: Option<&GroupId>,
) -> Result<()> {
    let gone: BTreeSet<Digest> = dropped.iter().copied().collect();
    let lost = |digest: Option<Digest>| digest.is_some_and(|digest| gone.contains(&digest));
    let mut ids = Vec::new();
    for (place, path) in files {
        let log = Log { places: vec![place.clone()], path: Some(path.clone()), limit: usize::MAX >> 2 };
        let old = record.changes(&log).await?.into_iter().filter(|change| Some(&change.group) != group);
        ids.extend(old.filter(|change| lost(change.before) || lost(change.after)).map(|change| change.id));
    }
    Ok(record.pass_over(&ids).await?)
}

/// What to look for in old versions.
struct Needles {
    texts: Vec<String>,
    lines: BTreeSet<String>,
}

impl Needles {
    fn of(chosen: &[Candidate]) -> Needles {
        let mut needles = Needles { texts: Vec::new(), lines: BTreeSet::new() };
        chosen.iter().for_each(|candidate| needles.add(&candidate.text));
        needles
    }

    fn add(&mut self, text: &str) {
        if self.texts.iter().any(|known| known == text) {
            return;
        }
        let lines = text.lines().map(alike::normalised).filter(|line| line.chars().count() >= TELLING);
        self.lines.extend(lines.chain([alike::normalised(text)]).filter(|line| !line.is_empty()));
        self.texts.push(text.to_owned());
    }

    /// True when a version holds one of the texts, a line of one, or an older wording.
    fn are_in(&self, version: &str) -> bool {
        if self.texts.is_empty() {
            return false;
        }
        let plain = format!(" {} ", alike::normalised(version));
        self.lines.iter().any(|line| plain.contains(&format!(" {line} ")))
            || entries(version)
                .iter()
                .any(|old| self.texts.iter().any(|text| alike::likeness(&old.text, text) >= OLDER))
    }

    /// Takes in what the query means in an old version.
    fn learn(&mut self, query: &str, version: &str) {
        choose::by_words(query, &entries(version)).iter().for_each(|candidate| self.add(&candidate.text));
    }
}

/// The entries of an old version; where it lay does not matter.
fn entries(version: &str) -> Vec<Candidate> {
    match EntryPath::parse("version.md") {
        Ok(path) => candidates::of_document(Scope::Global, &path, version, false),
        Err(_) => Vec::new(),
    }
}

/// The names in a path that somebody chose: those of types are everybody's.
fn names(path: &EntryPath) -> impl Iterator<Item = &str> {
    folders(path).filter(|name| Kind::from_word(name).is_none()).chain([stem(path)])
}

fn folders(path: &EntryPath) -> impl Iterator<Item = &str> {
    path.segments().take(path.segments().count() - 1)
}

fn stem(path: &EntryPath) -> &str {
    let file = path.file_name();
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// True when a name consists of words of a text: all of the telling ones, and at least one.
fn is_made_of(name: &str, text: &str) -> bool {
    let own: BTreeSet<String> = words::tokens(text).into_iter().collect();
    let telling = |token: &String| token.chars().count() >= 3 || !token.is_ascii();
    let words: Vec<String> = words::tokens(&name.replace(['-', '_', '…'], " ")).into_iter().filter(telling).collect();
    !words.is_empty() && words.iter().filter(|word| own.contains(*word)).count() * 4 >= words.len() * 3
}

/// Says where it was removed from, instead of where it would be kept.
pub(super) fn report(forgotten: &mut Forgotten, purged: &Purged) {
    forgotten.removed_from.retain(|place| place.place != "journal");
    let versions = if purged.versions == 1 { "version" } else { "versions" };
    let mut at = |place: &str, state, note: String| {
        forgotten.removed_from.push(RemovedFrom { place: place.to_owned(), state, note });
    };
    at("journal", "removed", format!("{} old {versions}; undo cannot bring it back", purged.versions));
    at("sessions", "removed", format!("from {} messages of conversations", purged.messages));
    at("receipts", "removed", format!("{} receipts and contexts of sessions", purged.receipts));
    match purged.scrubbed {
        Scrubbed::Clean => at("ledger file", "removed", "rewritten, its log emptied".to_owned()),
        Scrubbed::LogInUse => {
            at("ledger file", "pending", "another process reads it; its log is emptied when that ends".to_owned());
        }
    }
    if forgotten.removed_entries.is_empty() && purged.versions > 0 {
        forgotten.summary = format!("Purged {} old {versions} from the journal.", purged.versions);
    } else if !forgotten.removed_entries.is_empty() {
        forgotten.summary.push_str(" Purged: undo cannot bring it back.");
    }
}
