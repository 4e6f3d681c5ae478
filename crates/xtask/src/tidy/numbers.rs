//! Migrations and decisions are numbered from 1 without gaps, so that "version 7" and "decision 7" are one thing to everybody.

use super::Complaint;
use crate::repo::File;
use std::collections::BTreeMap;

/// A kind of file that is numbered: what it is called, and how `NNNN` and its words are written.
struct Kind {
    called: &'static str,
    is_in: fn(&str) -> bool,
    dash: char,
    ending: &'static str,
}

const KINDS: &[Kind] = &[
    Kind {
        called: "migration",
        is_in: |folder| folder.starts_with("crates/ledger/src/") && folder.ends_with("/migrations"),
        dash: '_',
        ending: ".sql",
    },
    Kind { called: "decision", is_in: |folder| folder == "docs/decisions", dash: '-', ending: ".md" },
];

pub fn check(files: &[File]) -> Vec<Complaint> {
    KINDS.iter().flat_map(|kind| check_kind(kind, files)).collect()
}

fn check_kind(kind: &Kind, files: &[File]) -> Vec<Complaint> {
    let mut folders: BTreeMap<&str, Vec<(&File, Option<usize>)>> = BTreeMap::new();
    for file in files {
        if let Some((folder, name)) = file.path.rsplit_once('/').filter(|(folder, _)| (kind.is_in)(folder)) {
            folders.entry(folder).or_default().push((file, number(kind, name)));
        }
    }
    folders.into_values().flat_map(|found| check_folder(kind, &found)).collect()
}

/// Four digits, the dash of its kind, and words.
fn number(kind: &Kind, name: &str) -> Option<usize> {
    let (digits, words) = name.strip_suffix(kind.ending)?.split_once(kind.dash)?;
    if digits.len() != 4 || words.is_empty() { None } else { digits.parse().ok() }
}

fn check_folder(kind: &Kind, found: &[(&File, Option<usize>)]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    // Files come in path order, so numbers of four digits come in theirs.
    let mut next = 1;
    for (file, number) in found {
        match number {
            None => complaints.push(Complaint::new(
                file,
                1,
                format!("a {} without a number", kind.called),
                format!("call it NNNN{}words{}", kind.dash, kind.ending),
            )),
            Some(number) if *number == next => next += 1,
            Some(number) => {
                complaints.push(Complaint::new(
                    file,
                    1,
                    format!("number {number} where {next} comes next"),
                    format!("number it {next:04}"),
                ));
                next = number + 1;
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::super::complaints;
    use super::*;

    fn told(names: &[&str]) -> Vec<String> {
        let folder =
            |name: &str| if name.ends_with(".md") { "docs/decisions" } else { "crates/ledger/src/sqlite/migrations" };
        let paths: Vec<String> = names.iter().map(|name| format!("{}/{name}", folder(name))).collect();
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
        complaints(check, &files)
    }

    #[test]
    fn numbers_in_a_row_are_fine() {
        assert_eq!(told(&["0001_ledger.sql", "0002_usage.sql", "0003_jobs.sql"]), [""; 0]);
        assert_eq!(told(&["0001-files.md", "0002-rows.md"]), [""; 0]);
    }

    #[test]
    fn gaps_twins_and_other_names_are_named() {
        for (names, what) in [
            (&["0001_a.sql", "0003_c.sql"][..], "0003_c.sql:1: number 3 where 2 comes next; number it 0002"),
            (&["0002_a.sql"], "0002_a.sql:1: number 2 where 1 comes next; number it 0001"),
            (&["0001_a.sql", "0001_b.sql"], "0001_b.sql:1: number 1 where 2 comes next; number it 0002"),
            (&["0001_a.sql", "jobs.sql"], "jobs.sql:1: a migration without a number; call it NNNN_words.sql"),
            (&["0001-a.md", "0003-c.md"], "0003-c.md:1: number 3 where 2 comes next; number it 0002"),
            (&["0001-a.md", "why.md"], "why.md:1: a decision without a number; call it NNNN-words.md"),
        ] {
            let found = told(names);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].ends_with(what), "{found:?}");
        }
    }
}
