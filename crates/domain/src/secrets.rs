//! Secrets: find them, take them out, and make the only text that may be stored.
//!
//! Owns the rules (data in `secrets/rules.toml`), the scan and [`Clean`].
//! Never prints or returns a value: a finding is a rule, a place and a line.
//! Start at [`screen`], which every write passes; [`scan`] is what it asks.
//!
//! One pass over the text looks for the keywords of all rules; only a rule that was woken is compiled and tried, at its
//! keyword and a bounded way around it. So any input costs linear time, and clean text costs one pass.

mod assignment;
mod block;
mod encoded;
mod prefixed;
mod rules;
mod token;
mod value;

use rules::{Kind, Rule, rules};
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

/// A place that looks like a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The id of the rule that knows it.
    pub rule: &'static str,
    /// Where it stands, in bytes; on borders of characters.
    pub span: Range<usize>,
    /// The line it starts on, from 1.
    pub line: usize,
}

/// What to do about a secret in new text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Say no: the writer can do better.
    Refuse,
    /// Take it out: nobody is there to ask.
    Redact,
    /// A person said that it may stay.
    Allow,
}

/// Text that was screened: the only thing the store writes.
#[derive(Clone, PartialEq, Eq)]
pub struct Clean(Vec<u8>);

/// A secret stood in text that was to be stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.words())]
pub struct Refused {
    /// The id of the rule that knows it.
    pub rule: &'static str,
    /// The line it starts on, from 1; `None` = the file's name is one.
    pub line: Option<usize>,
}

impl Refused {
    fn words(&self) -> String {
        let rule = self.rule;
        match self.line {
            Some(line) => {
                format!(
                    "line {line} looks like a secret ({rule}); remove it, or let a person allow it with --allow-secret"
                )
            }
            None => format!("the name looks like a secret ({rule}); choose another one"),
        }
    }
}

impl Clean {
    /// Bytes that stood in this memory before: an undo or a restore brings back what was screened, or what a person
    /// allowed, when it was first written. Screening it again could refuse to give people their own text back.
    pub fn kept(bytes: Vec<u8>) -> Clean {
        Clean(bytes)
    }

    /// The bytes to write.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes to write, owned.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Shows the length only: with [`Policy::Allow`] there may be a secret in it.
impl fmt::Debug for Clean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clean({} bytes)", self.0.len())
    }
}

/// Screens the new text of a file before it is stored.
///
/// A value that `before` (what the file says now) holds already does not count, so that an edit elsewhere in a file
/// whose secret was allowed is not refused.
pub fn screen(text: String, before: Option<&str>, policy: Policy) -> Result<Clean, Refused> {
    match policy {
        Policy::Allow => Ok(Clean(text.into_bytes())),
        Policy::Refuse => match Known::of(before).news(&text).first() {
            Some(&Finding { rule, line, .. }) => Err(Refused { rule, line: Some(line) }),
            None => Ok(Clean(text.into_bytes())),
        },
        Policy::Redact => Ok(Clean(without(&text, &Known::of(before)).into_owned().into_bytes())),
    }
}

/// Puts `[REDACTED:<rule>]` in the place of every secret.
pub fn redact(text: &str) -> Cow<'_, str> {
    without(text, &Known::of(None))
}

/// What a rule looks for, in a few words.
pub fn describe(rule: &str) -> Option<&'static str> {
    rules().all.iter().find(|it| it.id == rule).map(|it| it.about)
}

/// Finds what looks like a secret: in order, not overlapping, named by the most specific rule.
pub fn scan(text: &str) -> Vec<Finding> {
    let bytes = text.as_bytes();
    let mut found = search(bytes, |_| true);
    if let Some(rule) = rules().all.iter().find(|rule| rule.kind == Kind::Prefixed) {
        found.extend(prefixed::tokens(bytes).map(|span| (rule, span)));
    }
    for (span, inner) in encoded::runs(bytes) {
        if let Some((rule, _)) = search(&inner, Rule::specific).first() {
            found.push((rule, span));
        }
    }
    let mut line = Line { number: 1, at: 0 };
    merged(found).into_iter().map(|(rule, span)| on_borders(text, span, rule, &mut line)).collect()
}

type Found = (&'static Rule, Range<usize>);

/// Tries every wanted rule at each of its keywords.
fn search(text: &[u8], wanted: impl Fn(&Rule) -> bool) -> Vec<Found> {
    let rules = rules();
    let mut found = Vec::new();
    // Where each rule may look again: what it has read already is not read twice.
    let mut resume = vec![0; rules.all.len()];
    let mut patience = token::Patience::with(text);
    rules.keywords.each(text, |index, hit| {
        let rule = &rules.all[index];
        if hit.start >= resume[index] && wanted(rule) {
            let (secret, seen) = attempt(text, rule, &hit, &mut patience);
            resume[index] = resume[index].max(seen);
            found.extend(secret.map(|span| (rule, span)));
        }
    });
    found
}

/// Tries one rule at one keyword: the secret, and up to where the rule needs no other look.
fn attempt(
    text: &[u8],
    rule: &Rule,
    hit: &Range<usize>,
    patience: &mut token::Patience,
) -> (Option<Range<usize>>, usize) {
    let (secret, seen) = match rule.kind {
        Kind::Token => (token::at(text, rule, hit, patience), 0),
        Kind::Block => {
            let head = token::at(text, rule, hit, patience);
            (head.and_then(|head| block::end(text, head.end).map(|end| head.start..end)), 0)
        }
        Kind::Assignment => assignment::at(text, hit),
        Kind::Prefixed => (None, 0),
    };
    let seen = secret.as_ref().map_or(seen, |span| span.end.max(seen));
    (secret, seen)
}

/// Joins what overlaps: the union is taken out, and the most specific rule names it, then the longest.
fn merged(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|(_, span)| (span.start, span.end));
    let rank = |(rule, span): &Found| (rule.kind != Kind::Assignment, rule.specific(), span.len());
    let mut merged: Vec<(Found, Range<usize>)> = Vec::with_capacity(found.len());
    for next in found {
        match merged.last_mut() {
            Some((best, union)) if next.1.start < union.end => {
                union.end = union.end.max(next.1.end);
                // Found later at the same place, a token has the longer prefix.
                if rank(&next) > rank(best) || rank(&next) == rank(best) && next.0.exact() {
                    *best = next;
                }
            }
            _ => merged.push((next.clone(), next.1)),
        }
    }
    merged.into_iter().map(|((rule, _), union)| (rule, union)).collect()
}

/// How far lines have been counted.
struct Line {
    number: usize,
    at: usize,
}

fn on_borders(text: &str, span: Range<usize>, rule: &'static Rule, line: &mut Line) -> Finding {
    let span = text.floor_char_boundary(span.start)..text.ceil_char_boundary(span.end);
    line.number += text.as_bytes()[line.at..span.start].iter().filter(|byte| **byte == b'\n').count();
    line.at = span.start;
    Finding { rule: rule.id, span, line: line.number }
}

/// The values that a file holds already.
struct Known<'a> {
    text: &'a str,
    values: HashSet<&'a str>,
}

impl<'a> Known<'a> {
    fn of(before: Option<&'a str>) -> Known<'a> {
        let text = before.unwrap_or_default();
        Known { text, values: scan(text).into_iter().map(|found| &text[found.span]).collect() }
    }

    /// The findings in `text` that are new to the file.
    fn news(&self, text: &str) -> Vec<Finding> {
        // What was no finding before may be one now, under another name; looking for it costs a pass, so not for ever.
        let mut looks = 32;
        let mut holds = |value: &str| {
            self.values.contains(value)
                || looks > 0 && {
                    looks -= 1;
                    self.text.contains(value)
                }
        };
        scan(text).into_iter().filter(|found| !holds(&text[found.span.clone()])).collect()
    }
}

/// Taking one secret out can join or lay open another, so this goes on until nothing is left.
fn without<'a>(text: &'a str, known: &Known) -> Cow<'a, str> {
    const ROUNDS: usize = 8;
    let mut text = Cow::Borrowed(text);
    for _ in 0..ROUNDS {
        let found = known.news(&text);
        if found.is_empty() {
            break;
        }
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for Finding { rule, span, .. } in found {
            out.push_str(&text[at..span.start]);
            out.push_str(&format!("[REDACTED:{rule}]"));
            at = span.end;
        }
        out.push_str(&text[at..]);
        text = Cow::Owned(out);
    }
    text
}

#[cfg(test)]
mod tests;
