//! `kill -9` at any moment: what was acknowledged is there, whole and journaled.

use crate::support::{Dice, G, assert_healthy, delete, home, insert, rename, replace};
use loci_testkit::home::{Home, create, documents, unfinished};
use loci_testkit::rounds;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What must be on disk: the state after every acknowledged call, and the one after the call that was cut off.
#[derive(Default)]
struct Expected {
    files: BTreeMap<String, String>,
    /// `op path` of every acknowledged change.
    journal: Vec<String>,
    acks: usize,
}

/// A call and what it does to the files.
struct Step {
    call: Value,
    op: &'static str,
    path: String,
    files: BTreeMap<String, String>,
}

fn next(expected: &Expected, dice: &mut Dice, number: usize) -> Step {
    let mut files = expected.files.clone();
    let some = files.keys().nth(dice.roll(files.len().max(1) as u64) as usize).cloned();
    let whole = |word: &str| format!("{word} {number}\n{}", "filler text\n".repeat(200));
    let (call, op, path) = match (some, dice.roll(10)) {
        (Some(name), 0..=2) => {
            let text = files[&name].clone();
            let first = text.lines().next().unwrap().to_owned();
            files.insert(name.clone(), text.replacen(&first, &format!("replaced {number}"), 1));
            (replace(&format!("{G}{name}"), &format!("{first}\n"), &format!("replaced {number}\n")), "modify", name)
        }
        (Some(name), 3) => {
            files.insert(name.clone(), format!("inserted {number}\n{}", files[&name]));
            (insert(&format!("{G}{name}"), 0, &format!("inserted {number}")), "modify", name)
        }
        (Some(name), 4) => {
            let text = files.remove(&name).unwrap();
            let to = format!("moved/{number}.md");
            files.insert(to.clone(), text);
            (rename(&format!("{G}{name}"), &format!("{G}{to}")), "rename", name)
        }
        (Some(name), 5) if files.len() > 5 => {
            files.remove(&name);
            (delete(&format!("{G}{name}")), "delete", name)
        }
        _ => {
            let name = format!("d{}/{number}.md", number % 3);
            files.insert(name.clone(), whole("created"));
            (create(&format!("{G}{name}"), &whole("created")), "create", name)
        }
    };
    Step { call, op, path, files }
}

/// One writer, killed after a while; the step that it was killed in, if any.
fn round(home: &Home, expected: &mut Expected, dice: &mut Dice, round: usize) -> Option<Step> {
    let mut tool = home.tool(&[]);
    let id = tool.id().to_string();
    let after = Duration::from_micros(500 + dice.roll(60_000));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // The moment of the kill is the input of this test, not a way to wait for something.
            std::thread::sleep(after);
            Command::new("kill").args(["-9", &id]).status().unwrap();
        });
        for number in 0.. {
            let step = next(expected, dice, round * 1000 + number);
            let Some(answer) = tool.call(&step.call) else { return Some(step) };
            assert_eq!(answer["success"], true, "{}: {answer}", step.call);
            expected.files = step.files;
            expected.journal.push(format!("{} {G}{}", step.op, step.path));
            expected.acks += 1;
        }
        None
    })
}

#[test]
fn every_acknowledged_change_survives_forty_kills() {
    (0..rounds()).for_each(forty_kills);
}

fn forty_kills(run: u64) {
    let home = home();
    let (mut expected, mut dice) = (Expected::default(), Dice(0x1234_5678_9abc_def1 ^ run));
    let mut cut = 0;
    for number in 0..40 {
        let cut_off = round(&home, &mut expected, &mut dice, number);
        let listed: BTreeSet<String> = home.list().into_keys().collect();
        assert_eq!(unfinished(home.home()), Vec::<std::path::PathBuf>::new(), "round {number}");
        let now = documents(&home.global());
        match cut_off {
            // Nothing that was not asked for: the state is the one before or the one after the last call.
            Some(step) if now == step.files => {
                expected.files = step.files;
                expected.journal.push(format!("{} {G}{}", step.op, step.path));
                cut += 1;
            }
            _ => assert_eq!(now, expected.files, "round {number}"),
        }
        assert_eq!(listed, now.keys().map(|name| format!("{G}{name}")).collect(), "round {number}");
        assert_healthy(&home);
    }
    let mut journal: Vec<String> = home
        .log()
        .iter()
        .map(|change| {
            assert_eq!(change["actor"], "agent", "a change was taken for somebody else's: {change}");
            format!("{} {}", change["op"].as_str().unwrap(), change["path"].as_str().unwrap())
        })
        .collect();
    journal.sort();
    expected.journal.sort();
    assert_eq!(journal, expected.journal);
    println!("{} acknowledged, {cut} were done but not acknowledged", expected.acks);
    assert!(expected.acks > 40, "only {} acks: the kills come too early to say anything", expected.acks);
}

#[test]
fn killed_together_eight_writers_leave_whole_files() {
    (0..rounds()).for_each(killed_together);
}

fn killed_together(run: u64) {
    let home = home();
    let mut dice = Dice(0xfeed_beef_1234_0001 ^ run);
    let mut acked = BTreeSet::new();
    for round in 0..5 {
        let mut tools: Vec<_> = (0..8).map(|_| home.tool(&[])).collect();
        let ids: Vec<String> = tools.iter().map(|tool| tool.id().to_string()).collect();
        let after = Duration::from_millis(20 + dice.roll(80));
        let first = &AtomicBool::new(false);
        std::thread::scope(|scope| {
            let writers: Vec<_> = tools
                .iter_mut()
                .enumerate()
                .map(|(writer, tool)| {
                    scope.spawn(move || {
                        let names = (0..).map(|number| format!("r{round}-w{writer}-{number}.md"));
                        let acked = |name: &String| {
                            let answer = tool.call(&create(&format!("{G}{name}"), &name.repeat(500)));
                            first.fetch_or(answer.is_some(), Ordering::Relaxed);
                            answer.inspect(|answer| assert_eq!(answer["success"], true, "{answer}")).is_some()
                        };
                        let mut acked = acked;
                        names.take_while(|name| acked(name)).collect::<Vec<String>>()
                    })
                })
                .collect();
            // However slowly they start: what counts is that they are cut off while they write.
            while !first.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(after);
            Command::new("kill").arg("-9").args(&ids).status().unwrap();
            writers.into_iter().for_each(|writer| acked.extend(writer.join().unwrap()));
        });
        assert_eq!(tools.len(), 8);
        drop(tools);
        let listed = home.list();
        let files = documents(&home.global());
        assert_eq!(listed.len(), files.len());
        for name in &acked {
            assert!(listed.contains_key(&format!("{G}{name}")), "{name} was acknowledged and is not listed");
        }
        for (name, text) in &files {
            assert_eq!(text, &name.repeat(500), "{name} is torn");
        }
        assert_healthy(&home);
    }
    let logged: BTreeSet<String> =
        home.log().iter().map(|change| change["path"].as_str().unwrap().to_owned()).collect();
    for name in &acked {
        assert!(logged.contains(&format!("{G}{name}")), "{name} is not in the journal");
    }
    println!("{} acknowledged", acked.len());
    assert!(acked.len() > 8);
}
