//! What can be done with workspaces.

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
