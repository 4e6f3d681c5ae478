//! What `loci import` and `loci export` can be asked for.

use clap::Args;
use loci_domain::scope::Scope;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  loci import ~/notes --dry-run
  loci import ~/.claude/projects/-home-me-app/memory
  loci import ~/.qwen/QWEN.md
  loci import ./vault --format basic-memory --scope global
  loci import backup.tar.zst

Formats: claude-code, codex, qwen, basic-memory, anthropic, markdown, and Loci's own exports.
What comes in is untrusted until you accept it (loci trust); one loci undo takes an import back.")]
pub struct ImportArgs {
    /// A folder, a file or an archive (.tar.zst)
    #[arg(value_name = "SRC")]
    pub source: PathBuf,
    /// How it is laid out [default: what it looks like]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// Where it goes [default: where it came from, the project for Claude Code, else global]
    #[arg(long)]
    pub scope: Option<Scope>,
    /// Show what would come in
    #[arg(long)]
    pub dry_run: bool,
    /// Keep text that looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  loci export ~/memory-backup
  loci export project.tar.zst --scope project
  loci import project.tar.zst --dry-run")]
pub struct ExportArgs {
    /// A folder, or an archive if the name ends in .tar.zst
    #[arg(value_name = "DIR|FILE.tar.zst")]
    pub target: PathBuf,
    /// Only this scope, without a folder of its own
    #[arg(long)]
    pub scope: Option<Scope>,
    /// Also where something else lies already
    #[arg(long)]
    pub force: bool,
}
