//! What every command can be told.

use clap::Args;

/// Flags of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Common {
    /// The project's directory, or ssh://[user@]host[:port]/path [default: LOCI_PROJECT, else the current directory]
    #[arg(long, global = true, value_name = "DIR", action = clap::ArgAction::Append)]
    pub project: Vec<String>,
    /// The workspace's id [default: LOCI_WORKSPACE]
    #[arg(long, global = true, value_name = "ID")]
    pub workspace: Option<String>,
    /// Whose memory: for the worker of a daemon that serves several accounts
    #[arg(long, global = true, value_name = "ID", hide = true)]
    pub account: Option<String>,
    /// The ledger that nodes share, postgres://… (`ledger.url`) [default: LOCI_LEDGER, else SQLite in the home]
    #[arg(long = "ledger", id = "ledger_url", global = true, value_name = "URL")]
    pub ledger: Option<String>,
    /// Where the files of memory lie, s3://bucket/prefix (`files.url`) [default: LOCI_FILES, else the home]
    // Commands have files of their own.
    #[arg(long = "files", id = "files_url", global = true, value_name = "URL")]
    pub files: Option<String>,
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
