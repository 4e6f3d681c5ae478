//! What can be done with agents, sandboxes and conversations.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  loci agent add '{\"system\": \"Be brief.\", \"workspaces\": [{\"name\": \"notes\", \"workspaceId\": \"ws_01jd…\"}]}'
  loci agent add - < agent.json
  loci agent set ag_01jd… '{\"model\": \"fast\", \"sandbox\": null}'
  loci agent rm ag_01jd…")]
pub enum AgentCommand {
    /// Make an agent
    #[command(after_help = "Example:\n  loci agent add - < agent.json")]
    Add {
        /// What it is: system, sandbox, workspaces, model, session; - reads it from stdin
        #[arg(value_name = "JSON")]
        body: String,
    },
    /// Show all agents
    #[command(after_help = "Example:\n  loci agent list")]
    List,
    /// Show an agent
    #[command(after_help = "Example:\n  loci agent show ag_01jd…")]
    Show {
        /// Its id
        id: String,
    },
    /// Change an agent; what is not named stays, null takes away, lists are replaced
    #[command(after_help = "Example:\n  loci agent set ag_01jd… '{\"model\": \"fast\"}'")]
    Set {
        /// Its id
        id: String,
        /// What changes; - reads it from stdin
        #[arg(value_name = "JSON")]
        body: String,
    },
    /// Remove an agent; its conversations and workspaces stay
    #[command(after_help = "Example:\n  loci agent rm ag_01jd…")]
    Rm {
        /// Its id
        id: String,
    },
}

#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  loci sandbox add tools                       then name its id in an agent
  loci sandbox rm sb_01jd…")]
pub enum SandboxCommand {
    /// Make a sandbox on this machine
    #[command(after_help = "Example:\n  loci sandbox add tools")]
    Add {
        /// What it is called
        name: String,
    },
    /// Show all sandboxes
    #[command(after_help = "Example:\n  loci sandbox list")]
    List,
    /// Show a sandbox
    #[command(after_help = "Example:\n  loci sandbox show sb_01jd…")]
    Show {
        /// Its id
        id: String,
    },
    /// Remove a sandbox; agents that name it say so at their next turn
    #[command(after_help = "Example:\n  loci sandbox rm sb_01jd…")]
    Rm {
        /// Its id
        id: String,
    },
}

#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  loci conversation list
  loci conversation show support-42 --from 20
  loci conversation rm support-42")]
pub enum ConversationCommand {
    /// Show all conversations, the one in which something happened last first
    #[command(after_help = "Example:\n  loci conversation list")]
    List,
    /// Show what was said in a conversation
    #[command(after_help = "Example:\n  loci conversation show support-42 --from 20")]
    Show {
        /// The conversation's key
        key: String,
        /// The first message, counted from 0
        #[arg(long, value_name = "N", default_value_t = 0)]
        from: u64,
        /// How many messages at most
        #[arg(long, value_name = "N", default_value_t = 10_000)]
        limit: usize,
    },
    /// Remove a conversation for good; files of workspaces stay
    #[command(after_help = "Example:\n  loci conversation rm support-42")]
    Rm {
        /// The conversation's key
        key: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
}
