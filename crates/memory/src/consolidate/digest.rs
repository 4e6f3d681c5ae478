//! A handbook without a model: what sessions came to, newest first, each line once.

use super::answer::Answer;
use super::day;
use loci_domain::alike;
use loci_domain::tokens::{estimate, within};
use loci_store::record::Extraction;
use std::collections::BTreeSet;

/// Bytes of the handbook; a page has an end.
const LARGEST: usize = 256 << 10;
/// Tokens of the summary: it is in every session, and nobody chose what is in it.
const SUMMARY: usize = 1_500;

/// The same for the same extractions.
pub(super) fn digest(extractions: &[Extraction], summary_tokens: usize) -> Answer {
    let mut known = BTreeSet::new();
    let mut memory_md = "# Handbook\n\nWhat past sessions of this project came to, newest first.\n".to_owned();
    let mut lines = Vec::new();
    for extraction in extractions {
        let fresh: Vec<&str> = extraction
            .raw_memory
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.trim().is_empty() && known.insert(alike::normalised(line)))
            .collect();
        let name = extraction.slug.as_deref().unwrap_or(&extraction.session);
        let part = format!("\n## {} {name}\n\n{}\n", day(extraction), fresh.join("\n"));
        if fresh.is_empty() || memory_md.len() + part.len() > LARGEST {
            continue;
        }
        memory_md.push_str(&part);
        lines.extend(fresh);
    }
    Answer { memory_md, memory_summary: summary(&lines, extractions, summary_tokens), skills: Vec::new() }
}

/// As many of the lines as fit; where sessions came to no line, what they were about.
fn summary(lines: &[&str], extractions: &[Extraction], tokens: usize) -> String {
    let about: Vec<&str> = extractions.iter().filter_map(|one| one.summary.lines().next()).collect();
    let lines = if lines.is_empty() { &about } else { lines };
    let room = within(tokens.min(SUMMARY));
    let mut summary = String::new();
    for line in lines {
        let more = format!("{summary}{line}\n");
        if estimate(&more) > room {
            break;
        }
        summary = more;
    }
    summary
}
