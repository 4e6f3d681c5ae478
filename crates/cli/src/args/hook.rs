//! What `loci hook` and `loci pipeline` can be asked for.

use clap::{Args, Subcommand};

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

#[derive(Debug, Subcommand)]
pub enum PipelineCommand {
    /// Show the jobs, the one that changed last first
    Status,
    /// Do now what is to be done, of all projects (--project: of one)
    Run {
        /// In the background, unless somebody is at it
        #[arg(long, hide = true)]
        detached: bool,
    },
    /// Have a job tried again that failed; without a number all of them
    Retry { id: Option<u64> },
}
