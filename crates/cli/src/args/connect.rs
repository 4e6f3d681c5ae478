//! What `loci connect` and `loci disconnect` can be asked for.

use clap::Args;
use loci_domain::access::Mode;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  loci connect                            what is on this machine, and what is connected
  loci connect claude-code --dry-run      what would change in which file
  loci connect claude-code
  loci connect cursor --in-project        for everybody who works on this project
  loci disconnect claude-code             exactly that is taken back

Agents: claude-code, codex, qwen-code, gemini-cli, cursor, opencode.")]
pub struct ConnectArgs {
    /// Which agent; none = show all
    pub agent: Option<String>,
    /// Show what would change
    #[arg(long, requires = "agent")]
    pub dry_run: bool,
    /// Use the project's configuration instead of your own
    #[arg(long)]
    pub in_project: bool,
    /// What the agent may do: exec, plan or explore [default: as it is, else exec]
    #[arg(long, requires = "agent")]
    pub mode: Option<Mode>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  loci disconnect claude-code --dry-run\n  loci disconnect claude-code")]
pub struct DisconnectArgs {
    /// Which agent
    pub agent: String,
    /// Show what would change
    #[arg(long)]
    pub dry_run: bool,
    /// Use the project's configuration instead of your own
    #[arg(long)]
    pub in_project: bool,
}
