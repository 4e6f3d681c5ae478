//! `kill -9` while a dream changes files: the next command finds everything as it was, or all of it done.

use crate::support::{Dice, assert_healthy, home};
use loci_testkit::home::{Home, documents};
use loci_testkit::rounds;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Twenty pairs of copies in each of two scopes.
fn messy(home: &Home) {
    let text = |n: usize| {
        format!("---\nname: N{n}\ndescription: d\ntype: feedback\n---\n- Rule number {n} holds everywhere.\n")
    };
    let mut calls = Vec::new();
    for scope in ["global", "project"] {
        for n in 0..20 {
            for copy in ["a", "b"] {
                calls.push(loci_testkit::home::create(&format!("/memories/{scope}/feedback/{copy}{n}.md"), &text(n)));
            }
        }
    }
    assert!(home.tools(&calls).iter().all(|answer| answer["success"] == true));
}

fn all(home: &Home) -> BTreeMap<String, String> {
    let project = documents(&home.project_memory()).into_iter().map(|(path, text)| (format!("project/{path}"), text));
    documents(&home.global()).into_iter().chain(project).collect()
}

/// How long a whole dream takes.
fn whole(home: &Home) -> Duration {
    let start = Instant::now();
    assert_eq!(home.json(&["dream"])["dedupedEntries"], 40);
    start.elapsed()
}

#[test]
fn cut_off_dream_is_taken_back() {
    (0..rounds()).for_each(cut_off);
}

fn cut_off(run: u64) {
    let home = home();
    messy(&home);
    let before = all(&home);
    let takes = whole(&home);
    let after = all(&home);
    assert_eq!((before.len(), after.len()), (80, 40));
    home.ok(&["undo"]);
    assert_eq!(all(&home), before);
    let mut dice = Dice(0xd4ea_3001_9e37_79b9 ^ run);
    let (mut done, mut halves) = (0, 0);
    for round in 0..40 {
        let mut dreaming = home.loci(&["dream"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // The moment of the kill is the input of this test, not a way to wait for something.
        std::thread::sleep(takes.mul_f64(dice.roll(1000) as f64 / 900.0));
        Command::new("kill").args(["-9", &dreaming.id().to_string()]).status().unwrap();
        dreaming.wait().unwrap();
        let found = all(&home);
        halves += usize::from(found != before && found != after);
        // Any command will do: what was cut off is taken back at its start.
        home.ok(&["list"]);
        let now = all(&home);
        if now == after {
            done += 1;
            home.ok(&["undo"]);
        } else {
            assert_eq!(now, before, "round {round}: half a dream is left");
        }
        assert_eq!(all(&home), before, "round {round}");
        assert_healthy(&home);
    }
    println!("{done} were done, {halves} were cut off between files");
    // A dead owner's lock is no lock.
    assert_eq!(home.json(&["dream"])["status"], "updated");
    assert_eq!(all(&home), after);
}
