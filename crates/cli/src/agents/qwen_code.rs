//! Qwen Code: `settings.json` in `~/.qwen` (`QWEN_HOME`), or in `.qwen` of a project. Its hooks are timed in milliseconds.

use super::content::hooks;
use super::{Agent, Call, Connects, Content, File, Keeps, Level, Reach, Want};
use crate::hooks::qwen_code;
use loci_domain::transcript::Format;

const ID: &str = "qwen-code";
const EVENTS: [&str; 6] = ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "SessionEnd"];

pub const AGENT: Agent = Agent {
    id: ID,
    name: "Qwen Code",
    aliases: &["qwen", "qwencode"],
    program: "qwen",
    folder: |reach| reach.folder("QWEN_HOME", ".qwen"),
    connects: Some(Connects { files, advice: "it holds for sessions that start from now on" }),
    hooks: Some(qwen_code::HOOKS),
    keeps: Some(Keeps {
        format: Format::QwenCode,
        places: |reach| {
            let folder = match (reach.env)("QWEN_RUNTIME_DIR").filter(|folder| !folder.is_empty()) {
                Some(_) => reach.folder("QWEN_RUNTIME_DIR", ".qwen"),
                None => (AGENT.folder)(reach),
            };
            vec![(folder, "projects/*/chats/*.jsonl")]
        },
        except: "",
        unread: None,
    }),
};

fn files(reach: &Reach, call: &Call) -> Vec<File> {
    let folder = match reach.level {
        Level::User => (AGENT.folder)(reach),
        Level::Project => reach.project.join(".qwen"),
    };
    let mut wants = vec![Want::Entry { way: &["mcpServers"], value: call.entry() }];
    wants.extend(hooks(call, ID, &EVENTS, 1000));
    vec![File { path: folder.join("settings.json"), content: Content::Json(wants), what: "MCP server and hooks" }]
}
