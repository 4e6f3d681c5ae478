//! A folder that becomes a link and back, thousands of times, while clients at every door work below it: nothing of what the
//! link leads to is made, read, changed or removed.

use super::doors::{CANARY, Client, Door, House, asked_by_a_model};
use super::seconds;
use crate::support::{G, delete, insert, rename, replace, view};
use crate::swapped_links::swap;
use loci_testkit::home::{create, write};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Ends the work of all others, also when this thread fails.
struct AtTheEnd<'a>(&'a AtomicBool);

impl Drop for AtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What one client tries: its own file, one that is on both sides, and one that is outside only.
fn tries(door: Door, number: usize) -> [Value; 7] {
    let own = format!("{G}a/{door:?}-{number}.md");
    let (both, outside) = (format!("{G}a/both.md"), format!("{G}a/outside.md"));
    [
        create(&own, "text"),
        view(&both),
        replace(&both, CANARY, "evil"),
        insert(&outside, 0, "evil"),
        rename(&outside, &format!("{G}stolen-{door:?}-{number}.md")),
        delete(&outside),
        rename(&own, &outside),
    ]
}

/// Works until it is over; how many calls were done and how many refused.
fn work(house: &House, mut client: Client, over: &AtomicBool) -> (usize, usize) {
    let (mut done, mut refused) = (0, 0);
    for number in 0.. {
        for call in tries(client.door, number) {
            let answer = client.call(house.daemon(), &call);
            house.assert_tells_nothing(client.door, &call, &answer);
            *(if answer.done { &mut done } else { &mut refused }) += 1;
        }
        if over.load(Ordering::Relaxed) {
            break;
        }
    }
    (done, refused)
}

#[test]
fn nothing_lands_outside_by_any_door_while_a_folder_becomes_a_link() {
    let house = House::new();
    let (folder, spare) = (house.home.global().join("a"), house.home.home().join("memory/.spare-a"));
    let target = house.home.dir().join("target");
    for name in ["both.md", "outside.md"] {
        write(&target.join(name), CANARY);
    }
    write(&folder.join("both.md"), "inside\n");
    let before = house.outside();
    let clients = Door::ALL.map(|door| house.client(door));
    let (over, end) = (AtomicBool::new(false), Instant::now() + seconds(4, 30));
    let counts: Vec<(usize, usize)> = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                swap(&folder, &spare, &target);
            }
        });
        let (house, over) = (&house, &over);
        let working: Vec<_> = clients.map(|client| scope.spawn(move || work(house, client, over))).into();
        // And a model that does what the injection says, meanwhile.
        let end_of_all = AtTheEnd(over);
        let mut number = 0;
        while Instant::now() < end {
            let paths = ["both.md".to_owned(), "outside.md".to_owned(), format!("model-{number}.md")];
            let answers = asked_by_a_model(&house.home, &paths.map(|name| format!("{G}a/{name}")));
            for (path, words) in answers.into_iter().flatten() {
                assert!(!words.contains(CANARY), "{path}: {words}");
            }
            number += 1;
        }
        drop(end_of_all);
        working.into_iter().map(|one| one.join().unwrap()).collect()
    });
    println!("(done, refused) by door: {counts:?}");
    assert_eq!(house.outside(), before, "something outside was touched");
    let sum = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    assert!(sum.0 > 0 && sum.1 > 0, "the race was not run: {counts:?}");
    if folder.is_symlink() {
        std::fs::remove_file(&folder).unwrap();
    }
    house.home.ok(&["list"]);
}
