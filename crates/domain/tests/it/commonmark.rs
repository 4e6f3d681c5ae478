//! Every example of CommonMark as the body of a memory: its entries are read, and one that goes takes nothing along.

use crate::suites;
use loci_domain::entry::{entries, remove};
use loci_domain::frontmatter::split;

const HEADER: &str = "---\nname: A\ndescription: d\ntype: user\n---\n";

#[test]
fn entries_of_every_commonmark_example_are_whole_lines_in_order() {
    for (number, example) in suites::commonmark().iter().enumerate() {
        for body in [example.clone(), example.replace('\n', "\r\n")] {
            let text = format!("{HEADER}{body}");
            let mut at = HEADER.len();
            for entry in entries(&text, split(&text).body) {
                assert!(entry.span.start >= at && entry.span.end > entry.span.start, "example {}", number + 1);
                assert!(text[..entry.span.start].ends_with('\n'), "example {}", number + 1);
                let ends = entry.span.end == text.len() || text[..entry.span.end].ends_with('\n');
                assert!(ends, "example {}", number + 1);
                at = entry.span.end;
            }
        }
    }
}

#[test]
fn taking_an_entry_out_of_a_commonmark_example_keeps_every_other_byte() {
    let mut edited = 0;
    for (number, example) in suites::commonmark().iter().enumerate() {
        let text = format!("{HEADER}{example}");
        let body = split(&text).body;
        let all = entries(&text, body.clone());
        for (n, gone) in all.iter().enumerate() {
            let Some(left) = remove(&text, body.clone(), &[n]) else {
                assert_eq!(all.len(), 1, "example {}", number + 1);
                continue;
            };
            edited += 1;
            // Only line breaks beside the entry may go along or be put in its place.
            let (before, after) = (&text[..gone.span.start], &text[gone.span.end..]);
            assert!(left.starts_with(before.trim_end()), "example {} entry {n}: {left:?}", number + 1);
            assert!(
                left.ends_with(after.trim_start_matches(['\r', '\n'])),
                "example {} entry {n}: {left:?}",
                number + 1
            );
            let kept: String = format!("{before}{after}").split_whitespace().collect();
            assert_eq!(left.split_whitespace().collect::<String>(), kept, "example {} entry {n}", number + 1);
        }
    }
    println!("{edited} entries taken out");
}
