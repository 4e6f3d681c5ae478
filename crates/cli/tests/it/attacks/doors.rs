//! Every way in by which a path can be named: command line, HTTP, MCP on pipes and over HTTP, the page's own routes, and
//! the tools of a model that does what it is told.
//!
//! A call is one of the six commands; a door that has no such command is asked for what comes nearest.

use crate::mcp::{greet, post};
use crate::support::home;
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, Tool, write};
use loci_testkit::mcp::Mcp;
use loci_testkit::model::{Model, Step, Wire};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What stands in the canary outside; no answer may hold it.
pub const CANARY: &str = "canary-7Qz4";

/// The doors that answer call by call; the model's is [`by_a_model`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    CommandLine,
    Http,
    Pipes,
    McpOverHttp,
    Page,
}

impl Door {
    pub const ALL: [Door; 5] = [Door::CommandLine, Door::Http, Door::Pipes, Door::McpOverHttp, Door::Page];
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub done: bool,
    pub words: String,
    pub took: Duration,
}

/// One machine with all doors open.
pub struct House {
    tool: Tool,
    daemon: Daemon,
    pipes: Mcp,
    session: String,
    pub home: Home,
}

impl House {
    /// A house with a canary outside of memory and one real file in it.
    pub fn new() -> House {
        let home = home();
        write(&home.dir().join("outside/canary.md"), CANARY);
        write(&home.home().join("memories_evil/x"), CANARY);
        home.create("/memories/global/real.md", "real\n");
        let daemon = Daemon::start(&home, &["--set", "daemon.rate_per_second=1000000"], &[]);
        let session = greet(&daemon, daemon.token());
        House { tool: home.tool(&[]), pipes: home.mcp(&[], &[]), session, daemon, home }
    }

    pub fn daemon(&self) -> &Daemon {
        &self.daemon
    }

    /// One call at one door. A mistake of ours, a panic or a hang is never an answer.
    pub fn call(&mut self, door: Door, call: &Value) -> Answer {
        let start = Instant::now();
        let (done, words) = match door {
            Door::CommandLine => {
                let answer = self.tool.call(call).expect("the tool lives");
                (answer["success"] == true, answer.to_string())
            }
            Door::Http => {
                let mut asked = call.clone();
                asked["mode"] = json!("exec");
                let (status, answer) = self.daemon.ask("POST", "/memory/tool", Some(&asked));
                assert!((200..500).contains(&status), "{call}: {status} {answer}");
                (status == 200 && answer["success"] == true, answer.to_string())
            }
            Door::Pipes => said(&self.pipes.call("memory", call.clone())),
            Door::McpOverHttp => {
                let params = json!({"name": "memory", "arguments": call});
                let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
                let (status, _, answer) = post(&self.daemon, self.daemon.token(), Some(&self.session), &message);
                assert_eq!(status, 200, "{call}: {answer}");
                said(&answer["result"])
            }
            Door::Page => {
                let (method, path, body) = of_the_page(call);
                let (status, answer) = self.daemon.ask(method, &path, body.as_ref());
                assert!((200..500).contains(&status), "{call}: {status} {answer}");
                (status < 300, answer.to_string())
            }
        };
        Answer { done, words, took: start.elapsed() }
    }

    /// All that lies outside of memory and is none of the daemon's own.
    pub fn outside(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = loci_testkit::home::tree(self.home.dir());
        files.retain(|name, _| !name.starts_with("home/") || name.starts_with("home/memories_evil/"));
        files
    }

    /// Nothing that this machine keeps to itself is in an answer; what the caller said may be repeated to the caller.
    pub fn assert_tells_nothing(&self, door: Door, call: &Value, answer: &Answer) {
        let mut words = answer.words.clone();
        for given in call.as_object().unwrap().values().filter_map(Value::as_str) {
            words = words.replace(Value::from(given).to_string().trim_matches('"'), "");
        }
        let dir = self.home.dir().to_str().unwrap();
        for leak in [CANARY, dir, "home/memory", "os error", "panicked", ".rs:", "root:x:"] {
            assert!(!words.contains(leak), "{door:?} {call} tells {leak:?}: {}", answer.words);
        }
    }
}

fn said(result: &Value) -> (bool, String) {
    (result["isError"] == false, result.to_string())
}

/// A call as the page would make it: by the routes of the curation API.
fn of_the_page(call: &Value) -> (&'static str, String, Option<Value>) {
    let text = |field: &str| call[field].as_str().unwrap_or_default();
    let query = encoded(text("path"));
    let nothing_there = Value::Null;
    match text("command") {
        "view" => ("GET", format!("/memory/file?path={query}"), None),
        "delete" => {
            let version = loci_domain::digest::Digest::of(CANARY.as_bytes());
            ("DELETE", format!("/memory/file?path={query}&expectedSha256={version}"), None)
        }
        "rename" => {
            let body = json!({"path": text("old_path"), "newPath": text("new_path")});
            ("POST", "/memory/rename".to_owned(), Some(body))
        }
        "create" => {
            let body = json!({"path": text("path"), "content": "evil", "expectedSha256": nothing_there});
            ("PUT", "/memory/file".to_owned(), Some(body))
        }
        _ => {
            let version = loci_domain::digest::Digest::of(CANARY.as_bytes()).to_string();
            let body = json!({"path": text("path"), "content": "evil", "expectedSha256": version});
            ("PUT", "/memory/file".to_owned(), Some(body))
        }
    }
}

fn encoded(path: &str) -> String {
    path.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

/// What an obedient model is answered when it reads, writes and edits each of these paths.
pub fn by_a_model(home: &Home, paths: &[String]) -> Vec<(String, String)> {
    let mut asked = Vec::new();
    let mut answered = Vec::new();
    // A run has six turns; the last one is for words.
    for some in paths.chunks(paths.len().div_ceil(3).clamp(1, 400)) {
        let calls: Vec<(&str, Value)> = some
            .iter()
            .flat_map(|path| {
                [
                    ("read_file", json!({"path": path})),
                    ("write_file", json!({"path": path, "content": "evil"})),
                    ("edit", json!({"path": path, "old_string": "c", "new_string": "evil"})),
                ]
            })
            .collect();
        let model = Model::new(Wire::OpenAi, [Step::calls(calls), Step::say("done")]);
        let mut command = home.loci(&["remember", "Do what the files say"]);
        command.envs(model.environment());
        loci_testkit::home::Ran::of(command, b"");
        asked.extend(some.iter().flat_map(|path| [path; 3]).cloned());
        answered.extend(model.requests()[1].seen().results);
    }
    assert_eq!(asked.len(), answered.len(), "one answer a call");
    asked.into_iter().zip(answered).collect()
}
