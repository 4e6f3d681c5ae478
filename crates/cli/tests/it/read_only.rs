//! A home that cannot be written: it can still be read, and nothing pretends otherwise.

use crate::support::{G, Mount, delete, home, rename, replace, view};
use loci_testkit::home::{create, tree, write};
use serde_json::Value;

#[test]
fn a_read_only_home_is_read_with_a_warning_and_changes_are_refused() {
    let machine = home();
    let Some(mount) = Mount::new(&machine.dir().join("disk"), 8 << 20) else { return };
    let home = machine.with_home(mount.0.join("home"));
    // Unmounted before the folder around it is removed.
    let mount = mount;
    home.create(&format!("{G}a.md"), "text of a\n");
    home.create(&format!("{G}d/b.md"), "text of b\n");
    home.ok(&["pin", "global/a.md"]);
    mount.remount("ro");
    let before = tree(home.home());

    let listed = home.run(&["list"]);
    assert!(listed.ok().contains("a.md"), "{}", listed.stdout);
    assert!(listed.stderr.contains("read-only"), "no warning: {}", listed.stderr);
    assert_eq!(home.list().len(), 2);
    assert_eq!(home.ok(&["show", "global/a.md"]), "text of a\n");
    assert!(home.did(view(&format!("{G}a.md"))).contains("text of a"));
    home.did(view("/memories"));
    home.ok(&["status"]);
    home.ok(&["config"]);

    let calls: [Value; 4] = [
        create(&format!("{G}new/n.md"), "n"),
        replace(&format!("{G}a.md"), "text", "word"),
        rename(&format!("{G}a.md"), &format!("{G}c.md")),
        delete(&format!("{G}d")),
    ];
    for call in calls {
        let said = home.refused(call.clone());
        assert!(said.contains("read-only"), "{call}: {said}");
        assert!(!said.contains(home.dir().to_str().unwrap()), "{call}: {said}");
    }
    for args in
        [&["rm", "global/a.md"][..], &["mv", "global/a.md", "global/x.md"], &["config", "dream.enabled", "false"]]
    {
        let ran = home.run(args);
        assert!(ran.exit.is_some_and(|exit| exit != 0), "{args:?} should fail: {}", ran.stdout);
        assert!(ran.stderr.contains("read-only"), "{args:?}: {}", ran.stderr);
    }
    // What only the ledger could keep is not pretended to be kept.
    for args in [&["pin", "global/d/b.md"][..], &["unpin", "global/a.md"], &["undo"]] {
        assert_ne!(home.run(args).exit, Some(0), "{args:?} should fail");
    }
    assert_eq!(tree(home.home()), before);

    mount.remount("rw");
    home.did(replace(&format!("{G}a.md"), "text", "word"));
    assert_eq!(home.row(&format!("{G}a.md"))["pinned"], true, "the pin is still there");
}

#[test]
fn a_missing_home_on_a_read_only_disk_is_empty() {
    let machine = home();
    let Some(mount) = Mount::new(&machine.dir().join("disk"), 1 << 20) else { return };
    mount.remount("ro");
    let home = machine.with_home(mount.0.join("home"));
    // Unmounted before the folder around it is removed.
    let _mount = mount;
    assert_eq!(home.list().len(), 0);
    let said = home.refused(create(&format!("{G}a.md"), "a"));
    assert!(said.contains("read-only"), "{said}");
}

#[test]
fn a_change_without_a_journal_is_refused_where_only_the_home_is_read_only() {
    let machine = home();
    let Some(outer) = Mount::new(&machine.dir().join("disk"), 8 << 20) else { return };
    let home = machine.with_home(outer.0.join("home"));
    // Memory can be written, the ledger beside it cannot; unmounted from the inside out.
    let outer = outer;
    let Some(inner) = Mount::new(&home.home().join("memory"), 8 << 20) else { return };
    home.create(&format!("{G}a.md"), "text of a\n");
    write(&inner.0.join("by-hand.md"), "never seen by the ledger\n");
    write(&inner.0.join("MEMORY.md"), "a person's own words\n");
    outer.remount("ro");
    let before = tree(home.home());

    assert_eq!(home.list().len(), 2);
    assert!(home.ok(&["recall", "ledger", "--no-model"]).contains("by-hand.md"));
    for call in [create(&format!("{G}n.md"), "n"), delete(&format!("{G}by-hand.md"))] {
        let said = home.refused(call.clone());
        assert!(said.contains("the home is read-only"), "{call}: {said}");
    }
    for args in [
        &["rm", "global/by-hand.md"][..],
        &["mv", "global/by-hand.md", "global/x.md"],
        &["remember", "I drink green tea"],
        &["forget", "ledger", "--yes"],
        &["pin", "global/a.md"],
        &["index"],
    ] {
        let ran = home.run(args);
        assert_eq!(ran.exit, Some(6), "{args:?}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("the home is read-only") && ran.stderr.contains("LOCI_HOME"), "{}", ran.stderr);
    }
    assert_eq!(tree(home.home()), before);
    drop(inner);
}
