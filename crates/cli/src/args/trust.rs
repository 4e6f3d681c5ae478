//! What `loci trust` can be asked for.

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  loci trust project/decisions.md
  loci trust --all
  loci trust project/decisions.md --revoke")]
pub struct TrustArgs {
    /// The document
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub path: Option<String>,
    /// All that are not trusted yet
    #[arg(long)]
    pub all: bool,
    /// Take trust back
    #[arg(long)]
    pub revoke: bool,
}
