//! What is switched on, and who switched the rest off.
//!
//! Owns the words for it, and the refusal of verbs while memory is off. A person can still list, show, edit and undo.

use crate::config::{Config, Source};
use crate::fault::Failure;
use loci_domain::fault::Fault;

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

/// Refuses a verb while memory is off.
pub fn require_memory(config: &Config) -> Result<(), Failure> {
    match why_off(config, "memory") {
        None => Ok(()),
        Some(why) => Err(Failure::new(Fault::Offline, "memory_disabled", format!("memory is switched off ({why})"))),
    }
}
