//! Thousands of spellings of a way out, by every command, at every door.

use super::doors::{Door, House, by_a_model};
use super::rounds;
use crate::bad_paths::{bad_paths, commands};
use crate::support::{delete, rename};
use std::collections::BTreeSet;

/// Dots, as one or the other reader might understand them.
const DOTS: [&str; 15] = [
    "..",
    ".",
    "...",
    "%2e%2e",
    "%2E.",
    "%252e%252e",
    "%c0%ae%c0%ae",
    "..%00",
    ".. ",
    "..\u{200b}",
    "\u{ff0e}\u{ff0e}",
    "\u{2024}\u{2024}",
    "\u{2025}",
    "..;a=b",
    "\\..",
];
/// What might part two names.
const BETWEEN: [&str; 10] = ["/", "//", "/./", "\\", "%2f", "%5c", "%c0%af", "\u{2215}", "\u{ff0f}", ";/"];
const BEFORE: [&str; 4] = ["/memories/", "/memories/global/", "/memories/global/real.md/", "/memories/project/a/b/"];
const BEHIND: [&str; 4] = ["outside/canary.md", "memories_evil/x", "etc/passwd", ""];

fn spellings() -> Vec<String> {
    let mut all = BTreeSet::new();
    for dots in DOTS {
        for between in BETWEEN {
            for before in BEFORE {
                for (behind, steps) in BEHIND.iter().zip([2, 1, 9, 3]) {
                    all.insert(format!("{before}{}{behind}", format!("{dots}{between}").repeat(steps)));
                }
            }
        }
    }
    all.into_iter().collect()
}

#[test]
fn no_spelling_of_a_path_leads_out_at_any_door() {
    let mut house = House::new();
    let (spelled, before) = (spellings(), house.outside());
    assert!(spelled.len() > 2000, "{} spellings", spelled.len());
    let mut calls = 0;
    // By day each spelling goes with one command through the first door and one other; at night with all through all.
    let (step, part) = (rounds(7, 1), rounds(4, 1));
    for (turn, door) in Door::ALL.into_iter().enumerate() {
        let here = |number: &usize| door == Door::CommandLine || number % part == turn % part;
        for (number, path) in spelled.iter().enumerate().filter(|(number, _)| here(number)) {
            for call in commands(path).iter().skip((number / part + turn) % step).step_by(step) {
                let answer = house.call(door, call);
                house.assert_tells_nothing(door, call, &answer);
                calls += 1;
            }
        }
        assert_eq!(house.outside(), before, "{door:?}");
    }
    println!("{} spellings, {calls} calls", spelled.len());
    house.home.ok(&["list"]);
}

#[test]
fn every_bad_path_is_refused_at_every_door() {
    let mut house = House::new();
    let before = house.outside();
    let bad = bad_paths(&house.home);
    for door in Door::ALL {
        for (number, path) in bad.iter().enumerate() {
            let all = commands(path);
            let one = &all[number % all.len()];
            let answer = house.call(door, one);
            assert!(!answer.done, "{door:?} {one} was accepted: {}", answer.words);
            house.assert_tells_nothing(door, one, &answer);
        }
        assert_eq!(house.outside(), before, "{door:?}");
    }
    assert_eq!(house.home.log().len(), 1, "the real file, and nothing else");
}

#[test]
fn an_obedient_model_reaches_nothing_by_any_spelling() {
    let house = House::new();
    let before = house.outside();
    let mut paths = bad_paths(&house.home);
    paths.extend(spellings().into_iter().step_by(rounds(7, 1)));
    for (path, words) in by_a_model(&house.home, &paths) {
        let inside = path.starts_with("/memories/") && !path.contains("..");
        assert!(words.starts_with("Error: ") || inside, "{path}: {words}");
        assert!(!words.contains(super::doors::CANARY) && !words.contains("root:x:"), "{path}: {words}");
    }
    assert_eq!(house.outside(), before);
}

#[test]
fn a_root_is_neither_deleted_nor_moved_at_any_door() {
    let mut house = House::new();
    let files = loci_testkit::home::documents(&house.home.global());
    for door in Door::ALL {
        for root in ["/memories", "/memories/global"] {
            for spelled in ["{}", "{}/", "{}/.", "{}/sub/..", "{}//", "{}/./"] {
                let path = spelled.replace("{}", root);
                for call in
                    [delete(&path), rename(&path, "/memories/global/n"), rename("/memories/global/real.md", &path)]
                {
                    let answer = house.call(door, &call);
                    assert!(!answer.done, "{door:?} {call}: {}", answer.words);
                }
            }
        }
        assert_eq!(loci_testkit::home::documents(&house.home.global()), files, "{door:?}");
    }
}
