//! The files of a handbook, checked and without secrets.

use super::answer::Answer;
use super::{day, shown, skills};
use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::secrets::{Clean, Policy, redact, screen};
use loci_domain::slug::slug;
use loci_store::record::Extraction;

/// Bytes of one page: what a reader takes.
const PAGE: usize = 1 << 20;
/// Files of skills in all.
const FILES: usize = 400;
/// Bytes of the whole.
const LARGEST: usize = 16 << 20;

/// A handbook, ready to be staged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    /// Its files.
    pub files: Vec<(EntryPath, Clean)>,
    /// How many skills are in it.
    pub skills: usize,
}

impl Book {
    /// The files of an answer, and of what it was made of; the reason why there are none.
    pub(super) fn of(answer: Answer, extractions: &[Extraction]) -> Result<Book, &'static str> {
        if !says_something(&answer.memory_md) || !says_something(&answer.memory_summary) {
            return Err("the handbook or its summary says nothing");
        }
        let skill_files = skills::files(answer.skills);
        let skills = skill_files.keys().filter(|path| path.as_str().ends_with("/SKILL.md")).count();
        let mut texts = vec![
            ("MEMORY.md".to_owned(), ended(answer.memory_md)),
            ("memory_summary.md".to_owned(), ended(answer.memory_summary)),
            ("raw_memories.md".to_owned(), raw_memories(extractions)),
        ];
        texts.extend(extractions.iter().filter(|one| !one.summary.is_empty()).map(rollout));
        texts.extend(skill_files.into_iter().map(|(path, text)| (path.to_string(), text)));
        if texts.len() > FILES + extractions.len() || texts.iter().any(|(_, text)| text.len() > PAGE) {
            return Err("it has too many files, or too large ones");
        }
        let mut files = Vec::with_capacity(texts.len());
        for (path, text) in texts {
            let path = EntryPath::parse(&path).map_err(|_| "a file of it has no name")?;
            let clean = screen(text, None, Policy::Redact).map_err(|_| "a secret cannot be taken out")?;
            files.push((path, clean));
        }
        match files.iter().map(|(_, text)| text.as_bytes().len()).sum::<usize>() {
            0..=LARGEST => Ok(Book { files, skills }),
            _ => Err("it is too large"),
        }
    }
}

/// All that sessions came to, newest first, up to the end of a page.
fn raw_memories(extractions: &[Extraction]) -> String {
    let mut text = "# Raw memories\n\n".to_owned();
    for (at, extraction) in extractions.iter().enumerate() {
        let part = shown(extraction, &extraction.raw_memory);
        if text.len() + part.len() > PAGE - 100 {
            text.push_str(&format!("({} older sessions are left out here.)\n", extractions.len() - at));
            break;
        }
        text.push_str(&part);
    }
    text
}

/// The page of one session; the end of its name tells sessions apart that are called the same.
fn rollout(extraction: &Extraction) -> (String, String) {
    let name = extraction.slug.clone().unwrap_or_else(|| slug(&redact(&extraction.session), 5));
    let mark = &Digest::of(extraction.session.as_bytes()).to_string()[..8];
    let path = format!("rollout_summaries/{}-{name}-{mark}.md", day(extraction));
    (path, format!("# {}\n\n{}\n", extraction.session, extraction.summary.trim()))
}

/// A word at least: small models hand back the dots of an example.
pub(super) fn says_something(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

fn ended(text: String) -> String {
    if text.ends_with('\n') { text } else { text + "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a small model answered: the shape is right, and there is nothing in it.
    #[test]
    fn a_handbook_of_dots_is_none() {
        let answer = |book: &str, summary: &str| Answer {
            memory_md: book.to_owned(),
            memory_summary: summary.to_owned(),
            skills: Vec::new(),
        };
        for (book, summary) in [("…", "…"), ("# …\n- …", "fine"), ("fine", " \n"), ("", "")] {
            assert!(Book::of(answer(book, summary), &[]).is_err(), "{book:?} {summary:?}");
        }
        assert!(Book::of(answer("本", "7"), &[]).is_ok());
    }
}
