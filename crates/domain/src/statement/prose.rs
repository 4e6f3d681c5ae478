//! What is left of a message when everything that is not the person's own words is gone.
//!
//! Owns what counts as pasted (code, quotes, logs, tickets, blocks that a host or Loci put in), and where sentences end.

use super::filter::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// The blocks that Loci puts into prompts, and the lines around them.
const INJECTED: &str = r"(?is)<\s*(hot_memories|memory_index|memory_summary|relevant_memory)\b.*?(?:<\s*/\s*(?:hot_memories|memory_index|memory_summary|relevant_memory)\s*>|\z)|<\s*memory_file\b.*?(?:<\s*/\s*memory_file\s*>|\z)";
/// The recall block's head stands before its tag.
const RECALL_HEAD: &str = r"(?m)^## Relevant memory[ \t]*\n(?:[ \t]*\n)?(?:Use only what is relevant[^\n]*\n)?";
/// A line of a generated index.
const INDEX_LINE: &str = r"(?m)^[ \t]*[-*] (?:\[[^\]\n]*\]\([^)\n]*\.md\)|/memories/\S+) — [^\n]*$";
/// A block that some host wrapped around what it added: `<system-reminder>…</system-reminder>`.
const TAGGED: &str = r"^\s*<([A-Za-z][A-Za-z0-9_.:-]*)(?:\s[^>]*)?>";
/// A line that a program wrote.
const LOGGED: &str = r#"(?x)
    ^\s*\[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d | ^\s*\[?\d\d:\d\d:\d\d | ^\s*\[[^\]\s]{1,40}\]\s
    | ^\s*(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b[:\s] | ^\s*(?:error|warning|note)(?:\[\w+\])?:\s
    | ^Traceback\ \( | ^\s+File\ " | ^\s+at\ \S+\( | ^\w*(?:Error|Exception):\s | ^\s*(?:\$|%|>>>|\#)\s
    | ^(?:diff|index|@@|\+\+\+|---)\s | ^\s*\|.*\|\s*$ | ^\s*\d+\ [|│] | ^(?:commit|Author:|Date:)\s"#;
/// A line after which something foreign follows.
const INTRODUCES: &str = r"(?i)\b(?:here(?:'s|’s| is| are| it is)|below|following|ticket|issue|e-?mail|message|wiki|spec|log|output|says|said|wrote|writes|docs?|review|comment|readme|prompt|text|quote|diff)\b[^.!?]*:\s*$";
/// `Title: Export`, the form of tickets and headers; `Remember: …` is none.
const FIELD: &str = r"^[A-Z][A-Za-z -]{2,24}: \S";

static BLOCKS: LazyLock<Regex> = LazyLock::new(|| pattern(INJECTED));
static HEADS: LazyLock<Regex> = LazyLock::new(|| pattern(RECALL_HEAD));
static INDEX: LazyLock<Regex> = LazyLock::new(|| pattern(INDEX_LINE));
static TAGS: LazyLock<Regex> = LazyLock::new(|| pattern(TAGGED));
static LOGS: LazyLock<Regex> = LazyLock::new(|| pattern(LOGGED));
static INTRO: LazyLock<Regex> = LazyLock::new(|| pattern(INTRODUCES));
static FIELDS: LazyLock<Regex> = LazyLock::new(|| pattern(FIELD));

/// A text without what Loci itself put into it: index, hot set, recall, summary, lines of a `MEMORY.md`.
pub fn without_injected(text: &str) -> String {
    let text = BLOCKS.replace_all(text, "\n\n");
    let text = HEADS.replace_all(&text, "\n\n");
    INDEX.replace_all(&text, "").into_owned()
}

/// The lines that Loci itself put into a text, without their tags.
pub fn injected(text: &str) -> Vec<String> {
    let blocks = BLOCKS.find_iter(text).chain(INDEX.find_iter(text)).flat_map(|found| found.as_str().lines());
    let bare = |line: &str| line.trim().trim_start_matches(['-', '*', '+', '#', '>', ' ']).trim().to_owned();
    blocks.map(bare).filter(|line| !line.is_empty() && !line.starts_with('<')).collect()
}

/// The sentences of a person, by paragraph.
pub(super) fn paragraphs(message: &str) -> Vec<Vec<String>> {
    let mut paragraphs = Vec::new();
    for lines in own_lines(&without_injected(message)) {
        let pasted = lines.iter().filter(|line| FIELDS.is_match(line) && !is_explanation(line)).count() > 1;
        if pasted || lines.iter().any(|line| LOGS.is_match(line)) {
            continue;
        }
        let mut sentences = Vec::new();
        for item in items(&lines) {
            sentences.extend(split(&item));
        }
        paragraphs.push(sentences);
    }
    paragraphs
}

fn is_explanation(line: &str) -> bool {
    line.starts_with("Why:") || line.starts_with("How to apply:") || super::opener::field(line).is_some()
}

/// Runs of lines without blank ones between them, code, quotes and foreign blocks left out.
fn own_lines(text: &str) -> Vec<Vec<&str>> {
    let mut runs: Vec<Vec<&str>> = vec![Vec::new()];
    let mut fence: Option<&str> = None;
    let mut inside: Option<String> = None;
    for line in text.lines() {
        let bare = line.trim_start();
        if let Some(mark) = fence {
            if bare.starts_with(mark) {
                fence = None;
            }
            continue;
        }
        if let Some(close) = &inside {
            if line.to_ascii_lowercase().contains(close.as_str()) {
                inside = None;
            }
            continue;
        }
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark)) {
            fence = Some(mark);
            runs.push(Vec::new());
        } else if let Some(tag) = TAGS.captures(line).and_then(|found| found.get(1)) {
            let close = format!("</{}", tag.as_str().to_ascii_lowercase());
            let rest = text.get(line.as_ptr() as usize - text.as_ptr() as usize..).unwrap_or_default();
            let closed_here = line.to_ascii_lowercase().contains(&close);
            if !closed_here && rest.to_ascii_lowercase().contains(&close) {
                inside = Some(close);
            }
            runs.push(Vec::new());
        } else if bare.is_empty() || bare.starts_with('>') || line.starts_with("    ") || line.starts_with('\t') {
            runs.push(Vec::new());
        } else if INTRO.is_match(line) && super::opener::of(line).is_none() {
            // The rest of the message is somebody else's, as far as anybody can tell.
            break;
        } else if let Some(run) = runs.last_mut() {
            run.push(line);
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// Lines that belong together: a list item is one, and so is running text.
fn items(lines: &[&str]) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in lines {
        let bare = line.trim();
        let item = ["- ", "* ", "• "].iter().find_map(|mark| bare.strip_prefix(mark));
        let numbered = || bare.split_once(['.', ')']).filter(|(n, _)| n.len() < 3 && n.parse::<u8>().is_ok());
        let item = item.or_else(|| numbered().map(|(_, rest)| rest.trim_start()));
        match (item, items.last_mut()) {
            (None, Some(last)) if !is_explanation(bare) => {
                last.push(' ');
                last.push_str(bare);
            }
            (item, _) => items.push(item.unwrap_or(bare).to_owned()),
        }
    }
    items
}

/// Words whose full stop ends no sentence.
const SHORTENED: [&str; 14] =
    ["e.g", "i.e", "etc", "vs", "mr", "mrs", "ms", "dr", "approx", "no", "cf", "incl", "z.b", "bzw"];

/// The sentences of a line; marks stay with theirs.
fn split(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        let end = at + sign.len_utf8();
        let ends = match sign {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                let followed = signs.peek().is_none_or(|(_, next)| next.is_whitespace());
                let word = text[start..at].rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
                let shortened = sign == '.' && SHORTENED.contains(&word.trim_start_matches('('));
                followed && !shortened
            }
            _ => false,
        };
        if ends {
            sentences.push(text[start..end].trim().to_owned());
            start = end;
        }
    }
    sentences.push(text[start..].trim().to_owned());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}
