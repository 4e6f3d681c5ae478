//! Transcripts: what was said in a session, whoever kept it.
//!
//! Owns what a turn is, and the readers of each known format (`transcript/<dialect>.rs`).
//! Never does IO and never holds a whole file of lines: a reader sees one [`Unit`] of text at a time.
//! Start at [`Reader`], which counts what could not be read; a new dialect is a [`Format`] and a function like [`read`].

mod claude_code;
mod codex;
mod gemini_cli;
mod loci;
mod parts;
mod qwen_code;

use jiff::Timestamp;
use serde_json::Value;
use std::fmt;

/// Who speaks in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// A person.
    User,
    /// The model.
    Assistant,
    /// What a tool answered.
    Tool,
    /// What the harness said.
    System,
}

/// A tool that a turn called.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// Which tool.
    pub name: String,
    /// With what; text that is itself JSON is read as such.
    pub arguments: Value,
}

/// One message of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// Its name in the session.
    pub id: String,
    /// Who speaks.
    pub role: Role,
    /// The words, without thoughts; may be empty when it only calls tools.
    pub content: String,
    /// When.
    pub at: Option<Timestamp>,
    /// The tools that it calls.
    pub calls: Vec<Called>,
}

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
}

/// How much text makes sense by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Each line: a file may have any size.
    Line,
    /// The whole file.
    File,
}

/// What one unit of a transcript says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Piece {
    /// What was said; none for a line that is only about the session. An id may be empty: the reader numbers it.
    pub turns: Vec<Turn>,
    /// What the session is called, where the transcript says so.
    pub session: Option<String>,
    /// The directory in which it took place, where the transcript says so.
    pub directory: Option<String>,
}

/// Reads one unit; `None` = it makes no sense.
pub fn read(format: Format, text: &str) -> Option<Piece> {
    match format {
        Format::Loci => loci::read(text),
        Format::ClaudeCode => claude_code::read(text),
        Format::Codex => codex::read(text),
        Format::QwenCode => qwen_code::read(text),
        Format::GeminiCli => gemini_cli::read(text),
    }
}

/// Reads a transcript unit by unit, skips what makes no sense, and counts that.
#[derive(Debug, Clone)]
pub struct Reader {
    format: Format,
    turns: u64,
    skipped: u64,
    session: Option<String>,
    directory: Option<String>,
}

impl Reader {
    /// A reader at the start of a transcript.
    pub fn new(format: Format) -> Reader {
        Reader { format, turns: 0, skipped: 0, session: None, directory: None }
    }

    /// The turns of the next unit, in order; none for a blank one and for one that makes no sense.
    ///
    /// Every turn has an id: one without gets its number in the transcript, so that a longer copy of the same
    /// transcript says the same.
    pub fn read(&mut self, text: &str) -> Vec<Turn> {
        let text = text.trim_start_matches('\u{FEFF}').trim();
        if text.is_empty() {
            return Vec::new();
        }
        let Some(piece) = read(self.format, text) else {
            self.skipped += 1;
            return Vec::new();
        };
        self.session = self.session.take().or(piece.session);
        self.directory = self.directory.take().or(piece.directory);
        let mut turns = piece.turns;
        for turn in &mut turns {
            self.turns += 1;
            turn.id = if turn.id.is_empty() { format!("#{}", self.turns) } else { plain(&turn.id, LONGEST_ID) };
            turn.content = plain(&turn.content, usize::MAX);
        }
        turns
    }

    /// Notes a unit that could not even be handed over: not UTF-8, or absurdly long.
    pub fn skip(&mut self) {
        self.skipped += 1;
    }

    /// How many units made no sense.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// What the transcript calls its session.
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// Where the session took place, as the transcript says.
    pub fn directory(&self) -> Option<&str> {
        self.directory.as_deref()
    }
}

/// Bytes of an id.
const LONGEST_ID: usize = 200;

/// Without NUL, which no database of ours keeps in text, and no longer than that.
fn plain(text: &str, longest: usize) -> String {
    text[..text.floor_char_boundary(longest.min(text.len()))].replace('\0', "\u{FFFD}")
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 5] = [Format::Loci, Format::ClaudeCode, Format::Codex, Format::QwenCode, Format::GeminiCli];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Format::Loci => "loci",
            Format::ClaudeCode => "claude-code",
            Format::Codex => "codex",
            Format::QwenCode => "qwen-code",
            Format::GeminiCli => "gemini-cli",
        }
    }

    /// The format of a word.
    pub fn from_word(word: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.word() == word)
    }

    /// How much of it is read at once.
    pub fn unit(self) -> Unit {
        match self {
            Format::Loci | Format::ClaudeCode | Format::Codex | Format::QwenCode => Unit::Line,
            Format::GeminiCli => Unit::File,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Role {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            Role::System => "system",
        }
    }

    /// The role of a word.
    pub fn from_word(word: &str) -> Option<Role> {
        [Role::User, Role::Assistant, Role::Tool, Role::System].into_iter().find(|role| role.word() == word)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests;
