//! A memory that names something of the project is stale when that changes or goes.

use crate::support::{G, P, doc, home, rename, replace};
use loci_testkit::home::{Home, write};

/// Stale in the list, in `show`, and the doctor's advice agree.
fn stale(home: &Home, path: &str) -> bool {
    let listed = home.row(path)["stale"].as_bool().unwrap();
    let doctor = home.run(&["doctor", "--json"]);
    assert_eq!(doctor.exit, Some(0), "staleness is advice: {}", doctor.stdout);
    assert_eq!(doctor.stdout.contains("since it was written"), listed, "{}", doctor.stdout);
    listed
}

fn source(home: &Home, file: &str, text: &str) {
    write(&home.project().join(file), text);
}

const LIMITS: &str = "pub const RETRIES: u32 = 3;\n\npub fn wait_for(n: u32) -> u32 {\n    n * RETRIES\n}\n";

#[test]
fn a_file_that_changes_or_goes_makes_it_stale_and_its_return_heals_it() {
    let home = home();
    let path = format!("{P}limits.md");
    source(&home, "src/limits.rs", LIMITS);
    home.create(&path, &doc("Retry limit", "The limit is in `src/limits.rs`."));
    // No look between writing and the change: the evidence is taken with the write.
    source(&home, "src/limits.rs", &LIMITS.replace('3', "5"));
    assert!(stale(&home, &path));
    source(&home, "src/limits.rs", LIMITS);
    assert!(!stale(&home, &path), "the same bytes at another time");
    std::fs::remove_file(home.project().join("src/limits.rs")).unwrap();
    assert!(stale(&home, &path));
    let recalled = home.ok(&["recall", "retry limit", "--json"]);
    assert!(recalled.contains("src/limits.rs is gone since it was written"), "{recalled}");
    assert!(recalled.contains("verify it first"), "the prompt says so too: {recalled}");
    assert!(home.ok(&["list"]).contains("stale"));

    home.did(replace(&path, "is in", "was in"));
    assert!(!stale(&home, &path), "whoever edits it stands behind it anew");
}

#[test]
fn a_symbol_stands_for_its_definition_only() {
    let home = home();
    let path = format!("{P}wait.md");
    source(&home, "src/limits.rs", LIMITS);
    home.create(&path, &doc("Waiting", "`wait_for()` in src/limits.rs multiplies."));
    source(&home, "src/limits.rs", &LIMITS.replace("= 3", "= 9"));
    assert!(!stale(&home, &path), "another line of the file");
    source(&home, "src/limits.rs", &LIMITS.replace('*', "+"));
    assert!(stale(&home, &path), "its body");
    source(&home, "src/limits.rs", &LIMITS.replace("wait_for", "pause_for"));
    assert!(stale(&home, &path), "renamed");
}

#[test]
fn a_symbol_is_found_without_its_file() {
    let home = home();
    let path = format!("{P}wait.md");
    source(&home, "src/deep/er/limits.rs", LIMITS);
    source(&home, "node_modules/x/index.js", "function wait_for() {\n}\n");
    home.create(&path, &doc("Waiting", "Call `wait_for` before each attempt."));
    assert!(!stale(&home, &path));
    source(&home, "src/deep/er/limits.rs", &LIMITS.replace("wait_for", "pause_for"));
    assert!(stale(&home, &path));
}

#[test]
fn a_command_that_goes_makes_it_stale() {
    let home = home();
    let (npm, make) = (format!("{P}npm.md"), format!("{P}make.md"));
    source(&home, "package.json", "{\"scripts\": {\"ship\": \"node ship.js\", \"lint\": \"eslint .\"}}");
    source(&home, "Makefile", "dist: all\n\ttar c .\nall:\n\tcc\n");
    home.create(&npm, &doc("Ship", "Release with `npm run ship`."));
    home.create(&make, &doc("Dist", "Run make dist, and make sure of it."));
    source(&home, "package.json", "{\"scripts\": {\"ship\": \"node ship.js\"}}");
    source(&home, "Makefile", "dist: all\n\ttar c .\nall:\n\tgcc\n");
    assert!(!stale(&home, &npm) && !home.row(&make)["stale"].as_bool().unwrap(), "other commands changed");
    source(&home, "package.json", "{\"scripts\": {}}");
    source(&home, "Makefile", "all:\n\tgcc\n");
    assert!(stale(&home, &npm) && home.row(&make)["stale"].as_bool().unwrap());
}

#[test]
fn what_never_was_there_makes_nothing_stale() {
    let home = home();
    let path = format!("{P}plan.md");
    home.create(&path, &doc("Plan", "We will write `src/new.rs` with `brand_new()` and `npm run new`."));
    assert!(!stale(&home, &path));
    source(&home, "src/new.rs", "fn brand_new() {}\n");
    assert!(!stale(&home, &path), "it came to be as planned");
}

#[test]
fn evidence_goes_where_the_memory_goes() {
    let home = home();
    source(&home, "src/limits.rs", LIMITS);
    home.create(&format!("{P}a.md"), &doc("Limits", "See src/limits.rs."));
    home.did(rename(&format!("{P}a.md"), &format!("{P}b/c.md")));
    std::fs::rename(home.project().join("src/limits.rs"), home.project().join("src/moved.rs")).unwrap();
    assert!(stale(&home, &format!("{P}b/c.md")), "the file moved away");
    home.did(crate::support::delete(&format!("{P}b/c.md")));
    home.create(&format!("{P}b/c.md"), &doc("Limits", "See src/limits.rs."));
    assert!(!stale(&home, &format!("{P}b/c.md")), "a new memory of the same bytes");
}

#[test]
fn an_editors_memory_is_looked_at_when_it_is_first_seen() {
    let home = home();
    source(&home, "src/limits.rs", LIMITS);
    home.create(&format!("{P}a.md"), "x\n");
    write(&home.project_memory().join("b.md"), &doc("Limits", "See src/limits.rs."));
    assert!(!stale(&home, &format!("{P}b.md")));
    source(&home, "src/limits.rs", "\n");
    assert!(stale(&home, &format!("{P}b.md")));
}

#[test]
fn a_global_memory_is_judged_only_where_it_was_written() {
    let home = home();
    let path = format!("{G}tools.md");
    source(&home, "src/limits.rs", LIMITS);
    source(&home, "package.json", "{}");
    home.create(&path, &doc("Tools", "Each package.json differs; my example is src/limits.rs."));
    source(&home, "package.json", "{\"name\": \"x\"}");
    assert!(!stale(&home, &path), "every project has one of that name");
    source(&home, "src/limits.rs", "\n");
    assert!(stale(&home, &path));
    let other = home.repository("other");
    let elsewhere = home.ok(&["list", "--json", "--project", other.to_str().unwrap()]);
    assert!(!elsewhere.contains("\"stale\":true"), "{elsewhere}");
}

#[test]
fn nothing_outside_the_checkout_is_looked_at() {
    let home = home();
    let outside = write(&home.dir().join("secret.txt"), "one\n");
    std::fs::create_dir_all(home.project().join("src")).unwrap();
    std::os::unix::fs::symlink(&outside, home.project().join("src/link.txt")).unwrap();
    std::os::unix::fs::symlink(home.dir(), home.project().join("out")).unwrap();
    let names = format!("src/link.txt, out/secret.txt, ../secret.txt and {}", outside.display());
    let path = format!("{P}a.md");
    home.create(&path, &doc("Links", &names));
    std::fs::write(&outside, "two\n").unwrap();
    assert!(!stale(&home, &path));
    std::fs::remove_file(&outside).unwrap();
    assert!(!stale(&home, &path));
}
