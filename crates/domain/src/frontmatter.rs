//! The header of a document: where it ends, and the three fields that Loci reads from it.
//!
//! Owns the border between header and body, and what counts as a broken header.
//! Never writes YAML: a header is kept byte for byte, so there is nothing to render.
//! Start at [`split`].
//!
//! Invariant: body_is_never_lost. Whatever the header says, the body range ends where the text ends, and prose between two
//! rules is body.

use crate::sign::is_hidden;
use serde::Deserialize;
use serde_saphyr::options::NonFiniteFloatPolicy;
use serde_saphyr::{Error, UserMessageFormatter};
use std::ops::Range;

/// The largest header that is read as YAML; a longer one is malformed.
pub const LARGEST: usize = 64 * 1024;

/// Text cut into header and body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The header's bytes between its two fences; empty when there is none.
    pub raw: Range<usize>,
    /// The bytes after the header; a byte order mark is never among them.
    pub body: Range<usize>,
    /// What the header says.
    pub outcome: Outcome,
}

/// What was found at the start of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// No opening fence: all of the text is body.
    None,
    /// A header in good order.
    Fields(Fields),
    /// A closed header that is no YAML mapping, or one of whose fields is no scalar; says why. All of the text is body when
    /// the header does not even begin like a mapping: two rules with prose between them.
    Malformed(String),
    /// An opening fence without a closing one: all of the text is body.
    Unclosed,
}

/// The fields that Loci reads, each as it was written: `name: 007` is the text `007`.
///
/// A field that is absent, null or blank is `None`; a list or a mapping in its place makes the header malformed,
/// because a fault that `loci doctor` names is more use than a name that is silently ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields {
    /// `name`.
    pub name: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `type`, whether it is a known word or not.
    pub kind: Option<String>,
}

/// Cuts a text into header and body, and reads the header.
pub fn split(text: &str) -> Split {
    let start = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let whole = |outcome| Split { raw: start..start, body: start..text.len(), outcome };
    let mut lines = lines(text, start);
    let Some(opening) = lines.next().filter(|line| is_fence(&text[line.clone()], &["---"])) else {
        return whole(Outcome::None);
    };
    let Some(closing) = lines.find(|line| is_fence(&text[line.clone()], &["---", "..."])) else {
        return whole(Outcome::Unclosed);
    };
    let raw = opening.end..closing.start;
    // The opening fence goes along as YAML's document marker, so that line numbers are those of the file.
    let outcome = if raw.len() > LARGEST {
        Outcome::Malformed(format!("it is longer than {LARGEST} bytes"))
    } else {
        read(&text[start..closing.start])
    };
    match outcome {
        Outcome::Malformed(_) if !begins_like_a_mapping(&text[raw.clone()]) => whole(outcome),
        outcome => Split { raw, body: closing.end..text.len(), outcome },
    }
}

/// True when the first line that says something is `key:`, with a value or without, or opens a flow mapping.
fn begins_like_a_mapping(raw: &str) -> bool {
    let says = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let Some(line) = raw.split(['\r', '\n']).map(str::trim).find(says) else { return true };
    let quoted = line.starts_with(['"', '\'']);
    let is_key = |key: &str| !key.is_empty() && (quoted || !key.trim_end().contains([' ', '\t']));
    let mut colons =
        line.match_indices(':').filter(|(at, _)| line[at + 1..].chars().next().is_none_or(char::is_whitespace));
    line.starts_with('{') || colons.next().is_some_and(|(at, _)| is_key(&line[..at]))
}

/// The lines of `text` from byte `from` on, each with its line break: LF, CRLF or a lone CR, as Markdown has it.
fn lines(text: &str, from: usize) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = from;
    std::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let length = match rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            Some(end) if rest[end..].starts_with(b"\r\n") => end + 2,
            Some(end) => end + 1,
            None => rest.len(),
        };
        at += length;
        Some(at - length..at)
    })
}

fn is_fence(line: &str, fences: &[&str]) -> bool {
    fences.contains(&line.trim_end_matches([' ', '\t', '\r', '\n']))
}

#[derive(Default, Deserialize)]
struct Header {
    name: Option<String>,
    description: Option<String>,
    r#type: Option<String>,
}

fn read(yaml: &str) -> Outcome {
    // Only 64 KiB get here, so these are far above an honest header and far below 100 ms of work.
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        // `score: .nan` in a key that Loci does not read is no fault.
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        ignore_binary_tag_for_string: true,
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 2_000,
            max_replay_stack_depth: 8,
            max_alias_expansions_per_anchor: 100,
        },
        budget: serde_saphyr::budget! {
            max_depth: 32,
            flow_nesting_limit: 32,
            max_events: 20_000,
            max_nodes: 20_000,
            max_anchors: 100,
            max_aliases: 500,
            max_recorded_anchor_events: 20_000,
            max_recorded_anchor_bytes: 1024 * 1024,
            max_merge_keys: 50,
            max_documents: 1,
        },
    };
    match serde_saphyr::from_str_with_options::<Option<Header>>(yaml, options) {
        Ok(header) => {
            let Header { name, description, r#type } = header.unwrap_or_default();
            let said = |field: Option<String>| field.filter(|text| !text.trim().is_empty());
            Outcome::Fields(Fields { name: said(name), description: said(description), kind: said(r#type) })
        }
        Err(error) => Outcome::Malformed(reason(&error)),
    }
}

/// One short line that says what is wrong where; a header may hold a secret, so its values are not repeated.
fn reason(error: &Error) -> String {
    let line = error.location().map(|at| format!(" (line {})", at.line())).unwrap_or_default();
    let what = match error {
        Error::DuplicateMappingKey { .. } => "a key occurs twice".to_owned(),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            "it is too large, too deep or repeats itself too often".to_owned()
        }
        other => other.render_with_formatter(&UserMessageFormatter),
    };
    let what: String = what.lines().next().unwrap_or_default().chars().filter(|c| !is_hidden(*c)).take(160).collect();
    if what.contains("line ") { what } else { format!("{what}{line}") }
}

#[cfg(test)]
mod tests;
