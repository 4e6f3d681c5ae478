//! Gemini CLI: `.gemini/settings.json` in the home (`GEMINI_CLI_HOME`) or in a project. Its events have names of their
//! own, and its hooks are timed in milliseconds.

use super::content::hooks;
use super::{Agent, Call, Connects, Content, File, Keeps, Level, Reach, Want};
use crate::hooks::gemini_cli;
use loci_domain::transcript::Format;

const ID: &str = "gemini-cli";
const EVENTS: [&str; 6] = ["SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "PreCompress", "SessionEnd"];

pub const AGENT: Agent = Agent {
    id: ID,
    name: "Gemini CLI",
    aliases: &["gemini", "geminicli"],
    program: "gemini",
    folder: |reach| reach.folder("GEMINI_CLI_HOME", "").join(".gemini"),
    connects: Some(Connects { files, advice: "it holds for sessions that start from now on" }),
    hooks: Some(gemini_cli::HOOKS),
    keeps: Some(Keeps {
        format: Format::GeminiCli,
        places: |reach| {
            let folder = (AGENT.folder)(reach);
            vec![(folder.clone(), "tmp/*/chats/session-*.json"), (folder, "tmp/*/chats/session-*.jsonl")]
        },
        except: "",
        unread: None,
    }),
};

fn files(reach: &Reach, call: &Call) -> Vec<File> {
    let folder = match reach.level {
        Level::User => (AGENT.folder)(reach),
        Level::Project => reach.project.join(".gemini"),
    };
    let mut wants = vec![Want::Entry { way: &["mcpServers"], value: call.entry() }];
    wants.extend(hooks(call, ID, &EVENTS, 1000));
    vec![File { path: folder.join("settings.json"), content: Content::Json(wants), what: "MCP server and hooks" }]
}
