//! How an agent calls Loci.

use loci_domain::access::Mode;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What is written into an agent's configuration.
#[derive(Debug, Clone)]
pub struct Call {
    /// `loci` where that is this binary, else the path of this binary.
    pub program: String,
    /// What the agent may do.
    pub mode: Mode,
    /// `$LOCI_HOME`, where it is set: agents do not pass all of the environment on.
    pub home: Option<String>,
}

impl Call {
    /// The command line of the MCP server.
    pub fn server(&self) -> Vec<String> {
        let mode = match self.mode {
            Mode::Exec => "exec",
            Mode::Plan => "plan",
            Mode::Explore => "explore",
        };
        vec![self.program.clone(), "mcp".to_owned(), "--mode".to_owned(), mode.to_owned()]
    }

    /// The MCP entry that most agents understand.
    pub fn entry(&self) -> Value {
        let command = self.server();
        let mut entry = json!({"command": command[0], "args": command[1..]});
        if let Some(home) = &self.home {
            entry["env"] = json!({"LOCI_HOME": home});
        }
        entry
    }

    /// The shell command of a hook.
    pub fn hook(&self, event: &str, agent: &str) -> String {
        format!("{}{}", quoted(&self.program), hook_tail(event, agent))
    }
}

/// How each of our hook commands ends, whatever the program is called.
pub fn hook_tail(event: &str, agent: &str) -> String {
    format!(" hook {event} --agent {agent}")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "/._-+@%:,=".contains(sign);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// `loci` when the shell finds this very binary under that name, else its path.
pub fn program(own: &Path, path: &str) -> String {
    let same =
        |found: PathBuf| found.canonicalize().is_ok_and(|found| own.canonicalize().is_ok_and(|own| own == found));
    match on_path("loci", path) {
        Some(found) if same(found.clone()) => "loci".to_owned(),
        _ => own.to_string_lossy().into_owned(),
    }
}

/// Where a program is on a search path.
pub fn on_path(name: &str, path: &str) -> Option<PathBuf> {
    let runs = |file: &PathBuf| rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok() && file.is_file();
    std::env::split_paths(path).filter(|folder| folder.is_absolute()).map(|folder| folder.join(name)).find(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        for (word, shown) in [("/usr/bin/loci", "/usr/bin/loci"), ("/a b/loci", "'/a b/loci'"), ("it's", r"'it'\''s'")]
        {
            assert_eq!(quoted(word), shown);
        }
        let call = Call { program: "/a b/loci".into(), mode: Mode::Plan, home: None };
        assert_eq!(call.hook("Stop", "codex"), "'/a b/loci' hook Stop --agent codex");
        assert_eq!(call.entry(), json!({"command": "/a b/loci", "args": ["mcp", "--mode", "plan"]}));
    }
}
