//! Other agents' configuration: ours goes in and out, and nothing else moves.

use crate::support::home;
use loci_testkit::daemon::Daemon;
use loci_testkit::home::{Home, write};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

const AGENTS: [&str; 6] = ["claude-code", "codex", "qwen-code", "gemini-cli", "cursor", "opencode"];
const SETTINGS: &str = "{\n  // mine\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\"}, // z\n  },\n}\n";

/// Every file and folder outside Loci's own home.
fn machine(home: &Home) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    loci_testkit::home::walk(home.dir(), &mut |path, kind| {
        if !path.starts_with(home.home()) && !path.starts_with(home.project().join(".git")) {
            let bytes = if kind.is_file() { fs::read(path).unwrap() } else { Vec::new() };
            all.insert(path.display().to_string(), bytes);
        }
    });
    all
}

fn gemini(home: &Home) -> std::path::PathBuf {
    write(&home.dir().join(".gemini/settings.json"), SETTINGS)
}

fn listed(home: &Home, agent: &str) -> Value {
    let agents = home.json(&["connect"]);
    agents["agents"].as_array().unwrap().iter().find(|row| row["agent"] == agent).unwrap().clone()
}

#[test]
fn every_agent_comes_and_goes_at_both_levels() {
    let home = home();
    let before = machine(&home);
    for agent in AGENTS {
        for flags in [&[][..], &["--in-project"]] {
            let with = |command: &'static str| [&[command, agent], flags].concat();
            let done = home.json(&with("connect"));
            assert!(done["files"].as_array().unwrap().iter().all(|file| file["change"] == "created"), "{done}");
            let after = machine(&home);
            assert_eq!(
                home.ok(&[&with("connect")[..], &["--json"]].concat()).matches("unchanged").count(),
                done["files"].as_array().unwrap().len()
            );
            assert_eq!(machine(&home), after, "{agent} again");
            assert_eq!(listed(&home, agent)["connected"], true);
            home.ok(&with("disconnect"));
            assert_eq!(machine(&home), before, "{agent} {flags:?}");
            assert_eq!(listed(&home, agent)["connected"], false);
        }
    }
}

#[test]
fn an_entry_of_ones_own_with_tables_below_it_comes_back_byte_by_byte() {
    let home = home();
    let own = "[mcp_servers.loci]\ncommand = \"/x/loci\"\nargs=[\"mcp\"]\n[mcp_servers.loci.env]\nA=\"1\"\n\n\
               [mcp_servers.loci.tools.recall] # mine\napproval_mode = \"approve\"\n[tui]\ntheme = \"dark\"\n";
    let file = write(&home.dir().join(".codex/config.toml"), own);
    home.ok(&["connect", "codex"]);
    assert_ne!(fs::read_to_string(&file).unwrap(), own);
    home.ok(&["disconnect", "codex"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), own);
}

#[test]
fn a_projects_files_name_no_home() {
    let home = home();
    home.ok(&["connect", "claude-code", "--in-project"]);
    assert!(!fs::read_to_string(home.project().join(".mcp.json")).unwrap().contains("LOCI_HOME"));
    home.ok(&["connect", "claude-code"]);
    assert!(fs::read_to_string(home.dir().join(".claude.json")).unwrap().contains("LOCI_HOME"));
}

#[test]
fn a_linked_file_is_changed_where_it_lies() {
    let home = home();
    let real = write(&home.dir().join("dotfiles/gemini.json"), SETTINGS);
    fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).unwrap();
    fs::create_dir(home.dir().join(".gemini")).unwrap();
    let link = home.dir().join(".gemini/settings.json");
    symlink(&real, &link).unwrap();
    home.ok(&["connect", "gemini"]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("\"loci\""));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    home.ok(&["disconnect", "gemini"]);
    assert_eq!(fs::read_to_string(&real).unwrap(), SETTINGS);
    fs::remove_file(&real).unwrap();
    home.fails(&["connect", "gemini"], 1);
}

#[test]
fn one_broken_file_keeps_all_files_as_they_are() {
    let home = home();
    write(&home.dir().join(".claude.json"), "{}");
    write(&home.dir().join(".claude/settings.json"), "{\n  \"hooks\": [,]\n}\n");
    let before = machine(&home);
    let failure = home.fails(&["connect", "claude-code"], 1);
    let said = failure["error"].as_str().unwrap();
    assert!(said.contains("~/.claude/settings.json, line 2, column 13"), "{said}");
    assert_eq!(machine(&home), before);
    assert!(listed(&home, "claude-code")["levels"][0]["trouble"].is_string());
    write(&home.dir().join(".claude/settings.json"), "{\"hooks\": {\"Stop\": {}}}");
    home.fails(&["connect", "claude-code"], 1);
    assert_eq!(fs::read_to_string(home.dir().join(".claude.json")).unwrap(), "{}");
}

#[test]
fn a_file_in_the_place_of_a_folder_is_left_alone() {
    let home = home();
    write(&home.dir().join(".codex"), "not a folder");
    let before = machine(&home);
    home.fails(&["connect", "codex"], 1);
    assert_eq!(machine(&home), before);
}

#[test]
fn somebody_elses_entry_of_our_name_comes_back() {
    let home = home();
    let file = write(&home.dir().join(".cursor/mcp.json"), "{\"mcpServers\": {\"loci\": {\"command\": \"mine\"}}}");
    home.ok(&["connect", "cursor"]);
    let text = fs::read_to_string(&file).unwrap();
    assert!(!text.contains("mine"), "{text}");
    write(&file, &text.replace("{\"mcpServers\"", "{\"later\": 1, \"mcpServers\""));
    home.ok(&["disconnect", "cursor"]);
    let left: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(left, json!({"later": 1, "mcpServers": {"loci": {"command": "mine"}}}));
}

#[test]
fn a_mode_is_written_and_stays() {
    let home = home();
    let file = gemini(&home);
    home.ok(&["connect", "gemini-cli", "--mode", "plan"]);
    assert!(fs::read_to_string(&file).unwrap().contains("\"plan\""));
    assert_eq!(listed(&home, "gemini-cli")["levels"][0]["mode"], "plan");
    home.ok(&["connect", "gemini-cli"]);
    assert!(fs::read_to_string(&file).unwrap().contains("\"plan\""));
    home.ok(&["connect", "gemini-cli", "--mode", "explore"]);
    assert!(!fs::read_to_string(&file).unwrap().contains("\"plan\""));
    home.ok(&["disconnect", "gemini-cli"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), SETTINGS);
}

#[test]
fn a_lost_ledger_loses_only_the_exact_bytes() {
    let home = home();
    let file = gemini(&home);
    home.ok(&["connect", "gemini-cli"]);
    fs::remove_dir_all(home.home()).unwrap();
    home.ok(&["disconnect", "gemini-cli"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), SETTINGS);
}

#[test]
fn a_plugin_that_a_person_changed_is_kept_aside() {
    let home = home();
    home.ok(&["connect", "opencode"]);
    let plugin = home.dir().join(".config/opencode/plugins/loci.js");
    let text = fs::read_to_string(&plugin).unwrap();
    write(&plugin, &format!("{text}// mine\n"));
    home.ok(&["disconnect", "opencode"]);
    assert!(!plugin.exists());
    assert!(fs::read_to_string(plugin.with_extension("js.edited")).unwrap().ends_with("// mine\n"));
    write(&plugin, "export const theirs = 1;\n");
    home.fails(&["connect", "opencode"], 1);
    assert!(!home.dir().join(".config/opencode/opencode.json").exists());
}

#[test]
fn agents_may_move_their_configuration() {
    let home = home();
    let at = |name: &str| home.dir().join(name);
    let moved: [(&str, &str, &str, &str); 5] = [
        ("claude-code", "CLAUDE_CONFIG_DIR", "cc", "cc/.claude.json"),
        ("codex", "CODEX_HOME", "cx", "cx/config.toml"),
        ("qwen-code", "QWEN_HOME", "qw", "qw/settings.json"),
        ("gemini-cli", "GEMINI_CLI_HOME", "gm", "gm/.gemini/settings.json"),
        ("opencode", "XDG_CONFIG_HOME", "xdg", "xdg/opencode/opencode.json"),
    ];
    for (agent, variable, folder, file) in moved {
        let mut command = home.loci(&["connect", agent]);
        assert!(command.env(variable, at(folder)).status().unwrap().success());
        assert!(at(file).exists(), "{file}");
        let mut command = home.loci(&["disconnect", agent]);
        assert!(command.env(variable, at(folder)).status().unwrap().success());
        assert!(!at(folder).exists(), "{folder}");
    }
}

#[test]
fn a_dry_run_changes_nothing_and_shows_no_secret() {
    let home = home();
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    write(
        &home.dir().join(".cursor/mcp.json"),
        &format!("{{\"mcpServers\": {{\"x\": {{\"env\": {{\"T\": \"{key}\"}}}}}}}}"),
    );
    let before = machine(&home);
    let shown = home.ok(&["connect", "cursor", "--dry-run"]);
    assert!(shown.contains("+") && !shown.contains(&key), "{shown}");
    assert_eq!(machine(&home), before);
    assert_eq!(crate::support::holding(home.home(), &key), Vec::<String>::new());
    home.ok(&["connect", "cursor"]);
    assert_eq!(crate::support::holding(home.home(), &key), Vec::<String>::new(), "no copy of a configuration is kept");
}

#[test]
fn an_unknown_agent_is_a_question_of_words() {
    let home = home();
    let failure = home.fails(&["connect", "claude-cod"], 2);
    assert!(failure["error"].as_str().unwrap().contains("claude-code"));
    home.fails(&["disconnect", "no-such-agent"], 2);
}

#[test]
fn the_daemon_connects_for_its_owner_only() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let (status, all) = daemon.ask("GET", "/agents/connections", None);
    assert_eq!((status, all["agents"].as_array().unwrap().len()), (200, 6));
    let (status, done) = daemon.ask("POST", "/agents/connections/cursor", Some(&json!({"dryRun": true})));
    assert_eq!((status, &done["dryRun"]), (200, &json!(true)));
    assert!(!Path::new(&home.dir().join(".cursor")).exists());
    let (status, done) = daemon.ask("POST", "/agents/connections/cursor", Some(&json!({"mode": "plan"})));
    assert_eq!((status, &done["files"][0]["change"]), (200, &json!("created")));
    let (status, _) = daemon.ask("DELETE", "/agents/connections/cursor", None);
    assert_eq!(status, 200);
    assert!(!home.dir().join(".cursor").exists());
    for (path, body) in [("cursor", json!({"level": "x"})), ("cursor", json!({"mode": "x"}))] {
        let (status, _) = daemon.ask("POST", &format!("/agents/connections/{path}"), Some(&body));
        assert_eq!(status, 400, "{body}");
    }
    let (status, refused) = daemon.ask("POST", "/agents/connections/nobody", None);
    assert_eq!((status, &refused["code"]), (404, &json!("unknown_agent")));
    let token = home.json(&["token", "add", "page"])["token"].as_str().unwrap().to_owned();
    for method in ["GET", "POST", "DELETE"] {
        let path = if method == "GET" { "/agents/connections" } else { "/agents/connections/cursor" };
        assert_eq!(daemon.ask_as(&token, method, path, None).0, 403, "{method}");
    }
}
