//! Which project a directory belongs to.

use crate::support::{P, home};
use loci_testkit::home::{Home, Ran, create, lines, write};
use std::os::unix::fs::symlink;
use std::path::Path;

fn note(home: &Home, at: &Path, name: &str) {
    let mut command = home.loci(&["tool"]);
    command.current_dir(at);
    let ran = Ran::of(command, lines(&[create(&format!("{P}{name}"), "text\n")]).as_bytes());
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
}

fn seen(home: &Home, at: &Path) -> Vec<String> {
    let ran = home.run_in(at, &["list", "--scope", "project", "--json"]);
    let answer = serde_json::from_str(&ran.ok()).unwrap();
    loci_testkit::home::by_path(&answer).into_keys().map(|path| path.trim_start_matches(P).to_owned()).collect()
}

fn key(home: &Home, at: &Path) -> String {
    let ran = home.run_in(at, &["init", "--json"]);
    serde_json::from_str::<serde_json::Value>(&ran.ok()).unwrap()["project"].as_str().unwrap().to_owned()
}

#[test]
fn subfolders_and_worktrees_share_one_memory() {
    let home = home();
    let top = home.project();
    std::fs::create_dir_all(top.join("src/deep")).unwrap();
    home.git(top, &["commit", "-q", "--allow-empty", "-m", "start"]);
    let tree = home.dir().join("worktree");
    home.git(top, &["worktree", "add", "-q", tree.to_str().unwrap()]);
    note(&home, top, "a.md");
    for at in [top.join("src/deep"), tree.clone(), tree.join(".")] {
        assert_eq!(seen(&home, &at), ["a.md"], "{at:?}");
    }
    note(&home, &tree, "b.md");
    assert_eq!(seen(&home, top), ["a.md", "b.md"]);
    home.project_memory();
}

#[test]
fn a_path_through_a_link_is_the_same_project() {
    let home = home();
    note(&home, home.project(), "a.md");
    let way = home.dir().join("way");
    symlink(home.project(), &way).unwrap();
    assert_eq!(seen(&home, &way), ["a.md"]);
    let ran = home.run(&["list", "--scope", "project", "--project", way.to_str().unwrap()]);
    assert!(ran.ok().contains("a.md"));
}

#[test]
fn names_that_look_alike_are_different_projects() {
    let home = home();
    let places = ["a_b", "a-b", "a b", "x/b-c", "x/b/c", "ünï", "uni"];
    let mut keys: Vec<String> = places
        .iter()
        .map(|place| {
            let at = home.repository(place);
            note(&home, &at, &format!("{}.md", place.len()));
            assert_eq!(seen(&home, &at).len(), 1, "{place} sees only its own");
            key(&home, &at)
        })
        .collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), places.len());
    for key in keys {
        assert!(key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)), "{key}");
    }
}

#[test]
fn a_submodule_and_a_nested_repository_are_projects_of_their_own() {
    let home = home();
    let nested = home.repository("checkout/nested");
    note(&home, home.project(), "outer.md");
    note(&home, &nested, "inner.md");
    assert_eq!(seen(&home, home.project()), ["outer.md"]);
    assert_eq!(seen(&home, &nested), ["inner.md"]);
}

#[test]
fn a_declared_id_that_another_root_uses_needs_a_persons_word() {
    let home = home();
    let other = home.repository("other");
    for at in [home.project(), &other] {
        write(&at.join(".loci/config.toml"), "[project]\nid = \"team\"\n");
    }
    note(&home, home.project(), "a.md");
    assert!(key(&home, home.project()).starts_with("team-"));
    assert_eq!(seen(&home, &other), Vec::<String>::new(), "not joined yet");
    note(&home, &other, "own.md");
    let status: serde_json::Value = serde_json::from_str(&home.run_in(&other, &["status", "--json"]).ok()).unwrap();
    assert_eq!(status["unjoinedProjectId"], "team");
    assert!(home.run_in(&other, &["status"]).ok().contains("init --join"));
    assert_eq!(seen(&home, home.project()), ["a.md"]);

    home.run_in(&other, &["init", "--join"]).ok();
    assert_eq!(seen(&home, &other), ["a.md"]);
    note(&home, &other, "b.md");
    assert_eq!(seen(&home, home.project()), ["a.md", "b.md"]);
    let status: serde_json::Value = serde_json::from_str(&home.run_in(&other, &["status", "--json"]).ok()).unwrap();
    assert_eq!(status["unjoinedProjectId"], serde_json::Value::Null);
}

#[test]
fn an_id_that_is_a_path_makes_the_project_unavailable_and_nothing_else() {
    let home = home();
    for id in ["../../evil", "a/b", "..", "", "/abs"] {
        write(&home.project().join(".loci/config.toml"), &format!("[project]\nid = \"{id}\"\n"));
        let failure = home.fails(&["list", "--scope", "project"], 6);
        assert_eq!(failure["code"], "scope_unavailable", "{id:?}: {failure}");
        home.ok(&["list", "--scope", "global"]);
    }
    assert!(!home.home().join("projects").exists());
}

#[test]
fn a_directory_without_a_repository_is_its_own_project() {
    let home = home();
    let (plain, below) = (home.dir().join("plain"), home.dir().join("plain/below"));
    std::fs::create_dir_all(&below).unwrap();
    note(&home, &plain, "a.md");
    assert_eq!(seen(&home, &plain), ["a.md"]);
    assert_eq!(seen(&home, &below), Vec::<String>::new());
}

#[test]
fn the_exact_directory_is_the_project_when_the_settings_say_so() {
    let home = home();
    let (one, two) = (home.project().join("one"), home.project().join("two"));
    write(&home.project().join(".loci/config.toml"), "[project]\nscope = \"workspace\"\n");
    for at in [&one, &two] {
        std::fs::create_dir_all(at).unwrap();
    }
    note(&home, &one, "a.md");
    assert_eq!(seen(&home, &one), ["a.md"]);
    assert_eq!(seen(&home, &two), Vec::<String>::new());
}

#[test]
fn a_project_that_is_gone_is_said_and_the_rest_works() {
    let home = home();
    let gone = home.dir().join("gone");
    let failure = home.fails(&["list", "--scope", "project", "--project", gone.to_str().unwrap()], 6);
    assert_eq!(failure["code"], "scope_unavailable");
    assert!(!failure["error"].as_str().unwrap().contains(home.dir().to_str().unwrap()), "{failure}");
    home.ok(&["list", "--project", gone.to_str().unwrap()]);
    assert!(!gone.exists());
}
