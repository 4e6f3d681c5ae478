//! Project memory in the checkout: `.loci/memory`, tracked by git.

use crate::support::{G, P, assert_healthy, home};
use loci_testkit::home::{create, documents, write};
use std::os::unix::fs::symlink;

#[test]
fn a_link_in_place_of_the_shared_folder_is_refused_and_the_rest_works() {
    for link in [".loci", ".loci/memory"] {
        let home = home();
        let outside = home.dir().join("outside");
        write(&outside.join("memory/evil.md"), "evil\n");
        let at = home.project().join(link);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        symlink(&outside, &at).unwrap();
        let before = loci_testkit::home::tree(&outside);
        let failure = home.fails(&["list", "--scope", "project"], 6);
        assert!(failure["error"].as_str().unwrap().contains("symbolic link"), "{link}: {failure}");
        let answers = home.tools(&[create(&format!("{P}x.md"), "x"), create(&format!("{G}x.md"), "x")]);
        assert_eq!(
            (&answers[0]["success"], &answers[1]["success"]),
            (&false.into(), &true.into()),
            "{link}: {answers:?}"
        );
        assert!(!answers[0].to_string().contains(home.dir().to_str().unwrap()), "{link}: {answers:?}");
        assert!(!home.ok(&["list"]).contains("evil"), "{link}");
        let init = home.run(&["init", "--shared"]);
        assert_ne!(init.exit, Some(0), "{link}: init --shared went through the link: {}", init.stdout);
        assert_eq!(loci_testkit::home::tree(&outside), before, "{link}");
    }
}

#[test]
fn a_link_to_a_settings_file_is_not_read() {
    let home = home();
    let outside = write(&home.dir().join("outside.toml"), "[memory]\nenabled = false\n");
    std::fs::create_dir(home.project().join(".loci")).unwrap();
    symlink(&outside, home.project().join(".loci/config.toml")).unwrap();
    home.create(&format!("{G}a.md"), "memory is on\n");
}

#[test]
fn a_shared_folder_that_appears_hides_host_local_documents_and_says_so() {
    let home = home();
    home.create(&format!("{P}a.md"), "a\n");
    home.create(&format!("{P}b.md"), "b\n");
    assert_eq!(home.json(&["status"])["hidden"], serde_json::Value::Null);
    write(&home.project().join(".loci/memory/team.md"), "team\n");

    assert_eq!(home.list().into_keys().collect::<Vec<_>>(), [format!("{P}team.md")]);
    let status = home.json(&["status"]);
    let hidden = status["hidden"].as_str().expect("status says what is hidden");
    assert!(hidden.starts_with("2 "), "{hidden}");
    assert!(home.ok(&["status"]).contains(hidden));
    let doctor = home.json(&["doctor"]);
    assert!(doctor["advice"].as_array().unwrap().iter().any(|advice| advice["message"] == hidden), "{doctor}");

    // The way that status names works.
    let command = hidden.split("to move: ").nth(1).unwrap();
    let moved = home.program("sh").args(["-c", command]).status().unwrap();
    assert!(moved.success(), "{command}");
    assert_eq!(documents(&home.project().join(".loci/memory")).len(), 3);
    assert_eq!(home.list().len(), 3);
    assert_eq!(home.json(&["status"])["hidden"], serde_json::Value::Null);
    assert_healthy(&home);
}

#[test]
fn host_local_documents_are_back_when_the_shared_folder_goes() {
    let home = home();
    home.create(&format!("{P}a.md"), "a\n");
    home.ok(&["pin", "project/a.md"]);
    std::fs::create_dir_all(home.project().join(".loci/memory")).unwrap();
    assert_eq!(home.list().len(), 0);
    std::fs::remove_dir_all(home.project().join(".loci")).unwrap();
    assert_eq!(home.row(&format!("{P}a.md"))["pinned"], true);
}

#[test]
fn nothing_but_documents_and_the_index_is_left_in_a_checkout() {
    let home = home();
    home.ok(&["init", "--shared"]);
    home.create(&format!("{P}d/a.md"), "a\n");
    home.ok(&["mv", "project/d/a.md", "project/e/b.md"]);
    home.ok(&["list"]);
    let files: Vec<String> = loci_testkit::home::tree(&home.project().join(".loci")).into_keys().collect();
    assert_eq!(files, ["memory/MEMORY.md", "memory/e/b.md"]);
}

#[test]
fn the_umask_decides_modes_in_a_checkout() {
    use std::os::unix::fs::PermissionsExt;
    let home = home();
    home.ok(&["init", "--shared"]);
    let script = format!("umask 027; echo '{}' | \"$0\" tool", create(&format!("{P}d/a.md"), "a"));
    let mut shell = home.program("sh");
    assert!(shell.args(["-c", &script]).arg(home.binary()).status().unwrap().success());
    let mode = |inside: &str| {
        let path = home.project().join(".loci/memory").join(inside);
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    };
    assert_eq!((mode("d"), mode("d/a.md"), mode("MEMORY.md")), (0o750, 0o640, 0o640));
}

#[test]
fn two_worktrees_with_shared_memory_have_two_folders_and_one_life() {
    let home = home();
    home.ok(&["init", "--shared"]);
    home.create(&format!("{P}a.md"), "a\n");
    home.git(home.project(), &["add", "-A"]);
    home.git(home.project(), &["commit", "-q", "-m", "memory"]);
    let tree = home.dir().join("worktree");
    home.git(home.project(), &["worktree", "add", "-q", tree.to_str().unwrap()]);
    home.ok(&["pin", "project/a.md"]);
    let ran = home.run_in(&tree, &["list", "--json"]);
    let there = loci_testkit::home::by_path(&serde_json::from_str(&ran.ok()).unwrap());
    let row = &there[&format!("{P}a.md")];
    assert_eq!((&row["pinned"], &row["trust"]), (&true.into(), &"trusted".into()), "{row}");
}

#[test]
fn unfinished_work_that_came_with_a_checkout_is_no_trap() {
    let home = home();
    let outside = write(&home.dir().join("outside.md"), "canary\n");
    let memory = home.project().join(".loci/memory");
    write(&memory.join("a.md"), "a\n");
    for trap in [".loci-derived.tmp", ".loci-x.tmp"] {
        for make in [
            &(|at: &std::path::Path| symlink(&outside, at).unwrap()) as &dyn Fn(&std::path::Path),
            &|at| std::fs::create_dir_all(at.join("deep")).unwrap(),
            &|at| std::fs::write(at, "half").unwrap(),
        ] {
            make(&memory.join(trap));
            assert_eq!(home.ok(&["show", "project/a.md"]), "a\n");
            home.did(crate::support::view(&format!("{P}a.md")));
            home.create(&format!("{P}new.md"), "new\n");
            home.ok(&["rm", "project/new.md"]);
            assert_eq!(home.list().len(), 1);
            assert!(!memory.join(trap).is_symlink() && !memory.join(trap).exists(), "{trap} is swept");
            assert_eq!(std::fs::read_to_string(&outside).unwrap(), "canary\n");
        }
    }
    assert_healthy(&home);
}
