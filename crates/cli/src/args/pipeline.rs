//! What `loci pipeline` and `loci memory` can be asked for.

use clap::Subcommand;

pub const MEMORY: &str = "Examples:
  loci memory view
  loci memory rebuild                          from what sessions came to; none is read again
  loci memory clear                            sessions and memories stay";

pub const PIPELINE: &str = "Examples:
  loci pipeline run --dry-run                  what a run would do and cost
  loci pipeline run
  loci pipeline status                         jobs, handbooks, the last run
  loci pipeline retry 7";

#[derive(Debug, Subcommand)]
pub enum PipelineCommand {
    /// Show the jobs, the one that changed last first, the handbooks, and how the last run went
    #[command(after_help = "Example:\n  loci pipeline status")]
    Status,
    /// Do now what is to be done, of all projects (--project: of one)
    #[command(after_help = "Example:\n  loci pipeline run --dry-run")]
    Run {
        /// Say what would be done and what it would cost; nothing is asked or written
        #[arg(long, conflicts_with = "detached")]
        dry_run: bool,
        /// In the background, unless somebody is at it
        #[arg(long, hide = true)]
        detached: bool,
    },
    /// Have a job tried again that failed; without a number all of them
    #[command(
        after_help = "Examples:\n  loci pipeline retry 7\n  loci pipeline retry                          all that failed"
    )]
    Retry {
        /// Its number: loci pipeline status shows it
        #[arg(value_parser = number)]
        id: Option<u64>,
    },
    /// Give a job up that waits or runs; without a number all of them
    #[command(after_help = "Example:\n  loci pipeline cancel 7")]
    Cancel {
        /// Its number: loci pipeline status shows it
        #[arg(value_parser = number)]
        id: Option<u64>,
    },
}

/// A job's number; what else it could be called is the name of many.
fn number(given: &str) -> Result<u64, &'static str> {
    given.parse().map_err(|_| "a job goes by its number, the first thing that `loci pipeline status` shows of it")
}

#[derive(Debug, Subcommand)]
pub enum MemoryCommand {
    /// Show what agents are given of the handbook, then the handbook itself
    #[command(after_help = "Example:\n  loci memory view")]
    View,
    /// Take the handbook of this project away with all that it was made of; sessions and memories stay
    #[command(after_help = "Example:\n  loci memory clear")]
    Clear {
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// The same as clear
    #[command(after_help = "Example:\n  loci memory reset --yes")]
    Reset {
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Have the handbook of this project made anew, by the daemon or at the next run
    #[command(after_help = "Example:\n  loci memory enqueue")]
    Enqueue,
    /// Make the handbook of this project anew now, from what its sessions came to; none is read again
    #[command(after_help = "Example:\n  loci memory rebuild")]
    Rebuild,
}
