//! What can be asked of past sessions.

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum SessionCommand {
    /// Take transcripts in; secrets are redacted, and what is known is not taken twice
    Import {
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Their format: loci or claude-code
        #[arg(long, default_value = "loci")]
        format: String,
        /// The session's name [default: the file's, without its ending]
        #[arg(long, value_name = "ID")]
        session: Option<String>,
    },
    /// Show all sessions
    List,
    /// Show what was said in a session
    Show { id: String },
    /// Remove a session for good
    Rm { id: String },
}
