//! Every attack has a row in `docs/attacks.md`, and every test that a row names exists.
//!
//! Owns how a row is read: `| number | what is expected | where it is shown |`. The last column names files in backticks,
//! and behind each file its tests; a row without any says why the attack does not apply.

use super::{Complaint, numbered};
use crate::repo::File;

const DOCUMENT: &str = "docs/attacks.md";
const CASES: usize = 60;
const REASON: &str = "Does not apply: ";

pub fn check(files: &[File]) -> Vec<Complaint> {
    let Some(document) = files.iter().find(|file| file.path == DOCUMENT) else { return Vec::new() };
    let mut complaints = Vec::new();
    let mut expected = 1;
    for (line, text) in numbered(&document.text) {
        let Some((case, shown)) = row(text) else { continue };
        if case != expected {
            complaints.push(Complaint::new(document, line, format!("case {expected} is missing"), "give it a row"));
        }
        expected = case + 1;
        let wrong = wrong_in(shown, files).into_iter();
        complaints.extend(wrong.map(|what| Complaint::new(document, line, what, "name a test that is there")));
    }
    if expected != CASES + 1 {
        let what = format!("the last case is {}", expected - 1);
        complaints.push(Complaint::new(document, 1, what, format!("there are {CASES} of them")));
    }
    complaints
}

/// The number of a row and its last column.
fn row(line: &str) -> Option<(usize, &str)> {
    let cells: Vec<&str> = line.strip_prefix('|')?.trim_end().strip_suffix('|')?.split('|').map(str::trim).collect();
    Some((cells.first()?.parse().ok()?, cells.last()?))
}

/// What is wrong with the last column of a row.
fn wrong_in(shown: &str, files: &[File]) -> Vec<String> {
    if shown.starts_with(REASON) {
        return Vec::new();
    }
    let (mut file, mut tests, mut wrong) = (None, 0, Vec::new());
    for name in shown.split('`').skip(1).step_by(2) {
        if name.contains('/') {
            file = files.iter().find(|file| file.path == name);
            if file.is_none() {
                wrong.push(format!("`{name}` does not exist"));
            }
            continue;
        }
        tests += 1;
        if file.is_some_and(|file| !holds(file, name)) {
            wrong.push(format!("there is no test `{name}` in the file before it"));
        }
    }
    if tests == 0 {
        wrong.push(format!("no test is named, and no reason starts with \"{}\"", REASON.trim()));
    }
    wrong
}

/// True when a file has a test of this name: a function, or a title in TypeScript.
fn holds(file: &File, name: &str) -> bool {
    match file.is_rust() {
        true => [format!("fn {name}("), format!("fn {name}<")].iter().any(|start| file.text.contains(start)),
        false => file.text.contains(&format!("test(\"{name}\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::complaints;
    use super::*;

    fn with(first: &str) -> Vec<String> {
        let rest: String = (2..=CASES).map(|case| format!("| {case} | it holds | {REASON}why |\n")).collect();
        let document = format!("| case | expected | shown by |\n|---|---|---|\n{first}\n{rest}");
        let files = [
            (DOCUMENT, document.as_str()),
            ("crates/a/tests/it/a.rs", "#[test]\nfn it_holds() {}\n"),
            ("web/test/a.test.ts", "test(\"it holds\", async () => {});\n"),
        ];
        complaints(check, &files)
    }

    #[test]
    fn a_row_with_tests_that_are_there_is_fine() {
        let both = "`crates/a/tests/it/a.rs`: `it_holds`; `web/test/a.test.ts`: `it holds`";
        assert_eq!(with(&format!("| 1 | it holds | {both} |")), [""; 0]);
    }

    #[test]
    fn what_a_row_lacks_is_named() {
        for (row, what) in [
            ("| 1 | e | `crates/a/tests/it/a.rs`: `it_held` |", "there is no test `it_held` in the file before it"),
            ("| 1 | e | `crates/b.rs`: `it_holds` |", "`crates/b.rs` does not exist"),
            ("| 1 | e | some day |", "no test is named, and no reason starts with \"Does not apply:\""),
        ] {
            assert_eq!(with(row), [format!("{DOCUMENT}:3: {what}; name a test that is there")]);
        }
        assert_eq!(with("nothing"), [format!("{DOCUMENT}:4: case 1 is missing; give it a row")]);
    }
}
