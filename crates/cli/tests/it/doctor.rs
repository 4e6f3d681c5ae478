//! `loci doctor` on a machine that is not as it should be: each finding says what to do.

use crate::support::{G, doc, home};
use loci_testkit::home::{Home, Ran, write};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The findings of a kind that are about something.
fn about(told: &Value, kind: &str, about: &str) -> Vec<String> {
    let findings = told[kind].as_array().unwrap().iter().filter(|finding| finding["about"] == about);
    findings.map(|finding| finding["message"].as_str().unwrap().to_owned()).collect()
}

/// What the doctor says, whatever its exit code.
fn doctor(home: &Home, flags: &[&str]) -> Value {
    let ran = home.run(&[&["doctor", "--json"], flags].concat());
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr))
}

fn open_to_others(path: &Path, mode: u32) {
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn a_token_that_others_can_read_is_a_fault_and_can_be_mended() {
    let home = home();
    home.create(&format!("{G}a.md"), &doc("A", "a"));
    let token = home.edit("token", "secret\n");
    open_to_others(&token, 0o644);
    open_to_others(home.home(), 0o755);
    let told = doctor(&home, &[]);
    assert_eq!(told["ok"], false);
    assert!(about(&told, "faults", "token")[0].contains("chmod 600"), "{told}");
    assert!(about(&told, "advice", home.home().to_str().unwrap())[0].contains("chmod 700"), "{told}");
    assert!(!told.to_string().contains("secret"), "{told}");
    let mended = doctor(&home, &["--fix"]);
    assert_eq!((&mended["ok"], mended["fixed"].as_array().unwrap().len()), (&json!(true), 2), "{mended}");
    assert_eq!(token.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(doctor(&home, &[]), json!({"ok": true, "faults": [], "advice": [], "fixed": []}));
}

#[test]
fn a_token_that_is_no_file_is_a_fault() {
    let home = home();
    std::fs::create_dir_all(home.home()).unwrap();
    std::os::unix::fs::symlink(home.home().join("token"), home.home().join("token")).unwrap();
    let told = doctor(&home, &[]);
    assert!(about(&told, "faults", "token")[0].contains("remove it: loci serve makes a new one"), "{told}");
}

#[test]
fn models_that_cannot_be_asked_are_told() {
    let home = home();
    let model = "[models.default]\nprovider = \"openai\"\nmodel = \"m\"\napi_key_env = \"LOCI_NO_SUCH_KEY\"\n";
    home.edit("config.toml", model);
    let told = doctor(&home, &[]);
    assert!(about(&told, "advice", "models")[0].contains("LOCI_NO_SUCH_KEY"), "{told}");
}

#[test]
fn an_agent_whose_configuration_is_broken_or_half_is_told() {
    let home = home();
    let file = write(&home.dir().join(".claude.json"), "{broken");
    let told = doctor(&home, &[]);
    assert!(about(&told, "advice", "claude-code")[0].contains("~/.claude.json, line 1"), "{told}");
    std::fs::remove_file(&file).unwrap();
    home.ok(&["connect", "claude-code"]);
    assert_eq!(about(&doctor(&home, &[]), "advice", "claude-code"), [""; 0]);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"mcp\"", "\"gone\"")).unwrap();
    let told = doctor(&home, &[]);
    assert!(about(&told, "advice", "claude-code")[0].contains("loci connect claude-code mends it"), "{told}");
}

#[test]
fn a_sandbox_without_bubblewrap_is_told() {
    let home = home();
    let without = |home: &Home| {
        let mut command = home.loci(&["doctor", "--json"]);
        command.env("PATH", "/nowhere");
        let ran = Ran::of(command, b"");
        serde_json::from_str::<Value>(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr))
    };
    assert_eq!(about(&without(&home), "advice", "sandbox"), [""; 0], "nobody asked for one");
    home.ok(&["sandbox", "add", "tools"]);
    assert!(about(&without(&home), "advice", "sandbox")[0].contains("install the package bubblewrap"));
}

#[test]
fn settings_that_cannot_be_read_leave_the_rest_to_be_looked_at() {
    let home = home();
    home.edit("config.toml", "x = [");
    open_to_others(&home.edit("token", "secret\n"), 0o644);
    let ran = home.run(&["doctor"]);
    assert_eq!(ran.exit, Some(1));
    assert!(ran.stdout.contains("chmod 600"), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("config.toml of the home") && ran.stderr.contains("correct that line"),
        "{}",
        ran.stderr
    );
    assert_eq!(home.fails(&["doctor"], 1)["code"], "invalid_settings");
}

#[test]
fn a_ledger_out_of_reach_says_what_to_do() {
    let home = home();
    let ran = home.run(&["doctor", "--ledger", "postgres://nobody@127.0.0.1:1/none"]);
    assert_eq!(ran.exit, Some(6));
    assert!(ran.stderr.contains("start the database"), "{}", ran.stderr);
    let shown = home.ok(&["config", "ledger.url", "--ledger", "postgres://nobody:word@127.0.0.1:1/none"]);
    assert_eq!(shown, "postgres://nobody:***@127.0.0.1:1/none\n", "what the hint names works then, too");
}

#[test]
fn a_bucket_out_of_reach_says_what_to_do() {
    let home = home();
    let mut command = home.loci(&["doctor", "--json", "--files", "s3://no-bucket/x"]);
    let nowhere = [("AWS_ENDPOINT_URL", "http://127.0.0.1:1"), ("AWS_ALLOW_HTTP", "true"), ("AWS_REGION", "x")];
    command.envs(nowhere).envs([("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b")]);
    let ran = Ran::of(command, b"");
    assert_eq!(ran.exit, Some(1), "{}", ran.stderr);
    let told: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(told["faults"].to_string().contains("cannot be reached"), "{told}");
}

#[test]
fn a_change_that_is_to_come_is_told() {
    let home = home();
    home.create(&format!("{G}a.md"), &doc("A", "a"));
    let rows = rusqlite::Connection::open(home.home().join("loci.db")).unwrap();
    let changed = rows.execute("UPDATE changes SET at = at * 2", []).unwrap();
    drop(rows);
    assert_eq!(changed, 1);
    let told = doctor(&home, &[]);
    assert!(about(&told, "advice", "clock")[0].contains("which is to come"), "{told}");
}

#[test]
fn an_index_that_somebody_changed_is_a_fault_and_stays_until_it_is_mended() {
    let home = home();
    home.create(&format!("{G}a.md"), &doc("A", "a"));
    let index = home.global().join("MEMORY.md");
    let right = std::fs::read_to_string(&index).unwrap();
    let bogus = format!("{right}- [Bogus](bogus.md)\n");
    write(&index, &bogus);
    let told = doctor(&home, &[]);
    assert!(about(&told, "faults", "/memories/global/MEMORY.md")[0].contains("loci index"), "{told}");
    assert_eq!((&told["ok"], std::fs::read_to_string(&index).unwrap()), (&json!(false), bogus));
    let mended = doctor(&home, &["--fix"]);
    assert_eq!(about(&mended, "fixed", "/memories/global/MEMORY.md").len(), 1, "{mended}");
    assert_eq!((&mended["ok"], std::fs::read_to_string(&index).unwrap()), (&json!(true), right));
    write(&home.global().join("by-hand.md"), &doc("By hand", "h"));
    assert_eq!(doctor(&home, &[])["ok"], true, "a new document is no fault");
}

#[test]
fn a_home_that_is_none_is_named() {
    for place in ["plain", "/proc/nope"] {
        let machine = home();
        write(&machine.dir().join("plain"), "x");
        let at = machine.dir().join(place);
        let ran = machine.with_home(at.clone()).run(&["list"]);
        assert_eq!(ran.exit, Some(6), "{}", ran.stderr);
        assert!(ran.stderr.contains(at.to_str().unwrap()) && ran.stderr.contains("LOCI_HOME"), "{}", ran.stderr);
    }
}
