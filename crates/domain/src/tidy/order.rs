//! Lists in order.
//!
//! Owns when a document is nothing but a list whose order means nothing, and puts its items in the order of their words.
//! Never reorders numbers or tasks: there the order is what is said.

use crate::entry::{self, Entry};
use crate::path::EntryPath;
use crate::{alike, document};

/// The text with its items in order; `None` when it is no such list, or in order.
pub(super) fn sorted(path: &EntryPath, text: &str) -> Option<String> {
    let body = document::read(path, text).body;
    let entries = entry::entries(text, body.clone());
    let (first, last) = (entries.first()?, entries.last()?);
    let around = [&text[body.start..first.span.start], &text[last.span.end..body.end]];
    if entries.len() < 2 || around.iter().any(|part| !part.trim().is_empty()) || !is_plain_list(text, &entries) {
        return None;
    }
    let gap = &text[first.span.end..entries[1].span.start];
    let even = entries.windows(2).all(|pair| &text[pair[0].span.end..pair[1].span.start] == gap);
    if !even || !gap.trim().is_empty() {
        return None;
    }
    let line_break = super::parts::line_break(text);
    let open = !last.text(text).ends_with(['\n', '\r']);
    let whole = |entry: &Entry| {
        let own = entry.text(text);
        if own.ends_with(['\n', '\r']) { own.to_owned() } else { format!("{own}{line_break}") }
    };
    let mut items: Vec<(String, String)> =
        entries.iter().map(|entry| (alike::normalised(&entry.summary), whole(entry))).collect();
    items.sort();
    let items: Vec<String> = items.into_iter().map(|(_, item)| item).collect();
    let mut list = items.join(gap);
    if open {
        list.truncate(list.trim_end_matches(['\n', '\r']).len());
    }
    let after = format!("{}{list}{}", &text[..first.span.start], &text[last.span.end..]);
    (after != text && reads(path, &after, &items)).then_some(after)
}

/// True when all entries are items with one and the same bullet, none of them a task.
fn is_plain_list(text: &str, entries: &[Entry]) -> bool {
    let mark = |entry: &Entry| {
        let own = entry.text(text);
        let rest = own.strip_prefix(['-', '*', '+'])?.strip_prefix(' ')?;
        (!rest.starts_with("[ ]") && !rest.starts_with("[x]") && !rest.starts_with("[X]")).then(|| own.as_bytes()[0])
    };
    let first = entries.first().and_then(mark);
    first.is_some() && entries.iter().all(|entry| mark(entry) == first)
}

/// True when the new text has exactly these entries.
fn reads(path: &EntryPath, text: &str, items: &[String]) -> bool {
    let found = entry::entries(text, document::read(path, text).body);
    found.len() == items.len()
        && found.iter().zip(items).all(|(entry, item)| entry.text(text).trim_end() == item.trim_end())
}
