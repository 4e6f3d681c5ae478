//! Workspaces, agents, sandboxes and conversations: the command line and HTTP see the same ones.

use crate::support::home;
use loci_testkit::daemon::Daemon;
use loci_testkit::home::Ran;
use loci_testkit::model::{Model, Step, Wire};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn id(record: &Value) -> String {
    record["id"].as_str().unwrap_or_else(|| panic!("no id: {record}")).to_owned()
}

/// What HTTP answers, which must be this status.
fn http(daemon: &Daemon, method: &str, path: &str, body: Option<Value>, status: u16) -> Value {
    let (got, answer) = daemon.ask(method, path, body.as_ref());
    assert_eq!(got, status, "{method} {path}: {answer}");
    answer
}

#[test]
fn an_account_goes_by_its_name() {
    let home = home();
    home.ok(&["account", "add", "beta"]);
    home.ok(&["account", "rm", "beta"]);
    assert_eq!(home.json(&["account", "list"]), json!({"accounts": []}));
}

#[test]
fn a_record_made_on_either_side_is_seen_on_both() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let get = |path: &str| http(&daemon, "GET", path, None, 200);

    let workspace = id(&home.json(&["workspace", "add", "--name", "notes"]));
    let at = format!("/accounts/me/workspaces/{workspace}");
    assert_eq!(home.json(&["workspace", "show", &workspace]), get(&at));
    assert_eq!(get(&at)["config"], json!({"storage": {"provider": "local"}}));
    home.ok(&["workspace", "set", &workspace, r#"{"config": {"harness": {"enabled": false}}}"#]);
    let config = json!({"storage": {"provider": "local"}, "harness": {"enabled": false}});
    assert_eq!((&get(&at)["name"], &get(&at)["config"]), (&json!("notes"), &config));
    let mut listed = home.json(&["workspace", "list"])["workspaces"][0].clone();
    assert_eq!(listed.as_object_mut().unwrap().remove("documents"), Some(json!(0)));
    assert_eq!(listed, get(&at));

    let sandbox = id(&home.json(&["sandbox", "add", "tools"]));
    assert_eq!(home.json(&["sandbox", "show", &sandbox]), get(&format!("/accounts/me/sandboxes/{sandbox}")));
    assert_eq!(home.json(&["sandbox", "list"]), get("/accounts/me/sandboxes"));

    let body = json!({"sandbox": sandbox, "workspaces": [{"name": "notes", "workspaceId": workspace}]});
    let agent = id(&http(&daemon, "POST", "/accounts/me/agents", Some(body), 201));
    let given = Ran::of(home.loci(&["agent", "add", "-", "--json"]), br#"{"system": "Be brief."}"#).ok();
    let other = id(&serde_json::from_str(&given).unwrap());
    home.ok(&["agent", "set", &agent, r#"{"model": "fast", "sandbox": null}"#]);
    let shown = home.json(&["agent", "show", &agent]);
    assert_eq!(shown, get(&format!("/accounts/me/agents/{agent}")));
    assert_eq!((&shown["model"], shown.get("sandbox")), (&json!("fast"), None));
    assert_eq!(home.json(&["agent", "list"]), get("/accounts/me/agents"));
    assert!(home.ok(&["agent", "list"]).contains("1 workspace: notes"));

    for (word, gone) in [("agent", &agent), ("agent", &other), ("sandbox", &sandbox)] {
        assert_eq!(home.json(&[word, "rm", gone]), json!({"removed": gone}));
    }
    home.ok(&["workspace", "rm", &workspace, "--yes"]);
    http(&daemon, "GET", &at, None, 404);
    assert_eq!(get("/accounts/me/agents"), json!({"agents": []}));
    assert_eq!(get("/accounts/me/sandboxes"), json!({"sandboxes": []}));
}

#[test]
fn a_conversation_is_seen_and_removed_on_the_command_line() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let agent = id(&home.json(&["agent", "add", r#"{"system": "Be brief."}"#]));
    let event = json!({"eventId": "e-1", "agentId": agent, "events": [{"role": "user", "content": "Which port?"}]});
    let turn = http(&daemon, "POST", "/conversations/support-42/turns", Some(event), 201);
    let complete = format!("/conversations/support-42/turns/{}/complete", turn["turnId"].as_str().unwrap());
    let said = json!({"messages": [{"role": "assistant", "content": "5432."}]});
    http(&daemon, "POST", &complete, Some(said), 200);

    assert_eq!(home.json(&["conversation", "list"]), http(&daemon, "GET", "/conversations", None, 200));
    let shown = http(&daemon, "GET", "/conversations/support-42", None, 200);
    assert_eq!(home.json(&["conversation", "show", "support-42"]), shown);
    assert_eq!(shown["messages"].as_array().unwrap().len(), 2);
    let last = home.json(&["conversation", "show", "support-42", "--from", "1", "--limit", "1"]);
    assert_eq!(last["messages"], json!([shown["messages"][1]]));
    assert!(home.ok(&["conversation", "show", "support-42"]).contains("  Which port?\n"));

    assert_eq!(home.json(&["conversation", "rm", "support-42"]), json!({"removed": "support-42"}));
    http(&daemon, "GET", "/conversations/support-42", None, 404);
    home.fails(&["conversation", "rm", "support-42"], 3);
}

#[test]
fn what_is_wrong_with_a_record_is_named() {
    let home = home();
    home.ok(&["workspace", "add", "spike"]);
    let bound = r#"{"workspaces": [{"name": "n", "workspaceId": "ws_none"}]}"#;
    let elsewhere = r#"{"storage": {"provider": "moon"}}"#;
    let table: &[(&[&str], i32, &str, &str)] = &[
        (&["agent", "add", "{"], 2, "usage", "JSON"),
        (&["agent", "add"], 2, "usage", "<JSON>"),
        (&["agent", "add", "[]"], 2, "invalid_field", "object"),
        (&["agent", "add", r#"{"modle": "fast"}"#], 2, "invalid_field", "modle"),
        (&["agent", "add", bound], 1, "invalid_reference", "ws_none"),
        (&["agent", "show", "ag_none"], 3, "agent_not_found", "ag_none"),
        (&["agent", "set", "ag_none", "{}"], 3, "agent_not_found", "ag_none"),
        (&["agent", "rm", "ag_none"], 3, "agent_not_found", "ag_none"),
        (&["sandbox", "add", ""], 2, "invalid_field", "name"),
        (&["account", "add", ""], 2, "invalid_field", "name"),
        (&["account", "rm", "nobody"], 3, "account_not_found", "nobody"),
        (&["workspace", "rm", "nope", "--yes"], 3, "workspace_not_found", "nope"),
        (&["sandbox", "show", "sb_none"], 3, "sandbox_not_found", "sb_none"),
        (&["sandbox", "rm", "sb_none"], 3, "sandbox_not_found", "sb_none"),
        (&["conversation", "show", "nobody"], 3, "conversation_not_found", "nobody"),
        (&["workspace", "add", "--config", "{}"], 2, "usage", "--name"),
        (&["workspace", "add", "spike", "--name", "n"], 2, "usage", "--name"),
        (&["workspace", "add", "spike"], 4, "conflict", "spike"),
        (&["workspace", "add", "--name", "n", "--config", elsewhere], 2, "invalid_field", "config.storage.provider"),
        (&["workspace", "show", "spike"], 3, "workspace_not_found", "spike"),
        (&["workspace", "set", "ws_none", "{}"], 3, "workspace_not_found", "ws_none"),
    ];
    for (args, exit, code, word) in table {
        let failure = home.fails(args, *exit);
        assert_eq!(failure["code"], *code, "{args:?}: {failure}");
        assert!(failure["error"].as_str().unwrap().contains(word), "{args:?}: {failure}");
    }
    assert_eq!(home.json(&["agent", "list"]), json!({"agents": []}));
    let spike = json!({"id": "spike", "name": null, "documents": 0});
    assert_eq!(home.json(&["workspace", "list"]), json!({"workspaces": [spike]}));
}

#[test]
fn tasks_of_a_removed_workspace_fail_with_it() {
    let home = home();
    let model = Model::answering(Wire::OpenAi, |_| Step::hang());
    let daemon = Daemon::start(&home, &[], &model.environment());
    let mut hung = 0;
    for by in ["http", "command line"] {
        let workspace = id(&home.json(&["workspace", "add", "--name", "doomed"]));
        let lane = format!("/workspaces/{workspace}/memory/remember");
        let post = |n: usize| {
            let body = json!({"content": format!("Crane {n} lifts {} tons.", n + 7), "scope": "workspace"});
            http(&daemon, "POST", &lane, Some(body), 202)["taskId"].as_str().unwrap().to_owned()
        };
        let tasks = [post(1), post(2)];
        let until = Instant::now() + Duration::from_secs(30);
        let wait = |what: &str, done: &dyn Fn() -> bool| {
            while !done() {
                assert!(Instant::now() < until, "{by}: {what} does not happen");
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        wait("the question", &|| model.requests().len() > hung);
        match by {
            "http" => drop(http(&daemon, "DELETE", &format!("/accounts/me/workspaces/{workspace}"), None, 204)),
            _ => drop(home.ok(&["workspace", "rm", &workspace, "--yes"])),
        }
        for task in &tasks {
            // A task that its lane has not ended yet is not told after its workspace went.
            let path = format!("{lane}/{task}");
            wait("the end", &|| daemon.ask("GET", &path, None).0 == 200);
            let ended = http(&daemon, "GET", &path, None, 200);
            assert_eq!(ended["status"], "failed", "{by}: {ended}");
            assert_eq!(ended["error"]["code"], "workspace_removed", "{by}: {ended}");
        }
        http(&daemon, "GET", &format!("{lane}/remember-none"), None, 404);
        assert!(!home.home().join("workspaces").join(&workspace).exists(), "{by}: something is left");
        hung = model.requests().len();
    }
    assert_eq!(hung, 2, "the tasks that waited never asked");
    assert_eq!(daemon.stop(), Some(0));
    home.ok(&["doctor"]);
}

#[test]
fn tasks_of_a_removed_account_fail_with_it() {
    let home = home();
    let model = Model::answering(Wire::OpenAi, |_| Step::hang());
    let daemon = Daemon::start(&home, &[], &model.environment());
    let made = home.json(&["account", "add", "beta"]);
    let (account, key) = (id(&made), made["key"].as_str().unwrap().to_owned());
    let body = json!({"content": "Crane 1 lifts 8 tons.", "scope": "user"});
    let (status, posted) = daemon.ask_as(&key, "POST", "/workspace/memory/remember", Some(&body));
    assert_eq!(status, 202, "{posted}");
    let until = Instant::now() + Duration::from_secs(30);
    while model.requests().is_empty() {
        assert!(Instant::now() < until, "the question does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
    http(&daemon, "DELETE", &format!("/accounts/{account}"), None, 204);
    assert!(!home.home().join("accounts").join(&account).exists(), "something is left");
    assert_eq!(daemon.stop(), Some(0));
    let rows = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
    let code: String = rows
        .query_row("SELECT status || ' ' || code FROM tasks WHERE lane = ?1", [format!("account:{account}")], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(code, "failed account_removed");
    home.ok(&["doctor"]);
}

#[test]
fn a_removed_account_leaves_no_memory_in_the_home() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let made = home.json(&["account", "add", "beta"]);
    let (account, key) = (id(&made), made["key"].as_str().unwrap().to_owned());
    for n in 0..3 {
        let path = format!("/memories/global/crane-{n}.md");
        let body = json!({"path": path, "content": format!("Crane {n} lifts tons.\n"), "expectedSha256": null});
        let (status, put) = daemon.ask_as(&key, "PUT", "/memory/file", Some(&body));
        assert!(status < 300, "{status} {put}");
    }
    let rows = || {
        let db = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
        let sql = "SELECT count(*) FROM roots WHERE place LIKE '%' || ?1 || '/memory'";
        db.query_row(sql, [&account], |row| row.get::<_, i64>(0)).unwrap()
    };
    let left = || {
        let all = loci_testkit::home::tree(home.home()).into_iter();
        let plain = all.filter(|(name, _)| !name.starts_with("loci.db"));
        plain
            .filter(|(_, bytes)| bytes.windows(5).any(|some| some == b"crane"))
            .map(|(name, _)| name)
            .collect::<Vec<_>>()
    };
    assert_eq!((rows(), left().iter().any(|name| name.starts_with("spare/"))), (1, true), "{:?}", left());
    http(&daemon, "DELETE", &format!("/accounts/{account}"), None, 204);
    assert_eq!((rows(), left()), (0, Vec::new()));
}
