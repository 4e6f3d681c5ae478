//! oh-my-pi: sessions in `~/.omp/agent` (`PI_CODING_AGENT_DIR`; `PI_CONFIG_DIR` names another folder than `.omp`) and in
//! its profiles. It cannot be connected: its extensions are programs, and it has no hook commands.

use super::{Agent, Keeps, Reach};
use loci_domain::transcript::Format;
use std::path::PathBuf;

pub const AGENT: Agent = Agent {
    id: "oh-my-pi",
    name: "oh-my-pi",
    aliases: &["omp", "ohmypi"],
    program: "omp",
    folder,
    connects: None,
    hooks: None,
    keeps: Some(Keeps {
        format: Format::OhMyPi,
        places: |reach| {
            let usual = vec![
                (folder(reach), "agent/sessions/*/*.jsonl"),
                (folder(reach), "profiles/*/agent/sessions/*/*.jsonl"),
            ];
            match (reach.env)("PI_CODING_AGENT_DIR").filter(|folder| !folder.is_empty()) {
                Some(_) => vec![(reach.folder("PI_CODING_AGENT_DIR", ""), "sessions/*/*.jsonl")],
                None => usual,
            }
        },
        except: "",
        unread: None,
    }),
};

fn folder(reach: &Reach) -> PathBuf {
    let name = (reach.env)("PI_CONFIG_DIR").filter(|name| !name.is_empty());
    reach.home.join(name.unwrap_or_else(|| ".omp".to_owned()))
}
