//! What `loci tool` can be asked for.

use clap::Args;
use loci_domain::access::Mode;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  echo '{\"command\":\"view\",\"path\":\"/memories\"}' | loci tool
  loci tool --mode explore < calls.jsonl
  loci tool --root ./notes < calls.jsonl     one bare directory: no scopes, index or journal")]
pub struct ToolArgs {
    /// What the agent may do: exec, plan or explore
    #[arg(long, default_value = "exec")]
    pub mode: Mode,
    /// Serve this directory as /memories, with no scopes, index or ledger
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Keep text that looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}
