//! OpenCode: `opencode.json` or `.jsonc` in `~/.config/opencode` (`OPENCODE_CONFIG_DIR`, `XDG_CONFIG_HOME`) or at the top
//! of a project. It has no hook commands; a plugin beside it (`opencode/plugin.js`) calls them.

use super::keeps::Unread;
use super::{Agent, Call, Connects, Content, File, Keeps, Level, Reach, Want};
use crate::hooks::opencode;
use loci_domain::transcript::Format;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const PLUGIN: &str = include_str!("opencode/plugin.js");

pub const AGENT: Agent = Agent {
    id: "opencode",
    name: "OpenCode",
    aliases: &["open-code"],
    program: "opencode",
    folder: |reach| match (reach.env)("OPENCODE_CONFIG_DIR") {
        Some(_) => reach.folder("OPENCODE_CONFIG_DIR", ".config/opencode"),
        None => reach.folder("XDG_CONFIG_HOME", ".config").join("opencode"),
    },
    connects: Some(Connects { files, advice: "it holds for sessions that start from now on" }),
    hooks: Some(opencode::HOOKS),
    keeps: Some(Keeps {
        format: Format::OpenCode,
        places: |reach| vec![(data(reach), "storage/session/*/*.json")],
        except: "",
        unread: Some(Unread {
            path: |reach| data(reach).join("opencode.db"),
            advice: "sessions in OpenCode's database are not read; `opencode export ID > FILE` writes one out, and \
                     `loci session import FILE` takes it in",
        }),
    }),
};

fn files(reach: &Reach, call: &Call) -> Vec<File> {
    let (config, plugins) = match reach.level {
        Level::User => ((AGENT.folder)(reach), (AGENT.folder)(reach).join("plugins")),
        Level::Project => (reach.project.clone(), reach.project.join(".opencode/plugins")),
    };
    let mut value = json!({"type": "local", "command": call.server(), "enabled": true});
    if let Some(home) = &call.home {
        value["environment"] = json!({"LOCI_HOME": home});
    }
    let server = Want::Entry { way: &["mcp"], value };
    vec![
        File { path: config_file(&config), content: Content::Json(vec![server]), what: "MCP server" },
        File { path: plugins.join("loci.js"), content: Content::Whole(plugin(call)), what: "hooks, as a plugin" },
    ]
}

/// The folder of what OpenCode keeps itself.
fn data(reach: &Reach) -> PathBuf {
    reach.folder("XDG_DATA_HOME", ".local/share").join("opencode")
}

/// The file that a person has; else the usual one.
fn config_file(folder: &Path) -> PathBuf {
    let names = ["opencode.jsonc", "opencode.json"];
    let there = names.iter().map(|name| folder.join(name)).find(|file| file.exists());
    there.unwrap_or_else(|| folder.join("opencode.json"))
}

fn plugin(call: &Call) -> String {
    let env = call.home.as_ref().map_or(json!({}), |home| json!({"LOCI_HOME": home}));
    PLUGIN
        .replace("\"PROGRAM\"", &Value::from(call.program.as_str()).to_string())
        .replace("\"ENVIRONMENT\"", &env.to_string())
}
