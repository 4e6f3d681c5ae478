//! Few file descriptors: a clear error or success, never a loss.

use crate::support::{G, assert_healthy, home, replace};
use loci_testkit::home::{Ran, create, documents, lines};

#[test]
fn with_few_descriptors_a_call_works_or_says_why_and_nothing_is_lost() {
    let home = home();
    home.create(&format!("{G}a/b/c/d/x.md"), "one\n");
    let mut worked = 0;
    for most in [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 20, 32] {
        let before = documents(&home.global());
        let path = format!("{G}e/f/g/{most}.md");
        let calls = [create(&path, "new\n"), replace(&format!("{G}a/b/c/d/x.md"), "one", "one")];
        let mut shell = home.program("sh");
        shell.args(["-c", &format!("ulimit -n {most}; exec \"$0\" tool")]).arg(home.binary());
        let ran = Ran::of(shell, lines(&calls).as_bytes());
        assert!(ran.exit.is_some(), "{most}: a signal ended it: {}", ran.stderr);
        assert!(!ran.stderr.contains("panicked"), "{most}: {}", ran.stderr);
        let answers = ran.answers();
        let made = answers.first().is_some_and(|answer| answer["success"] == true);
        let mut expected = before.clone();
        if made {
            worked += 1;
            expected.insert(format!("e/f/g/{most}.md"), "new\n".to_owned());
        } else {
            let said =
                answers.first().map_or(ran.stderr.clone(), |answer| answer["error"].as_str().unwrap().to_owned());
            assert!(!said.trim().is_empty(), "{most}: failed without a word");
            assert_ne!(ran.exit, Some(0), "{most}: {said}");
        }
        assert_eq!(documents(&home.global()), expected, "{most}: {}", ran.stderr);
        assert_eq!(home.list().len(), expected.len(), "{most}");
        assert_healthy(&home);
    }
    assert!(worked > 0, "even 32 descriptors are too few");
}

#[test]
fn listing_with_few_descriptors_is_never_an_empty_memory() {
    let home = home();
    home.create(&format!("{G}a/b/c/d/e/f/g/h/x.md"), "one\n");
    home.ok(&["pin", "global/a/b/c/d/e/f/g/h/x.md"]);
    for most in 4..24 {
        let mut shell = home.program("sh");
        shell.args(["-c", &format!("ulimit -n {most}; exec \"$0\" list --json")]).arg(home.binary());
        let ran = Ran::of(shell, b"");
        if ran.exit == Some(0) {
            assert!(ran.stdout.contains("x.md"), "{most}: an empty list: {} {}", ran.stdout, ran.stderr);
        } else {
            assert!(!ran.stderr.is_empty() && !ran.stderr.contains("panicked"), "{most}: {}", ran.stderr);
        }
    }
    assert_eq!(home.row(&format!("{G}a/b/c/d/e/f/g/h/x.md"))["pinned"], true);
    assert_eq!(home.log().len(), 1, "nothing was taken for deleted");
}
