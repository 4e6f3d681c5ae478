//! The known ways to write a session down, and how to tell which one it is.

use super::cutter::Cut;
use super::{Piece, claude_code, codex, gemini_cli, loci, oh_my_pi, opencode, qwen_code};
use crate::foreign;
use serde_json::Value;
use std::fmt;

/// A known way to write a session down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Loci's own JSON Lines.
    Loci,
    /// Claude Code's JSON Lines.
    ClaudeCode,
    /// Codex's rollouts.
    Codex,
    /// Qwen Code's JSON Lines.
    QwenCode,
    /// Gemini CLI's chats.
    GeminiCli,
    /// OpenCode's exports; its storage is read as one.
    OpenCode,
    /// oh-my-pi's JSON Lines.
    OhMyPi,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 7] = [
        Format::Loci,
        Format::ClaudeCode,
        Format::Codex,
        Format::QwenCode,
        Format::GeminiCli,
        Format::OpenCode,
        Format::OhMyPi,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Format::Loci => "loci",
            Format::ClaudeCode => "claude-code",
            Format::Codex => "codex",
            Format::QwenCode => "qwen-code",
            Format::GeminiCli => "gemini-cli",
            Format::OpenCode => "opencode",
            Format::OhMyPi => "oh-my-pi",
        }
    }

    /// The format of a word.
    pub fn from_word(word: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.word() == word)
    }

    /// The format that the start of a transcript is written in; `None` when it looks like none of them.
    ///
    /// The first line or document that tells counts. One that is longer than the start is told by its first fields.
    pub fn recognise(start: &[u8]) -> Option<Format> {
        let start = String::from_utf8_lossy(start);
        let whole = |text: &str| foreign::json(text).and_then(|value| looks(&value));
        start.lines().find_map(whole).or_else(|| whole(&start)).or_else(|| begins(&start))
    }

    /// True when later parts of a transcript may take earlier ones back, so that it has to be gone through twice.
    pub fn revises(self) -> bool {
        self == Format::GeminiCli
    }

    /// How it is cut into units.
    pub(super) fn cut(self) -> Cut {
        match self {
            Format::Loci | Format::ClaudeCode | Format::Codex | Format::QwenCode | Format::OhMyPi => Cut::Lines,
            Format::GeminiCli | Format::OpenCode => Cut::Documents,
        }
    }

    /// Reads one unit; `None` = it makes no sense.
    pub(super) fn read(self, text: &str) -> Option<Piece> {
        match self {
            Format::Loci => loci::read(text),
            Format::ClaudeCode => claude_code::read(text),
            Format::Codex => codex::read(text),
            Format::QwenCode => qwen_code::read(text),
            Format::GeminiCli => gemini_cli::read(text),
            Format::OpenCode => opencode::read(text),
            Format::OhMyPi => oh_my_pi::read(text),
        }
    }
}

/// What a first line or document looks like.
fn looks(value: &Value) -> Option<Format> {
    let has = |name: &str| value.get(name).is_some();
    let kind = value.get("type").and_then(Value::as_str);
    if has("payload") && kind.is_some() {
        return Some(Format::Codex);
    }
    if has("sessionId") && (has("projectHash") || has("startTime")) {
        return Some(Format::GeminiCli);
    }
    if has("info") && has("messages") || has("projectID") && has("directory") && has("id") {
        return Some(Format::OpenCode);
    }
    match kind {
        Some("session") if has("cwd") => Some(Format::OhMyPi),
        Some("title") if has("title") => Some(Format::OhMyPi),
        Some("user" | "assistant" | "tool_result" | "system") if value.pointer("/message/parts").is_some() => {
            Some(Format::QwenCode)
        }
        Some("system") if has("systemPayload") => Some(Format::QwenCode),
        Some("user" | "assistant") if value.pointer("/message/content").is_some() => Some(Format::ClaudeCode),
        None if has("role") && (has("content") || has("toolCalls")) => Some(Format::Loci),
        _ => None,
    }
}

/// What a document looks like whose end is not in sight: by names that stand before its messages.
fn begins(start: &str) -> Option<Format> {
    let head = start.trim_start_matches('\u{FEFF}').trim_start();
    let head = head.strip_prefix('{')?;
    let head = head.find("\"messages\"").map_or(head, |messages| &head[..messages]);
    if head.contains("\"sessionId\"") && head.contains("\"projectHash\"") {
        return Some(Format::GeminiCli);
    }
    (head.trim_start().starts_with("\"info\"") && head.contains("\"projectID\"")).then_some(Format::OpenCode)
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
