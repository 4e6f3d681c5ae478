//! From a file to its catalogue row.

use crate::backend::Meta;
use crate::store::Root;
use loci_domain::access::Seat;
use loci_domain::change::Actor;
use loci_domain::digest::Digest;
use loci_domain::document;
use loci_domain::index;
use loci_domain::path::EntryPath;
use loci_domain::row::{DocumentRow, Origin, SearchText};
use loci_domain::words;

/// The text of a file, if it is text: UTF-8 without a NUL byte.
pub fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// What the catalogue keeps of a file; one that is too large or no text has no card.
pub fn row(path: EntryPath, meta: &Meta, bytes: &[u8], origin: Origin, largest: u64) -> DocumentRow {
    let readable = text(bytes).filter(|_| bytes.len() as u64 <= largest);
    let (card, line, search) = match readable {
        Some(text) => {
            let document = document::read(&path, text);
            let body = text.get(document.body.clone()).unwrap_or_default();
            let search = SearchText {
                name: words::segmented(&document.card.name),
                description: words::segmented(&document.card.description),
                body: words::segmented(body),
            };
            let line = index::line(&path, &document.card);
            (Some(document.card), line, search)
        }
        None => (None, String::new(), SearchText::default()),
    };
    DocumentRow {
        path,
        stamp: meta.stamp.clone(),
        digest: Digest::of(bytes),
        bytes: bytes.len() as u64,
        updated_at: meta.modified,
        origin,
        card,
        line,
        search,
    }
}

/// Where a file that Loci did not write came from.
pub fn found_origin(root: &Root) -> Origin {
    match root.seat {
        Seat::Checkout => Origin::Checkout,
        Seat::Home => Origin::Made(Actor::Editor),
    }
}
