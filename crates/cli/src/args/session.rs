//! What can be asked of past sessions.

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  loci session import talk.jsonl               again later: only what is new is added
  loci session list
  loci recall --sessions \"why did we drop gRPC?\"
  loci session rm talk")]
pub enum SessionCommand {
    /// Take transcripts in; secrets are redacted, and what is known is not taken twice
    #[command(after_help = "Examples:
  loci session import ~/.claude/projects/*/*.jsonl
  loci session import --discover             what agents keep on this machine
  loci session import --discover --yes       take it in, each session for its own project")]
    Import {
        /// Transcripts; their formats are told by their looks
        #[arg(required_unless_present = "discover")]
        files: Vec<PathBuf>,
        /// Their format: loci, claude-code, codex, qwen-code, gemini-cli, opencode or oh-my-pi [default: by their looks]
        #[arg(long)]
        format: Option<String>,
        /// The session's name [default: what the agent calls it]
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        /// Show the sessions that agents keep on this machine; nothing is imported without --yes
        #[arg(long, conflicts_with_all = ["files", "format", "session"])]
        discover: bool,
        /// Import what is discovered
        #[arg(long, requires = "discover")]
        yes: bool,
    },
    /// Show all sessions
    #[command(after_help = "Example:\n  loci session list")]
    List,
    /// Show what was said in a session
    #[command(after_help = "Example:\n  loci session show talk")]
    Show {
        /// Its id
        id: String,
    },
    /// Remove a session for good
    #[command(after_help = "Example:\n  loci session rm talk")]
    Rm {
        /// Its id
        id: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
}
