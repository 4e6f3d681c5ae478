//! Secrets do not get in: not by content, name, rename or edit, and a refusal leaves no trace of them.

use crate::support::{G, holding, home, insert, rename, replace};
use loci_testkit::home::{Home, create, documents};
use serde_json::Value;

/// A token that was never valid, put together here so that no scanner trips over this file.
pub fn token() -> String {
    format!("ghp_{}", "x9Kq2LmZ7vRt4WcY8nBd1HsF6gJp3TzQ5aEu")
}

fn assert_no_trace(home: &Home, said: &str) {
    for part in [token(), token()[4..].to_owned(), token()[8..24].to_owned()] {
        assert!(!said.contains(&part), "the answer repeats it: {said}");
        assert_eq!(holding(home.home(), &part), Vec::<String>::new(), "it is in the home");
    }
}

#[test]
fn a_secret_is_refused_by_every_way_in_and_leaves_no_trace() {
    let home = home();
    home.create(&format!("{G}a.md"), "clean\nlines\n");
    let text = format!("line one\nthe token is {}\n", token());
    let calls: [Value; 7] = [
        create(&format!("{G}s.md"), &text),
        replace(&format!("{G}a.md"), "lines", &text),
        insert(&format!("{G}a.md"), 0, &text),
        create(&format!("{G}{}.md", token()), "name\n"),
        create(&format!("{G}{}/x.md", token()), "folder\n"),
        rename(&format!("{G}a.md"), &format!("{G}{}.md", token())),
        create(&format!("{G}f.md"), &format!("---\nname: {}\n---\nbody\n", token())),
    ];
    for call in calls {
        let answer = home.tools(std::slice::from_ref(&call)).remove(0);
        assert_eq!(answer["success"], false, "{answer}");
        assert_no_trace(&home, answer["error"].as_str().unwrap());
    }
    let said = home.refused(create(&format!("{G}s.md"), &text));
    assert!(said.contains("line 2"), "the refusal names the line: {said}");
    let moved = home.run(&["mv", "global/a.md", &format!("global/{}.md", token())]);
    assert_eq!(moved.exit, Some(5), "{}", moved.stderr);
    assert_no_trace(&home, &(moved.stdout + &moved.stderr));
    assert_eq!(documents(&home.global()).len(), 1);
}

#[test]
fn a_secret_in_an_edit_is_refused_and_the_draft_is_the_only_copy() {
    let home = home();
    home.create(&format!("{G}a.md"), "clean\n");
    let script = crate::support::home_script(&home, "editor.sh", &format!("echo 'token {}' >> \"$1\"", token()));
    let mut command = home.loci(&["edit", "global/a.md"]);
    command.env("EDITOR", &script);
    let ran = loci_testkit::home::Ran::of(command, b"");
    assert_eq!(ran.exit, Some(5), "{}", ran.stderr);
    assert!(!ran.stderr.contains(&token()));
    assert_eq!(documents(&home.global())["a.md"], "clean\n");
    let found = holding(home.home(), &token());
    assert!(found.iter().all(|name| name.starts_with("drafts/")), "{found:?}");

    let mut command = home.loci(&["edit", "global/a.md", "--allow-secret"]);
    command.env("EDITOR", &script);
    loci_testkit::home::Ran::of(command, b"").ok();
    assert!(documents(&home.global())["a.md"].contains(&token()));
}

#[test]
fn an_allowed_secret_stays_and_does_not_stand_in_the_way() {
    let home = home();
    let path = format!("{G}s.md");
    let allowed = home.tools_with(&["--allow-secret"], &[create(&path, &format!("token {}\nplain\n", token()))]);
    assert_eq!(allowed[0]["success"], true, "{allowed:?}");
    home.did(replace(&path, "plain", "plainer"));
    home.did(insert(&path, 2, "more"));
    let other = token().replace("x9K", "y8L");
    let said = home.refused(insert(&path, 2, &format!("another {other}")));
    assert!(!said.contains(&other), "{said}");
    home.did(rename(&path, &format!("{G}t.md")));
    home.ok(&["rm", "global/t.md"]);
    home.ok(&["undo"]);
    assert!(documents(&home.global())["t.md"].contains(&token()));
}

#[test]
fn a_secret_that_an_editor_wrote_is_told_by_the_doctor_and_never_printed() {
    let home = home();
    home.edit("memory/a.md", &format!("one\ntoken {}\n", token()));
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.exit, Some(0), "advice, no fault: {}", doctor.stdout);
    assert!(doctor.stdout.contains("line 2"), "{}", doctor.stdout);
    assert!(!doctor.stdout.contains(&token()[8..]));
}

#[test]
fn logs_do_not_print_a_refused_secret() {
    let home = home();
    let mut command = home.loci(&["tool"]);
    command.env("LOCI_LOG", "trace");
    let call = create(&format!("{G}s.md"), &format!("token {}", token()));
    let ran = loci_testkit::home::Ran::of(command, format!("{call}\n").as_bytes());
    assert_eq!(ran.exit, Some(1));
    assert_no_trace(&home, &(ran.stdout + &ran.stderr));
}
