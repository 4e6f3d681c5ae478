//! What the verbs take.

use clap::Args;
use loci_domain::document::Kind;
use loci_domain::scope::Scope;
use std::path::PathBuf;

/// What `loci remember` takes.
#[derive(Debug, Clone, Args)]
pub struct RememberArgs {
    /// The statement; - reads it from stdin
    pub text: String,
    /// Only in this scope [default: by type]
    #[arg(long)]
    pub scope: Option<Scope>,
    /// What kind of fact it is: user, feedback, project or reference
    #[arg(long, value_name = "TYPE", value_parser = kind)]
    pub r#type: Option<Kind>,
    /// Look at no prior memory, and keep it even if it is there already
    #[arg(long)]
    pub clean: bool,
    /// Keep text that looks like a secret
    #[arg(long)]
    pub allow_secret: bool,
    /// Show the prompt that a model would be given, and change nothing
    #[arg(long)]
    pub show_prompt: bool,
}

/// What `loci recall` takes.
#[derive(Debug, Clone, Args)]
pub struct RecallArgs {
    /// A question, or words of what is looked for
    pub query: String,
    /// Look in past sessions of this project instead (--scope global: of all projects)
    #[arg(long, conflicts_with = "session")]
    pub sessions: bool,
    /// How many at most [default: recall.limit]
    #[arg(long)]
    pub limit: Option<usize>,
    /// Only this scope
    #[arg(long)]
    pub scope: Option<Scope>,
    /// Do not ask a model
    #[arg(long)]
    pub no_model: bool,
    /// Leave out what this session has been shown, and note what it is shown now
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
}

/// What `loci forget` takes.
#[derive(Debug, Clone, Args)]
pub struct ForgetArgs {
    /// What to forget: all its words must match
    pub query: String,
    /// Only in this scope
    #[arg(long)]
    pub scope: Option<Scope>,
    /// Show what would go, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// All that match, not only the best ones [default: forget.cli_max]
    #[arg(long)]
    pub all: bool,
    /// Leave no byte of it in the home; undo cannot bring it back
    #[arg(long)]
    pub purge: bool,
    /// Do not ask on a terminal
    #[arg(long, short)]
    pub yes: bool,
    /// Show the prompt that a model would be given, and change nothing
    #[arg(long)]
    pub show_prompt: bool,
}

/// What `loci dream` takes.
#[derive(Debug, Clone, Args)]
pub struct DreamArgs {
    /// Show what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Show the proposals that wait
    #[arg(long, conflicts_with_all = ["dry_run", "auto", "apply", "discard", "show_prompt"])]
    pub review: bool,
    /// Do what a proposal says
    #[arg(long, value_name = "ID", conflicts_with_all = ["dry_run", "auto", "discard"])]
    pub apply: Option<String>,
    /// Drop a proposal
    #[arg(long, value_name = "ID", conflicts_with_all = ["dry_run", "auto"])]
    pub discard: Option<String>,
    /// Only if it is time to: what machines use
    #[arg(long)]
    pub auto: bool,
    /// The session that asks
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Show the prompt that a model would be given, and change nothing
    #[arg(long, conflicts_with_all = ["apply", "discard"])]
    pub show_prompt: bool,
}

/// What `loci extract` takes.
#[derive(Debug, Clone, Args)]
pub struct ExtractArgs {
    /// The transcript
    pub file: PathBuf,
    /// The session that it is of
    #[arg(long, value_name = "ID")]
    pub session: String,
    /// Its format
    #[arg(long, default_value = "loci")]
    pub format: String,
    /// Show the prompts that a model would be given for what is new in it, and change nothing
    #[arg(long)]
    pub show_prompt: bool,
}

fn kind(word: &str) -> Result<Kind, String> {
    Kind::from_word(word).ok_or_else(|| "use user, feedback, project or reference".to_owned())
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  loci context
  loci context --query \"merge freeze\" --budget 4000
  loci context --explain                       what each part costs, and why it is there")]
pub struct ContextArgs {
    /// The turn's question, for the recall block
    #[arg(long)]
    pub query: Option<String>,
    /// Tokens for the whole [default: context.tokens]
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<usize>,
    /// The session, which gets the same bytes until its next boundary
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Start a new segment of the session
    #[arg(long, requires = "session")]
    pub boundary: bool,
    /// Show what each part costs instead of the text
    #[arg(long)]
    pub explain: bool,
}
