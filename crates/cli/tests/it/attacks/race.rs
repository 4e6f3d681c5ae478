//! A folder that becomes a link and back, thousands of times, while every door writes below it: nothing lands outside.

use super::doors::{Door, House};
use super::seconds;
use crate::support::G;
use crate::swapped_links::swap;
use loci_testkit::home::{create, tree};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

#[test]
fn nothing_lands_outside_by_any_door_while_a_folder_becomes_a_link() {
    let mut house = House::new();
    let (folder, spare) = (house.home.global().join("a"), house.home.home().join("spare-a"));
    let target = house.home.dir().join("target");
    std::fs::create_dir(&folder).unwrap();
    std::fs::create_dir(&target).unwrap();
    let (over, end) = (AtomicBool::new(false), Instant::now() + seconds(4, 30));
    let mut counts = [(0, 0); Door::ALL.len()];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                swap(&folder, &spare, &target);
            }
        });
        let mut number = 0;
        while Instant::now() < end {
            for (door, (done, refused)) in Door::ALL.into_iter().zip(&mut counts) {
                number += 1;
                let call = create(&format!("{G}a/{number}.md"), "text");
                let answer = house.call(door, &call);
                house.assert_tells_nothing(door, &call, &answer);
                *(if answer.done { done } else { refused }) += 1;
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    println!("(created, refused) by door: {counts:?}");
    assert_eq!(tree(&target).len(), 0, "something landed outside: {:?}", tree(&target).keys());
    assert!(counts.iter().all(|(done, refused)| done + refused > 0), "a door was not tried: {counts:?}");
    let sum = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    assert!(sum.0 > 0 && sum.1 > 0, "the race was not run: {counts:?}");
    if folder.is_symlink() {
        std::fs::remove_file(&folder).unwrap();
    }
    house.home.ok(&["list"]);
}
