//! Work that was put off has a number, and no test is put aside.

use super::{Complaint, has_word, numbered};
use crate::repo::File;

// In two pieces, so that this file keeps its own rule.
const MARKS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
const PUT_ASIDE: &[&str] = &[concat!("#[ig", "nore]"), concat!("#[ig", "nore =")];

const KINDS: &[&str] = &[".rs", ".md", ".toml", ".sql", ".sh", ".py", ".ts", ".tsx", ".mjs", ".js", ".css", ".html"];

pub fn check(files: &[File]) -> Vec<Complaint> {
    let written =
        files.iter().filter(|file| KINDS.iter().any(|kind| file.path.ends_with(kind)) || file.path.starts_with(".ci/"));
    written.flat_map(check_one).collect()
}

fn check_one(file: &File) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (number, line) in numbered(&file.text) {
        if let Some(mark) = MARKS.iter().find(|mark| has_word(line, mark) && !names_an_issue(line)) {
            complaints.push(Complaint::new(
                file,
                number,
                format!("{mark} without an issue"),
                format!("do it, or write {mark} #<number>"),
            ));
        }
        if file.is_rust() && PUT_ASIDE.iter().any(|mark| line.contains(mark)) {
            complaints.push(Complaint::new(file, number, "a test is put aside", "mend it or remove it"));
        }
    }
    complaints
}

fn names_an_issue(line: &str) -> bool {
    line.match_indices('#').any(|(at, _)| line[at + 1..].starts_with(|sign: char| sign.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::super::complaints;
    use super::*;

    #[test]
    fn work_with_a_number_is_fine() {
        let text = format!("// {} #12: later\nlet s = \"{}X\";\n", MARKS[0], MARKS[2]);
        assert_eq!(complaints(check, &[("crates/a/src/a.rs", &text)]), [""; 0]);
    }

    #[test]
    fn work_without_a_number_is_named() {
        for mark in MARKS {
            let text = format!("fn a() {{}}\n// {mark}: later\n");
            let found = complaints(check, &[("docs/a.md", &text)]);
            assert_eq!(found, [format!("docs/a.md:2: {mark} without an issue; do it, or write {mark} #<number>")]);
        }
    }

    #[test]
    fn a_test_that_is_put_aside_is_named() {
        for mark in [format!("{}\n", PUT_ASIDE[0]), format!("{} \"slow\"]\n", PUT_ASIDE[1])] {
            assert_eq!(
                complaints(check, &[("crates/a/tests/it/a.rs", &mark)]),
                ["crates/a/tests/it/a.rs:1: a test is put aside; mend it or remove it"]
            );
        }
    }
}
