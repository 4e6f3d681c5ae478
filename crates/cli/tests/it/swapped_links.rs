//! A process that swaps a folder for a link while others write below it: nothing lands outside.

use crate::support::{G, home};
use loci_testkit::home::{create, tree};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// One swap there and one back; either may fail because the writers make folders too.
pub fn swap(folder: &Path, spare: &Path, outside: &Path) {
    let _ = std::fs::rename(folder, spare);
    let _ = symlink(outside, folder);
    std::thread::yield_now();
    if folder.is_symlink() {
        let _ = std::fs::remove_file(folder);
    }
    if std::fs::rename(spare, folder).is_err() {
        let _ = std::fs::remove_dir_all(spare);
    }
}

#[test]
fn nothing_is_written_through_a_folder_that_becomes_a_link() {
    let home = home();
    home.create(&format!("{G}start.md"), "x");
    let (folder, spare, outside) = (home.global().join("a"), home.home().join("spare"), home.dir().join("outside"));
    std::fs::create_dir(&folder).unwrap();
    std::fs::create_dir(&outside).unwrap();
    let (over, swaps) = (AtomicBool::new(false), AtomicUsize::new(0));
    let end = Instant::now() + Duration::from_secs(3);
    let counts: Vec<(usize, usize)> = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                swap(&folder, &spare, &outside);
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        });
        let writers: Vec<_> = (0..2)
            .map(|writer| {
                let home = &home;
                scope.spawn(move || {
                    let mut tool = home.tool(&["--set", "limits.files_per_scope=100000"]);
                    let (mut done, mut refused) = (0, 0);
                    while Instant::now() < end {
                        let path = format!("{G}a/{writer}-{}.md", done + refused);
                        let answer = tool.call(&create(&path, "text")).expect("the process lives");
                        if answer["success"] == true {
                            done += 1
                        } else {
                            refused += 1
                        }
                        let words = answer.to_string();
                        assert!(!words.contains("outside") && !words.contains("/tmp"), "{words}");
                    }
                    (done, refused)
                })
            })
            .collect();
        let counts = writers.into_iter().map(|writer| writer.join().unwrap()).collect();
        over.store(true, Ordering::Relaxed);
        counts
    });
    println!("{} swaps; (created, refused) by writer: {counts:?}", swaps.load(Ordering::Relaxed));
    assert_eq!(tree(&outside).len(), 0, "something landed outside: {:?}", tree(&outside).keys());
    assert!(counts.iter().all(|(done, refused)| *done > 0 && *refused > 0), "the race was not run: {counts:?}");
    if folder.is_symlink() {
        std::fs::remove_file(&folder).unwrap();
    }
    home.ok(&["list"]);
}

#[test]
fn a_root_that_becomes_a_link_is_refused_from_then_on() {
    let home = home();
    let mut tool = home.tool(&[]);
    assert_eq!(tool.call(&create(&format!("{G}a.md"), "a")).unwrap()["success"], true);
    let outside = home.dir().join("outside");
    std::fs::rename(home.global(), &outside).unwrap();
    symlink(&outside, home.global()).unwrap();
    let answer = tool.call(&create(&format!("{G}b.md"), "b")).unwrap();
    assert_eq!(answer["success"], false, "{answer}");
    assert!(answer["error"].as_str().unwrap().contains("symlink"), "{answer}");
    assert!(!outside.join("b.md").exists());
    assert_ne!(home.run(&["list"]).exit, Some(0), "a memory that cannot be read is not an empty one");
}
