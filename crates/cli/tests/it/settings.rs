//! Settings: defaults, home, checkout, environment, flags; later wins, and a checkout may not do much.

use crate::support::{G, home, view};
use loci_testkit::home::{Home, create, write};
use serde_json::{Value, json};

fn setting(home: &Home, key: &str, flags: &[&str]) -> (Value, Value) {
    let row = home.json(&[&["config", key], flags].concat());
    (row["value"].clone(), row["source"].clone())
}

#[test]
fn later_layers_win_and_say_where_a_value_comes_from() {
    let home = home();
    assert_eq!(setting(&home, "recall.limit", &[]), (json!(5), json!("default")));
    home.ok(&["config", "recall.limit", "7"]);
    assert_eq!(setting(&home, "recall.limit", &[]), (json!(7), json!("home")));
    assert_eq!(setting(&home, "recall.limit", &["--set", "recall.limit=9"]), (json!(9), json!("flag")));
    home.ok(&["config", "recall.limit", "--unset"]);
    assert_eq!(setting(&home, "recall.limit", &[]), (json!(5), json!("default")));
    let mut command = home.loci(&["config", "models.default.model", "--json"]);
    command.env("LOCI_MODEL", "some-model");
    let row: Value = serde_json::from_str(&loci_testkit::home::Ran::of(command, b"").ok()).unwrap();
    assert_eq!((&row["value"], &row["source"]), (&json!("some-model"), &json!("environment")));
}

#[test]
fn setting_a_value_keeps_comments_and_everything_else() {
    let home = home();
    home.edit("config.toml", "# mine\n[recall]\nlimit = 3 # few\n\n[dream]\nenabled = false\n");
    home.ok(&["config", "recall.doc_chars", "100"]);
    assert_eq!(home.json(&["config", "recall.limit", "4"])["source"], "home");
    let text = std::fs::read_to_string(home.home().join("config.toml")).unwrap();
    for kept in ["# mine", "limit = 4 # few", "[dream]\nenabled = false", "doc_chars = 100"] {
        assert!(text.contains(kept), "{kept:?} is lost: {text}");
    }
}

#[test]
fn an_unknown_key_is_a_usage_error_that_suggests_the_nearest() {
    let home = home();
    for args in [
        &["config", "limits.file_byte"][..],
        &["config", "limits.file_byte", "5"],
        &["config", "limits.file_byte", "--unset"],
        &["list", "--set", "limits.file_byte=5"],
    ] {
        let failure = home.fails(args, 2);
        assert!(failure["error"].as_str().unwrap().contains("limits.file_bytes"), "{args:?}: {failure}");
    }
    for args in [
        &["config", "recall.limit", "many"][..],
        &["config", "recall.limit", "--set", "recall.limit=-1"],
        &["list", "--set", "nonsense"],
    ] {
        home.fails(args, 2);
    }
    assert!(!home.home().join("config.toml").exists());
    home.edit("config.toml", "[limits]\nfile_byte = 5\n");
    let ran = home.run(&["list", "--json"]);
    assert!(matches!(ran.exit, Some(1 | 2)), "{}", ran.stderr);
    assert!(ran.stderr.contains("limits.file_bytes"), "{}", ran.stderr);
}

#[test]
fn limits_of_the_home_hold() {
    let home = home();
    home.ok(&["config", "limits.file_bytes", "10"]);
    let said = home.refused(create(&format!("{G}a.md"), "12345678901"));
    assert!(said.contains("limit is 10"), "{said}");
    home.create(&format!("{G}a.md"), "1234567890");
    home.ok(&["config", "limits.files_per_scope", "1"]);
    let said = home.refused(create(&format!("{G}b.md"), "x"));
    assert!(said.contains("may hold 1"), "{said}");
}

#[test]
fn a_checkout_can_switch_off_and_choose_its_id_and_nothing_else() {
    let home = home();
    let config = home.project().join(".loci/config.toml");
    write(
        &config,
        "[limits]\nfile_bytes = 10000000\n[models.default]\nbase_url = \"http://evil.example\"\n[recall]\nenabled = true\nlimit = 99\n[daemon]\nhost = \"0.0.0.0\"\n",
    );
    for key in ["limits.file_bytes", "models.default.base_url", "recall.limit", "daemon.host"] {
        assert_eq!(setting(&home, key, &[]).1, json!("default"), "{key}");
    }
    home.refused(create(&format!("{G}big.md"), &"x".repeat(102_401)));
    let warned = home.run(&["list"]);
    assert!(warned.stderr.contains("limits.file_bytes is ignored"), "{}", warned.stderr);
    let doctor = home.json(&["doctor"]);
    assert!(doctor["advice"].to_string().contains("limits.file_bytes is ignored"), "{doctor}");

    write(&config, "[dream]\nenabled = false\n");
    assert_eq!(setting(&home, "dream.enabled", &[]), (json!(false), json!("project")));
    home.ok(&["config", "dream.enabled", "false"]);
    write(&config, "[dream]\nenabled = true\n");
    assert_eq!(setting(&home, "dream.enabled", &[]).0, json!(false), "a checkout cannot switch on");
    write(&config, "this is [not toml");
    home.ok(&["list"]);
    write(&config, "limits = 5\nproject = \"text\"\n[memory]\nenabled = \"no\"\n");
    home.ok(&["list"]);
}

#[test]
fn memory_switched_off_stops_agents_and_not_the_person() {
    let home = home();
    home.create(&format!("{G}a.md"), "a\n");
    let off = |home: &Home| {
        let ran =
            loci_testkit::home::Ran::of(home.loci(&["tool", "--json"]), format!("{}\n", view("/memories")).as_bytes());
        assert_eq!(ran.failed(6)["code"], "memory_off");
        assert_eq!(ran.stdout, "");
        assert_eq!(home.list().len(), 1);
        assert_eq!(home.ok(&["show", "global/a.md"]), "a\n");
        home.ok(&["status"]);
    };
    write(&home.project().join(".loci/config.toml"), "[memory]\nenabled = false\n");
    off(&home);
    std::fs::remove_dir_all(home.project().join(".loci")).unwrap();
    home.did(view("/memories"));
    home.ok(&["config", "memory.enabled", "false"]);
    off(&home);
    home.tools_with(&["--set", "memory.enabled=true"], &[view("/memories")]);
}

#[test]
fn a_home_whose_settings_are_broken_is_said_and_nothing_is_changed() {
    let home = home();
    home.create(&format!("{G}a.md"), "a\n");
    home.edit("config.toml", "[limits\n");
    let ran = home.run(&["list", "--json"]);
    assert_ne!(ran.exit, Some(0));
    assert!(ran.stderr.contains("config.toml"), "{}", ran.stderr);
    let set = home.run(&["config", "recall.limit", "7"]);
    assert_ne!(set.exit, Some(0));
    assert_eq!(std::fs::read_to_string(home.home().join("config.toml")).unwrap(), "[limits\n");
}

#[test]
fn every_line_of_config_has_value_default_and_origin() {
    let home = home();
    let text = home.ok(&["config", "--set", "hot.items=3"]);
    let row = |key: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.starts_with(key)).unwrap();
        line.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(row("hot.items"), ["hot.items", "3", "8", "flag"]);
    assert_eq!(row("recall.limit"), ["recall.limit", "5", "5", "default"]);
    assert_eq!(row("ledger.url"), ["ledger.url", "–", "–", "default"]);
}

#[test]
fn numbers_that_mean_nothing_are_refused() {
    let home = home();
    for value in [
        "hot.half_life_days=nan",
        "hot.half_life_days=inf",
        "hot.half_life_days=0",
        "daemon.port=70000",
        "dream.max_loss=7",
    ] {
        home.fails(&["config", "recall.limit", "--set", value], 2);
    }
    home.ok(&["config", "--set", "hot.half_life_days=0.5", "--set", "daemon.port=0"]);
}

#[test]
fn a_usage_error_in_json_names_the_argument() {
    let home = home();
    assert!(home.fails(&["why"], 2)["error"].as_str().unwrap().contains("RECEIPT"));
}
