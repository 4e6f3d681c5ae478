//! Every way in by which a path can be named: command line, HTTP, MCP on pipes and over HTTP, the page's own routes, and
//! the tools of a model that does what it is told.
//!
//! A call is one of the six commands; a door that has no such command is asked for what comes nearest.

use crate::mcp::{greet, post};
use crate::support::home;
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, Tool, walk, write};
use loci_testkit::mcp::Mcp;
use loci_testkit::model::{Model, Step, Wire};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

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

/// What a home has besides its ledger; all else in it is outside of memory.
const OWN: [&str; 5] = ["home/memory", "home/projects", "home/locks", "home/spare", "home/ledger.lock"];

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub done: bool,
    pub words: String,
    pub took: Duration,
}

/// One client at one door; any number of them may call at the same time.
pub struct Client {
    pub door: Door,
    way: Way,
}

/// What a client holds on to between two calls.
enum Way {
    Tool(Tool),
    Pipes(Mcp),
    Session(String),
    Nothing,
}

impl Client {
    /// One call. A mistake of ours, a panic or a hang is never an answer.
    pub fn call(&mut self, daemon: &Daemon, call: &Value) -> Answer {
        let start = Instant::now();
        let (done, words) = match (&mut self.way, self.door) {
            (Way::Tool(tool), _) => {
                let answer = tool.call(call).expect("the tool lives");
                (answer["success"] == true, answer.to_string())
            }
            (Way::Pipes(pipes), _) => said(&pipes.call("memory", call.clone())),
            (Way::Session(session), _) => {
                let params = json!({"name": "memory", "arguments": call});
                let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
                let (status, _, answer) = post(daemon, daemon.token(), Some(session), &message);
                assert_eq!(status, 200, "{call}: {answer}");
                said(&answer["result"])
            }
            (Way::Nothing, Door::Page) => {
                let (method, path, body) = of_the_page(call);
                let (status, answer) = daemon.ask(method, &path, body.as_ref());
                assert!((200..500).contains(&status), "{call}: {status} {answer}");
                (status < 300, answer.to_string())
            }
            (Way::Nothing, _) => {
                let mut asked = call.clone();
                asked["mode"] = json!("exec");
                let (status, answer) = daemon.ask("POST", "/memory/tool", Some(&asked));
                assert!((200..500).contains(&status), "{call}: {status} {answer}");
                (status == 200 && answer["success"] == true, answer.to_string())
            }
        };
        Answer { done, words, took: start.elapsed() }
    }
}

/// One machine with all doors open.
pub struct House {
    clients: Vec<Client>,
    daemon: Daemon,
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
        let mut house = House { clients: Vec::new(), daemon, home };
        house.clients = Door::ALL.map(|door| house.client(door)).into();
        house
    }

    pub fn daemon(&self) -> &Daemon {
        &self.daemon
    }

    /// One more client at a door.
    pub fn client(&self, door: Door) -> Client {
        let way = match door {
            Door::CommandLine => Way::Tool(self.home.tool(&[])),
            Door::Pipes => Way::Pipes(self.home.mcp(&[], &[])),
            Door::McpOverHttp => Way::Session(greet(&self.daemon, self.daemon.token())),
            Door::Http | Door::Page => Way::Nothing,
        };
        Client { door, way }
    }

    /// One call at one door.
    pub fn call(&mut self, door: Door, call: &Value) -> Answer {
        let client = self.clients.iter_mut().find(|client| client.door == door).expect("every door is open");
        client.call(&self.daemon, call)
    }

    /// All that lies outside of memory and is none of the daemon's own, with the time of its last change: files, links, and
    /// folders, which tell even of what came and went.
    pub fn outside(&self) -> BTreeMap<String, (String, SystemTime)> {
        let mut found = BTreeMap::new();
        walk(self.home.dir(), &mut |path, kind| {
            let name = path.strip_prefix(self.home.dir()).unwrap().to_string_lossy().into_owned();
            if !OWN.iter().any(|own| name == *own || name.starts_with(&format!("{own}/"))) && !name.contains("loci.db")
            {
                let bytes = if kind.is_file() { std::fs::read(path).unwrap() } else { Vec::new() };
                let digest = loci_domain::digest::Digest::of(&bytes).to_string();
                found.insert(name, (digest, path.symlink_metadata().unwrap().modified().unwrap()));
            }
        });
        found.remove("home");
        found
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

/// What an obedient model is answered when it reads, lists, searches, writes and edits each of these paths.
pub fn by_a_model(home: &Home, paths: &[String]) -> Vec<(String, String)> {
    // A run has six turns; the last one is for words.
    let some = paths.chunks(paths.len().div_ceil(3).clamp(1, 400));
    some.flat_map(|some| asked_by_a_model(home, some).expect("one answer a call")).collect()
}

/// The same in one run; `None` when memory could not be opened for it.
pub fn asked_by_a_model(home: &Home, paths: &[String]) -> Option<Vec<(String, String)>> {
    let calls = |path: &String| {
        [
            ("read_file", json!({"path": path})),
            ("ls", json!({"path": path})),
            ("grep", json!({"pattern": "canary|root", "path": path})),
            ("write_file", json!({"path": path, "content": "evil"})),
            ("edit", json!({"path": path, "old_string": "c", "new_string": "evil"})),
        ]
    };
    let calls: Vec<(&'static str, Value)> = paths.iter().flat_map(calls).collect();
    let model = Model::answering(Wire::OpenAi, move |request| match request.seen().results.is_empty() {
        true => Step::calls(calls.clone()),
        false => Step::say("done"),
    });
    let mut command = home.loci(&["remember", "Do what the files say"]);
    command.envs(model.environment());
    let ran = loci_testkit::home::Ran::of(command, b"");
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    if model.requests().len() < 2 {
        println!("the model was not asked: {}", ran.stderr.trim());
    }
    let answered = model.requests().get(1)?.seen().results;
    assert_eq!(answered.len(), paths.len() * 5, "one answer a call");
    Some(paths.iter().flat_map(|path| [path; 5]).cloned().zip(answered).collect())
}
