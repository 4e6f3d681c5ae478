//! What can be done with workspaces and accounts.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  loci workspace add spike                     memory for a unit of work: --workspace spike
  loci workspace add --name notes              a record, whose files agents share
  loci workspace set ws_01jd… '{\"config\": {\"harness\": {\"enabled\": false}}}'
  loci workspace rm spike")]
pub enum WorkspaceCommand {
    /// Show all workspaces; those with a name have a record
    #[command(after_help = "Example:\n  loci workspace list")]
    List,
    /// Make a workspace; with --name a record that agents can be given
    #[command(after_help = "Examples:
  loci workspace add spike                     then: loci list --workspace spike
  loci workspace add --name notes
  loci workspace add --name team --config '{\"storage\": {\"provider\": \"s3\", \"bucket\": \"team\"}}'")]
    Add {
        /// Its id [default: a new one]
        #[arg(conflicts_with = "name")]
        id: Option<String>,
        /// Make a record of this name
        #[arg(long)]
        name: Option<String>,
        /// The record's config [default: files in the home]
        #[arg(long, value_name = "JSON", requires = "name")]
        config: Option<String>,
    },
    /// Show the record of a workspace
    #[command(after_help = "Example:\n  loci workspace show ws_01jd…")]
    Show {
        /// Its id
        id: String,
    },
    /// Change the record of a workspace; what is not named stays, null takes away
    #[command(after_help = "Example:\n  loci workspace set ws_01jd… '{\"name\": \"plans\"}'")]
    Set {
        /// Its id
        id: String,
        /// What changes; - reads it from stdin
        #[arg(value_name = "JSON")]
        body: String,
    },
    /// End a workspace with its files and memory for good
    #[command(after_help = "Example:\n  loci workspace rm spike")]
    Rm {
        /// Its id
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
    #[command(after_help = "Example:\n  loci account add beta")]
    Add {
        /// What it is called
        name: String,
    },
    /// Show all accounts but `local`
    #[command(after_help = "Example:\n  loci account list")]
    List,
    /// Remove an account with its files, conversations and memory for good
    #[command(after_help = "Example:\n  loci account rm beta")]
    Rm {
        /// Its id or name
        // By another name than the flag of the worker: clap would give one the value of the other.
        #[arg(id = "named", value_name = "ACCOUNT")]
        account: String,
        /// Do not ask
        #[arg(short, long)]
        yes: bool,
    },
}
