//! Tidying without a model: what is said twice is said once, and lists are in order.
//!
//! Owns which entries are copies of each other and how they become one; `memory::dream` decides when, and applies it.
//! Never merges across kinds, never loses a word: a copy goes only when all that it says stands in the one that stays.
//! Never touches a pinned page, and takes a page that nobody accepted neither as copy nor as original.
//! Start at [`tidy`].
//!
//! Invariant: tidying_is_idempotent. A second run over its own result finds nothing to do.

mod order;
mod parts;

use crate::document::{self, Kind};
use crate::entry;
use crate::path::EntryPath;
use parts::Parts;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A document of the scope that is tidied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Which file.
    pub path: EntryPath,
    /// All of it.
    pub text: String,
    /// What may be done with it.
    pub hand: Hand,
}

/// What a machine may do with a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    /// Change it and remove it.
    Free,
    /// Nothing; what it says counts as said.
    Pinned,
    /// Nothing; what it says counts for nothing until a person accepts it.
    Untrusted,
}

/// What should become of the pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tidied {
    /// New texts of pages that change, in path order; `None` = the page goes.
    pub pages: BTreeMap<EntryPath, Option<String>>,
    /// How many entries were merged into others.
    pub merged: usize,
    /// The kinds of the pages that change.
    pub kinds: Vec<Kind>,
}

/// Where an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spot {
    page: usize,
    entry: usize,
}

/// How often its own result is tidied again; two rounds were the most that was seen.
const ROUNDS: usize = 16;

/// Tidies the pages of one scope, given in any order.
pub fn tidy(pages: &[Page]) -> Tidied {
    let mut pages: Vec<Page> = pages.iter().filter(|page| page.hand != Hand::Untrusted).cloned().collect();
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    let mut all = Tidied::default();
    let mut kinds = BTreeSet::new();
    // A page that was too odd to be cut may be less so once its neighbours are tidy.
    for _ in 0..ROUNDS {
        let round = once(&pages);
        if round.pages.is_empty() {
            break;
        }
        for (path, text) in &round.pages {
            match text {
                Some(text) => {
                    pages.iter_mut().filter(|page| page.path == *path).for_each(|page| page.text.clone_from(text));
                }
                None => pages.retain(|page| page.path != *path),
            }
        }
        all.merged += round.merged;
        kinds.extend(round.kinds.iter().map(|kind| kind.word()));
        all.pages.extend(round.pages);
    }
    all.kinds = Kind::ALL.into_iter().filter(|kind| kinds.contains(kind.word())).collect();
    all
}

/// One round over pages in path order.
fn once(pages: &[Page]) -> Tidied {
    let mut pages = pages.to_vec();
    loop {
        match attempt(&pages) {
            Ok(tidied) => return tidied,
            // Markdown has corners in which a cut joins neighbours; such a page is left alone, and all is planned again.
            Err(odd) => pages[odd].hand = Hand::Pinned,
        }
    }
}

/// One plan for all pages; the number of a page that would not read as planned afterwards.
fn attempt(pages: &[Page]) -> Result<Tidied, usize> {
    let read: Vec<Read> = pages.iter().map(Read::of).collect();
    let plan = Plan::of(pages, &read);
    let mut tidied = Tidied::default();
    let mut kinds = BTreeSet::new();
    for (at, page) in pages.iter().enumerate().filter(|(_, page)| page.hand == Hand::Free) {
        let gone = plan.gone.get(&at).map_or(&[][..], Vec::as_slice);
        let after = rewritten(page, &read[at], gone, &plan, at);
        let after = after.map(|text| order::sorted(&page.path, &text).unwrap_or(text));
        if after.as_deref() == Some(&page.text) {
            continue;
        }
        if let Some(text) = &after
            && read[at].keys_without(gone) != Read::of(&Page { text: text.clone(), ..page.clone() }).keys_without(&[])
        {
            return Err(at);
        }
        tidied.merged += gone.len();
        kinds.insert(read[at].kind.word());
        tidied.pages.insert(page.path.clone(), after);
    }
    tidied.kinds = Kind::ALL.into_iter().filter(|kind| kinds.contains(kind.word())).collect();
    Ok(tidied)
}

/// A page taken apart.
struct Read {
    kind: Kind,
    body: std::ops::Range<usize>,
    spans: Vec<std::ops::Range<usize>>,
    parts: Vec<Parts>,
}

impl Read {
    fn of(page: &Page) -> Read {
        let document = document::read(&page.path, &page.text);
        let entries = entry::entries(&page.text, document.body.clone());
        let parts = entries.iter().map(|entry| Parts::of(entry.text(&page.text))).collect();
        let spans = entries.into_iter().map(|entry| entry.span).collect();
        Read { kind: document.card.kind, body: document.body, spans, parts }
    }

    /// What its entries say, but for these.
    fn keys_without(&self, gone: &[usize]) -> Vec<Option<String>> {
        let kept = self.parts.iter().enumerate().filter(|(entry, _)| !gone.contains(entry));
        let mut keys: Vec<Option<String>> = kept.map(|(_, parts)| parts.key()).collect();
        keys.sort();
        keys
    }
}

/// Which entries go, and which fields those that stay take over.
#[derive(Default)]
struct Plan {
    gone: HashMap<usize, Vec<usize>>,
    taken: HashMap<(usize, usize), Vec<parts::Field>>,
}

impl Plan {
    fn of(pages: &[Page], read: &[Read]) -> Plan {
        let mut plan = Plan::default();
        let mut originals: HashMap<(Kind, String), Spot> = HashMap::new();
        // A pinned entry is the original wherever it stands, because it cannot go.
        let pinned_first = |hand: Hand| pages.iter().enumerate().filter(move |(_, page)| page.hand == hand);
        for (page, _) in pinned_first(Hand::Pinned).chain(pinned_first(Hand::Free)) {
            for (entry, parts) in read[page].parts.iter().enumerate() {
                let spot = Spot { page, entry };
                let Some(key) = parts.key() else { continue };
                match originals.get(&(read[page].kind, key.clone())).copied() {
                    None => drop(originals.insert((read[page].kind, key), spot)),
                    Some(_) if pages[page].hand == Hand::Pinned => {}
                    Some(original) => plan.merge(pages, read, original, spot),
                }
            }
        }
        plan
    }

    /// Lets a copy go, if its original can take over all that only the copy says.
    fn merge(&mut self, pages: &[Page], read: &[Read], original: Spot, copy: Spot) {
        let kept = &read[original.page].parts[original.entry];
        let taken = self.taken.entry((original.page, original.entry)).or_default();
        let new: Vec<parts::Field> = read[copy.page].parts[copy.entry].fields_beyond(kept, taken);
        if !new.is_empty() && pages[original.page].hand == Hand::Pinned {
            return;
        }
        taken.extend(new);
        self.gone.entry(copy.page).or_default().push(copy.entry);
    }
}

/// A page with its copies gone and the fields of others taken over; `None` = nothing is left of it.
fn rewritten(page: &Page, read: &Read, gone: &[usize], plan: &Plan, at: usize) -> Option<String> {
    let mut text = page.text.clone();
    let mut grown = 0;
    // From the last to the first, so that earlier spans stay true.
    for (entry, span) in read.spans.iter().enumerate().rev() {
        if let Some(fields) = plan.taken.get(&(at, entry)).filter(|fields| !fields.is_empty()) {
            let longer = parts::with_fields(&text[span.clone()], fields, parts::line_break(&page.text));
            grown += longer.len() - span.len();
            text.replace_range(span.clone(), &longer);
        }
    }
    entry::remove(&text, read.body.start..read.body.end + grown, gone)
}

#[cfg(test)]
mod tests;
