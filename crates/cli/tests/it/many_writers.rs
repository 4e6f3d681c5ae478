//! Many processes on one home: nothing is lost, nobody is told that a database is locked.

use crate::support::{G, assert_healthy, delete, doc, home, insert, replace};
use loci_testkit::home::{Home, Ran, create, documents, lines};
use loci_testkit::rounds;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Instant;

const WRITERS: usize = 8;

/// Runs `work` for each writer at the same time.
fn at_once<T: Send>(home: &Home, work: impl Fn(&Home, usize) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(move || work(home, writer))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn assert_all_succeeded(answers: &[Value]) {
    let failed: Vec<&Value> = answers.iter().filter(|answer| answer["success"] != true).collect();
    assert!(failed.is_empty(), "{} of {} failed: {failed:?}", failed.len(), answers.len());
}

/// Files, index and journal agree on what was created.
fn assert_created(home: &Home, expected: usize) {
    let files = documents(&home.global());
    assert_eq!(files.len(), expected);
    for (name, text) in &files {
        assert_eq!(text, &doc(name, name), "{name} is whole");
    }
    assert_eq!(home.list().len(), expected);
    let created: BTreeSet<String> =
        home.log().iter().filter(|change| change["op"] == "create").map(|change| change["path"].to_string()).collect();
    assert_eq!(created.len(), expected, "the journal has every create");
    assert_eq!(home.log().len(), expected, "and nothing else");
    let index = std::fs::read_to_string(home.global().join("MEMORY.md")).unwrap();
    home.ok(&["index"]);
    assert_eq!(std::fs::read_to_string(home.global().join("MEMORY.md")).unwrap(), index, "the index was right already");
    assert_healthy(home);
}

#[test]
fn eight_long_lived_processes_create_fifty_files_each() {
    let home = home();
    let start = Instant::now();
    let answers = at_once(&home, |home, writer| {
        let mut tool = home.tool(&[]);
        let answers: Vec<Value> = (0..50)
            .map(|number| {
                let name = format!("w{writer}/{number:02}.md");
                tool.call(&create(&format!("{G}{name}"), &doc(&name, &name))).unwrap()
            })
            .collect();
        assert_eq!(tool.finish(), Some(0));
        answers
    });
    let (acks, seconds) = (answers.iter().map(Vec::len).sum::<usize>(), start.elapsed().as_secs_f64());
    println!("{acks} creates by {WRITERS} processes in {seconds:.2} s: {:.0} acks a second", acks as f64 / seconds);
    assert_all_succeeded(&answers.concat());
    assert_created(&home, 400);
}

#[test]
fn eight_times_five_one_shot_processes_create_a_file_each() {
    let home = home();
    let start = Instant::now();
    let answers = at_once(&home, |home, writer| {
        let one = |number: usize| {
            let name = format!("w{writer}/{number:02}.md");
            home.tools(&[create(&format!("{G}{name}"), &doc(&name, &name))])
        };
        (0..5).flat_map(one).collect::<Vec<Value>>()
    });
    println!("40 one-shot creates in {:.2} s", start.elapsed().as_secs_f64());
    assert_all_succeeded(&answers.concat());
    assert_created(&home, 40);
}

#[test]
fn eight_processes_insert_into_one_file() {
    let home = home();
    home.create(&format!("{G}log.md"), &doc("log", "start"));
    let start = Instant::now();
    let answers = at_once(&home, |home, writer| {
        let calls: Vec<Value> =
            (0..25).map(|number| insert(&format!("{G}log.md"), 5, &format!("line {writer}-{number}"))).collect();
        let ran = Ran::of(home.loci(&["tool"]), lines(&calls).as_bytes());
        assert_eq!(ran.exit, Some(0), "{}", ran.stderr);
        ran.answers()
    });
    println!("200 inserts into one file in {:.2} s", start.elapsed().as_secs_f64());
    assert_all_succeeded(&answers.concat());
    let text = std::fs::read_to_string(home.global().join("log.md")).unwrap();
    let lines: BTreeSet<&str> = text.lines().filter(|line| line.starts_with("line ")).collect();
    assert_eq!(lines.len(), 200);
    assert_eq!(text.lines().count(), 200 + doc("log", "start").lines().count());
    assert_eq!(home.log().len(), 201);
    assert_healthy(&home);
}

#[test]
fn one_of_eight_wins_a_create_and_one_of_eight_wins_a_replacement() {
    let home = home();
    for round in 0..3 * rounds() {
        let path = format!("{G}prize-{round}.md");
        let winners = |call: &(dyn Fn(usize) -> Value + Sync)| -> Vec<usize> {
            let answers = at_once(&home, |home, writer| home.tools(&[call(writer)]).remove(0));
            (0..WRITERS).filter(|writer| answers[*writer]["success"] == true).collect()
        };
        let created = winners(&|writer| create(&path, &format!("made by {writer}\n")));
        assert_eq!(created.len(), 1, "one create wins: {created:?}");
        let replaced = winners(&|writer| replace(&path, "made", &format!("{writer} changed")));
        assert_eq!(replaced.len(), 1, "one replacement wins: {replaced:?}");
        let text = std::fs::read_to_string(home.global().join(format!("prize-{round}.md"))).unwrap();
        assert_eq!(text, format!("{} changed by {}\n", replaced[0], created[0]));
    }
}

#[test]
fn readers_see_whole_files_while_writers_write() {
    let home = home();
    let body = |version: usize| format!("{}\n", format!("version {version:04} ").repeat(400).trim_end());
    home.create(&format!("{G}a.md"), &body(0));
    std::thread::scope(|scope| {
        let (home, body) = (&home, &body);
        let writer = scope.spawn(move || {
            let (a, b) = (format!("{G}a.md"), format!("{G}b.md"));
            let mut tool = home.tool(&[]);
            for version in 1..60 {
                let answer = tool.call(&replace(&a, &body(version - 1), &body(version))).unwrap();
                assert_eq!(answer["success"], true, "{answer}");
                assert_eq!(tool.call(&create(&b, &body(version))).unwrap()["success"], true);
                assert_eq!(tool.call(&delete(&b)).unwrap()["success"], true);
            }
        });
        let mut looks = 0;
        while !writer.is_finished() {
            let shown = home.ok(&["show", "global/a.md"]);
            let words: BTreeSet<&str> = shown.split_whitespace().filter(|word| *word != "version").collect();
            assert_eq!(words.len(), 1, "a torn file was read");
            home.ok(&["list"]);
            looks += 1;
        }
        writer.join().unwrap();
        assert!(looks > 0);
    });
    assert_eq!(home.log().iter().filter(|change| change["actor"] != "agent").count(), 0, "nobody else was here");
}
