//! What every command can be told.

use clap::Args;

/// Flags of every command.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// The project's directory [default: LOCI_PROJECT, else the current directory]
    #[arg(long, global = true, value_name = "DIR", action = clap::ArgAction::Append)]
    pub project: Vec<String>,
    /// The workspace's id [default: LOCI_WORKSPACE]
    #[arg(long, global = true, value_name = "ID")]
    pub workspace: Option<String>,
    /// Whose memory: for the worker of a daemon that serves several accounts
    #[arg(long, global = true, value_name = "ID", hide = true)]
    pub account: Option<String>,
    /// Answer in JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Say nothing but errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Override a setting for this call (repeatable)
    #[arg(long, global = true, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}
