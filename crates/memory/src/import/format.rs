//! How other tools keep what they remember: the list of formats, and which one a folder is of.

use super::{Piece, Source, anthropic, basic_memory, claude_code, codex, is_markdown, markdown, own, qwen};

/// How a tool keeps what it remembers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// An export of Loci.
    Loci,
    /// A memory folder of Claude Code.
    ClaudeCode,
    /// The memories folder of Codex.
    Codex,
    /// `QWEN.md`, or a memory folder of Qwen Code.
    Qwen,
    /// A vault of basic-memory.
    BasicMemory,
    /// A directory of Anthropic's memory tool.
    Anthropic,
    /// A folder of Markdown files.
    Markdown,
}

/// Every format with its word. The order is that of asking who knows a folder.
const FORMATS: [(Format, &str); 7] = [
    (Format::Loci, "loci"),
    (Format::ClaudeCode, "claude-code"),
    (Format::Codex, "codex"),
    (Format::Qwen, "qwen"),
    (Format::BasicMemory, "basic-memory"),
    (Format::Anthropic, "anthropic"),
    (Format::Markdown, "markdown"),
];

impl Format {
    /// The format of a word.
    pub fn from_word(word: &str) -> Option<Format> {
        let word = if word == "qwen-code" { "qwen" } else { word };
        FORMATS.iter().find(|(_, known)| *known == word).map(|(format, _)| *format)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        FORMATS.iter().find(|(format, _)| *format == self).map_or("", |(_, word)| word)
    }

    /// All words, for messages.
    pub fn words() -> String {
        FORMATS.map(|(_, word)| word).join(", ")
    }

    /// The format of these files, if there is only one that it can be; else all that it can be. `place` is where they lie.
    pub fn of(place: &str, sources: &[Source]) -> std::result::Result<Format, Vec<Format>> {
        let knows = |format: &Format| match format {
            Format::Loci => own::knows(sources),
            Format::ClaudeCode => claude_code::knows(place, sources),
            Format::Codex => codex::knows(sources),
            Format::Qwen => qwen::knows(sources),
            Format::BasicMemory => basic_memory::knows(sources),
            Format::Anthropic | Format::Markdown => false,
        };
        let known: Vec<Format> = FORMATS.iter().map(|(format, _)| *format).filter(knows).collect();
        match known.as_slice() {
            [] if sources.iter().any(|source| is_markdown(&source.path)) => Ok(Format::Markdown),
            [one] | [one @ Format::Loci, ..] => Ok(*one),
            _ => Err(known),
        }
    }

    pub(super) fn pieces(self, sources: &[Source]) -> Vec<Piece> {
        match self {
            Format::Loci => own::pieces(sources),
            Format::ClaudeCode => claude_code::pieces(sources),
            Format::Codex => codex::pieces(sources),
            Format::Qwen => qwen::pieces(sources),
            Format::BasicMemory => basic_memory::pieces(sources),
            Format::Anthropic => anthropic::pieces(sources),
            Format::Markdown => markdown::pieces(sources),
        }
    }
}
