//! What `loci serve` and `loci token` can be asked for.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  loci serve                     on 127.0.0.1:7676; the token is in $LOCI_HOME/token
  loci serve --port 0 --json     any free port; says which, and where the token is
  curl -H \"Authorization: Bearer $(cat ~/.loci/token)\" http://127.0.0.1:7676/capabilities")]
pub struct ServeArgs {
    /// The port; 0 = any free one [default: daemon.port]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// The address; one beyond this machine needs LOCI_TOKEN [default: daemon.host]
    #[arg(long, value_name = "H")]
    pub host: Option<String>,
    /// Open the page in a browser, signed in
    #[arg(long)]
    pub open: bool,
}

pub const TOKENS: &str = "Examples:
  loci token add dashboard --read-only         it is shown once
  loci token rm dashboard";

#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Make a token; it is shown once
    #[command(after_help = "Example:\n  loci token add dashboard --read-only")]
    Add {
        /// What it is for
        name: String,
        /// It may view, recall and read context, and change nothing
        #[arg(long)]
        read_only: bool,
    },
    /// Show the names of all tokens
    #[command(after_help = "Example:\n  loci token list")]
    List,
    /// Take a token back, at once
    #[command(after_help = "Example:\n  loci token rm dashboard")]
    Rm {
        /// What it is called
        name: String,
    },
}
