//! Thousands of spellings of a way out, by every command, at every door.

use super::doors::{Door, House, by_a_model};
use super::rounds;
use crate::bad_paths::{bad_paths, commands};
use crate::support::{Dice, delete, rename};
use serde_json::Value;
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

/// Any of it in any order: what no list thinks of.
fn mixed(many: usize) -> Vec<String> {
    let mut dice = Dice(0x9a7b_0001_5e11_c0de);
    let mut pick = |from: &[&'static str]| from[dice.roll(from.len() as u64) as usize];
    let names = ["outside", "canary.md", "memories", "global", "real.md", "etc", "passwd", "x", "~", "", "%00", "C:"];
    let one = |_| {
        let steps = ["1", "12", "123", "12345", "123456789"];
        let middle: String = pick(&steps)
            .chars()
            .map(|_| [pick(&DOTS), pick(&BETWEEN), pick(&names), pick(&BETWEEN)].concat())
            .collect();
        format!("{}{middle}{}", pick(&BEFORE), pick(&BEHIND))
    };
    (0..many).map(one).collect()
}

/// Puts back what an accepted call moved, so that the next one finds what it names.
fn put_back(house: &mut House, door: Door, call: &Value) {
    if call["command"] == "rename" {
        let (old, new) = (call["old_path"].as_str().unwrap(), call["new_path"].as_str().unwrap());
        let back = house.call(door, &rename(new, old));
        assert!(back.done, "{door:?} {call}: {}", back.words);
    }
}

#[test]
fn no_spelling_of_a_path_leads_out_at_any_door() {
    let mut house = House::new();
    let (mut spelled, before) = (spellings(), house.outside());
    assert!(spelled.len() > 2000, "{} spellings", spelled.len());
    spelled.extend(mixed(rounds(400, 6000)));
    let (mut calls, mut accepted) = (0, 0);
    for (turn, door) in Door::ALL.into_iter().enumerate() {
        // By day the first door has all seven calls of a spelling, pipes two or three in turn, and where each call is a
        // connection of its own every second spelling has one.
        let step = match door {
            Door::CommandLine => 1,
            Door::Pipes => rounds(3, 1),
            _ => rounds(13, 1),
        };
        for (number, path) in spelled.iter().enumerate() {
            for call in commands(path).iter().skip((number + turn) % step).step_by(step) {
                let answer = house.call(door, call);
                house.assert_tells_nothing(door, call, &answer);
                calls += 1;
                if answer.done {
                    accepted += 1;
                    put_back(&mut house, door, call);
                }
            }
        }
        assert_eq!(house.outside(), before, "{door:?}");
    }
    println!("{} spellings, {calls} calls, {accepted} of them within memory", spelled.len());
    house.home.ok(&["list"]);
}

#[test]
fn every_bad_path_is_refused_at_every_door() {
    let mut house = House::new();
    let before = house.outside();
    let bad = bad_paths(&house.home);
    for door in Door::ALL {
        for (number, path) in bad.iter().enumerate() {
            let step = rounds(3, 1);
            for one in commands(path).iter().skip(number % step).step_by(step) {
                let answer = house.call(door, one);
                assert!(!answer.done, "{door:?} {one} was accepted: {}", answer.words);
                house.assert_tells_nothing(door, one, &answer);
            }
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
    paths.extend(spellings().into_iter().step_by(rounds(3, 1)));
    paths.extend(mixed(rounds(100, 6000)));
    for (path, words) in by_a_model(&house.home, &paths) {
        let inside = path.starts_with("/memories/") && !path.contains("..");
        assert!(words.starts_with("Error: ") || inside || words == "Nothing was found.", "{path}: {words}");
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
