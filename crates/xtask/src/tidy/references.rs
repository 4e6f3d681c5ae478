//! What a document points at is there: files, crates and types in backticks, and relative links.
//!
//! Owns what counts as a reference; code blocks are left out, they show what a person types.
//! Start at [`check_one`]; `markdown` finds the spans and links.

mod markdown;

use super::{Complaint, has_word};
use crate::repo::File;
use markdown::{Kind, Mention};
use std::collections::BTreeSet;

/// A span in backticks that starts with one of these is a path in the checkout.
const ROOMS: &[&str] = &["crates/", "docs/", "sdk/", "web/", "fuzz/", ".ci/"];

pub fn check(files: &[File]) -> Vec<Complaint> {
    let checkout = Checkout::of(files);
    files.iter().filter(|file| is_document(&file.path)).flat_map(|file| check_one(file, &checkout)).collect()
}

fn is_document(path: &str) -> bool {
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
    top.contains(&path) || path.starts_with("docs/") && path.ends_with(".md")
}

/// What can be referred to.
struct Checkout<'a> {
    /// Files and folders; a folder has no slash at its end.
    paths: BTreeSet<&'a str>,
    sources: Vec<&'a str>,
}

impl<'a> Checkout<'a> {
    fn of(files: &'a [File]) -> Checkout<'a> {
        let mut paths = BTreeSet::from([""]);
        for file in files {
            let mut path = file.path.as_str();
            while paths.insert(path) {
                path = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            }
        }
        Checkout { paths, sources: files.iter().filter(|file| file.is_rust()).map(|file| file.text.as_str()).collect() }
    }

    fn has(&self, path: &str) -> bool {
        self.paths.contains(path.trim_end_matches('/'))
    }

    fn has_name(&self, name: &str) -> bool {
        self.sources.iter().any(|text| has_word(text, name))
    }

    /// True when a file that gives `owner` functions, or names the trait, has one of this name.
    fn has_method(&self, owner: &str, function: &str) -> bool {
        let opens = |line: &str| ["impl", "trait", "pub trait"].iter().any(|word| line.starts_with(word));
        let gives = |text: &str| text.lines().any(|line| opens(line) && has_word(line, owner));
        self.sources.iter().any(|text| has_word(text, &format!("fn {function}")) && gives(text))
    }
}

fn check_one(file: &File, checkout: &Checkout) -> Vec<Complaint> {
    let mentions = markdown::mentions(&file.text);
    mentions.filter_map(|mention| check_mention(file, &mention, checkout)).collect()
}

fn check_mention(file: &File, mention: &Mention, checkout: &Checkout) -> Option<Complaint> {
    let text = mention.text;
    let missing = |what: String, remedy: &str| Some(Complaint::new(file, mention.line, what, remedy));
    match mention.kind {
        Kind::Link => {
            let target = target(&file.path, text)?;
            let found = target.as_deref().is_some_and(|path| checkout.has(path));
            if found { None } else { missing(format!("the link {text} leads nowhere"), "mend the link") }
        }
        Kind::Code if ROOMS.iter().any(|room| text.starts_with(room)) => {
            let plain = !text.contains(['*', '<', '{', '…', ' ', '$']);
            let path = text.split_once(':').map_or(text, |(path, _line)| path);
            if !plain || checkout.has(path) {
                None
            } else {
                missing(format!("`{text}` does not exist"), "name the file that does")
            }
        }
        Kind::Code if is_crate(text) => {
            let room = format!("crates/{}", text.trim_start_matches("loci-"));
            if checkout.has(&room) {
                None
            } else {
                missing(format!("there is no crate `{text}`"), "name the crate that is meant")
            }
        }
        Kind::Code if method(text).is_some() => {
            let (owner, function) = method(text)?;
            if checkout.has_method(owner, function) {
                None
            } else {
                missing(format!("no source has `{text}`"), "name the function as it is called now")
            }
        }
        Kind::Code => {
            let name = type_name(text)?;
            if checkout.has_name(name) {
                None
            } else {
                missing(format!("no source knows `{name}`"), "name the type as it is called now")
            }
        }
    }
}

/// Where a relative link of `document` leads: `None` when it is not relative, `Some(None)` when it leaves the checkout.
fn target(document: &str, link: &str) -> Option<Option<String>> {
    let path = link.split(['#', '?']).next().unwrap_or_default();
    if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
        return None;
    }
    let mut steps: Vec<&str> = document.split('/').collect();
    steps.pop();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." if steps.pop().is_none() => return Some(None),
            ".." => {}
            step => steps.push(step),
        }
    }
    Some(Some(steps.join("/")))
}

fn is_crate(text: &str) -> bool {
    text.strip_prefix("loci-")
        .is_some_and(|room| !room.is_empty() && room.chars().all(|sign| sign.is_ascii_lowercase()))
}

/// Type and function of `Store::begin`.
fn method(text: &str) -> Option<(&str, &str)> {
    let (path, function) = text.trim_end_matches("()").rsplit_once("::")?;
    let snake = function.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_');
    Some((type_name(path)?, function)).filter(|_| snake && !function.is_empty())
}

/// The last name of `store::Backend`, or of a bare word with a capital and a small letter such as `Backend`.
fn type_name(text: &str) -> Option<&str> {
    let name = text.rsplit("::").next()?;
    let word = name.chars().all(|sign| sign.is_ascii_alphanumeric())
        && name.starts_with(|sign: char| sign.is_ascii_uppercase());
    (word && name.contains(|sign: char| sign.is_ascii_lowercase())).then_some(name)
}

#[cfg(test)]
mod tests;
