//! A disk that is full: a clear error, nothing lost, and all is well once there is space.

use crate::support::{G, Mount, assert_healthy, delete, home, replace};
use loci_testkit::home::{create, documents};

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let machine = home();
    let Some(mount) = Mount::new(&machine.dir().join("small"), 3 << 20) else { return };
    let home = machine.with_home(mount.0.join("home"));
    // Unmounted before the folder around it is removed.
    let mount = mount;
    home.create(&format!("{G}first.md"), "first\n");
    let ballast = mount.0.join("ballast");
    std::fs::write(&ballast, vec![0; 3 << 19]).unwrap();

    let mut kept = vec![("first.md".to_owned(), "first\n".to_owned())];
    let mut tool = home.tool(&[]);
    let said = loop {
        let name = format!("{:03}.md", kept.len());
        // Text that does not compress, so that the journal grows as the files do.
        let text: String = (0..400)
            .map(|line| format!("{}\n", loci_domain::digest::Digest::of(format!("{name}{line}").as_bytes())))
            .collect();
        let answer = tool.call(&create(&format!("{G}{name}"), &text)).expect("the process lives");
        match answer["success"].as_bool() {
            Some(true) => kept.push((name, text)),
            _ => break answer["error"].as_str().unwrap().to_owned(),
        }
        assert!(kept.len() < 100, "the disk is never full");
    };
    assert!(said.contains("disk is full"), "{said}");
    assert!(!said.contains(home.dir().to_str().unwrap()), "{said}");
    let expected = kept.iter().cloned().collect();
    assert_eq!(documents(&home.global()), expected, "earlier files are intact and the refused one is not there");

    // Whatever is tried now: an error or success, never a loss.
    let edit = tool.call(&replace(&format!("{G}first.md"), "first", "1st")).unwrap();
    let removal = tool.call(&delete(&format!("{G}first.md"))).unwrap();
    drop(tool);
    let first = documents(&home.global()).get("first.md").cloned();
    match (edit["success"] == true, removal["success"] == true) {
        (_, true) => assert_eq!(first, None),
        (true, false) => assert_eq!(first.as_deref(), Some("1st\n")),
        (false, false) => assert_eq!(first.as_deref(), Some("first\n")),
    }
    let listed = home.run(&["list", "--json"]);
    let files = loci_testkit::home::by_path(&serde_json::from_str(&listed.ok()).unwrap());
    assert_eq!(files.len(), documents(&home.global()).len());
    home.ok(&["show", "global/001.md"]);
    home.ok(&["log"]);
    home.did(crate::support::view(&format!("{G}001.md")));

    std::fs::remove_file(&ballast).unwrap();
    home.create(&format!("{G}later.md"), "later\n");
    assert_eq!(home.list().len(), documents(&home.global()).len());
    assert_healthy(&home);
}

#[test]
fn a_home_that_cannot_even_hold_a_ledger_says_that_the_disk_is_full() {
    let machine = home();
    let Some(mount) = Mount::new(&machine.dir().join("tiny"), 64 << 10) else { return };
    std::fs::write(mount.0.join("ballast"), vec![0; 60 << 10]).unwrap();
    let home = machine.with_home(mount.0.join("home"));
    // Unmounted before the folder around it is removed.
    let mount = mount;
    let failure = home.fails(&["list"], 6);
    assert!(failure["error"].as_str().unwrap().contains("disk is full"), "{failure}");
    std::fs::remove_file(mount.0.join("ballast")).unwrap();
    mount.remount("size=4m");
    home.create(&format!("{G}a.md"), "a\n");
    assert_healthy(&home);
}
