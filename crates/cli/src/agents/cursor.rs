//! Cursor: `mcp.json` and `hooks.json` in `.cursor`, of the home or of a project. A hook is one flat object.

use super::{Agent, Call, Connects, Content, File, Level, Reach, Want};
use crate::hooks::cursor;
use serde_json::json;

const ID: &str = "cursor";
const EVENTS: [&str; 5] = ["sessionStart", "beforeSubmitPrompt", "stop", "preCompact", "sessionEnd"];

pub const AGENT: Agent = Agent {
    id: ID,
    name: "Cursor",
    aliases: &["cursor-agent", "cursor-cli"],
    program: "cursor",
    folder: |reach| reach.home.join(".cursor"),
    connects: Some(Connects { files, advice: "switch the server on in Cursor's settings if it asks" }),
    hooks: Some(cursor::HOOKS),
    keeps: None,
};

fn files(reach: &Reach, call: &Call) -> Vec<File> {
    let folder = match reach.level {
        Level::User => (AGENT.folder)(reach),
        Level::Project => reach.project.join(".cursor"),
    };
    let server = Want::Entry { way: &["mcpServers"], value: call.entry() };
    let mut hooks = vec![Want::Given { key: "version", value: json!(1) }];
    let hook = |event: &'static str| Want::Hook { event, agent: ID, value: json!({"command": call.hook(event, ID)}) };
    hooks.extend(EVENTS.map(hook));
    vec![
        File { path: folder.join("mcp.json"), content: Content::Json(vec![server]), what: "MCP server" },
        File { path: folder.join("hooks.json"), content: Content::Json(hooks), what: "hooks" },
    ]
}
