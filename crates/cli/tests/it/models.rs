//! Language models as a person sets them up: who answers, what it cost, and what never shows.

use crate::support::home;
use loci_testkit::home::{Home, Ran};
use loci_testkit::model::{KEY, Model, Step, Wire};
use rusqlite::Connection;
use serde_json::{Value, json};

fn with_model(home: &Home, model: &Model, args: &[&str]) -> Ran {
    let mut command = home.loci(args);
    command.envs(model.environment());
    Ran::of(command, b"")
}

fn status(home: &Home, model: &Model) -> Value {
    serde_json::from_str(&with_model(home, model, &["status", "--json"]).ok()).unwrap()
}

#[test]
fn status_says_who_answers_in_which_role() {
    let home = home();
    let model = Model::new(Wire::OpenAi, []);
    assert_eq!(home.json(&["status"])["models"]["default"], Value::Null);
    home.edit("config.toml", "[models.fast]\nmodel = \"small\"\n");
    let told = &status(&home, &model)["models"];
    assert_eq!(
        told,
        &json!({"default": "openai/scripted-1", "fast": "openai/small", "smol": "openai/scripted-1", "troubles": []})
    );
    let shown = with_model(&home, &model, &["status"]).ok();
    assert!(shown.contains("openai/scripted-1 · fast openai/small"), "{shown}");
}

#[test]
fn settings_that_are_wrong_are_told_and_nothing_stops_working() {
    let home = home();
    home.edit(
        "config.toml",
        "[models.default]\nprovider = \"anthropic\"\nmodel = \"m\"\napi_key_env = \"NO_SUCH_KEY\"\n",
    );
    let status = home.json(&["status"]);
    assert_eq!(status["models"]["default"], Value::Null);
    assert!(status["models"]["troubles"][0].as_str().unwrap().contains("NO_SUCH_KEY"), "{status}");
    assert!(home.ok(&["status"]).contains("NO_SUCH_KEY"));
    home.ok(&["list"]);
    let failure = home.fails(&["list", "--set", "models.default.provider=gpt"], 2);
    assert!(failure["error"].as_str().unwrap().contains("use openai, anthropic, gemini or ollama"), "{failure}");
}

#[test]
fn status_shows_what_today_cost_and_that_the_limit_is_reached() {
    let home = home();
    let model = Model::new(Wire::OpenAi, []);
    assert_eq!(status(&home, &model)["cost"]["tokens"], 0);
    let ledger = Connection::open(home.home().join("loci.db")).unwrap();
    let rows =
        "INSERT INTO spend VALUES (date('now'), 'openai/a', 2, 1999000, 900), (date('now'), 'openai/b', 1, 50, 50),
                (date('now', '-1 day'), 'openai/a', 9, 9, 9)";
    ledger.execute(rows, []).unwrap();
    let cost = &status(&home, &model)["cost"];
    assert_eq!(
        (&cost["calls"], &cost["tokens"], &cost["inputTokens"]),
        (&json!(3), &json!(2_000_000), &json!(1_999_050))
    );
    assert_eq!((&cost["limit"], &cost["limitReached"]), (&json!(2_000_000), &json!(true)));
    assert_eq!(cost["models"][1]["model"], "openai/b");
    let shown = home.ok(&["status"]);
    assert!(shown.contains("2,000,000 of 2,000,000 tokens today · 3 calls · the daily limit is reached"), "{shown}");
    let higher = home.json(&["status", "--set", "models.daily_token_limit=2000001"]);
    assert_eq!(higher["cost"]["limitReached"], false);
}

/// Whatever a command asks, and whatever a service that fails repeats.
#[test]
fn a_key_is_in_no_output_and_no_file() {
    let home = home();
    home.edit("memory/user/tea.md", &crate::support::doc("Tea", "Tea at four."));
    let model = Model::answering(Wire::OpenAi, |_| Step::echo(401));
    for args in [
        &["recall", "tea at four"][..],
        &["status", "--json"],
        &["config"],
        &["config", "--json"],
        &["doctor"],
        &["context", "--query", "tea"],
    ] {
        let mut command = home.loci(args);
        command.envs(model.environment()).env("LOCI_LOG", "trace");
        let ran = Ran::of(command, b"");
        assert!(!ran.stdout.contains(KEY) && !ran.stderr.contains(KEY), "{args:?}: {}{}", ran.stdout, ran.stderr);
    }
    assert_eq!(crate::support::holding(home.home(), KEY), [""; 0]);
}

#[test]
fn a_model_that_fails_is_told_to_a_person_and_never_in_between_json() {
    let home = home();
    home.edit("memory/user/tea.md", &crate::support::doc("Tea", "Tea at four."));
    let model = Model::answering(Wire::OpenAi, |_| Step::echo(401));
    for args in [&["forget", "tea at four", "--dry-run"][..], &["remember", "I like rye bread"]] {
        let shown = with_model(&home, &model, args);
        assert!(shown.stderr.contains("401") && shown.stderr.lines().count() == 1, "{args:?}: {}", shown.stderr);
        let json = with_model(&home, &model, &[args, &["--json"]].concat());
        assert_eq!((json.exit, json.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn an_embedder_of_ones_own_is_told_and_a_wrong_one_stops_nothing() {
    let home = home();
    assert_eq!(home.json(&["status"])["embedder"], Value::Null);
    let model = Model::answering(Wire::OpenAi, |request| {
        let texts = request.body["input"].as_array().unwrap();
        Step::vectors(&vec![vec![1.0, 0.5]; texts.len()])
    });
    let settings = format!("[recall]\nembedder = \"{}\"\n", model.base_url());
    home.edit("config.toml", &settings);
    let troubles = home.json(&["status"])["models"]["troubles"].to_string();
    assert!(troubles.contains("recall.embedder_model"), "{troubles}");
    home.edit("config.toml", &format!("{settings}embedder_model = \"small\"\n"));
    let told = home.json(&["status"])["embedder"].as_str().unwrap().to_owned();
    assert!(told.ends_with("/small"), "{told}");
    home.json(&["recall", "anything"]);
    assert!(model.requests().is_empty(), "nothing is asked where nothing is kept");
    home.edit("config.toml", "[recall]\nembedder = \"folder:nowhere\"\n");
    let troubles = home.json(&["status"])["models"]["troubles"].to_string();
    assert!(troubles.contains("nowhere"), "{troubles}");
    home.edit("config.toml", "[recall]\nembedder = \"mini\"\n");
    let said = home.loci(&["status"]).output().unwrap();
    assert!(!said.status.success() && String::from_utf8_lossy(&said.stderr).contains("folder:PATH"));
}

#[test]
fn recall_asks_a_model_by_ones_own_prompt() {
    let home = home();
    home.ok(&["remember", "I keep bees"]);
    home.edit("prompts/recall.md", "Mine: {{limit}} of {{manifest}} for {{query}}");
    let model = Model::answering(Wire::OpenAi, |_| Step::say(json!({"selected_memories": []}).to_string()));
    with_model(&home, &model, &["recall", "bees"]).ok();
    let asked = model.requests().last().unwrap().body.to_string();
    assert!(asked.contains("Mine: 5 of <manifest>"), "{asked}");
}
