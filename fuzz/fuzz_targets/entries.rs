//! Entries are whole slices in order, and cutting one out leaves all bytes outside it but line breaks at the seam.

#![no_main]

use libfuzzer_sys::fuzz_target;
use loci_domain::{entry, frontmatter};

const BREAKS: [char; 2] = ['\r', '\n'];

fuzz_target!(|text: &str| {
    let body = frontmatter::split(text).body;
    let found = entry::entries(text, body.clone());
    let mut end = body.start;
    for one in &found {
        assert!(one.span.start >= end, "spans ascend and do not overlap");
        assert!(one.span.end <= body.end, "a span stays in the body");
        assert!(text.get(one.span.clone()).is_some_and(|own| !own.is_empty()), "{:?} is no slice", one.span);
        end = one.span.end;
    }
    // Each removal reads the text again: a few of them keep a run with thousands of entries short.
    for n in (0..found.len()).take(4).chain(found.len().checked_sub(1)) {
        let Some(left) = entry::remove(text, body.clone(), &[n]) else {
            assert_eq!(found.len(), 1, "only the last entry takes the file along");
            continue;
        };
        let left = without_first_line(left, body.start, &text[..found[n].span.start]);
        let before = text[..found[n].span.start].trim_end_matches(BREAKS);
        let after = text[found[n].span.end..].trim_start_matches(BREAKS);
        assert!(left.len() >= before.len() + after.len(), "bytes outside the entry were lost");
        assert!(left.starts_with(before) && left.ends_with(after), "bytes outside the entry changed");
        let seam = &left[before.len()..left.len() - after.len()];
        assert!(seam.chars().all(|sign| BREAKS.contains(&sign)), "the seam holds more than line breaks: {seam:?}");
    }
});

/// A rule that came to the start has an empty line before it now, or it would open a header; all else is as it was.
fn without_first_line(left: String, start: usize, before: &str) -> String {
    if left.starts_with(before.trim_end_matches(BREAKS)) {
        return left;
    }
    let (head, rest) = left.split_at(start);
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(BREAKS)).unwrap_or(rest);
    format!("{head}{rest}")
}
