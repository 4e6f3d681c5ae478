//! `loci edit`: a person's own editor, and no text of theirs lost.

use crate::support::{G, home, home_script, is_change, replace};
use loci_testkit::home::{Home, Ran, documents, tree};

fn edit(home: &Home, path: &str, script: &str) -> Ran {
    let editor = home_script(home, "editor.sh", script);
    let mut command = home.loci(&["edit", path]);
    command.env("EDITOR", editor);
    Ran::of(command, b"")
}

fn drafts(home: &Home) -> Vec<String> {
    tree(&home.home().join("drafts")).into_values().map(|bytes| String::from_utf8(bytes).unwrap()).collect()
}

#[test]
fn what_the_editor_leaves_is_saved_as_the_persons_change() {
    let home = home();
    home.create(&format!("{G}a.md"), "one\n");
    let ran = edit(&home, "global/a.md", "echo two >> \"$1\"");
    assert!(ran.ok().contains("saved"));
    assert_eq!(documents(&home.global())["a.md"], "one\ntwo\n");
    assert!(is_change(&home.log()[0], "user", "modify", &format!("{G}a.md")));
    assert_eq!(drafts(&home), Vec::<String>::new());
    assert_eq!(home.row(&format!("{G}a.md"))["uses"], 1, "a person's edit is no use");
}

#[test]
fn a_new_path_makes_a_new_memory() {
    let home = home();
    edit(&home, "global/d/new.md", "echo text >> \"$1\"").ok();
    assert!(documents(&home.global())["d/new.md"].ends_with("text\n"));
    let untouched = edit(&home, "global/other.md", "true");
    assert!(untouched.ok().contains("nothing changed"));
    assert!(!home.global().join("other.md").exists());
    assert_eq!(drafts(&home), Vec::<String>::new());
}

#[test]
fn an_editor_that_replaces_the_file_is_understood() {
    let home = home();
    home.create(&format!("{G}a.md"), "one\n");
    edit(&home, "global/a.md", "echo replaced > \"$1.new\" && mv \"$1.new\" \"$1\"").ok();
    assert_eq!(documents(&home.global())["a.md"], "replaced\n");
}

#[test]
fn a_file_that_changed_meanwhile_stays_and_the_draft_is_kept() {
    let home = home();
    home.create(&format!("{G}a.md"), "one\n");
    let file = home.global().join("a.md");
    for meanwhile in [format!("echo agent > '{}'", file.display()), format!("rm -f '{}'", file.display())] {
        home.edit("memory/a.md", "one\n");
        let ran = edit(&home, "global/a.md", &format!("echo my text >> \"$1\"; {meanwhile}"));
        assert_eq!(ran.exit, Some(4), "{}", ran.stderr);
        assert!(drafts(&home).contains(&"one\nmy text\n".to_owned()), "{:?}", drafts(&home));
        assert!(ran.stderr.contains("drafts/"), "it says where the text is: {}", ran.stderr);
        assert!(!documents(&home.global()).get("a.md").is_some_and(|text| text.contains("my text")));
    }
}

#[test]
fn an_editor_that_fails_saves_nothing_and_keeps_the_draft() {
    let home = home();
    home.create(&format!("{G}a.md"), "one\n");
    let ran = edit(&home, "global/a.md", "echo my text >> \"$1\"; exit 3");
    assert_eq!(ran.exit, Some(1), "{}", ran.stderr);
    assert_eq!(documents(&home.global())["a.md"], "one\n");
    assert_eq!(drafts(&home), ["one\nmy text\n"]);
    assert!(ran.stderr.contains("drafts/"), "{}", ran.stderr);
}

#[test]
fn an_editor_that_is_not_there_is_said() {
    let home = home();
    home.create(&format!("{G}a.md"), "one\n");
    let mut command = home.loci(&["edit", "global/a.md"]);
    command.env("EDITOR", "/no/such/editor --wait");
    let ran = Ran::of(command, b"");
    assert_eq!(ran.exit, Some(6), "{}", ran.stderr);
    assert!(ran.stderr.contains("EDITOR"), "{}", ran.stderr);
    assert_eq!(drafts(&home), Vec::<String>::new(), "an untouched draft is no use to anybody");
}

#[test]
fn an_editor_with_arguments_and_a_deleted_draft() {
    let home = home();
    home.create(&format!("{G}a.md"), "one\n");
    let script = home_script(&home, "editor.sh", "[ \"$1\" = --wait ] && echo two >> \"$2\"");
    let mut command = home.loci(&["edit", "global/a.md"]);
    command.env("EDITOR", format!("{} --wait", script.display()));
    Ran::of(command, b"").ok();
    assert_eq!(documents(&home.global())["a.md"], "one\ntwo\n");
    let blank = home_script(&home, "my editor.sh", "sed -i s/two/three/ \"$1\"");
    let mut command = home.loci(&["edit", "global/a.md"]);
    command.env("EDITOR", format!("'{}'", blank.display()));
    Ran::of(command, b"").ok();
    assert_eq!(documents(&home.global())["a.md"], "one\nthree\n", "quotes are the shell's");
    home.did(replace(&format!("{G}a.md"), "three", "two"));
    let ran = edit(&home, "global/a.md", "rm \"$1\"");
    assert!(ran.exit.is_some_and(|exit| exit != 0), "a draft that is gone is no text to save: {}", ran.stdout);
    assert_eq!(documents(&home.global())["a.md"], "one\ntwo\n");
}

#[test]
fn what_cannot_be_edited_is_refused_before_the_editor_starts() {
    let home = home();
    home.create(&format!("{G}d/a.md"), "one\n");
    std::fs::write(home.global().join("bin.md"), b"a\0b").unwrap();
    let ran_marker = home.dir().join("ran");
    for (path, exit) in
        [("global/d", 1), ("global/bin.md", 1), ("global/../x.md", 1), ("workspace/a.md", 6), ("global/MEMORY.md", 5)]
    {
        let ran = edit(&home, path, &format!("touch '{}'", ran_marker.display()));
        assert_eq!(ran.exit, Some(exit), "{path}: {}{}", ran.stdout, ran.stderr);
        assert!(!ran_marker.exists(), "{path}: the editor was started");
    }
}

#[test]
fn bytes_that_are_no_text_are_not_saved_and_not_lost() {
    let home = home();
    home.create(&format!("{G}a.md"), "one\n");
    let ran = edit(&home, "global/a.md", "printf 'caf\\351' > \"$1\"");
    assert!(ran.exit.is_some_and(|exit| exit != 0), "{}", ran.stdout);
    assert_eq!(documents(&home.global())["a.md"], "one\n");
    assert_eq!(tree(&home.home().join("drafts")).into_values().collect::<Vec<_>>(), [b"caf\xe9".to_vec()]);
    assert!(ran.stderr.contains("drafts/"), "{}", ran.stderr);
    let ran = edit(&home, "global/a.md", "printf 'a\\000b' > \"$1\"");
    assert!(ran.exit.is_some_and(|exit| exit != 0), "a NUL byte was saved: {}", ran.stdout);
}
