//! A kill exactly at the Nth rename or sync: of a writer with many calls, of a daemon, of a dream and of a consolidation.
//!
//! `injected.rs` has every instant of a single call; here the Nth may be deep in a long life.

use super::kills::try_call;
use super::rounds;
use crate::handbook::{ON, handbook, session};
use crate::injected::strace_is_here;
use crate::support::{G, assert_healthy, home, rename, replace};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, Ran, create, documents, lines, tree, unfinished};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const RENAMES: &str = "rename,renameat,renameat2";
const REMOVALS: &str = "rename,renameat,renameat2,unlink,unlinkat";
const SYNCS: &str = "fsync,fdatasync";

type Files = BTreeMap<String, String>;

/// Which of the first fifty: a few by day, all at night.
fn which() -> Vec<usize> {
    (1..=50).filter(|n| rounds(0, 1) == 1 || [1, 6, 23, 50].contains(n)).collect()
}

/// What strace is told to do at the Nth of these calls.
fn fault(command: &mut Command, calls: &str, n: usize) {
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={calls}")]);
    command.args(["-e", &format!("inject={calls}:signal=KILL:when={n}")]);
}

/// `loci ARGS` that dies at the Nth of these calls.
fn dying(home: &Home, calls: &str, n: usize, args: &[&str]) -> Command {
    let mut strace = home.program("strace");
    fault(&mut strace, calls, n);
    strace.arg(home.binary()).args(args);
    strace
}

/// Sixty calls, and the files before the first and after each.
fn script() -> (Vec<Value>, Vec<Files>) {
    let (mut calls, mut states) = (Vec::new(), vec![Files::new()]);
    for number in 0..20 {
        let (name, moved) = (format!("d{}/{number}.md", number % 3), format!("moved/{number}.md"));
        let text = |word: &str| format!("{word} {number}\n{}", "filler\n".repeat(100));
        calls.push(create(&format!("{G}{name}"), &text("made")));
        calls.push(replace(&format!("{G}{name}"), "made", "changed"));
        calls.push(rename(&format!("{G}{name}"), &format!("{G}{moved}")));
        let last = states.last().unwrap().clone();
        let with = |name: &String, word: &str| last.clone().into_iter().chain([(name.clone(), text(word))]).collect();
        states.extend([with(&name, "made"), with(&name, "changed"), with(&moved, "changed")]);
    }
    (calls, states)
}

/// After a kill: so many calls were acknowledged, and memory is as after the last of them or after the one behind it.
fn assert_old_or_new(home: &Home, states: &[Files], acknowledged: usize, context: &str) {
    let next = home.run(&["list"]);
    assert_eq!(next.exit, Some(0), "{context}: {}", next.stderr);
    assert!(next.took < Duration::from_secs(10), "{context}: the next start took {:?}", next.took);
    assert_eq!(unfinished(home.home()), Vec::<std::path::PathBuf>::new(), "{context}");
    let now = documents(&home.global());
    let found = (acknowledged..states.len()).take(2).find(|at| states[*at] == now);
    let at = found.unwrap_or_else(|| panic!("{context}: after {acknowledged} calls there is {:?}", now.keys()));
    let log = home.log();
    assert_eq!(log.len(), at, "{context}: the journal has what happened and nothing else");
    assert!(log.iter().all(|change| change["actor"] == "agent"), "{context}: {log:?}");
    assert_healthy(home);
}

#[test]
fn a_writer_killed_at_the_nth_rename_or_sync_leaves_old_or_new() {
    if !strace_is_here() {
        return;
    }
    let (calls, states) = script();
    let mut killed = 0;
    for (kind, n) in [RENAMES, SYNCS].into_iter().flat_map(|kind| which().into_iter().map(move |n| (kind, n))) {
        let home = home();
        let ran = Ran::of(dying(&home, kind, n, &["tool"]), lines(&calls).as_bytes());
        let answers = ran.answers();
        assert!(answers.iter().all(|answer| answer["success"] == true), "{answers:?}");
        killed += usize::from(ran.exit.is_none());
        assert_old_or_new(&home, &states, answers.len(), &format!("{kind} {n}"));
    }
    assert_eq!(killed, 2 * which().len(), "sixty calls have fifty renames and fifty syncs");
}

/// Has a process die at the Nth of these calls from now on; strace sits beside it.
fn doomed(process: u32, calls: &str, n: usize) -> Child {
    let mut strace = Command::new("strace");
    fault(&mut strace, calls, n);
    // It says when it is there, quiet or not.
    strace.args(["-p", &process.to_string()]).stderr(Stdio::piped());
    let arguments: Vec<_> = strace.get_args().filter(|word| *word != "-qq").map(ToOwned::to_owned).collect();
    let mut strace = Command::new("strace").args(arguments).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(strace.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert!(said.contains("attached"), "strace says {said:?}");
    strace
}

#[test]
fn a_daemon_killed_at_the_nth_rename_or_sync_leaves_old_or_new() {
    if !strace_is_here() {
        return;
    }
    let (calls, states) = script();
    let mut fates = Vec::new();
    // Its work is spread over threads, and each counts for itself: so fewer are enough to get far.
    let some = || (1..=50).filter(|n| rounds(0, 1) == 1 || [1, 2, 3, 5].contains(n));
    for (kind, n) in [RENAMES, SYNCS].into_iter().flat_map(|kind| some().map(move |n| (kind, n))) {
        let home = home();
        let daemon = Daemon::start(&home, &[], &[]);
        let mut strace = doomed(daemon.id(), kind, n);
        let answer = |call: &Value| try_call(daemon.address(), daemon.token(), call);
        let answers: Vec<Value> = calls.iter().map_while(answer).collect();
        assert!(answers.iter().all(|answer| answer["success"] == true), "{answers:?}");
        fates.push((kind, n, answers.len()));
        daemon.kill();
        strace.wait().unwrap();
        assert_old_or_new(&home, &states, answers.len(), &format!("daemon, {kind} {n}"));
    }
    // On a busy machine strace now and then attaches and sees nothing, so not all of them die.
    let killed = fates.iter().filter(|(_, _, answered)| *answered < calls.len()).count();
    assert!(killed > 1, "{killed} kills: {fates:?}");
}

#[test]
fn a_dream_killed_at_the_nth_removal_or_sync_is_done_or_taken_back() {
    if !strace_is_here() {
        return;
    }
    let home = home();
    let text =
        |n: usize| format!("---\nname: N{n}\ndescription: d\ntype: feedback\n---\n- Rule {n} holds everywhere.\n");
    let copies = (0..24).flat_map(|n| ["a", "b"].map(|copy| create(&format!("{G}feedback/{copy}{n}.md"), &text(n))));
    assert!(home.tools(&copies.collect::<Vec<_>>()).iter().all(|answer| answer["success"] == true));
    let before = documents(&home.global());
    assert_eq!(home.json(&["dream"])["dedupedEntries"], 24);
    let after = documents(&home.global());
    home.ok(&["undo"]);
    let (mut killed, mut done) = (0, 0);
    for (kind, n) in [REMOVALS, SYNCS].into_iter().flat_map(|kind| which().into_iter().map(move |n| (kind, n))) {
        killed += usize::from(Ran::of(dying(&home, kind, n, &["dream"]), b"").exit.is_none());
        home.ok(&["list"]);
        if documents(&home.global()) == after {
            done += 1;
            home.ok(&["undo"]);
        }
        assert_eq!(documents(&home.global()), before, "{kind} {n}: half a dream is left");
        assert_healthy(&home);
    }
    println!("{killed} were killed, {done} were done");
    assert!(killed > which().len(), "only {killed} kills");
}

#[test]
fn a_consolidation_killed_at_the_nth_sync_or_rename_leaves_a_whole_book() {
    if !strace_is_here() {
        return;
    }
    let fact = |n: usize| format!("heron number {n} lives in Oslo");
    let mut killed = 0;
    let all = [("renameat2,mkdirat", rounds(4, 10)), (SYNCS, rounds(6, 34))];
    for (kind, n) in all.into_iter().flat_map(|(kind, upto)| (1..=upto).map(move |n| (kind, n))) {
        // By day every second one of the first; whoever is killed late has done all.
        let n = if rounds(0, 1) == 1 { n } else { n * 2 };
        let home = home();
        home.edit("config.toml", ON);
        session(&home, "s-0", &[&format!("Remember that the {}.", fact(0))]);
        home.json(&["pipeline", "run"]);
        let before = tree(&handbook(&home));
        session(&home, "s-1", &[&format!("Remember that the {}.", fact(1))]);
        killed += usize::from(Ran::of(dying(&home, kind, n, &["pipeline", "run"]), b"").exit.is_none());
        let book = tree(&handbook(&home));
        let text = |book: &BTreeMap<String, Vec<u8>>| String::from_utf8(book["MEMORY.md"].clone()).unwrap();
        assert!(book == before || text(&book).contains(&fact(1)), "{kind} {n}: {:?}", text(&book));
        assert!(book.keys().eq(before.keys()) || book.len() > before.len(), "{kind} {n}: {:?}", book.keys());
        home.json(&["pipeline", "run"]);
        let book = text(&tree(&handbook(&home)));
        assert_eq!((0..2).map(|n| book.matches(&fact(n)).count()).collect::<Vec<_>>(), [1, 1], "{kind} {n}: {book}");
        assert_eq!(unfinished(home.home()), Vec::<std::path::PathBuf>::new(), "{kind} {n}");
        assert_healthy(&home);
    }
    assert!(killed > 4, "only {killed} kills");
}
