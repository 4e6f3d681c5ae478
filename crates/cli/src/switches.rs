//! What is switched on, and who switched the rest off.
//!
//! Owns the words for it. Never decides what off means: each verb and surface does.

use crate::config::{Config, Source};

/// The switches, in the order in which status shows them.
pub const SWITCHES: [&str; 6] = ["memory", "recall", "extract", "dream", "remember", "memories"];

/// Whether something is on: its own switch, and that of memory as a whole.
pub fn is_on(config: &Config, name: &str) -> bool {
    config.switch("memory.enabled") && config.switch(&format!("{name}.enabled"))
}

/// Why something is off, for a person; `None` when it is on.
pub fn why_off(config: &Config, name: &str) -> Option<String> {
    let key = format!("{name}.enabled");
    let (key, switch) = match config.switch(&key) {
        false => (key.clone(), config.setting(&key).ok()?),
        true if config.switch("memory.enabled") => return None,
        true => ("memory.enabled".to_owned(), config.setting("memory.enabled").ok()?),
    };
    Some(match switch.source {
        Source::Default => "off by default".to_owned(),
        Source::Home => format!("{key} = false in config.toml of the home"),
        Source::Project => format!("{key} = false in .loci/config.toml of the project"),
        Source::Environment => format!("{key} = false in the environment"),
        Source::Flag => format!("--set {key}=false"),
    })
}
