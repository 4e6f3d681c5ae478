//! Renames that must not be: into itself, onto another, across scopes; and of many at once one wins, and no file is lost.

use super::doors::{Client, Door, House};
use super::rounds;
use crate::support::{G, P, rename};
use loci_testkit::home::{create, documents};
use std::collections::BTreeMap;

/// All documents of both scopes.
fn all(house: &House) -> BTreeMap<String, String> {
    let project = documents(&house.home.project_memory()).into_iter().map(|(name, text)| (format!("{P}{name}"), text));
    documents(&house.home.global())
        .into_iter()
        .map(|(name, text)| (format!("{G}{name}"), text))
        .chain(project)
        .collect()
}

#[test]
fn a_rename_into_itself_onto_another_or_across_scopes_changes_nothing_at_any_door() {
    let mut house = House::new();
    for (path, text) in [("a/x.md", "x\n"), ("a/sub/y.md", "y\n"), ("b.md", "b\n")] {
        house.home.create(&format!("{G}{path}"), text);
        house.home.create(&format!("{P}{path}"), &format!("of the project: {text}"));
    }
    let (before, journal, outside) = (all(&house), house.home.log().len(), house.outside());
    let within = [
        ("a", "a/b"),
        ("a", "a/b/c"),
        ("a", "a/sub"),
        ("a", "a/sub/a"),
        ("a", "a"),
        ("a/", "a/y/"),
        ("a/sub", "a"),
        ("a/x.md", "b.md"),
        ("a/x.md", "a/x.md"),
        ("a/x.md", "a/sub/y.md"),
        ("b.md", "a"),
        ("b.md", "b.md/c"),
        ("b.md", "a/x.md/deep.md"),
        ("none", "new/dir/x"),
        ("b.md", "MEMORY.md"),
    ];
    let across = ["a", "a/x.md", "a/sub", "b.md"];
    for door in Door::ALL {
        let inside = within.iter().map(|(old, new)| rename(&format!("{G}{old}"), &format!("{G}{new}")));
        let between = across.iter().flat_map(|name| {
            let (here, there) = (format!("{G}{name}"), format!("{P}{name}"));
            let (fresh, elsewhere) = (format!("{P}new/n.md"), format!("/memories/workspace/{name}"));
            [rename(&here, &there), rename(&there, &here), rename(&here, &fresh), rename(&here, &elsewhere)]
        });
        for call in inside.chain(between) {
            let answer = house.call(door, &call);
            assert!(!answer.done, "{door:?} {call} was accepted: {}", answer.words);
            house.assert_tells_nothing(door, &call, &answer);
            assert_eq!(all(&house), before, "{door:?} {call}");
        }
    }
    assert_eq!((house.home.log().len(), house.outside()), (journal, outside));
    assert!(!house.home.global().join("new").exists() && !house.home.project_memory().join("new").exists());
}

/// Every client calls at once; which of them were answered with success.
fn at_once(house: &House, clients: &mut [Client], call: impl Fn(usize) -> serde_json::Value + Sync) -> Vec<usize> {
    let answers: Vec<bool> = std::thread::scope(|scope| {
        let call = &call;
        let asked: Vec<_> = clients
            .iter_mut()
            .enumerate()
            .map(|(number, client)| scope.spawn(move || client.call(house.daemon(), &call(number)).done))
            .collect();
        asked.into_iter().map(|one| one.join().unwrap()).collect()
    });
    (0..answers.len()).filter(|number| answers[*number]).collect()
}

#[test]
fn of_renames_at_every_door_at_once_one_wins_and_no_file_is_lost() {
    let house = House::new();
    let mut clients: Vec<Client> = Door::ALL.map(|door| house.client(door)).into();
    for round in 0..rounds(6, 100) {
        let path = |name: &str| format!("{G}r{round}/{name}.md");
        house.home.create(&path("one"), "one\n");
        let won = at_once(&house, &mut clients, |number| rename(&path("one"), &path(&format!("to-{number}"))));
        assert_eq!(won.len(), 1, "one file has one new name: {won:?}");
        assert_eq!(documents(&house.home.global())[&format!("r{round}/to-{}.md", won[0])], "one\n");
        for number in 0..clients.len() {
            house.home.create(&path(&format!("from-{number}")), &format!("from {number}\n"));
        }
        let won = at_once(&house, &mut clients, |number| rename(&path(&format!("from-{number}")), &path("prize")));
        assert_eq!(won.len(), 1, "one name has one file: {won:?}");
        let files = documents(&house.home.global());
        assert_eq!(files[&format!("r{round}/prize.md")], format!("from {}\n", won[0]));
        for number in (0..clients.len()).filter(|number| *number != won[0]) {
            assert_eq!(
                files[&format!("r{round}/from-{number}.md")],
                format!("from {number}\n"),
                "a loser lost its file"
            );
        }
    }
    let created = clients[0].call(house.daemon(), &create(&format!("{G}after.md"), "after\n"));
    assert!(created.done, "{}", created.words);
    crate::support::assert_healthy(&house.home);
}
