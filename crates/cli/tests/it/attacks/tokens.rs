//! Every route of the document with no token, a wrong one, a removed one, one that may only read, and another account's.

use super::doors::CANARY;
use super::rounds;
use crate::support::{G, doc, home};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, tree};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Routes that anybody may ask.
const OPEN: &[&str] = &["GET /health"];
/// Routes that change nothing although they are asked with POST, or that look at the rights themselves.
const LOOKING: &[&str] = &["POST /memory/recall", "POST /memory/tool"];
/// What only the person whose daemon it is may ask for: where models, files and accounts are.
const OWNERS: &[&str] = &[
    "POST /accounts",
    "DELETE /accounts/{id}",
    "POST /agents/connections/{agent}",
    "DELETE /agents/connections/{agent}",
    "PATCH /settings",
    "POST /models/test",
    "POST /pipeline/jobs/{id}/retry",
];

/// All routes of the document as `METHOD /path`.
fn routes(daemon: &Daemon) -> Vec<String> {
    let (status, document) = daemon.ask("GET", "/openapi.json", None);
    assert_eq!(status, 200);
    let items = document["paths"].as_object().unwrap();
    let methods = |(path, item): (&String, &Value)| {
        let methods = item.as_object().unwrap().keys();
        methods.map(|method| format!("{} {path}", method.to_uppercase())).collect::<Vec<_>>()
    };
    let mut all: Vec<String> = items.iter().flat_map(methods).collect();
    // What other surfaces mount is in no document of ours.
    all.extend(["GET /mcp", "POST /mcp", "DELETE /mcp"].map(str::to_owned));
    for known in ["GET /metrics", "GET /openapi.json", "GET /session/{id}/events", "GET /memory/files"] {
        assert!(all.iter().any(|route| route == known), "{known} is not in {all:?}");
    }
    assert!(all.len() > 60, "{all:?}");
    all
}

/// A route with names that might be there, and a body that would do something.
fn concrete(route: &str, ids: &BTreeMap<&str, String>) -> (String, String, Option<Value>) {
    let (method, path) = route.split_once(' ').unwrap();
    let mut path = path.to_owned();
    for (name, id) in ids {
        path = path.replace(&format!("{{{name}}}"), id);
    }
    let file = format!("{G}kept.md");
    if ["/memory/file", "/memory/history"].contains(&path.as_str()) && ["GET", "DELETE"].contains(&method) {
        path = format!("{path}?path={file}");
    }
    let body = json!({
        "path": file, "newPath": format!("{G}moved.md"), "content": "evil", "expectedSha256": null, "query": CANARY,
        "command": "delete", "mode": "exec", "pinned": true, "trusted": true, "name": "evil", "eventId": "e-evil",
        "agentId": "x", "events": [], "values": {"recall.limit": 1}, "messages": [], "tool": "bash", "group": "x",
        "id": "x", "jsonrpc": "2.0", "method": "tools/list",
    });
    (method.to_owned(), path, (!["GET", "DELETE"].contains(&method)).then_some(body))
}

fn nowhere() -> BTreeMap<&'static str, String> {
    let mut ids: BTreeMap<&str, String> =
        ["id", "key", "turn_id", "agent"].into_iter().map(|name| (name, "x".to_owned())).collect();
    ids.insert("kind", "dream".to_owned());
    ids.insert("task_id", "dream-00000000-0000-7000-8000-000000000000".to_owned());
    ids
}

/// Memory and settings; what a refused request must not have touched.
fn kept(home: &Home) -> BTreeMap<String, Vec<u8>> {
    let mut files = tree(home.home());
    files.retain(|name, _| name.ends_with(".md") || name.ends_with(".toml"));
    files
}

#[test]
fn every_route_is_shut_to_strangers_and_says_the_same() {
    let home = home();
    home.create(&format!("{G}kept.md"), &doc("Kept", CANARY));
    let daemon = Daemon::start(&home, &[], &[]);
    let gone = home.json(&["token", "add", "gone"])["token"].as_str().unwrap().to_owned();
    assert_eq!(daemon.ask_as(&gone, "GET", "/capabilities", None).0, 200);
    home.ok(&["token", "rm", "gone"]);
    let before = kept(&home);
    for route in routes(&daemon).iter().filter(|route| !OPEN.contains(&route.as_str())) {
        let (method, path, body) = concrete(route, &nowhere());
        let in_url = format!("{path}{}token={}", if path.contains('?') { '&' } else { '?' }, daemon.token());
        for (token, path) in [("", &path), ("wrong", &path), (gone.as_str(), &path), ("", &in_url)] {
            let (status, answer) = daemon.ask_as(token, &method, path, body.as_ref());
            assert_eq!((status, answer), (401, json!({"error": "Unauthorized", "code": "unauthorized"})), "{route}");
        }
    }
    assert_eq!(kept(&home), before);
}

#[test]
fn a_token_that_may_only_read_changes_nothing_by_any_route() {
    let home = home();
    home.create(&format!("{G}kept.md"), &doc("Kept", CANARY));
    let daemon = Daemon::start(&home, &[], &[]);
    let reader = home.json(&["token", "add", "reader", "--read-only"])["token"].as_str().unwrap().to_owned();
    let before = (kept(&home), home.log());
    for route in routes(&daemon).iter().filter(|route| !route.starts_with("GET ") && !route.ends_with(" /mcp")) {
        let (method, path, body) = concrete(route, &nowhere());
        let (status, answer) = daemon.ask_as(&reader, &method, &path, body.as_ref());
        if LOOKING.contains(&route.as_str()) {
            assert!(status == 200 && answer["success"] != true, "{route}: {status} {answer}");
        } else {
            assert_eq!((status, &answer["code"]), (403, &json!("forbidden")), "{route}: {answer}");
        }
    }
    assert_eq!((kept(&home), home.log()), before);
}

#[test]
fn what_is_the_owners_is_nobody_elses() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let named = home.json(&["token", "add", "writer"])["token"].as_str().unwrap().to_owned();
    let account = home.json(&["account", "add", "beta"])["key"].as_str().unwrap().to_owned();
    let before = kept(&home);
    let known = routes(&daemon);
    for route in OWNERS {
        assert!(known.iter().any(|known| known == route), "{route} is no route");
        let (method, path, body) = concrete(route, &nowhere());
        for token in [&named, &account] {
            let (status, answer) = daemon.ask_as(token, &method, &path, body.as_ref());
            assert_eq!((status, &answer["code"]), (403, &json!("forbidden")), "{route}: {answer}");
        }
    }
    assert_eq!(kept(&home), before);
}

/// Other names of the same looks.
fn unknown(ids: &BTreeMap<&'static str, String>) -> BTreeMap<&'static str, String> {
    let other = |letter: char| match letter {
        '0'..='8' | 'a'..='e' | 'g'..='y' => char::from(letter as u8 + 1),
        '9' | 'f' | 'z' => '0',
        letter => letter,
    };
    let last = |id: &String| {
        // Only the end: the kind of a thing may stand at the start of its name.
        let cut = id.len() - id.len().min(6);
        format!("{}{}", &id[..cut], id[cut..].chars().map(other).collect::<String>())
    };
    ids.iter().map(|(name, id)| (*name, if ["kind", "agent"].contains(name) { id.clone() } else { last(id) })).collect()
}

/// All that an answer says, but for the time of day and the number that each request has.
fn heard(daemon: &Daemon, token: &str, method: &str, path: &str, body: Option<&Value>) -> String {
    let body = body.map(Value::to_string).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        daemon.address(),
        body.len()
    );
    let answer = daemon.raw(head.as_bytes());
    answer
        .lines()
        .filter(|line| !line.starts_with("date: ") && !line.starts_with("x-request-id: "))
        .collect::<Vec<_>>()
        .join("\n")
}

/// How long each of two takes as a rule, asked in turn so that what else the machine does falls on both.
fn usual_times(many: usize, one: impl Fn(), other: impl Fn()) -> (Duration, Duration) {
    let mut took = [Vec::new(), Vec::new()];
    for turn in 0..2 * many {
        let start = Instant::now();
        if turn % 2 == 0 {
            one()
        } else {
            other()
        }
        took[turn % 2].push(start.elapsed());
    }
    took.iter_mut().for_each(|times| times.sort());
    (took[0][many / 2], took[1][many / 2])
}

#[test]
fn another_accounts_things_are_as_unknown_as_what_never_was() {
    let home = home();
    home.create(&format!("{G}kept.md"), &doc("Kept", CANARY));
    let daemon = Daemon::start(&home, &["--set", "daemon.rate_per_second=100000"], &[]);
    let other = home.json(&["account", "add", "beta"])["key"].as_str().unwrap().to_owned();
    let made = |path: &str, body: Value| {
        let (status, made) = daemon.ask("POST", path, Some(&body));
        assert!(status < 300, "{path}: {status} {made}");
        made
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let workspace = text(
        &made("/accounts/me/workspaces", json!({"name": "mine", "config": {"storage": {"provider": "local"}}}))["id"],
    );
    let agent = text(&made("/accounts/me/agents", json!({"workspaces": []}))["id"]);
    let sandbox = text(&made("/accounts/me/sandboxes", json!({"name": "mine", "kind": "local"}))["id"]);
    let event = json!({"eventId": "e-1", "agentId": agent, "events": [{"role": "user", "content": CANARY}]});
    let turn = text(&made("/conversations/mine/turns", event)["turnId"]);
    let task = daemon.post("dream", &json!({}));
    let session = text(&made("/session", json!({}))["sessionId"]);
    let recalled = made("/memory/recall", json!({"query": CANARY}));
    let receipt = text(&recalled["receipt"]);
    daemon.finished(&task);
    let before = kept(&home);
    let of = |route: &str| {
        let mut ids = nowhere();
        for (name, id) in [("key", "mine"), ("turn_id", &turn), ("task_id", &task)] {
            ids.insert(name, id.to_owned());
        }
        let id = match route {
            route if route.contains("/sandboxes/") => &sandbox,
            route if route.contains("/agents/") => &agent,
            route if route.contains("/session/") => &session,
            route if route.contains("/receipts/") => &receipt,
            _ => &workspace,
        };
        ids.insert("id", id.clone());
        ids
    };
    let mut compared = 0;
    for route in routes(&daemon).iter().filter(|route| route.contains('{')) {
        let (method, there, body) = concrete(route, &of(route));
        // As unlike to what is there as it can be, and spelled as well.
        let (_, nowhere, _) = concrete(route, &unknown(&of(route)));
        let ask = |path: &str| heard(&daemon, &other, &method, path, body.as_ref());
        let (foreign, none) = (ask(&there), ask(&nowhere));
        // What the caller named may be repeated to the caller.
        let mut expected = none.clone();
        for (name, id) in unknown(&of(route)) {
            expected = expected.replace(&id, &of(route)[name]);
        }
        assert_eq!(foreign, expected, "{route}: another's and nobody's are told apart");
        assert!(!foreign.contains(CANARY), "{route}: {foreign}");
        let (foreign, none) = usual_times(rounds(12, 200), || drop(ask(&there)), || drop(ask(&nowhere)));
        let (less, more) = (foreign.min(none), foreign.max(none));
        assert!(more < less * 2 + Duration::from_millis(2), "{route}: another's takes {foreign:?}, nobody's {none:?}");
        compared += 1;
    }
    assert!(compared > 25, "{compared} routes");
    assert_eq!(kept(&home), before);
    // All of it is still there for who made it.
    assert_eq!(daemon.ask("GET", &format!("/accounts/me/agents/{agent}"), None).0, 200);
    assert_eq!(daemon.ask("GET", "/conversations/mine", None).0, 200);
}

#[test]
fn a_daemon_that_others_can_reach_needs_a_token_of_its_own() {
    let home = home();
    for host in ["0.0.0.0", "::", "192.168.7.7", "10.1.2.3"] {
        for token in [None, Some(""), Some(" \n")] {
            let mut command = home.loci(&["serve", "--host", host, "--port", "0", "--json"]);
            token.map(|token| command.env("LOCI_TOKEN", token));
            let failure = loci_testkit::home::Ran::of(command, b"").failed(5);
            assert_eq!(failure["code"], "token_needed", "{host}: {failure}");
        }
    }
    assert!(!home.home().join("token").exists(), "no token was made for it");
}
