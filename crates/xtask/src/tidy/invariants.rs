//! An invariant that is named has a test of the same name, and is in the list of `ARCHITECTURE.md`.
//!
//! Owns the two spellings: the mark in a comment or doc, and a function that a test attribute, a property or a contract
//! suite makes a test of.

use super::{Complaint, has_word, numbered};
use crate::repo::File;

// In two pieces, so that this file names no invariant.
const MARK: &str = concat!("Inva", "riant: ");

pub fn check(files: &[File]) -> Vec<Complaint> {
    let tests: Vec<&File> = files.iter().filter(|file| file.is_rust() && holds_tests(file)).collect();
    let named =
        files.iter().filter(|file| file.path.starts_with("crates/") && file.path.contains("/src/") && file.is_rust());
    let map = files.iter().find(|file| file.path == "ARCHITECTURE.md").map_or("", |file| &file.text);
    let mut complaints = Vec::new();
    for file in named {
        for (number, line) in numbered(&file.text) {
            let Some(name) = name(line) else { continue };
            if name.is_empty() {
                complaints.push(Complaint::new(
                    file,
                    number,
                    "an invariant without a name",
                    "name it like its test, in snake case",
                ));
            } else if !tests.iter().any(|file| tests_it(&file.text, name)) {
                complaints.push(Complaint::new(
                    file,
                    number,
                    format!("no test proves `{name}`"),
                    format!("write `fn {name}()` as a test"),
                ));
            } else if !map.contains(&format!("`{name}`")) {
                complaints.push(Complaint::new(
                    file,
                    number,
                    format!("ARCHITECTURE.md does not know `{name}`"),
                    "say there in a line what always holds",
                ));
            }
        }
    }
    complaints
}

/// What stands after the mark in a comment, up to the first sign that is part of no name.
fn name(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once(MARK)?;
    if !before.trim_start().starts_with("//") {
        return None;
    }
    let end = rest.find(|sign: char| !(sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_'));
    Some(&rest[..end.unwrap_or(rest.len())])
}

fn holds_tests(file: &File) -> bool {
    file.is_test() || file.path.starts_with("crates/testkit/") || file.text.contains("#[cfg(test)]")
}

/// True when a function of this name has a test attribute above it, or is a public case of a contract suite.
fn tests_it(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().enumerate().any(|(at, line)| {
        let Some((before, after)) = line.split_once(&format!("fn {name}")) else { return false };
        if !after.starts_with(['(', '<']) {
            return false;
        }
        let above = lines[..at]
            .iter()
            .rev()
            .map(|line| line.trim())
            .take_while(|line| line.starts_with("#[") || line.starts_with("//"));
        let attributed = above.filter(|line| line.starts_with("#[")).any(|line| has_word(line, "test"));
        attributed || before.trim_start().starts_with("pub ")
    })
}

#[cfg(test)]
mod tests {
    use super::super::complaints;
    use super::*;

    const MAP: (&str, &str) = ("ARCHITECTURE.md", "- `it_holds`: it does.\n");

    fn source(name: &str) -> String {
        format!("//! Owns it.\n//! {MARK}{name}. It holds.\n")
    }

    #[test]
    fn an_invariant_with_its_test_is_fine() {
        for test in [
            "#[test]\nfn it_holds() {}\n",
            "#[tokio::test(flavor = \"multi_thread\")]\n/// Says why.\nasync fn it_holds() {}\n",
            "proptest! {\n    #[test]\n    fn it_holds(a in 0..9) {}\n}\n",
        ] {
            let files = [("crates/a/src/a.rs", source("it_holds")), ("crates/b/src/b/tests.rs", test.to_owned())];
            let [source, test] = files.each_ref().map(|(path, text)| (*path, text.as_str()));
            assert_eq!(complaints(check, &[MAP, source, test]), [""; 0], "{}", test.1);
        }
        let case = "pub async fn it_holds(backend: &dyn Backend) {}\n";
        assert_eq!(
            complaints(
                check,
                &[MAP, ("crates/a/src/a.rs", &source("it_holds")), ("crates/testkit/src/contract/a.rs", case)]
            ),
            [""; 0]
        );
    }

    #[test]
    fn an_invariant_that_is_not_on_the_map_is_named() {
        let test = ("crates/a/tests/it/a.rs", "#[test]\nfn it_holds() {}\n");
        assert_eq!(
            complaints(check, &[("crates/a/src/a.rs", &source("it_holds")), test]),
            ["crates/a/src/a.rs:2: ARCHITECTURE.md does not know `it_holds`; say there in a line what always holds"]
        );
    }

    #[test]
    fn an_invariant_without_test_is_named() {
        for other in ["#[test]\nfn it_holds_too() {}\n", "fn it_holds() {}\n", ""] {
            assert_eq!(
                complaints(check, &[("crates/a/src/a.rs", &source("it_holds")), ("crates/a/tests/it/a.rs", other)]),
                ["crates/a/src/a.rs:2: no test proves `it_holds`; write `fn it_holds()` as a test"],
                "{other}"
            );
        }
        assert_eq!(
            complaints(check, &[("crates/a/src/a.rs", &source("Always"))]),
            ["crates/a/src/a.rs:2: an invariant without a name; name it like its test, in snake case"]
        );
    }
}
