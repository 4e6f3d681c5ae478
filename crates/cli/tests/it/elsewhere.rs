//! Workspaces whose files lie elsewhere, on real servers: the files API, commands, memory, and the end.

use crate::support::{doc, home};
use loci_remote::s3::{S3, Settings};
use loci_store::{Backend, Show};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, Ran, tree};
use loci_testkit::servers::sshd::{Known, Sshd};
use loci_testkit::servers::weed::Weed;
use serde_json::{Value, json};

const WORKSPACES: &str = "/accounts/me/workspaces";

/// A daemon, and what is asked of it.
struct Desk<'a> {
    daemon: Daemon,
    home: &'a Home,
    environment: Vec<(&'static str, String)>,
}

impl<'a> Desk<'a> {
    fn new(home: &'a Home, environment: Vec<(&'static str, String)>) -> Desk<'a> {
        Desk { daemon: Daemon::start(home, &[], &environment), home, environment }
    }

    fn ask(&self, method: &str, path: &str, body: Option<Value>, status: u16) -> Value {
        let (got, answer) = self.daemon.ask(method, path, body.as_ref());
        assert_eq!(got, status, "{method} {path}: {answer}");
        answer
    }

    fn workspace(&self, storage: &Value) -> (String, String) {
        let made = json!({"name": "far", "config": {"storage": storage}});
        let made = self.ask("POST", WORKSPACES, Some(made), 201);
        (made["id"].as_str().unwrap().to_owned(), made["namespace"].as_str().unwrap().to_owned())
    }

    fn put(&self, workspace: &str, path: &str, content: &str) {
        let body = json!({"path": path, "content": content, "expectedSha256": null});
        self.ask("PUT", &format!("{WORKSPACES}/{workspace}/files"), Some(body), 201);
    }

    fn text(&self, workspace: &str, path: &str) -> Option<String> {
        let (status, got) = self.daemon.ask("GET", &format!("{WORKSPACES}/{workspace}/files?path={path}"), None);
        (status == 200).then(|| got["content"].as_str().unwrap().to_owned())
    }

    /// Runs a command of an agent; `None` where the machine has no sandbox.
    fn bash(&self, workspace: &str, command: &str) -> Option<Value> {
        let sandbox = self.ask("POST", "/accounts/me/sandboxes", Some(json!({"name": "box", "kind": "local"})), 201);
        let agent = json!({"sandbox": sandbox["id"], "workspaces": [{"name": "far", "workspaceId": workspace}]});
        let agent = self.ask("POST", "/accounts/me/agents", Some(agent), 201);
        let event =
            json!({"eventId": workspace, "agentId": agent["id"], "events": [{"role": "user", "content": "go"}]});
        let turns = format!("/conversations/{workspace}/turns");
        let turn = self.ask("POST", &turns, Some(event), 201);
        if !turn["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "bash") {
            return None;
        }
        let call = json!({"name": "bash", "input": {"command": command}});
        Some(self.ask("POST", &format!("{turns}/{}/tools", turn["turnId"].as_str().unwrap()), Some(call), 200))
    }

    /// Makes a memory of the workspace by another process, with the same environment.
    fn remember(&self, workspace: &str, path: &str, text: &str) {
        let mut tool = self.home.loci(&["tool", "--workspace", workspace]);
        tool.envs(self.environment.iter().map(|(name, value)| (name, value)));
        let call = json!({"command": "create", "path": format!("/memories/workspace/{path}"), "file_text": text});
        let answers = Ran::of(tool, format!("{call}\n").as_bytes()).answers();
        assert_eq!(answers[0]["success"], true, "{answers:?}");
    }

    /// Files, a command, memory and the end of a workspace; `look` tells what lies at its place.
    fn story(&self, storage: &Value, look: &dyn Fn() -> Vec<String>) {
        let ((workspace, namespace), (other, beside)) = (self.workspace(storage), self.workspace(storage));
        self.put(&workspace, "a.md", "alpha\n");
        self.put(&other, "a.md", "other\n");
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        let both = [format!("{namespace}/a.md"), format!("{beside}/a.md")].to_vec();
        assert_eq!(sorted(look()), sorted(both), "where files lie");

        match self.bash(&workspace, "cat a.md && mkdir -p d && echo beta > d/b.md && rm a.md") {
            Some(called) => {
                assert_eq!((&called["success"], &called["output"]), (&json!(true), &json!("alpha\n")), "{called}");
                assert_eq!(self.text(&workspace, "d/b.md").as_deref(), Some("beta\n"));
                assert_eq!(self.text(&workspace, "a.md"), None);
            }
            None => self.put(&workspace, "d/b.md", "beta\n"),
        }
        assert_eq!(std::fs::read_dir(self.home.home().join("loans")).map_or(0, Iterator::count), 0);

        self.remember(&workspace, "user/tea.md", &doc("Tea", "Drinks oolong."));
        assert!(look().contains(&format!("{namespace}/memory/user/tea.md")), "{:?}", look());
        assert!(self.text(&workspace, "memory/user/tea.md").unwrap().contains("oolong"));
        let task = json!({"content": "Remember: the crane lifts seven tons.", "scope": "workspace"});
        let lane = format!("/workspaces/{workspace}/memory/remember");
        let task = self.ask("POST", &lane, Some(task), 202)["taskId"].as_str().unwrap().to_owned();
        let ended = loop {
            let task = self.ask("GET", &format!("{lane}/{task}"), None, 200);
            if !["queued", "running"].contains(&task["status"].as_str().unwrap()) {
                break task;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        };
        assert_eq!(ended["status"], "completed", "{ended}");
        let listed = look().iter().filter(|name| name.starts_with(&format!("{namespace}/memory/"))).count();
        assert!(listed >= 3, "two documents and the index: {:?}", look());
        assert!(!self.home.home().join("workspaces").exists(), "something lies in the home");

        self.ask("DELETE", &format!("{WORKSPACES}/{workspace}"), None, 204);
        assert_eq!(look(), [format!("{beside}/a.md")], "what is left");
        self.ask("DELETE", &format!("{WORKSPACES}/{other}"), None, 204);
        assert_eq!(look(), [""; 0], "what is left");
        self.ask("GET", &format!("{WORKSPACES}/{workspace}/files"), None, 404);
    }
}

#[test]
fn a_workspace_lies_in_a_bucket() {
    let (home, weed) = (home(), Weed::start());
    let bucket = weed.bucket();
    let endpoint = format!("http://127.0.0.1:{}", weed.port());
    // The record's own endpoint goes before that of the environment.
    let environment =
        ["AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ALLOW_HTTP"].map(|name| {
            let own = weed.environment().into_iter().find(|(known, _)| known == name).unwrap().1;
            (name, if name == "AWS_ENDPOINT_URL" { "https://127.0.0.1:1".to_owned() } else { own })
        });
    let desk = Desk::new(&home, environment.to_vec());
    let storage =
        json!({"provider": "s3", "bucket": bucket, "prefix": "pre", "endpoint": endpoint, "region": "us-east-1"});
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let look = || {
        let settings = Settings::parse(&format!("s3://{bucket}/pre")).unwrap();
        let place = S3::open(&settings, &weed.environment()).unwrap();
        let listing = runtime.block_on(place.list(None, Show::All, 1000)).unwrap();
        listing.files.into_iter().map(|(path, _)| path.to_string()).collect()
    };
    desk.story(&storage, &look);
}

#[test]
fn a_workspace_lies_on_another_machine() {
    let (home, server, folder) = (home(), Sshd::start(), tempfile::tempdir().unwrap());
    let (identity, known) = (server.identity(), server.known_hosts(Known::Right));
    let settings = format!("[ssh]\nidentity = {identity:?}\nknown_hosts = {known:?}\n");
    home.edit("config.toml", &settings);
    let desk = Desk::new(&home, Vec::new());
    let storage = json!({"provider": "ssh", "url": server.url(folder.path())});
    desk.story(&storage, &|| tree(folder.path()).into_keys().filter(|name| !name.starts_with(".loci/")).collect());
    assert!(tree(folder.path()).is_empty(), "something is left on the other machine");
}

#[test]
fn a_place_that_cannot_be_opened_is_named() {
    let home = home();
    let desk = Desk::new(&home, vec![("AWS_EC2_METADATA_DISABLED", "true".to_owned())]);
    for (storage, field) in [
        (json!({"provider": "s3"}), "bucket"),
        (json!({"provider": "s3", "bucket": "abc"}), "provider"),
        (json!({"provider": "s3", "bucket": "abc", "endpoint": "http://127.0.0.1:1"}), "endpoint"),
        (json!({"provider": "ssh", "url": "ssh://$(id)/a"}), "url"),
        (json!({"provider": "ssh"}), "url"),
    ] {
        let body = json!({"name": "far", "config": {"storage": storage}});
        let refused = desk.ask("POST", WORKSPACES, Some(body), 400);
        assert_eq!(refused["code"], "invalid_field", "{refused}");
        assert!(refused["error"].as_str().unwrap().starts_with(&format!("config.storage.{field} ")), "{refused}");
    }
    assert_eq!(desk.ask("GET", WORKSPACES, None, 200), json!({"workspaces": []}));
}

#[test]
fn a_workspace_in_a_bucket_that_is_not_there_can_be_removed() {
    let (home, weed) = (home(), Weed::start());
    weed.bucket();
    let environment = weed.environment();
    let environment: Vec<(&str, String)> =
        environment.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let daemon = Daemon::start(&home, &[], &environment);
    let body = json!({"name": "far", "config": {"storage": {"provider": "s3", "bucket": "never-made"}}});
    let (_, made) = daemon.ask("POST", WORKSPACES, Some(&body));
    let at = format!("{WORKSPACES}/{}", made["id"].as_str().unwrap());
    assert_eq!(daemon.ask("DELETE", &at, None).0, 204);
    assert_eq!(daemon.ask("GET", &at, None).0, 404);
}
