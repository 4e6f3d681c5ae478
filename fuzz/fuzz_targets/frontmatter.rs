//! Any text is a document: header and body lie in it, in this order, on borders of characters.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loci_domain::path::EntryPath;
use loci_domain::{document, frontmatter};

fuzz_target!(|text: &str| {
    let split = frontmatter::split(text);
    assert!(text.get(split.raw.clone()).is_some(), "the header {:?} is no slice", split.raw);
    assert!(text.get(split.body.clone()).is_some(), "the body {:?} is no slice", split.body);
    assert!(split.raw.end <= split.body.start, "the header reaches into the body");
    assert_eq!(split.body.end, text.len(), "the body ends where the text ends");

    let path = EntryPath::parse("reference/sample-note.md").expect("a plain path");
    let document = document::read(&path, text);
    assert_eq!(document.body, split.body, "both readers see the same body");
    for line in [&document.card.name, &document.card.description] {
        assert!(!line.contains(['\n', '\r']), "a card is made of single lines: {line:?}");
    }
    assert!(!document.card.name.is_empty(), "a document always has a name");
});
