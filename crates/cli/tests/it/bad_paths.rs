//! Hundreds of bad paths by every command: refused, nothing outside is touched, no path of the machine is told.

use crate::support::{G, delete, home, insert, rename, replace, view};
use loci_testkit::home::{Home, create, tree, write};
use serde_json::Value;
use std::os::unix::fs::symlink;
use std::process::Command;

/// Paths that no command may accept.
pub fn bad_paths(home: &Home) -> Vec<String> {
    let outside = home.dir().join("outside/canary.md").display().to_string();
    let mut bad: Vec<String> = [
        "",
        " ",
        "/",
        "//",
        ".",
        "..",
        "memories",
        "memories/global/a.md",
        "/memoriesfoo",
        "/memories_evil/x",
        "/memories/../memories_evil/x",
        "/Memories/global/a.md",
        "/etc/passwd",
        "file:///etc/passwd",
        "~/x",
        "C:\\x",
        "\\\\server\\share",
        "/memories\0/x",
        "\0",
        "/memories/Global/a.md",
        "/memories/team/a.md",
        "/memories/user/a.md",
        "/memories/global ",
        "/memories/ global/a.md",
    ]
    .map(str::to_owned)
    .to_vec();
    bad.push(outside.clone());
    bad.push(format!("/memories{outside}"));
    let ups = [
        "..",
        "../..",
        "..;",
        "...",
        "....//",
        "..\\",
        "..%2f",
        "%2e%2e",
        "%2E%2E%2F",
        "%2e%2e%5c",
        "%252e%252e/..",
        "..%c0%af",
        "．．/..",
        "..\u{200b}",
        ".\u{200d}.",
        "..\0",
        "..\n",
        " ..",
        ".. ",
        "./..",
        "..//",
        ".%2e",
        "%2e.",
    ];
    for up in ups {
        for around in [
            "/memories/{}",
            "/memories/{}/x.md",
            "/memories/global/{}",
            "/memories/global/{}/canary.md",
            "/memories/global/a/{}/../../outside/canary.md",
            "/memories/global/{}/{}/{}/etc/passwd",
            "{}/memories/global/a.md",
            "/memories/project/{}/x.md",
        ] {
            bad.push(around.replace("{}", up));
        }
    }
    for name in [
        "~",
        "~root",
        "a~b",
        "a\\b",
        "a<b",
        "a>b",
        "a\"b",
        "a%2fb",
        "a%2Fb",
        "a%5cb",
        "a%2Eb",
        "tab\tb",
        "nl\nb",
        "cr\rb",
        "nul\0b",
        "bell\u{7}b",
        "del\u{7f}b",
        "nel\u{85}b",
        "\u{202e}b",
        "\u{200b}b",
        "\u{feff}b",
        "\u{2066}b",
        "\u{e0041}b",
        "e\u{301}",
        ".",
        ".hidden",
        ".git/config",
        ".loci-x.tmp",
    ] {
        bad.push(format!("{G}{name}"));
        bad.push(format!("{G}{name}/x.md"));
        bad.push(format!("{G}d/{name}"));
    }
    for path in [
        "/memories//global/a.md",
        "/memories/global//a.md",
        "/memories/./global/a.md",
        "/memories/global/./a.md",
        "/memories/global/d/./x.md",
    ] {
        bad.push(path.to_owned());
    }
    bad.push(format!("{G}{}", "n".repeat(1024)));
    bad.push(format!("{G}{}", "d/".repeat(600)));
    bad.push(format!("{G}{}.md", "n".repeat(300)));
    bad.sort();
    bad.dedup();
    bad
}

/// Every command on a path, all of which must fail.
pub fn commands(path: &str) -> Vec<Value> {
    vec![
        view(path),
        create(path, "evil"),
        replace(path, "canary", "evil"),
        insert(path, 0, "evil"),
        delete(path),
        rename(path, &format!("{G}stolen.md")),
        rename(&format!("{G}real.md"), path),
    ]
}

/// Everything outside the ledger and the lock files: what paths could reach.
fn reachable(home: &Home) -> Vec<(String, Vec<u8>)> {
    let kept = |name: &str| {
        !name.starts_with("home/loci.db") && !name.starts_with("home/locks/") && name != "home/ledger.lock"
    };
    tree(home.dir()).into_iter().filter(|(name, _)| kept(name)).collect()
}

fn assert_no_machine_path(home: &Home, call: &Value, answer: &Value) {
    let mut words = answer.to_string();
    // What the caller said may be repeated to the caller.
    for given in call.as_object().unwrap().values().filter_map(Value::as_str) {
        words = words.replace(Value::from(given).to_string().trim_matches('"'), "");
    }
    let dir = home.dir().to_str().unwrap();
    let name = home.dir().file_name().unwrap().to_str().unwrap();
    for leak in [dir, name, "home/memory", "os error", "panicked", ".rs:"] {
        assert!(!words.contains(leak), "{call} tells {leak:?}: {answer}");
    }
}

#[test]
fn no_bad_path_is_accepted_by_any_command() {
    let home = home();
    write(&home.dir().join("outside/canary.md"), "canary\n");
    write(&home.dir().join("home/memories_evil/x"), "canary\n");
    home.create(&format!("{G}real.md"), "real canary\n");
    let before = reachable(&home);
    let bad = bad_paths(&home);
    assert!(bad.len() > 250, "{} paths", bad.len());
    let calls: Vec<Value> = bad.iter().flat_map(|path| commands(path)).collect();
    let answers = home.tools(&calls);
    for (call, answer) in calls.iter().zip(&answers) {
        let root_listing = call["command"] == "view" && answer["success"] == true;
        assert!(!root_listing, "{call} was accepted: {answer}");
        assert_eq!(answer["success"], false, "{call} was accepted");
        assert_no_machine_path(&home, call, answer);
    }
    assert_eq!(reachable(&home), before);
    assert_eq!(home.log().len(), 1);
    println!("{} paths, {} calls", bad.len(), calls.len());
}

#[test]
fn no_bad_path_is_accepted_by_a_bare_directory() {
    let home = home();
    write(&home.dir().join("outside/canary.md"), "canary\n");
    write(&home.dir().join("bare_evil/x"), "canary\n");
    let root = home.dir().join("bare");
    write(&root.join("global/real.md"), "real canary\n");
    let before = reachable(&home);
    let flat = |path: &String| {
        path.contains("..") || path.contains('~') || path.contains('\\') || !path.starts_with("/memories/")
    };
    let calls: Vec<Value> = bad_paths(&home).iter().filter(|path| flat(path)).flat_map(|path| commands(path)).collect();
    let answers = home.tools_with(&["--root", root.to_str().unwrap()], &calls);
    for (call, answer) in calls.iter().zip(&answers) {
        assert_eq!(answer["success"], false, "{call} was accepted: {answer}");
        assert_no_machine_path(&home, call, answer);
    }
    assert_eq!(reachable(&home), before);
}

#[test]
fn every_spelling_of_a_root_is_refused_by_delete_and_rename() {
    let home = home();
    home.create(&format!("{G}sub/a.md"), "a\n");
    let before = reachable(&home);
    for root in ["/memories", "/memories/global"] {
        for spelled in ["{}", "{}/", "{}//", "{}/.", "{}/./", "{}/sub/..", "{}/sub/../", "{}/x/../.", "{}/sub/./.."] {
            let path = spelled.replace("{}", root);
            let said = home.refused(delete(&path));
            assert_eq!(said, format!("Cannot delete the {root} directory itself"), "{path}");
            let said = home.refused(rename(&path, &format!("{G}n")));
            assert_eq!(said, format!("Cannot rename the {root} directory itself"), "{path}");
        }
    }
    assert_eq!(reachable(&home), before);
}

#[test]
fn links_pipes_and_strange_files_are_refused_without_telling_where_they_lead() {
    let home = home();
    home.create(&format!("{G}real.md"), "real\n");
    home.create(&format!("{G}d/x.md"), "x\n");
    let outside = write(&home.dir().join("outside/canary.md"), "canary\n");
    let root = home.global();
    symlink(outside.parent().unwrap(), root.join("dir-link")).unwrap();
    symlink(&outside, root.join("file-link.md")).unwrap();
    symlink(home.dir().join("outside/new.md"), root.join("dangling.md")).unwrap();
    symlink("real.md", root.join("inner.md")).unwrap();
    std::fs::hard_link(&outside, root.join("hard.md")).unwrap();
    assert!(Command::new("mkfifo").arg(root.join("pipe.md")).status().unwrap().success());
    std::fs::write(root.join("nul.md"), b"a\0b").unwrap();
    std::fs::write(root.join("latin.md"), b"caf\xe9").unwrap();
    std::fs::write(root.join("big.md"), "x".repeat(200_000)).unwrap();
    let paths = [
        "dir-link",
        "dir-link/canary.md",
        "dir-link/new/n.md",
        "file-link.md",
        "file-link.md/x",
        "dangling.md",
        "inner.md",
        "pipe.md",
        "pipe.md/x",
    ];
    for path in paths {
        for call in commands(&format!("{G}{path}")) {
            let answer = home.tools(std::slice::from_ref(&call)).remove(0);
            assert_eq!(answer["success"], false, "{call} was accepted: {answer}");
            assert_no_machine_path(&home, &call, &answer);
        }
    }
    for path in ["nul.md", "latin.md", "big.md", "d", "d/", "real.md/below", "real.md/"] {
        for call in [
            view(&format!("{G}{path}")),
            replace(&format!("{G}{path}"), "a", "b"),
            insert(&format!("{G}{path}"), 0, "x"),
            create(&format!("{G}{path}"), "x"),
        ] {
            let answer = home.tools(std::slice::from_ref(&call)).remove(0);
            assert!(answer["success"] == false || call["command"] == "view", "{call}: {answer}");
            assert_no_machine_path(&home, &call, &answer);
        }
    }
    home.did(replace(&format!("{G}hard.md"), "canary", "edited"));
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "canary\n", "the other name of a hard link");
    assert_eq!(tree(outside.parent().unwrap()).len(), 1);
    home.ok(&["list"]);
    assert!(home.did(view("/memories/global")).contains("real.md"));
    let doctor = home.run(&["doctor", "--json"]);
    for told in ["dir-link", "file-link.md", "dangling.md", "pipe.md"] {
        assert!(doctor.stdout.contains(told), "the doctor does not name {told}: {}", doctor.stdout);
    }
}

#[test]
fn a_folder_with_a_link_in_it_goes_and_the_target_stays() {
    let home = home();
    home.create(&format!("{G}d/a.md"), "a\n");
    let outside = write(&home.dir().join("outside/canary.md"), "canary\n");
    symlink(outside.parent().unwrap(), home.global().join("d/link")).unwrap();
    home.did(delete(&format!("{G}d")));
    assert!(!home.global().join("d").exists());
    assert_eq!(std::fs::read_to_string(outside).unwrap(), "canary\n");
}

#[test]
fn renames_into_itself_onto_others_and_between_scopes_change_nothing() {
    let home = home();
    home.create(&format!("{G}a/x.md"), "x\n");
    home.create(&format!("{G}b.md"), "b\n");
    let before = reachable(&home);
    for (old, new) in [
        ("a", "a/b"),
        ("a", "a/b/c"),
        ("a", "a"),
        ("a/x.md", "b.md"),
        ("b.md", "a"),
        ("b.md", "b.md/c"),
        ("none", "new/dir/x"),
        ("a/", "a/y/"),
        ("b.md", "a/x.md/deep.md"),
    ] {
        home.refused(rename(&format!("{G}{old}"), &format!("{G}{new}")));
    }
    home.refused(rename(&format!("{G}b.md"), "/memories/project/b.md"));
    home.refused(rename(&format!("{G}b.md"), "/memories/workspace/b.md"));
    assert_eq!(reachable(&home), before);
    assert!(!home.global().join("new").exists());
}

#[test]
fn calls_that_are_no_calls_are_answered_and_the_next_one_works() {
    let home = home();
    let lines = [
        "",
        "   ",
        "nonsense",
        "[]",
        "null",
        "42",
        "{}",
        "{\"command\":5}",
        "{\"command\":\"explode\"}",
        "{\"command\":\"create\"}",
        "{\"command\":\"view\",\"path\":[1]}",
        "{\"command\":\"view\"",
        "\u{feff}{}",
        "{\"command\":\"insert\",\"path\":\"/memories/global/a.md\",\"insert_line\":1e300,\"insert_text\":\"x\"}",
        "{\"command\":\"view\",\"path\":\"/memories\",\"view_range\":[1]}",
    ];
    let mut input: Vec<u8> = lines.join("\n").into_bytes();
    input.extend(b"\n\xff\xfe{\n");
    input.extend(format!("{}\n{}", "[".repeat(100_000), create(&format!("{G}a.md"), "a")).as_bytes());
    let ran = loci_testkit::home::Ran::of(home.loci(&["tool"]), &input);
    assert_eq!(ran.exit, Some(1), "{}", ran.stderr);
    let answers = ran.answers();
    // Two lines are blank; each other line has an answer.
    assert_eq!(answers.len(), lines.len() - 2 + 3, "{answers:#?}");
    assert_eq!(answers.last().unwrap()["success"], true, "a last line without a newline counts: {answers:?}");
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
}

#[test]
fn a_folder_is_no_file_and_a_bare_directory_has_no_scopes() {
    let home = home();
    home.create(&format!("{G}d/a.md"), "one\n");
    for call in
        [replace(&format!("{G}d"), "a", "b"), replace(&format!("{G}d/"), "a", "b"), insert(&format!("{G}d"), 0, "x")]
    {
        let said = home.refused(call.clone());
        assert_eq!(said, format!("The path {} is not a file.", call["path"].as_str().unwrap()));
    }
    let said = home.refused(create(&format!("{G}new/"), "x"));
    assert!(said.starts_with(&format!("Invalid path {G}new/: ")), "{said}");

    let root = home.dir().join("bare");
    let bare = |flags: &[&str], call| home.tools_with(&[&["--root", root.to_str().unwrap()], flags].concat(), &[call]);
    let said = bare(&[], create("/memories/nul.md", "a\0b"))[0].to_string();
    assert!(said.contains("not a text file") && !root.join("nul.md").exists(), "{said}");
    let said = bare(&["--mode", "explore"], create("/memories/a.md", "a"))[0].to_string();
    assert!(said.contains("read-only") && !said.contains("global"), "{said}");
}
