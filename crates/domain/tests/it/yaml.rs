//! Every input of the YAML test suite as a header: it is cheap, loses no body, and stays as it is.

use crate::suites;
use loci_domain::document::{Complaint, read};
use loci_domain::entry::{entries, remove};
use loci_domain::frontmatter::split;
use loci_domain::path::EntryPath;
use std::time::{Duration, Instant};

const BODY: &str = "- The first stays.\n- The second goes.\n- The third stays.\n";

/// Closed, unclosed, with other ends of lines, behind a mark of byte order.
fn dressed(yaml: &str) -> [String; 4] {
    [
        format!("---\n{yaml}\n---\n{BODY}"),
        format!("---\n{yaml}\n\n{BODY}"),
        format!("---\r\n{}\r\n---\r\n{BODY}", yaml.replace('\n', "\r\n")),
        format!("\u{feff}---\n{yaml}\n---\n{BODY}"),
    ]
}

#[test]
fn no_header_of_the_yaml_test_suite_takes_long_or_loses_a_body() {
    let cases = suites::yaml();
    for case in &cases {
        for text in dressed(&case.yaml) {
            let tries = (0..3).map(|_| {
                let start = Instant::now();
                let found = split(&text);
                assert_eq!(found.body.end, text.len(), "{}", case.id);
                assert!(text[found.body].ends_with(BODY), "{}", case.id);
                start.elapsed()
            });
            // The quickest of three: a machine that does other things may hold up any single one.
            let took = tries.min().unwrap();
            assert!(took < Duration::from_millis(100), "{}: {took:?}", case.id);
        }
    }
    println!("{} headers in four dresses", cases.len());
}

#[test]
fn headers_of_the_yaml_test_suite_are_kept_byte_for_byte_when_an_entry_goes() {
    for case in suites::yaml() {
        for text in dressed(&case.yaml) {
            let body = split(&text).body;
            let second = entries(&text, body.clone()).iter().position(|it| it.text(&text).contains("The second goes."));
            let second = second.unwrap_or_else(|| panic!("{}: {text:?}", case.id));
            let edited = remove(&text, body, &[second]).unwrap();
            // An unclosed header is text of the body and may hold the entry's lines inside an element of its own.
            assert!(edited.contains("The first stays.") && edited.contains("The third stays."), "{}", case.id);
            let closed = text.contains("\n---\n- The first") || text.contains("\n---\r\n- The first");
            if closed && !text[..text.len() - BODY.len()].contains("The ") {
                assert_eq!(edited, text.replace("- The second goes.\n", ""), "{}", case.id);
            }
        }
    }
}

#[test]
fn broken_headers_of_the_yaml_test_suite_are_documents_that_doctor_names() {
    let mut broken = 0;
    for case in suites::yaml().into_iter().filter(|case| case.fails) {
        let text = format!("---\n{}\n---\n{BODY}", case.yaml);
        let document = read(&EntryPath::parse("project/suite.md").unwrap(), &text);
        assert!(!document.card.name.is_empty(), "{}", case.id);
        // A line `---` or `...` in the input ends the header before what is wrong in it.
        if case.yaml.lines().all(|line| !line.starts_with("---") && !line.starts_with("...")) {
            broken += 1;
            let named = document.complaints.iter().any(|it| matches!(it, Complaint::Fault(_)));
            assert!(named, "{} is read as if nothing were wrong", case.id);
        }
    }
    println!("{broken} broken headers");
}
