//! Claude Code: `~/.claude.json` and `~/.claude/settings.json`, both moved by `CLAUDE_CONFIG_DIR`; in a project `.mcp.json`
//! and `.claude/settings.json`.

use super::content::hooks;
use super::{Agent, Call, Connects, Content, File, Keeps, Level, Reach, Want};
use crate::hooks::claude_code;
use loci_domain::transcript::Format;
use serde_json::{Value, json};

const ID: &str = "claude-code";
const EVENTS: [&str; 6] = ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "SessionEnd"];

pub const AGENT: Agent = Agent {
    id: ID,
    name: "Claude Code",
    aliases: &["claude", "claudecode", "cc"],
    program: "claude",
    folder: |reach| reach.folder("CLAUDE_CONFIG_DIR", ".claude"),
    connects: Some(Connects { files, advice: "it holds for sessions that start from now on" }),
    hooks: Some(claude_code::HOOKS),
    keeps: Some(Keeps {
        format: Format::ClaudeCode,
        places: |reach| vec![((AGENT.folder)(reach), "projects/*/*.jsonl")],
        // What sub-agents were told, in older versions.
        except: "agent-*",
        unread: None,
    }),
};

fn files(reach: &Reach, call: &Call) -> Vec<File> {
    let (servers, settings) = match reach.level {
        Level::User => {
            // Without the variable one file lies beside the folder, with it all lie inside.
            (reach.folder("CLAUDE_CONFIG_DIR", "").join(".claude.json"), (AGENT.folder)(reach).join("settings.json"))
        }
        Level::Project => (reach.project.join(".mcp.json"), reach.project.join(".claude/settings.json")),
    };
    let mut value = json!({"type": "stdio"});
    if let (Value::Object(value), Value::Object(entry)) = (&mut value, call.entry()) {
        value.extend(entry);
    }
    let server = Want::Entry { way: &["mcpServers"], value };
    vec![
        File { path: servers, content: Content::Json(vec![server]), what: "MCP server" },
        File { path: settings, content: Content::Json(hooks(call, ID, &EVENTS, 1)), what: "hooks" },
    ]
}
