//! What `loci hook` can be asked for.

use clap::Args;

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
