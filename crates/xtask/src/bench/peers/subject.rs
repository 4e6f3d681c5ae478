//! Who is asked, and in whose words: Loci by its own tools, the others by those of MCP's reference server.
//!
//! Owns how each is started and what a call means to it; what is measured is the same for all of them.

use crate::bench::home::{Home, create};
use crate::bench::server::Server;
use crate::repo;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::process::{Command, Stdio};

/// The memory that several processes append to.
const SHARED: &str = "shared.md";

/// A memory server.
#[derive(Clone, Copy)]
pub enum Subject {
    Loci,
    /// One that has `create_entities`, `add_observations`, `search_nodes` and `open_nodes`, started by these words.
    Graph(&'static [&'static str]),
}

/// A tool and its arguments.
type Call = (&'static str, Value);

impl Subject {
    /// Starts it, greeted; what it keeps is in this home, or beside it.
    pub fn start(self, home: &Home) -> Result<Server> {
        let Subject::Graph(words) = self else { return home.mcp() };
        let (program, rest) = words.split_first().context("nothing to start")?;
        let mut command = Command::new(program);
        command.args(rest).current_dir(repo::root()).stderr(Stdio::null());
        command.env("MEMORY_FILE_PATH", home.beside().join("memory.db"));
        Server::start(command)
    }

    /// How many documents it takes with one call.
    pub fn at_once(self) -> usize {
        match self {
            Subject::Loci => 1,
            Subject::Graph(_) => 100,
        }
    }

    /// Writes some documents, as many as it takes.
    pub fn write(self, documents: &[Value]) -> Call {
        let entity = |document: &Value| json!({"name": document["path"], "entityType": "note", "observations": [document["content"]]});
        let text = |field: &str| documents.first().and_then(|document| document[field].as_str()).unwrap_or_default();
        match self {
            Subject::Loci => ("memory", create(text("path"), text("content"))),
            Subject::Graph(_) => {
                let entities: Vec<Value> = documents.iter().map(entity).collect();
                ("create_entities", json!({"entities": entities}))
            }
        }
    }

    /// Asks a question.
    pub fn search(self, query: &str) -> Call {
        match self {
            Subject::Loci => ("recall", json!({"query": query})),
            Subject::Graph(_) => ("search_nodes", json!({"query": query})),
        }
    }

    /// The names of the first five documents of an answer.
    pub fn found(self, told: &Value) -> Vec<String> {
        let (hits, name) = match self {
            Subject::Loci => (told["structuredContent"]["hits"].clone(), "path"),
            Subject::Graph(_) => (graph(told)["entities"].take(), "name"),
        };
        let names = hits.as_array().into_iter().flatten().take(5).filter_map(|hit| hit[name].as_str());
        names.map(|name| name.rsplit('/').next().unwrap_or(name).to_owned()).collect()
    }

    /// Makes the memory that several processes append to.
    pub fn begin(self) -> Call {
        self.write(&[json!({"path": SHARED, "content": "# All\n"})])
    }

    /// Appends a line to it.
    pub fn append(self, line: &str) -> Call {
        match self {
            Subject::Loci => (
                "memory",
                json!({"command": "insert", "path": format!("/memories/global/{SHARED}"), "insert_line": 1, "insert_text": line}),
            ),
            Subject::Graph(_) => {
                ("add_observations", json!({"observations": [{"entityName": SHARED, "contents": [line]}]}))
            }
        }
    }

    /// Reads it again.
    pub fn read(self) -> Call {
        match self {
            Subject::Loci => ("memory", json!({"command": "view", "path": format!("/memories/global/{SHARED}")})),
            Subject::Graph(_) => ("open_nodes", json!({"names": [SHARED]})),
        }
    }

    /// The lines of what was read.
    pub fn lines(self, told: &Value) -> Vec<String> {
        match self {
            // Each has its number before it.
            Subject::Loci => {
                let text = told["content"][0]["text"].as_str().unwrap_or_default();
                text.lines().filter_map(|line| Some(line.split_once('\t')?.1.to_owned())).collect()
            }
            Subject::Graph(_) => {
                let graph = graph(told);
                let lines = graph["entities"][0]["observations"].as_array().into_iter().flatten();
                lines.filter_map(|line| line.as_str().map(str::to_owned)).collect()
            }
        }
    }
}

/// The graph of an answer: as structure where there is one, else as text.
fn graph(told: &Value) -> Value {
    if told["structuredContent"]["entities"].is_array() {
        return told["structuredContent"].clone();
    }
    serde_json::from_str(told["content"][0]["text"].as_str().unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_whatever_their_shape() {
        let hits = json!({"structuredContent": {"hits": [{"path": "/memories/global/n1.md"}]}});
        assert_eq!(Subject::Loci.found(&hits), ["n1.md"]);
        let entities = json!({"entities": [{"name": "n1.md", "observations": ["# All", "one"]}]});
        let structure = json!({"structuredContent": entities, "content": [{"text": "1 found"}]});
        let text = json!({"content": [{"text": entities.to_string()}]});
        for told in [structure, text] {
            assert_eq!(Subject::Graph(&[]).found(&told), ["n1.md"]);
            assert_eq!(Subject::Graph(&[]).lines(&told), ["# All", "one"]);
        }
        let file = json!({"content": [{"text": "Here's the content:\n     1\t# All\n     2\tone"}]});
        assert_eq!(Subject::Loci.lines(&file), ["# All", "one"]);
    }
}
