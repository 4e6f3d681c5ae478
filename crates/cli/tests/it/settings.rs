//! Settings: defaults, home, checkout, environment, flags; later wins, and a checkout may not do much.

use crate::support::{G, home, view};
use loci_testkit::daemon::Daemon;
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
fn a_changed_value_keeps_the_words_behind_it_and_the_form_of_its_table() {
    let home = home();
    let file = home.home().join("config.toml");
    let after = |before: &str, change: &[&str]| {
        home.edit("config.toml", before);
        home.ok(&[&["config"], change].concat());
        std::fs::read_to_string(&file).unwrap()
    };
    for (before, change, expected) in [
        ("[recall]\nlimit = 3   # few\n", &["recall.limit", "7"][..], "[recall]\nlimit = 7   # few\n"),
        ("recall = { limit = 3 } # all\n", &["recall.limit", "7"], "recall = { limit = 7 } # all\n"),
        ("recall.limit = 3\n", &["recall.limit", "7"], "recall.limit = 7\n"),
        ("", &["models.default.model", "m"], "[models.default]\nmodel = \"m\"\n"),
        ("[models.default]\nmodel = \"m\"\n", &["models.default.model", "--unset"], ""),
        ("# mine\n[recall]\nlimit = 3\n", &["recall.limit", "--unset"], "# mine\n[recall]\n"),
        ("[hot]\nitems = 3\n", &["recall.limit", "--unset"], "[hot]\nitems = 3\n"),
    ] {
        assert_eq!(after(before, change), expected, "{before:?} {change:?}");
    }
}

#[test]
fn a_linked_settings_file_is_changed_where_it_lies() {
    let home = home();
    let own = write(&home.dir().join("dotfiles/loci.toml"), "[recall]\nlimit = 3\n");
    std::fs::create_dir_all(home.home()).unwrap();
    std::os::unix::fs::symlink(&own, home.home().join("config.toml")).unwrap();
    home.ok(&["config", "recall.limit", "7"]);
    assert!(home.home().join("config.toml").is_symlink());
    assert_eq!(std::fs::read_to_string(own).unwrap(), "[recall]\nlimit = 7\n");
}

#[test]
fn settings_changed_at_once_are_all_kept() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let keys = [
        "recall.limit",
        "recall.doc_chars",
        "hot.items",
        "hot.tokens",
        "dream.min_hours",
        "dream.min_sessions",
        "context.tokens",
        "forget.cli_max",
        "forget.api_max",
        "agent.turns",
        "agent.seconds",
        "lane.kept",
        "models.retries",
        "journal.keep_days",
    ];
    std::thread::scope(|scope| {
        for (n, key) in keys.iter().enumerate() {
            let (daemon, home) = (&daemon, &home);
            scope.spawn(move || match n % 4 {
                0 => drop(home.ok(&["config", key, &(n + 11).to_string()])),
                _ => assert_eq!(daemon.ask("PATCH", "/settings", Some(&json!({*key: n + 11}))).0, 200, "{key}"),
            });
        }
    });
    for (n, key) in keys.iter().enumerate() {
        assert_eq!(setting(&home, key, &[]), (json!(n + 11), json!("home")), "{key}");
    }
}

#[test]
fn a_value_that_nothing_would_start_with_is_refused() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    for (key, value) in [
        ("files.url", json!("ftp://x")),
        ("files.url", json!("s3://")),
        ("ledger.url", json!("mysql://me:hush@x/db")),
        ("daemon.host", json!("nohost!!")),
        ("telemetry.otlp_endpoint", json!("not a url")),
        ("telemetry.otlp_endpoint", json!("ftp://x")),
        ("daemon.allowed_hosts", json!([1])),
        ("limits.file_bytes", json!(0)),
        ("daemon.body_bytes", json!(0)),
    ] {
        let (status, body) = daemon.ask("PATCH", "/settings", Some(&json!({key: value})));
        assert_eq!((status, &body["code"]), (400, &json!("invalid_setting")), "{key}: {body}");
        assert!(body["error"].as_str().unwrap().contains(key) && !body.to_string().contains("hush"), "{body}");
        let typed = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        home.fails(&["config", key, &typed], 2);
    }
    for (key, value) in
        [("files.url", ""), ("daemon.host", "localhost"), ("telemetry.otlp_endpoint", "http://127.0.0.1:1")]
    {
        assert_eq!(daemon.ask("PATCH", "/settings", Some(&json!({key: value}))).0, 200, "{key}");
    }
}

#[test]
fn a_daemon_whose_settings_broke_says_where() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    home.edit("config.toml", "[recall]\nlimit = 3\nledger = \"hush\n");
    let recall = json!({"query": "tea"});
    for (method, path, body) in
        [("GET", "/settings", None), ("GET", "/status", None), ("POST", "/memory/recall", Some(&recall))]
    {
        let (status, told) = daemon.ask(method, path, body);
        let text = told["error"].as_str().unwrap();
        assert!(
            status == 500 && text.contains("config.toml of the home, line 3") && !text.contains("hush"),
            "{path}: {told}"
        );
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
        "sessions.lease_seconds=0",
        "sessions.max_context_length=0",
        "sessions.max_context_length=500001",
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
