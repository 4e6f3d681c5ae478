//! Migrations are numbered from 1 without gaps, so that "version 7" means the same everywhere.

use super::Complaint;
use crate::repo::File;
use std::collections::BTreeMap;

const ROOM: &str = "crates/ledger/src/";

pub fn check(files: &[File]) -> Vec<Complaint> {
    let mut folders: BTreeMap<&str, Vec<(&File, Option<usize>)>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.starts_with(ROOM)) {
        if let Some((folder, name)) = file.path.rsplit_once('/').filter(|(folder, _)| folder.ends_with("/migrations")) {
            folders.entry(folder).or_default().push((file, number(name)));
        }
    }
    folders.into_values().flat_map(|found| check_folder(&found)).collect()
}

/// Four digits, an underscore and words.
fn number(name: &str) -> Option<usize> {
    let (digits, words) = name.strip_suffix(".sql")?.split_once('_')?;
    if digits.len() != 4 || words.is_empty() { None } else { digits.parse().ok() }
}

fn check_folder(found: &[(&File, Option<usize>)]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    // Files come in path order, so numbers of four digits come in theirs.
    let mut next = 1;
    for (file, number) in found {
        match number {
            None => complaints.push(Complaint::new(file, 1, "a migration without a number", "call it NNNN_words.sql")),
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
        let paths: Vec<String> =
            names.iter().map(|name| format!("crates/ledger/src/sqlite/migrations/{name}")).collect();
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
        complaints(check, &files)
    }

    #[test]
    fn numbers_in_a_row_are_fine() {
        assert_eq!(told(&["0001_ledger.sql", "0002_usage.sql", "0003_jobs.sql"]), [""; 0]);
    }

    #[test]
    fn gaps_twins_and_other_names_are_named() {
        for (names, what) in [
            (&["0001_a.sql", "0003_c.sql"][..], "0003_c.sql:1: number 3 where 2 comes next; number it 0002"),
            (&["0002_a.sql"], "0002_a.sql:1: number 2 where 1 comes next; number it 0001"),
            (&["0001_a.sql", "0001_b.sql"], "0001_b.sql:1: number 1 where 2 comes next; number it 0002"),
            (&["0001_a.sql", "jobs.sql"], "jobs.sql:1: a migration without a number; call it NNNN_words.sql"),
        ] {
            let found = told(names);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].ends_with(what), "{found:?}");
        }
    }
}
