//! Other agents: where their configuration lies and what Loci puts into it, how they tell of a session, and where they
//! keep what was said.
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
mod keeps;
mod note;
mod oh_my_pi;
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
pub use keeps::Keeps;
pub use plan::State;
pub use reach::{Level, Reach};

use crate::fault::Failure;
use crate::hooks::Hooks;
use std::path::PathBuf;

/// Every agent that is known; a new one is a file and a line here.
pub const ALL: [&Agent; 7] = [
    &claude_code::AGENT,
    &codex::AGENT,
    &qwen_code::AGENT,
    &gemini_cli::AGENT,
    &cursor::AGENT,
    &opencode::AGENT,
    &oh_my_pi::AGENT,
];

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
    /// How Loci gets into its configuration, where it can.
    pub connects: Option<Connects>,
    /// How it tells of its session, where it does.
    pub hooks: Option<Hooks>,
    /// Where it keeps its sessions, where they can be read.
    pub keeps: Option<Keeps>,
}

/// How an agent is connected.
pub struct Connects {
    /// The files that connect it.
    pub files: fn(&Reach, &Call) -> Vec<File>,
    /// What a person has to do before it works.
    pub advice: &'static str,
}

impl Agent {
    /// The files that connect it; none for one that cannot be.
    pub fn files(&self, reach: &Reach, call: &Call) -> Vec<File> {
        self.connects.as_ref().map(|connects| (connects.files)(reach, call)).unwrap_or_default()
    }
}

/// The agents that can be connected.
pub fn connectable() -> impl Iterator<Item = &'static Agent> {
    ALL.into_iter().filter(|agent| agent.connects.is_some())
}

/// A file of an agent's configuration, and what Loci wants in it.
pub struct File {
    pub path: PathBuf,
    pub content: Content,
    /// What that is, for people.
    pub what: &'static str,
}

/// The agent of a name that can be connected; an unknown one suggests the nearest.
pub fn named(name: &str) -> Result<&'static Agent, Failure> {
    let wanted = name.to_lowercase().replace([' ', '_'], "-");
    let is = |agent: &&Agent| agent.id == wanted || agent.aliases.contains(&wanted.as_str());
    connectable().find(is).ok_or_else(|| {
        let near = |agent: &&Agent| (strsim::jaro(&wanted, agent.id) * 1000.0) as u32;
        let nearest = connectable().max_by_key(near).filter(|agent| strsim::jaro(&wanted, agent.id) > 0.7);
        let ids: Vec<&str> = connectable().map(|agent| agent.id).collect();
        let what = match (ALL.into_iter().find(is), nearest) {
            (Some(agent), _) => {
                format!("{} cannot be connected; `loci session import --discover` finds its sessions", agent.name)
            }
            (None, Some(agent)) => format!("there is no agent {name:?}; did you mean {}?", agent.id),
            (None, None) => format!("there is no agent {name:?}; known are {}", ids.join(", ")),
        };
        Failure { code: "unknown_agent", ..Failure::usage(what) }
    })
}
