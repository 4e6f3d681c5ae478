//! Faults of the system, one call after the other: a kill at the Nth system call, a full disk, a disk that cannot sync.

use crate::support::{G, assert_healthy, delete, home, insert, rename, replace, skip};
use loci_testkit::home::{Home, Ran, create, documents, lines};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

type Files = BTreeMap<String, String>;

/// A call on files of its own, and what it does to them.
struct Case {
    name: &'static str,
    call: fn(&str) -> Value,
    then: fn(&str, &mut Files),
    changes: usize,
}

const CASES: [Case; 7] = [
    Case {
        name: "create",
        call: |d| create(&format!("{G}{d}/new/n.md"), "new\n"),
        then: |d, files| drop(files.insert(format!("{d}/new/n.md"), "new\n".to_owned())),
        changes: 1,
    },
    Case {
        name: "str_replace",
        call: |d| replace(&format!("{G}{d}/a.md"), "one", "two"),
        then: |d, files| drop(files.insert(format!("{d}/a.md"), "two a\n".to_owned())),
        changes: 1,
    },
    Case {
        name: "insert",
        call: |d| insert(&format!("{G}{d}/a.md"), 0, "top"),
        then: |d, files| drop(files.insert(format!("{d}/a.md"), "top\none a\n".to_owned())),
        changes: 1,
    },
    Case {
        name: "rename",
        call: |d| rename(&format!("{G}{d}/a.md"), &format!("{G}{d}/new/r.md")),
        then: |d, files| move_all(files, &format!("{d}/a.md"), &format!("{d}/new/r.md")),
        changes: 1,
    },
    Case {
        name: "rename a folder",
        call: |d| rename(&format!("{G}{d}/sub"), &format!("{G}{d}/new/sub")),
        then: |d, files| move_all(files, &format!("{d}/sub/"), &format!("{d}/new/sub/")),
        changes: 2,
    },
    Case {
        name: "delete",
        call: |d| delete(&format!("{G}{d}/a.md")),
        then: |d, files| files.retain(|name, _| *name != format!("{d}/a.md")),
        changes: 1,
    },
    Case {
        name: "delete a folder",
        call: |d| delete(&format!("{G}{d}/sub")),
        then: |d, files| files.retain(|name, _| !name.starts_with(&format!("{d}/sub/"))),
        changes: 2,
    },
];

fn move_all(files: &mut Files, from: &str, to: &str) {
    let moved: Vec<String> = files.keys().filter(|name| name.starts_with(from)).cloned().collect();
    for name in moved {
        let text = files.remove(&name).unwrap();
        files.insert(name.replacen(from, to, 1), text);
    }
}

pub fn strace_is_here() -> bool {
    let tried = Command::new("strace").args(["-o", "/dev/null", "-e", "trace=none", "true"]).output();
    match tried {
        Ok(done) if done.status.success() => true,
        Ok(done) => {
            skip::<bool>(&format!("strace cannot trace here: {}", String::from_utf8_lossy(&done.stderr))).is_some()
        }
        Err(error) => skip::<bool>(&format!("strace is not installed: {error}")).is_some(),
    }
}

/// Runs a call while `fault` is injected into `calls`.
fn under_fault(home: &Home, calls: &str, fault: &str, call: &Value) -> Ran {
    let mut strace = home.program("strace");
    strace.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={calls}")]);
    strace.args(["-e", &format!("inject={calls}:{fault}")]).arg(home.binary()).arg("tool");
    Ran::of(strace, lines(std::slice::from_ref(call)).as_bytes())
}

/// Files of its own for one injection.
fn prepare(home: &Home, folder: &str) {
    let files = [("a.md", "one a\n"), ("sub/b.md", "b\n"), ("sub/deep/c.md", "c\n")];
    let calls: Vec<Value> = files.iter().map(|(name, text)| create(&format!("{G}{folder}/{name}"), text)).collect();
    assert!(home.tools(&calls).iter().all(|answer| answer["success"] == true));
}

/// One injection; the state must be the one before or the one after, and the journal must say which.
fn inject(home: &Home, case: &Case, calls: &str, fault: &str, folder: &str) -> (Option<Value>, bool) {
    prepare(home, folder);
    let before = documents(&home.global());
    let mut after = before.clone();
    (case.then)(folder, &mut after);
    let journaled = home.log().len();
    let ran = under_fault(home, calls, fault, &(case.call)(folder));
    let context = format!("{} with {calls}:{fault}: {}{}", case.name, ran.stdout, ran.stderr);

    home.ok(&["list"]);
    let now = documents(&home.global());
    let happened = now == after;
    assert!(happened || now == before, "{context}\nbefore {before:#?}\nnow {now:#?}");
    let log = home.log();
    let added = if happened { case.changes } else { 0 };
    assert_eq!(
        log.len() - journaled,
        added,
        "{context}\nhappened: {happened}; journal: {:#?}",
        &log[..log.len() - journaled]
    );
    assert!(log.iter().all(|change| change["actor"] == "agent"), "{context}\n{:#?}", &log[..added]);
    assert_healthy(home);
    home.create(&format!("{G}{folder}/next.md"), "next\n");
    (ran.answers().pop(), happened)
}

/// A kill at the Nth of these system calls, for every command.
fn killed_at(calls: &str, upto: usize) {
    if !strace_is_here() {
        return;
    }
    let mut killed = 0;
    for case in &CASES {
        let home = home();
        for n in 1..=upto {
            let (answer, happened) = inject(&home, case, calls, &format!("signal=KILL:when={n}"), &format!("n{n}"));
            match answer {
                Some(answer) => {
                    assert!(answer["success"] != true || happened, "{} {n}: acknowledged and not there", case.name)
                }
                None => killed += 1,
            }
        }
    }
    assert!(killed > CASES.len(), "only {killed} kills: the calls are not the ones that the binary makes");
}

#[test]
fn a_kill_at_any_rename_or_removal_leaves_old_or_new() {
    killed_at("rename,renameat,renameat2,unlink,unlinkat,mkdirat", 5);
}

#[test]
fn a_kill_at_any_sync_leaves_old_or_new() {
    killed_at("fsync,fdatasync", 12);
}

#[test]
fn a_kill_at_any_write_of_the_ledger_leaves_old_or_new() {
    killed_at("pwrite64", 12);
}

#[test]
fn a_kill_at_a_late_write_of_the_ledger_leaves_old_or_new() {
    if !strace_is_here() {
        return;
    }
    let home = home();
    for n in 13..=45 {
        let (answer, happened) =
            inject(&home, &CASES[0], "pwrite64", &format!("signal=KILL:when={n}"), &format!("n{n}"));
        assert!(answer.is_none_or(|answer| answer["success"] != true) || happened, "{n}: acknowledged and not there");
    }
}

/// An error at the Nth of these system calls: refused and as before, or done and as after.
fn failing_at(calls: &str, error: &str, at: std::ops::RangeInclusive<usize>, words: &str) {
    if !strace_is_here() {
        return;
    }
    let mut refused = 0;
    for case in &CASES {
        let home = home();
        for n in at.clone() {
            for (reach, mark) in [("", "once"), ("+", "on")] {
                let folder = format!("n{n}-{mark}");
                let fault = format!("error={error}:when={n}{reach}");
                let (answer, happened) = inject(&home, case, calls, &fault, &folder);
                // Without an answer it was the answer itself that could not be written, or the start that failed.
                let Some(answer) = answer else { continue };
                let context = format!("{} with {fault}: {answer}", case.name);
                assert_eq!(answer["success"] == true, happened, "{context}");
                if !happened {
                    refused += 1;
                    let said = answer["error"].as_str().unwrap();
                    assert!(said.contains(words), "{context}");
                    assert!(!said.contains(home.dir().to_str().unwrap()), "{context}");
                }
            }
        }
    }
    assert!(refused > 2, "only {refused} refusals: the calls are not the ones that the binary makes");
}

#[test]
fn a_disk_that_is_full_at_any_write_changes_nothing() {
    failing_at("write", "ENOSPC", 1..=2, "full");
}

#[test]
fn a_ledger_that_cannot_grow_changes_nothing_or_loses_nothing() {
    // The first writes only make room for the ledger's shared memory.
    failing_at("pwrite64", "ENOSPC", 9..=14, "full");
}

#[test]
fn a_disk_that_cannot_sync_acknowledges_nothing() {
    failing_at("fsync,fdatasync", "EIO", 1..=6, "");
}

#[test]
fn a_rename_that_fails_changes_nothing() {
    failing_at("renameat,renameat2", "EIO", 1..=2, "");
}
