//! Replacements that a pattern language would misread, and names that only look alike: bytes mean themselves.

use super::doors::{Door, House};
use crate::support::{G, replace};
use loci_testkit::home::create;

const DOORS: [Door; 4] = [Door::CommandLine, Door::Http, Door::Pipes, Door::McpOverHttp];

#[test]
fn a_replacement_is_literal_and_exact_at_every_door() {
    let mut house = House::new();
    for (number, door) in DOORS.into_iter().enumerate() {
        let (name, path) = (format!("r{number}.md"), format!("{G}r{number}.md"));
        let file = house.home.global().join(&name);
        let text = "aaa\n.*+?^${}()|[]\\d $1 \\0\nend\n";
        assert!(house.call(door, &create(&path, text)).done);
        // Nothing to look for, twice there when they overlap, not there at all: nothing changes.
        for (old, new) in [("", "x"), ("aa", "x"), ("a.a", "x"), ("^end$", "x"), ("\\d+", "x"), ("END", "x")] {
            let answer = house.call(door, &replace(&path, old, new));
            assert!(!answer.done, "{door:?} {old:?}: {}", answer.words);
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "{door:?} {old:?}");
        }
        for (old, new, then) in [
            (".*+?^${}()|[]\\d", "$0 $1 ${1} \\1 \\0 &", "aaa\n$0 $1 ${1} \\1 \\0 & $1 \\0\nend\n"),
            ("& $1 \\0\nend", "%s %n {} {{x}}", "aaa\n$0 $1 ${1} \\1 \\0 %s %n {} {{x}}\n"),
        ] {
            let answer = house.call(door, &replace(&path, old, new));
            assert!(answer.done, "{door:?} {old:?}: {}", answer.words);
            assert_eq!(std::fs::read_to_string(&file).unwrap(), then, "{door:?}");
        }
        // The same for the same is an answer of some kind, and changes nothing.
        house.call(door, &replace(&path, "aaa", "aaa"));
        assert!(std::fs::read_to_string(&file).unwrap().starts_with("aaa\n$0"), "{door:?}");
    }
}

#[test]
fn names_that_look_alike_never_overwrite_each_other() {
    let mut house = House::new();
    for (number, door) in DOORS.into_iter().enumerate() {
        let names = ["README.md", "readme.md", "\u{e9}.md", "e\u{301}.md"].map(|name| format!("{number}-{name}"));
        let mut made = Vec::new();
        for name in &names {
            if house.call(door, &create(&format!("{G}{name}"), &format!("text of {name}\n"))).done {
                made.push(name.clone());
            }
        }
        assert!(
            made.contains(&names[0]) && made.contains(&names[2]) && !made.contains(&names[3]),
            "{door:?}: {made:?}"
        );
        let listed = house.home.list();
        for name in &made {
            let text = std::fs::read_to_string(house.home.global().join(name)).unwrap();
            assert_eq!(text, format!("text of {name}\n"), "{door:?}");
            assert!(listed.contains_key(&format!("{G}{name}")), "{door:?}: {name} is not listed");
        }
    }
}
