//! A secret in every dress, through every door: refused or taken out, and in no file, log or answer afterwards.

use super::doors::{Door, House};
use crate::secrets::token;
use crate::support::{G, holding, insert, rename, replace};
use loci_testkit::home::{create, write};
use serde_json::{Value, json};

/// The secret as somebody might hide it.
fn dressed() -> Vec<(&'static str, String)> {
    let whole = token();
    let (first, rest) = whole.split_at(14);
    vec![
        ("plain", token()),
        ("over two lines", format!("the token is {first}\\\n{rest}\n")),
        ("as base64", format!("x: {}\n", base64(&format!("token={}", token())))),
        ("in an address", format!("https://bot:{}@git.example.com/a.git\n", token())),
        ("in a header", format!("---\nname: N\ndescription: uses {}\n---\nbody\n", token())),
        ("in a key", format!("---\n{}: 1\n---\nbody\n", token())),
        ("in a comment", format!("text <!-- {} --> text\n", token())),
    ]
}

fn base64(text: &str) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| {
        let bits = bytes.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - bytes.len()));
        let signs = (0..4).map(|at| SIGNS[(bits >> (18 - 6 * at)) as usize & 63] as char);
        signs.take(bytes.len() + 1).chain(std::iter::repeat_n('=', 3 - bytes.len())).collect::<String>()
    };
    text.as_bytes().chunks(3).map(group).collect()
}

fn calls(text: &str) -> Vec<Value> {
    vec![
        create(&format!("{G}new.md"), text),
        replace(&format!("{G}real.md"), "real", text),
        insert(&format!("{G}real.md"), 0, text),
    ]
}

fn assert_no_trace(house: &House, said: &str, context: &str) {
    for part in [token(), token()[8..30].to_owned(), base64(&format!("token={}", token()))[8..40].to_owned()] {
        assert!(!said.contains(&part), "{context}: the answer repeats it: {said}");
        assert_eq!(holding(house.home.home(), &part), Vec::<String>::new(), "{context}: it is in the home");
    }
}

#[test]
fn a_secret_in_any_dress_is_refused_at_every_door() {
    let mut house = House::new();
    for door in [Door::CommandLine, Door::Http, Door::Pipes, Door::McpOverHttp] {
        for (dress, text) in dressed() {
            for call in calls(&text) {
                let context = format!("{door:?} {dress} {}", call["command"]);
                let answer = house.call(door, &call);
                assert!(!answer.done, "{context}: {}", answer.words);
                assert_no_trace(&house, &answer.words, &context);
            }
        }
        for call in [
            create(&format!("{G}{}.md", token()), "x"),
            create(&format!("{G}{}/x.md", token()), "x"),
            rename(&format!("{G}real.md"), &format!("{G}{}.md", token())),
        ] {
            let answer = house.call(door, &call);
            assert!(!answer.done, "{door:?}: {}", answer.words);
            assert_no_trace(&house, &answer.words, &format!("{door:?} by name"));
        }
    }
}

#[test]
fn a_secret_by_the_page_a_task_a_session_or_an_import_is_not_kept() {
    let house = House::new();
    let daemon = house.daemon();
    for (dress, text) in dressed() {
        let save = json!({"path": format!("{G}new.md"), "content": text, "expectedSha256": null});
        let (status, answer) = daemon.ask("PUT", "/memory/file", Some(&save));
        assert!(status == 422 || status == 400, "{dress}: {status} {answer}");
        assert_no_trace(&house, &answer.to_string(), dress);
        let task = daemon.finished(&daemon.post("remember", &json!({"content": text})));
        assert_no_trace(&house, &task.to_string(), &format!("remember {dress}"));
        let task = daemon.finished(&daemon.post("forget", &json!({"query": text})));
        assert_no_trace(&house, &task.to_string(), &format!("forget {dress}"));
        let asked = daemon.ask("POST", "/memory/recall", Some(&json!({"query": text}))).1;
        assert_no_trace(&house, &asked.to_string(), &format!("recall {dress}"));
    }
    let folder = house.home.dir().join("notes");
    for (number, (_, text)) in dressed().into_iter().enumerate() {
        write(&folder.join(format!("{number}.md")), &text);
    }
    write(&folder.join(format!("{}.md", token())), "a secret for a name\n");
    let ran = house.home.run(&["import", folder.to_str().unwrap(), "--json"]);
    assert_no_trace(&house, &format!("{}{}", ran.stdout, ran.stderr), "import");
    let lines: String =
        dressed().iter().map(|(_, text)| format!("{}\n", json!({"role": "user", "content": text}))).collect();
    let talk = write(&house.home.dir().join("talk.jsonl"), &lines);
    let ran = house.home.run(&["session", "import", talk.to_str().unwrap()]);
    assert_no_trace(&house, &format!("{}{}", ran.stdout, ran.stderr), "session");
    house.home.run(&["extract", talk.to_str().unwrap(), "--session", "s"]);
    assert_no_trace(&house, "", "extract");
}
