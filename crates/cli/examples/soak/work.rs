//! What agents and people do to a daemon, one thing after the other, round after round.

use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, Ran, write};
use serde_json::{Value, json};
use std::time::Duration;

/// Things of a kind that there are at the same time; after so many rounds the first is used again.
const SLOTS: u64 = 30;

/// Turns of a conversation before it is removed.
const TURNS: u64 = 20;

/// Light load: a daemon on a desk has more time than work.
const PAUSE: Duration = Duration::from_millis(100);

/// Words that no two facts share.
const THINGS: [&str; 6] = ["heron", "ferry", "lantern", "orchard", "granite", "violin"];

/// Who works, and how far.
pub struct Work<'a> {
    home: &'a Home,
    daemon: &'a Daemon,
    agent: String,
    number: u64,
    requests: u64,
    processes: u64,
}

impl<'a> Work<'a> {
    /// Makes a workspace and an agent to work with.
    pub fn new(home: &'a Home, daemon: &'a Daemon) -> Work<'a> {
        let mut work = Work { home, daemon, agent: String::new(), number: 0, requests: 0, processes: 0 };
        let workspace = json!({"name": "desk", "config": {"storage": {"provider": "local"}}});
        let workspace = work.ask("POST", "/accounts/me/workspaces", Some(&workspace));
        let agent = json!({"workspaces": [{"name": "desk", "workspaceId": workspace["id"]}]});
        work.agent = text(&work.ask("POST", "/accounts/me/agents", Some(&agent))["id"]);
        work
    }

    /// One of everything, the heavier things less often.
    pub fn round(&mut self) {
        self.number += 1;
        let every = |rounds: u64| self.number.is_multiple_of(rounds);
        let (often, seldom, rarely) = (every(3), every(10), every(25));
        self.tool();
        self.recall();
        self.turn();
        if often {
            self.task("remember", &json!({"content": self.fact(), "contextMode": "workspace"}));
            self.look();
        }
        if seldom {
            self.task("forget", &json!({"query": self.fact()}));
            self.hook();
            self.import();
        }
        if rarely {
            self.task("dream", &json!({}));
        }
        std::thread::sleep(PAUSE);
    }

    /// How often each thing was done.
    pub fn done(&self) -> Value {
        json!({"rounds": self.number, "requests": self.requests, "processes": self.processes})
    }

    fn slot(&self) -> u64 {
        self.number % SLOTS
    }

    fn fact(&self) -> String {
        let thing = THINGS[(self.slot() % THINGS.len() as u64) as usize];
        format!("The {thing} of room {} is number {}", self.slot(), self.number % 97)
    }

    fn tool(&mut self) {
        let path = format!("/memories/global/soak/note-{}.md", self.slot());
        let body = format!("---\nname: Note\ndescription: {}\ntype: reference\n---\nround one\n", self.fact());
        for call in [
            json!({"command": "create", "path": path, "file_text": body}),
            json!({"command": "str_replace", "path": path, "old_str": "round one", "new_str": "round two"}),
            json!({"command": "view", "path": path}),
            json!({"command": "delete", "path": path}),
        ] {
            let mut call = call;
            call["mode"] = json!("exec");
            let answer = self.ask("POST", "/memory/tool", Some(&call));
            assert_eq!(answer["success"], true, "{answer}");
        }
    }

    fn recall(&mut self) {
        self.ask("POST", "/memory/recall", Some(&json!({"query": self.fact()})));
    }

    /// What the page asks for.
    fn look(&mut self) {
        for path in ["/memory/files", "/memory/context", "/memory/log?limit=50", "/status", "/metrics", "/sessions"] {
            self.ask("GET", path, None);
        }
    }

    fn turn(&mut self) {
        let conversation = format!("/conversations/talk-{}", self.number / TURNS);
        let events = json!([{"role": "user", "content": self.fact()}]);
        let begin = json!({"eventId": format!("e-{}", self.number), "agentId": self.agent, "events": events});
        let turn = text(&self.ask("POST", &format!("{conversation}/turns"), Some(&begin))["turnId"]);
        let write = json!({"path": "notes.md", "content": self.fact()});
        let call = json!({"name": "write", "input": write});
        self.ask("POST", &format!("{conversation}/turns/{turn}/tools"), Some(&call));
        let said = json!({"messages": [{"role": "assistant", "content": "Noted."}]});
        self.ask("POST", &format!("{conversation}/turns/{turn}/complete"), Some(&said));
        if self.number % TURNS == TURNS - 1 {
            self.ask("DELETE", &conversation, None);
        }
    }

    fn task(&mut self, kind: &str, body: &Value) {
        let task = self.daemon.finished(&self.daemon.post(kind, body));
        assert_eq!(task["status"], "completed", "{task}");
        self.requests += 2;
    }

    /// A turn of an agent beside the daemon: its hooks, and what is learnt from it.
    fn hook(&mut self) {
        let session = format!("hooked-{}", self.slot());
        let line = json!({"type": "user", "uuid": "u1", "sessionId": session, "cwd": self.home.project(),
            "timestamp": "2026-03-01T10:00:00.000Z", "message": {"role": "user", "content": self.fact()}});
        let transcript = write(&self.home.dir().join(format!("{session}.jsonl")), &format!("{line}\n"));
        for (event, more) in
            [("UserPromptSubmit", json!({"prompt": self.fact()})), ("Stop", json!({"transcript_path": transcript}))]
        {
            let mut input = json!({"session_id": session, "cwd": self.home.project(), "hook_event_name": event});
            more.as_object().unwrap().iter().for_each(|(name, value)| input[name] = value.clone());
            let hook = self.home.loci(&["hook", event, "--agent", "claude-code"]);
            Ran::of(hook, input.to_string().as_bytes()).ok();
            self.processes += 1;
        }
    }

    fn import(&mut self) {
        let lines: String = (0..20)
            .map(|n| format!("{}\n", json!({"id": format!("m{n}"), "role": "user", "content": self.fact()})))
            .collect();
        let file = write(&self.home.dir().join(format!("talk-{}.jsonl", self.slot())), &lines);
        self.home.ok(&["session", "import", file.to_str().unwrap()]);
        self.processes += 1;
    }

    /// A request that must succeed.
    fn ask(&mut self, method: &str, path: &str, body: Option<&Value>) -> Value {
        self.requests += 1;
        let (status, answer) = self.daemon.ask(method, path, body);
        assert!((200..300).contains(&status), "{method} {path}: {status} {answer}");
        answer
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}
