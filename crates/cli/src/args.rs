//! What can be asked on the command line.

mod connect;
mod eval;
mod flags;
mod hook;
mod import;
mod log;
mod pipeline;
mod record;
mod serve;
mod session;
mod setup;
mod tool;
mod trust;
mod verbs;
mod workspace;

pub use connect::{ConnectArgs, DisconnectArgs};
pub use eval::EvalCommand;
pub use flags::Common;
pub use hook::HookArgs;
pub use import::{ExportArgs, ImportArgs};
pub use log::LogArgs;
pub use pipeline::{MemoryCommand, PipelineCommand};
pub use record::{AgentCommand, ConversationCommand, SandboxCommand};
pub use serve::{ServeArgs, TokenCommand};
pub use session::SessionCommand;
pub use setup::{ConfigArgs, InitArgs};
pub use tool::ToolArgs;
pub use trust::TrustArgs;
pub use verbs::{ContextArgs, DreamArgs, ExtractArgs, ForgetArgs, RecallArgs, RememberArgs};
pub use workspace::{AccountCommand, WorkspaceCommand};

use clap::{Parser, Subcommand};
use clap_complete::Shell;
use loci_domain::access::Mode;
use loci_domain::scope::Scope;

/// Durable memory for AI agents: plain Markdown that you own.
#[derive(Debug, Parser)]
#[command(
    name = "loci",
    version,
    about = "Durable memory for AI agents: plain Markdown that you own",
    arg_required_else_help = true,
    after_help = "Examples:
  loci remember \"I prefer tabs\"              keep a statement
  loci list                                  what is remembered here
  loci show global/user/editor.md            one memory
  loci edit project/decisions.md             change it in your editor
  loci undo                                  take the last change back
  echo '{\"command\":\"view\",\"path\":\"/memories\"}' | loci tool

Paths are /memories/<scope>/..., or the same without /memories/. Scopes: global, project, workspace."
)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads the words of this process.
    pub fn read() -> Result<Cli, clap::Error> {
        hook::in_haste().map_or_else(Cli::try_parse, Ok)
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run memory-tool calls: one JSON call a line on stdin, one answer a line on stdout
    Tool(ToolArgs),
    /// Show what is remembered
    #[command(after_help = "Examples:
  loci list
  loci list --scope project --json")]
    List {
        /// Only this scope
        #[arg(long)]
        scope: Option<Scope>,
    },
    /// Show one memory
    #[command(
        after_help = "Examples:\n  loci show global/user/editor.md\n  loci show global/user/editor.md --why      where its entries came from"
    )]
    Show {
        /// Its path: /memories/<scope>/…, or the same without /memories/
        path: String,
        /// Show which session and message each entry came from
        #[arg(long)]
        why: bool,
    },
    /// Change a memory in $EDITOR; a new path makes a new one
    #[command(after_help = "Examples:
  loci edit global/user/editor.md
  EDITOR='code --wait' loci edit project/decisions.md")]
    Edit {
        /// Its path: /memories/<scope>/…, or the same without /memories/
        path: String,
        /// Keep text that looks like a secret
        #[arg(long)]
        allow_secret: bool,
    },
    /// Remove a memory or a folder; `loci undo` brings it back
    #[command(
        after_help = "Examples:\n  loci rm global/user/editor.md\n  loci rm project/old                     a folder with all in it"
    )]
    Rm {
        /// Its path: /memories/<scope>/…, or the same without /memories/
        path: String,
    },
    /// Move a memory or a folder within its scope
    #[command(after_help = "Example:\n  loci mv global/user/editor.md global/user/tools/editor.md")]
    Mv {
        /// Its path: /memories/<scope>/…, or the same without /memories/
        from: String,
        /// Where it goes; nothing may be there yet
        to: String,
    },
    /// Keep a memory always in context; no forgetting, extracting or dreaming changes it
    #[command(after_help = "Example:\n  loci pin global/feedback/terse.md")]
    Pin {
        /// Its path: /memories/<scope>/…, or the same without /memories/
        path: String,
    },
    /// Take a pin away
    #[command(after_help = "Example:\n  loci unpin global/feedback/terse.md")]
    Unpin {
        /// Its path: /memories/<scope>/…, or the same without /memories/
        path: String,
    },
    /// Write MEMORY.md of every scope anew
    #[command(after_help = "Example:\n  loci index                              every change does so by itself")]
    Index,
    /// Remember a statement; what is known already is updated, not repeated
    #[command(after_help = "Examples:
  loci remember \"I prefer tabs over spaces\"
  loci remember \"The latency board is at https://grafana.example.com/d/1\" --type reference
  git log -1 --format=%B | loci remember - --scope project
  loci remember \"Never deploy on Friday\" --show-prompt   what a model would be asked")]
    Remember(RememberArgs),
    /// Forget entries; `loci undo` brings them back unless they were purged
    #[command(after_help = "Examples:
  loci forget \"staging cluster\" --dry-run
  loci forget \"dark roast coffee\"
  loci forget \"old dashboard\" --scope project --all
  loci forget \"my phone number\" --purge      no byte of it is left in the home, nor in the journal")]
    Forget(ForgetArgs),
    /// Find the memories that matter for a question; nothing when nothing fits
    #[command(after_help = "Examples:
  loci recall \"which port does the database use?\"
  loci recall 部署 --limit 2 --json
  loci recall \"retry policy\" --session s1      leaves out what s1 has been shown
  loci recall --sessions \"who asked for it?\"   in what was said, not in what is remembered")]
    Recall(RecallArgs),
    /// Show why a recall answered as it did
    #[command(after_help = "Example:\n  loci why 01jd…   (the receipt of a recall)")]
    Why {
        /// Its receipt: a recall tells it at its end
        receipt: String,
    },
    /// Print exactly what an agent would be given
    Context(ContextArgs),
    /// Print a page of this project's handbook
    #[command(after_help = "Examples:
  loci read memory://root                      the summary
  loci read memory://root/skills/release/SKILL.md")]
    Read {
        /// A page: memory://root, or memory://root/ and a path below
        uri: String,
    },
    /// Learn durable facts from a transcript
    #[command(after_help = "Examples:
  loci extract session.jsonl --session s1
  loci show --why global/user/editor.md       where a memory came from")]
    Extract(ExtractArgs),
    /// Tidy memory: merge what is said twice, drop emptied files
    #[command(after_help = "Examples:
  loci dream --dry-run        what would change
  loci dream                  do it; loci undo takes it back
  loci dream --review         proposals that wait for you")]
    Dream(DreamArgs),
    /// Show what changed, newest first
    #[command(after_help = "Examples:
  loci log
  loci log global/user/editor.md --limit 5
  loci log --records          what was done to workspaces, agents, sandboxes and accounts")]
    Log(LogArgs),
    /// Take back the last group of changes, or one change or group by its id
    #[command(after_help = "Examples:
  loci undo                               again: the group before it
  loci undo 01jd…                         that one alone (ids: loci log)")]
    Undo {
        /// A change or a group [default: the last group]
        id: Option<String>,
    },
    /// Bring a memory back as it was after a change
    #[command(after_help = "Example:\n  loci restore global/user/editor.md --at 01jd…   (ids: loci log)")]
    Restore {
        /// Its path: /memories/<scope>/…, or the same without /memories/
        path: String,
        /// The change whose result is wanted
        #[arg(long, value_name = "ID")]
        at: String,
    },
    /// Accept memories that came with a checkout or an import
    Trust(TrustArgs),
    /// Show where memory is and what state it is in
    #[command(after_help = "Examples:\n  loci status\n  loci status --json | jq .scopes")]
    Status,
    /// Look for faults; exit 1 when there are any
    #[command(
        after_help = "Examples:\n  loci doctor\n  loci doctor --fix                       mend what can be mended"
    )]
    Doctor {
        /// Mend what can be mended
        #[arg(long)]
        fix: bool,
    },
    /// Set memory up for this project
    Init(InitArgs),
    /// Workspaces: units of work with memory of their own, and files that agents share
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// Agents that work in workspaces
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Sandboxes: where the commands of agents run
    #[command(subcommand)]
    Sandbox(SandboxCommand),
    /// See what agents and people said, turn by turn
    #[command(subcommand)]
    Conversation(ConversationCommand),
    /// Import past sessions, to find what was said in them
    #[command(subcommand)]
    Session(SessionCommand),
    /// Run the daemon: memory over HTTP for scripts, pages and other programs
    Serve(ServeArgs),
    /// Be an MCP server on stdin and stdout: memory for any agent that speaks MCP
    #[command(after_help = "Examples:
  loci mcp                      what an agent's MCP settings start
  loci mcp --mode explore       an agent that may only look")]
    Mcp {
        /// What the agent may do: exec, plan or explore
        #[arg(long, default_value = "exec")]
        mode: Mode,
    },
    /// Speak the Agent Client Protocol on stdin and stdout, for hosts and for the daemon itself
    #[command(after_help = "Example:\n  loci acp                                what an editor's agent settings start")]
    Acp,
    /// Let another agent use this memory; without a name, show which do
    Connect(ConnectArgs),
    /// Take exactly that back
    Disconnect(DisconnectArgs),
    /// Take in what other tools remember; untrusted until you accept it
    Import(ImportArgs),
    /// Write documents to a folder or an archive
    Export(ExportArgs),
    /// Answer an agent's hook: its event as JSON on stdin, its answer on stdout; always exit 0
    Hook(HookArgs),
    /// The handbook that is made of past sessions: see it, make it anew, take it away
    #[command(subcommand, after_help = pipeline::MEMORY)]
    Memory(MemoryCommand),
    /// Show background jobs, do them now, or have one tried again
    #[command(subcommand, after_help = pipeline::PIPELINE)]
    Pipeline(PipelineCommand),
    /// Others who share this daemon: accounts with keys and memory of their own
    #[command(subcommand)]
    Account(AccountCommand),
    /// Give tokens of the daemon to other programs
    #[command(subcommand, after_help = serve::TOKENS)]
    Token(TokenCommand),
    /// Measure recall on a dataset, or the health of your own memory
    #[command(after_help = "Examples:
  loci eval self
  loci eval recall --dataset crates/memory/eval/corpus.json --format loci")]
    Eval {
        #[command(subcommand)]
        command: EvalCommand,
    },
    /// Show settings, or set one in the home
    Config(ConfigArgs),
    /// Print shell completions
    #[command(after_help = "Example:\n  loci completions bash > ~/.local/share/bash-completion/completions/loci")]
    Completions {
        /// Which shell
        shell: Shell,
    },
}
