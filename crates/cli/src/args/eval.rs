//! What can be measured.

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// How healthy your own memory is: a number each, without a model
    #[command(name = "self", after_help = "Example:\n  loci eval self")]
    Own,
    /// How well recall finds what it should
    #[command(after_help = "Example:\n  loci eval recall --dataset crates/memory/eval/corpus.json --format loci")]
    Recall {
        /// The dataset
        #[arg(long, value_name = "FILE")]
        dataset: PathBuf,
        /// Its format: loci, locomo or longmemeval
        #[arg(long, default_value = "loci", value_parser = ["loci", "locomo", "longmemeval"])]
        format: String,
        /// Only the first questions
        #[arg(long, value_name = "N")]
        limit_questions: Option<usize>,
        /// Write what was ranked, a JSON line a question
        #[arg(long, value_name = "OUT")]
        rankings: Option<PathBuf>,
        /// Only this split of the questions
        #[arg(long)]
        split: Option<String>,
    },
}
