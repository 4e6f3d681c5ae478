//! What a person reads, and what a script reads.

mod bar;

pub use bar::Bar;

use crate::fault::{Failure, hint};
use console::{Style, style};
use jiff::{Timestamp, Unit};
use serde::Serialize;
use std::io::{BufRead, IsTerminal, Write};

/// How a command answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// For people who want only what matters.
    Quiet,
    /// For scripts.
    Json,
}

/// Where answers go.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    /// How.
    pub format: Format,
}

impl Output {
    /// Prints the value as JSON, or calls `human` for people.
    pub fn answer<T: Serialize>(&self, value: &T, human: impl FnOnce()) {
        match self.format {
            Format::Json => line(&json_line(value)),
            Format::Text => human(),
            Format::Quiet => {}
        }
    }

    /// Prints what is told only this once, also when nothing else is to be said; what to do with it goes to stderr, so
    /// that a file takes the secret alone.
    pub fn once<T: Serialize>(&self, value: &T, secret: &str, hint: &str) {
        match self.format {
            Format::Json => line(&json_line(value)),
            Format::Text | Format::Quiet => line(secret),
        }
        if self.format == Format::Text {
            complain(Style::new().dim().for_stderr().apply_to(hint));
        }
    }

    /// Prints a failure to stderr.
    pub fn failure(&self, failure: &Failure) {
        if self.format == Format::Json {
            complain(serde_json::json!({"error": failure.message, "code": failure.code}));
            return;
        }
        complain(format!("{} {failure}", style("error:").red().bold().for_stderr()));
        if let Some(hint) = hint(failure) {
            complain(format!("{} {hint}", style("hint:").cyan().for_stderr()));
        }
    }

    /// Prints a warning to stderr, for people only.
    pub fn warn(&self, warning: &str) {
        if self.format == Format::Text {
            complain(format!("{} {warning}", style("warning:").yellow().bold().for_stderr()));
        }
    }
}

/// Says what takes a while, to a person at a terminal only.
pub fn progress(output: Output, text: &str) {
    if output.format == Format::Text && console::user_attended_stderr() {
        complain(Style::new().dim().for_stderr().apply_to(text));
    }
}

/// A person who can be asked: both ends are a terminal, and answers are for people.
pub fn can_ask(output: Output) -> bool {
    output.format == Format::Text && std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Asks a person; everything but a yes is a no.
pub fn confirmed(question: &str) -> Result<bool, Failure> {
    let mut stderr = std::io::stderr().lock();
    write!(stderr, "{question} [y/N] ")?;
    stderr.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Prints a line; a reader that went away (`| head`) is no failure.
pub fn line(text: &str) {
    print(&format!("{text}\n"));
}

/// Prints text as it is; a reader that went away is no failure, a disk that is full is one.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        complain(format!("error: the answer could not be written: {error}"));
        std::process::exit(1);
    }
}

/// Prints a line to stderr; nobody can be told when that fails.
fn complain(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A value as one line of JSON, whatever a reader takes for a line's end.
pub fn json_line<T: Serialize>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap_or_default();
    // Inside strings only, so escaping them changes nothing but the spelling.
    text.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029").replace('\u{85}', "\\u0085")
}

/// Less important words.
pub fn dim(text: impl std::fmt::Display) -> String {
    Style::new().dim().apply_to(text).to_string()
}

/// Names.
pub fn bold(text: impl std::fmt::Display) -> String {
    Style::new().bold().apply_to(text).to_string()
}

/// Good news.
pub fn green(text: impl std::fmt::Display) -> String {
    Style::new().green().apply_to(text).to_string()
}

/// Worth a look.
pub fn yellow(text: impl std::fmt::Display) -> String {
    Style::new().yellow().apply_to(text).to_string()
}

/// Wrong.
pub fn red(text: impl std::fmt::Display) -> String {
    Style::new().red().apply_to(text).to_string()
}

/// How long ago, in one unit: `just now`, `3 min ago`, `2 days ago`.
pub fn ago(then: Timestamp) -> String {
    let seconds = Timestamp::now().since((Unit::Second, then)).map(|span| span.get_seconds()).unwrap_or_default();
    match seconds {
        i64::MIN..60 => "just now".to_owned(),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        86_400..172_800 => "yesterday".to_owned(),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

/// Columns that a line may have: those of a person's terminal; a file or a script takes any.
pub fn columns() -> Option<usize> {
    let terminal = console::Term::stdout();
    terminal.is_term().then(|| usize::from(terminal.size().1))
}

/// `1 file`, `2 files`.
pub fn count(amount: usize, one: &str, many: &str) -> String {
    format!("{amount} {}", if amount == 1 { one } else { many })
}

/// Why a scope is not there, beside its name.
pub fn unavailable(error: &loci_store::Error) -> String {
    match error {
        loci_store::Error::Unavailable { reason, .. } => reason.clone(),
        other => other.to_string(),
    }
}
