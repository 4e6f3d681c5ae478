//! What can be done with workspaces and accounts.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum WorkspaceCommand {
    /// Show all workspaces
    List,
    /// Make a workspace
    Add {
        /// Its id [default: a new one]
        id: Option<String>,
    },
    /// End a workspace and its memory for good
    Rm {
        id: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
}

#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  loci account add beta      prints the key once
  loci account rm beta")]
pub enum AccountCommand {
    /// Make an account; its key is shown once
    Add { name: String },
    /// Show all accounts but `local`
    List,
    /// Remove an account with its files, conversations and memory for good
    Rm {
        /// Its id or name
        account: String,
    },
}
