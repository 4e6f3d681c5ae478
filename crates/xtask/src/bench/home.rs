//! A person's Loci home that only this run uses.

use super::child::Tool;
use super::corpus;
use super::server::Server;
use crate::repo;
use crate::scratch::Scratch;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A fresh home on the disk that the floors are measured on.
pub struct Home {
    scratch: Scratch,
}

impl Home {
    /// Makes one, with room for more documents than the default allows.
    pub fn new() -> Result<Home> {
        let scratch = Scratch::new("bench")?;
        let home = Home { scratch };
        std::fs::create_dir_all(home.path())?;
        home.set("limits.files_per_scope = 20000")?;
        Ok(home)
    }

    /// Adds a setting, such as `limits.file_bytes = 1`.
    pub fn set(&self, line: &str) -> Result<()> {
        let file = self.path().join("config.toml");
        let before = std::fs::read_to_string(&file).unwrap_or_default();
        Ok(std::fs::write(file, format!("{before}{line}\n"))?)
    }

    /// `LOCI_HOME`.
    pub fn path(&self) -> PathBuf {
        self.scratch.path().join("home")
    }

    /// A place beside the home, for floors.
    pub fn beside(&self) -> &Path {
        self.scratch.path()
    }

    /// Where a file of the global scope lies.
    pub fn global(&self, inner: &str) -> PathBuf {
        self.path().join("memory").join(inner)
    }

    /// `loci` with these words, in this home, without a project and without a person's own settings.
    pub fn loci(&self, words: &[&str]) -> Command {
        let mut command = Command::new(repo::root().join("target/release/loci"));
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("LOCI_")) {
            command.env_remove(name);
        }
        command.args(words).args(["--project", ""]).current_dir(self.scratch.path());
        command.env("LOCI_HOME", self.path()).env("HOME", self.scratch.path()).env("NO_COLOR", "1");
        command
    }

    /// A running `loci tool`.
    pub fn tool(&self) -> Result<Tool> {
        Tool::start(self.loci(&["tool"]))
    }

    /// A running `loci mcp`, greeted.
    pub fn mcp(&self) -> Result<Server> {
        Server::start(self.loci(&["mcp"]))
    }

    /// Makes `count` documents through one process.
    pub fn seed(&self, count: usize) -> Result<()> {
        let mut tool = self.tool()?;
        for number in 0..count {
            let answer = tool.call(&create(&seeded(number), &corpus::document(number)))?.context("loci tool ended")?;
            ensure!(answer.success, "document {number}: {}", answer.text);
        }
        tool.end()
    }

    /// Lays the documents of a dataset into the global scope as an editor would, unseen by any process.
    pub fn lay(&self, dataset: &Value) -> Result<()> {
        for document in dataset["documents"].as_array().context("no documents")? {
            let file = self.global(document["path"].as_str().context("no path")?);
            std::fs::create_dir_all(file.parent().context("no folder")?)?;
            std::fs::write(file, document["content"].as_str().context("no content")?)?;
        }
        Ok(())
    }
}

/// Where the document of this number was seeded, below the global scope.
pub fn seeded(number: usize) -> String {
    format!("d{}/note-{number}.md", number / 100)
}

/// A call that makes a file of the global scope.
pub fn create(inner: &str, text: &str) -> Value {
    json!({"command": "create", "path": format!("/memories/global/{inner}"), "file_text": text})
}
