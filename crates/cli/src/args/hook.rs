//! What `loci hook` can be asked for.

use super::{Cli, Command, Common};
use clap::{Args, Parser, Subcommand};

#[derive(Debug, Args)]
#[command(
    after_help = "Agents: claude-code, codex, qwen-code, gemini-cli, cursor, opencode. `loci connect AGENT` sets the hooks up.

Example:
  echo '{\"session_id\":\"s1\",\"prompt\":\"when do we ship?\"}' | loci hook UserPromptSubmit --agent claude-code"
)]
pub struct HookArgs {
    /// The agent's own name of the event
    pub event: Option<String>,
    /// Which agent
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
    /// Whatever else a newer agent says
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub more: Vec<String>,
}

/// The command line with no other command in it. To describe all of them takes longer than to answer some hooks.
#[derive(Debug, Parser)]
struct InHaste {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    only: Only,
}

#[derive(Debug, Subcommand)]
enum Only {
    Hook(HookArgs),
}

/// A hook's words; `None` for anything else, help and mistakes included, which the whole command line answers.
pub(super) fn in_haste() -> Option<Cli> {
    std::env::args_os().nth(1).filter(|word| word == "hook")?;
    let InHaste { common, only: Only::Hook(args) } = InHaste::try_parse().ok()?;
    Some(Cli { common, command: Command::Hook(args) })
}
