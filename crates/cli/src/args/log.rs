//! What `loci log` can be asked.

use clap::Args;

#[derive(Debug, Args)]
pub struct LogArgs {
    /// Only of this document or folder
    pub path: Option<String>,
    /// Of records instead of memory
    #[arg(long, conflicts_with = "path")]
    pub records: bool,
    /// How many changes at most
    #[arg(long, default_value_t = 100)]
    pub limit: usize,
}
