//! Other agents: where their configuration lies, and what Loci puts into it.
//!
//! Owns the facts of each agent (one file an agent, [`ALL`] is the list), byte-preserving edits of their files, and taking
//! exactly those back. Never touches a byte that is not ours, and never a file before all of the agent's files are known
//! to parse.
//! Start at [`Agent`], then `agents/claude_code.rs`; `agents/plan.rs` says what would change, `agents/apply.rs` does it.

mod apply;
mod call;
mod claude_code;
mod codex;
mod content;
mod cursor;
mod desk;
mod diff;
mod gemini_cli;
mod jsonc;
mod note;
mod opencode;
mod patch;
mod plan;
mod qwen_code;
mod reach;
mod real;
mod toml;

pub use apply::{Changed, Done};
pub use call::Call;
pub use content::{Content, Want};
pub use desk::{Desk, Run, Standing};
pub use plan::State;
pub use reach::{Level, Reach};

use crate::fault::Failure;
use std::path::PathBuf;

/// Every agent that can be connected; a new one is a file and a line here.
pub const ALL: [&Agent; 6] =
    [&claude_code::AGENT, &codex::AGENT, &qwen_code::AGENT, &gemini_cli::AGENT, &cursor::AGENT, &opencode::AGENT];

/// What is known of an agent.
pub struct Agent {
    /// How commands call it.
    pub id: &'static str,
    /// How people call it.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// Its program.
    pub program: &'static str,
    /// The folder of a person's configuration; where it is, the agent is.
    pub folder: fn(&Reach) -> PathBuf,
    /// The files that connect it.
    pub files: fn(&Reach, &Call) -> Vec<File>,
    /// What a person has to do before it works.
    pub advice: &'static str,
}

/// A file of an agent's configuration, and what Loci wants in it.
pub struct File {
    pub path: PathBuf,
    pub content: Content,
    /// What that is, for people.
    pub what: &'static str,
}

/// The agent of a name; an unknown one suggests the nearest.
pub fn named(name: &str) -> Result<&'static Agent, Failure> {
    let wanted = name.to_lowercase().replace([' ', '_'], "-");
    let known = |agent: &&&Agent| agent.id == wanted || agent.aliases.contains(&wanted.as_str());
    ALL.iter().find(known).copied().ok_or_else(|| {
        let near = |agent: &&&Agent| (strsim::jaro(&wanted, agent.id) * 1000.0) as u32;
        let nearest = ALL.iter().max_by_key(near).filter(|agent| strsim::jaro(&wanted, agent.id) > 0.7);
        let ids: Vec<&str> = ALL.iter().map(|agent| agent.id).collect();
        let hint = match nearest {
            Some(agent) => format!("did you mean {}?", agent.id),
            None => format!("known are {}", ids.join(", ")),
        };
        Failure { code: "unknown_agent", ..Failure::usage(format!("there is no agent {name:?}; {hint}")) }
    })
}
