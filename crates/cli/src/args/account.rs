//! What can be done with accounts.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
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
