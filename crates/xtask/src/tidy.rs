//! House rules as code: what a reviewer should never have to say twice.
//!
//! Owns the list of rules; each is one module, a pure function from the files of the checkout to complaints.
//! Never changes a file.
//! Start at [`RULES`].

mod attacks;
mod direction;
mod hosts;
mod invariants;
mod leftovers;
mod length;
mod module_doc;
mod names;
mod numbers;
mod references;

use crate::repo::{self, File};
use crate::shell;
use anyhow::Result;
use std::fmt;
use std::process::ExitCode;

type Rule = fn(&[File]) -> Vec<Complaint>;

const RULES: &[(&str, Rule)] = &[
    ("dependency direction", direction::check),
    ("names", names::check),
    ("file length", length::check),
    ("module docs", module_doc::check),
    ("leftovers", leftovers::check),
    ("references in documents", references::check),
    ("invariants have tests", invariants::check),
    ("attacks have tests", attacks::check),
    ("hosts and machine paths", hosts::check),
    ("numbers", numbers::check),
];

/// A broken rule: where, what, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
pub struct Complaint {
    file: String,
    line: usize,
    what: String,
    remedy: String,
}

impl Complaint {
    fn new(file: &File, line: usize, what: impl Into<String>, remedy: impl Into<String>) -> Complaint {
        Complaint { file: file.path.clone(), line, what: what.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}; {}", self.file, self.line, self.what, self.remedy)
    }
}

/// Checks everything, prints what is wrong, and says so by the exit code.
pub fn run() -> Result<ExitCode> {
    let files = repo::files()?;
    let mut wrong = 0;
    for (name, rule) in RULES {
        let complaints = rule(&files);
        for complaint in &complaints {
            println!("{complaint}  [{name}]");
        }
        wrong += complaints.len();
    }
    for check in [format(), admission()] {
        if let Err(error) = check {
            println!("{error:#}");
            wrong += 1;
        }
    }
    if wrong > 0 {
        println!("tidy: {wrong} to mend");
        return Ok(ExitCode::FAILURE);
    }
    println!("tidy: {} files keep the house rules", files.len());
    Ok(ExitCode::SUCCESS)
}

/// Names the files that `cargo fmt --all` would change; the changes themselves would bury the other complaints.
fn format() -> Result<()> {
    shell::run(&["cargo", "fmt", "--all", "--check", "--", "-l"])?;
    // The fuzz targets are a workspace of their own.
    shell::run(&["cargo", "fmt", "--manifest-path", "fuzz/Cargo.toml", "--check", "--", "-l"])
}

/// Licences, duplicates and sources of dependencies; see `deny.toml`.
///
/// Advisories are not asked for: their database comes from a network, and this check must give the same answer without.
fn admission() -> Result<()> {
    if !shell::works(&["cargo", "deny", "--version"]) {
        println!("cargo-deny is not installed, so licences and duplicates are not checked");
        return Ok(());
    }
    // The check reads crates of every platform in the graph; a build has fetched those of this one only.
    // Without a network this fails, and then the check below says what is missing.
    shell::works(&["cargo", "fetch", "--locked"]);
    shell::run(&["cargo", "deny", "--offline", "check", "licenses", "bans", "sources"])
}

/// Lines of a text with their numbers from 1.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

/// True when `text` holds `word` with no letter, digit or underscore beside it.
fn has_word(text: &str, word: &str) -> bool {
    let inner = |sign: char| sign.is_alphanumeric() || sign == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(inner) && !text[at + word.len()..].chars().next().is_some_and(inner)
    })
}

#[cfg(test)]
fn file(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}

/// Runs a rule on files given as `(path, text)`, and gives its complaints as printed.
#[cfg(test)]
fn complaints(rule: Rule, files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<File> = files.iter().map(|(path, text)| file(path, text)).collect();
    rule(&files).iter().map(Complaint::to_string).collect()
}
