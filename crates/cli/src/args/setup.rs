//! Setting things up: a project, a setting.

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  loci init                 show where this project's memory lies
  loci init --shared        keep it in .loci/memory of the checkout, for the whole team
  loci init --join          share the memory of another checkout with the same project.id")]
pub struct InitArgs {
    /// Make .loci/memory in the checkout
    #[arg(long)]
    pub shared: bool,
    /// Join a project.id that another checkout on this machine uses
    #[arg(long)]
    pub join: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  loci config
  loci config limits.file_bytes
  loci config dream.enabled false
  loci config dream.enabled --unset")]
pub struct ConfigArgs {
    /// The setting
    pub key: Option<String>,
    /// What it becomes
    pub value: Option<String>,
    /// Go back to the default
    #[arg(long, requires = "key", conflicts_with = "value")]
    pub unset: bool,
}
