//! Exit codes and the shape of errors: what scripts rely on.

use crate::support::{G, P, home, replace};
use serde_json::Value;

#[test]
fn every_kind_of_failure_has_its_exit_code() {
    let home = home();
    home.create(&format!("{G}a.md"), "a\n");
    home.create(&format!("{G}b.md"), "b\n");
    home.create(&format!("{G}d/x.md"), "x\n");
    let table: &[(&[&str], i32, &str)] = &[
        (&["show", "global/none.md"], 3, "not_found"),
        (&["show", "global/d"], 1, "invalid"),
        (&["show", "global/../x"], 1, "invalid_path"),
        (&["show", "/etc/passwd"], 1, "invalid_path"),
        (&["rm", "global/none.md"], 3, "not_found"),
        (&["rm", "global"], 1, "invalid"),
        (&["rm", "global/MEMORY.md"], 5, "denied"),
        (&["mv", "global/none.md", "global/n.md"], 3, "not_found"),
        (&["mv", "global/a.md", "global/b.md"], 4, "conflict"),
        (&["mv", "global/a.md", "project/a.md"], 1, "invalid"),
        (&["mv", "global/d", "global/d/e"], 1, "invalid"),
        (&["pin", "global/none.md"], 3, "not_found"),
        (&["trust", "global/none.md"], 3, "not_found"),
        (&["undo", "nonsense"], 3, "no_such_change"),
        (&["restore", "global/a.md", "--at", "nonsense"], 3, "no_such_change"),
        (&["list", "--scope", "workspace"], 6, "scope_unavailable"),
        (&["show", "workspace/a.md"], 6, "scope_unavailable"),
        (&["list", "--scope", "project", "--project", ""], 6, "scope_unavailable"),
        (&["list", "--workspace", "../evil"], 2, "usage"),
        (&["config", "nonsense"], 2, "usage"),
        (&["workspace", "rm", "none", "--yes"], 3, "workspace_not_found"),
        (&["workspace", "add", "a/b"], 2, "usage"),
    ];
    for (args, exit, code) in table {
        let failure = home.fails(args, *exit);
        assert_eq!(failure["code"], *code, "{args:?}: {failure}");
        assert_eq!(failure.as_object().unwrap().len(), 2, "{args:?}: {failure}");
        let plain = home.run(args);
        assert_eq!(plain.exit, Some(*exit), "{args:?}");
        assert!(
            plain.stderr.contains("error:") && plain.stdout.is_empty(),
            "{args:?}: {} / {}",
            plain.stdout,
            plain.stderr
        );
    }
}

#[test]
fn usage_errors_are_exit_two_and_json_when_asked() {
    let home = home();
    for args in [
        &["nonsense"][..],
        &["list", "--nonsense"],
        &["list", "--scope", "team"],
        &["tool", "--mode", "root"],
        &["show"],
        &["trust"],
        &["restore", "global/a.md"],
    ] {
        assert_eq!(home.run(args).exit, Some(2), "{args:?}");
        let json = home.run(&[args, &["--json"]].concat());
        assert_eq!(json.exit, Some(2), "{args:?}");
        let value: Value =
            serde_json::from_str(json.stderr.trim()).unwrap_or_else(|_| panic!("{args:?} --json: {}", json.stderr));
        assert!(value["error"].is_string() && value["code"] == "usage", "{args:?}: {value}");
    }
    let value = home.fails(&["show"], 2);
    assert!(value["error"].as_str().unwrap().contains("<PATH>"), "it says what is missing: {value}");
    assert!(!home.home().exists(), "a usage error makes no home");
}

#[test]
fn the_tool_exits_one_when_a_call_failed_and_zero_when_none_did() {
    let home = home();
    let run = |calls: &[Value]| {
        loci_testkit::home::Ran::of(home.loci(&["tool"]), loci_testkit::home::lines(calls).as_bytes())
    };
    let good = loci_testkit::home::create(&format!("{G}a.md"), "a\n");
    assert_eq!(run(std::slice::from_ref(&good)).exit, Some(0));
    assert_eq!(run(&[good, replace(&format!("{G}a.md"), "a", "b")]).exit, Some(1));
    assert_eq!(run(&[]).exit, Some(0));
}

#[test]
fn lists_and_logs_have_the_fields_that_scripts_read() {
    let home = home();
    home.create(&format!("{P}a.md"), "a\n");
    home.ok(&["mv", "project/a.md", "project/b.md"]);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<String>>();
    let row = home.row(&format!("{P}b.md"));
    assert_eq!(
        keys(&row),
        [
            "path",
            "scope",
            "name",
            "description",
            "type",
            "bytes",
            "sha256",
            "updatedAt",
            "uses",
            "lastUsedAt",
            "pinned",
            "origin",
            "trust",
            "stale"
        ]
    );
    for time in ["updatedAt", "lastUsedAt"] {
        assert!(row[time].as_str().unwrap().ends_with('Z'), "{row}");
    }
    let change = home.log().remove(0);
    assert_eq!(keys(&change), ["id", "group", "at", "actor", "op", "path", "newPath"]);
    assert_eq!(change["newPath"], format!("{P}b.md"));
}

#[test]
fn looking_makes_nothing() {
    let home = home();
    for args in [
        &["list"][..],
        &["log"],
        &["status"],
        &["doctor"],
        &["config"],
        &["workspace", "list"],
        &["show", "global/a.md"],
    ] {
        home.run(args);
    }
    for folder in ["memory", "projects", "workspaces", "drafts"] {
        assert!(!home.home().join(folder).exists(), "{folder} was made by looking");
    }
    assert!(!home.project().join(".loci").exists());
}

#[test]
fn quiet_says_nothing_but_errors() {
    let home = home();
    home.create(&format!("{G}a.md"), "a\n");
    for args in
        [&["list", "--quiet"][..], &["mv", "global/a.md", "global/b.md", "-q"], &["undo", "-q"], &["status", "-q"]]
    {
        let ran = home.run(args);
        assert_eq!((ran.ok().as_str(), ran.stderr.as_str()), ("", ""), "{args:?}");
    }
    let ran = home.run(&["show", "global/none.md", "-q"]);
    assert_eq!(ran.exit, Some(3));
    assert!(!ran.stderr.is_empty());
}
