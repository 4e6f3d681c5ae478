//! Codex: `config.toml` and `hooks.json` in `~/.codex` (`CODEX_HOME`), or in `.codex` of a trusted project.

use super::content::hooks;
use super::{Agent, Call, Connects, Content, File, Keeps, Level, Reach};
use crate::hooks::codex;
use loci_domain::transcript::Format;

const ID: &str = "codex";
const EVENTS: [&str; 6] = ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "SessionEnd"];

pub const AGENT: Agent = Agent {
    id: ID,
    name: "Codex",
    aliases: &["codex-cli", "openai-codex"],
    program: "codex",
    folder: |reach| reach.folder("CODEX_HOME", ".codex"),
    connects: Some(Connects { files, advice: "Codex asks once whether it may run the new hooks; /hooks shows them" }),
    hooks: Some(codex::HOOKS),
    keeps: Some(Keeps {
        format: Format::Codex,
        places: |reach| {
            let folder = (AGENT.folder)(reach);
            vec![(folder.clone(), "sessions/*/*/*/rollout-*.jsonl"), (folder, "archived_sessions/rollout-*.jsonl")]
        },
        except: "",
        unread: None,
    }),
};

fn files(reach: &Reach, call: &Call) -> Vec<File> {
    let folder = match reach.level {
        Level::User => (AGENT.folder)(reach),
        Level::Project => reach.project.join(".codex"),
    };
    let server = Content::Toml { table: "mcp_servers", entry: call.entry() };
    vec![
        File { path: folder.join("config.toml"), content: server, what: "MCP server" },
        File { path: folder.join("hooks.json"), content: Content::Json(hooks(call, ID, &EVENTS, 1)), what: "hooks" },
    ]
}
