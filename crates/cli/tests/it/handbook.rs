//! Past sessions become a handbook: what runs, what is skipped and why, what it costs, and what no crash can spoil.

use crate::support::{Dice, holding, home};
use loci_testkit::home::{Home, Ran, tree, unfinished, write};
use loci_testkit::model::{Model, Request, Step, Wire};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::Duration;

pub const ON: &str = "[memories]\nenabled = true\nmin_rollout_idle_hours = 0\nmax_rollout_age_days = 36500\n\
                  stage1_retry_delay_seconds = 0\nphase2_retry_delay_seconds = 0\nretries = 100\n";

/// A session in which a person said these things.
pub fn session(home: &Home, name: &str, said: &[&str]) {
    let line = |(number, text): (usize, &&str)| {
        format!(
            "{}\n",
            json!({"id": format!("m{number}"), "role": "user", "content": text, "at": "2026-01-01T10:00:00Z"})
        )
    };
    let text: String = said.iter().enumerate().map(line).collect();
    let file = write(&home.dir().join(format!("incoming/{name}.jsonl")), &text);
    home.ok(&["session", "import", file.to_str().unwrap()]);
}

fn with_model(home: &Home, model: &Model, args: &[&str]) -> Ran {
    let mut command = home.loci(args);
    command.envs(model.environment());
    Ran::of(command, b"")
}

pub fn run(home: &Home, model: &Model) -> Value {
    serde_json::from_str(&with_model(home, model, &["pipeline", "run", "--json"]).ok()).unwrap()
}

/// The marks `mark-NN` that a request speaks of.
fn marks(request: &Request) -> Vec<String> {
    let text = request.body.to_string();
    let mut marks: Vec<String> = text.match_indices("mark-").map(|(at, _)| text[at..at + 7].to_owned()).collect();
    marks.sort();
    marks.dedup();
    marks
}

pub fn is_second(request: &Request) -> bool {
    request.body.to_string().contains("memory_md")
}

/// Answers each phase with the marks that it was told.
fn echoing(pause: Duration) -> Model {
    Model::answering(Wire::OpenAi, move |request| {
        let said = marks(request).iter().map(|mark| format!("- learnt {mark}\n")).collect::<String>();
        let answer = match is_second(request) {
            true => json!({"memory_md": format!("# Book\n\n{said}"), "memory_summary": said, "skills": []}),
            false => json!({"raw_memory": said, "rollout_summary": "about it", "rollout_slug": null}),
        };
        Step::say(answer.to_string()).after(pause)
    })
}

pub fn handbook(home: &Home) -> PathBuf {
    let folder = std::fs::read_dir(home.home().join("projects")).unwrap().next().unwrap().unwrap().path();
    folder.join("handbook")
}

pub fn start(home: &Home, model: &Model) -> Child {
    let mut command = home.loci(&["pipeline", "run", "--quiet"]);
    command.envs(model.environment()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// How often each mark was asked about in phase 1.
fn asked(model: &Model) -> BTreeMap<String, usize> {
    let mut asked = BTreeMap::new();
    for request in model.requests().iter().filter(|request| !is_second(request)) {
        marks(request).into_iter().for_each(|mark| *asked.entry(mark).or_default() += 1);
    }
    asked
}

#[test]
fn killed_at_any_moment_nothing_is_lost_and_nothing_half_done() {
    let home = home();
    home.edit("config.toml", ON);
    let all: Vec<String> = (0..24).map(|number| format!("mark-{number:02}")).collect();
    for mark in &all {
        session(&home, &format!("s-{mark}"), &[&format!("We talked about {mark} today.")]);
    }
    let model = echoing(Duration::from_millis(20));
    let mut dice = Dice(7);
    let mut kills = 0;
    while kills < 12 {
        let mut child = start(&home, &model);
        std::thread::sleep(Duration::from_millis(60 + dice.roll(500)));
        kills += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        // Whatever is there is one whole generation.
        let book = tree(&handbook_or_none(&home));
        assert!(
            book.is_empty() || book.contains_key("MEMORY.md") && book.contains_key("memory_summary.md"),
            "{book:?}"
        );
        if asked(&model).len() == all.len() && book.contains_key("MEMORY.md") {
            break;
        }
    }
    run(&home, &model);
    let text = String::from_utf8(tree(&handbook(&home))["MEMORY.md"].clone()).unwrap();
    for mark in &all {
        assert!(text.contains(mark), "{mark} is lost: {text}");
    }
    // Only what was on its way when the process died may be asked about again, at most eight at a time.
    let again: usize = asked(&model).values().map(|times| times - 1).sum();
    assert!(again <= 8 * kills, "{again} questions were asked again after {kills} kills");
    assert_eq!(unfinished(home.home()), Vec::<PathBuf>::new());
    let asked_before = model.requests().len();
    assert_eq!(run(&home, &model)["done"], 0);
    assert_eq!(model.requests().len(), asked_before, "a second run asks nothing");
}

fn handbook_or_none(home: &Home) -> PathBuf {
    match std::fs::read_dir(home.home().join("projects")).ok().and_then(|mut list| list.next()) {
        Some(folder) => folder.unwrap().path().join("handbook"),
        None => home.home().join("none"),
    }
}

#[test]
fn two_runs_at_once_read_each_session_once() {
    let home = home();
    home.edit("config.toml", ON);
    for number in 0..20 {
        session(&home, &format!("s-{number:02}"), &[&format!("About mark-{number:02}.")]);
    }
    let model = echoing(Duration::from_millis(100));
    let mut runs: Vec<Child> = (0..2).map(|_| start(&home, &model)).collect();
    for run in &mut runs {
        assert!(run.wait().unwrap().success());
    }
    assert_eq!(asked(&model).into_values().collect::<Vec<_>>(), vec![1; 20]);
    let text = String::from_utf8(tree(&handbook(&home))["MEMORY.md"].clone()).unwrap();
    assert_eq!(text.matches("learnt").count(), 20, "{text}");
}

#[test]
fn a_dry_run_says_what_it_would_do_and_asks_nobody() {
    let home = home();
    home.edit("config.toml", ON);
    session(&home, "s-one", &["About mark-01."]);
    let model = echoing(Duration::ZERO);
    let ran = with_model(&home, &model, &["pipeline", "run", "--dry-run", "--json"]);
    let told: Value = serde_json::from_str(&ran.ok()).unwrap();
    let project = &told["run"]["projects"][0];
    assert_eq!(
        (&project["sessions"], &project["questions"], &project["model"]),
        (&json!(["s-one"]), &json!(2), &json!(true))
    );
    assert!(told["run"]["inputTokens"].as_u64().unwrap() > 100, "{told}");
    assert_eq!((model.requests().len(), home.json(&["pipeline", "status"])["jobs"].clone()), (0, json!([])));
    let report = run(&home, &model)["phases"].clone();
    assert_eq!((&report["distilled"], &report["consolidated"]), (&json!(1), &json!(1)), "{report}");
    assert_eq!(report["cost"], json!({"inputTokens": 200, "outputTokens": 40}));
    let report = run(&home, &model)["phases"].clone();
    assert_eq!((&report["skipped"], &report["sessions"]), (&json!({"unchanged": 1}), &json!(1)));
    let status = home.json(&["pipeline", "status"]);
    assert_eq!(status["lastRun"]["skipped"], json!({"unchanged": 1}));
    assert_eq!(
        (&status["handbooks"][0]["extractions"], &status["handbooks"][0]["outOfDate"]),
        (&json!(1), &json!(false))
    );
}

#[test]
fn a_checkout_can_switch_its_handbook_off_but_not_on() {
    let home = home();
    home.edit("config.toml", ON);
    session(&home, "s-one", &["Remember that the heron lives in Oslo."]);
    let local = home.project().join(".loci/config.toml");
    write(&local, "[memories]\nenabled = false\n");
    let report = home.json(&["pipeline", "run"])["phases"].clone();
    assert_eq!(report["skipped"], json!({"disabled": 1}), "{report}");
    assert_eq!(home.json(&["pipeline", "run", "--dry-run"])["run"]["skipped"], json!({"disabled": 1}));
    home.edit("config.toml", "");
    write(&local, "[memories]\nenabled = true\n");
    let report = home.json(&["pipeline", "run"])["phases"].clone();
    assert_eq!(report["off"], "off by default");
    home.edit("config.toml", ON);
    assert_eq!(home.json(&["pipeline", "run"])["phases"]["consolidated"], 1);
    assert!(home.ok(&["memory", "view"]).contains("heron"));
}

#[test]
fn the_days_tokens_end_and_jobs_wait_for_the_next() {
    let home = home();
    home.edit("config.toml", &format!("{ON}stage1_concurrency = 1\n[models]\ndaily_token_limit = 120\n"));
    for number in 0..3 {
        session(&home, &format!("s-{number}"), &[&format!("About mark-0{number}.")]);
    }
    let model = echoing(Duration::ZERO);
    let report = run(&home, &model)["phases"].clone();
    // The first question takes the day's tokens; the handbook waits too.
    assert_eq!((&report["distilled"], &report["putOff"]), (&json!(1), &json!(3)), "{report}");
    let status = home.json(&["pipeline", "status"]);
    assert_eq!(status["budget"], json!({"spentToday": 120, "dailyLimit": 120, "reached": true}));
    assert!(home.ok(&["pipeline", "status"]).contains("the next UTC day"));
    assert_eq!(run(&home, &model)["phases"]["skipped"], json!({"unchanged": 1, "waits_for_budget": 2}));
    assert_eq!(model.requests().len(), 1);
    home.edit("config.toml", ON);
    assert_eq!(home.json(&["pipeline", "retry"])["retried"], 3);
    assert_eq!(run(&home, &model)["phases"]["distilled"], 2);
    assert_eq!(
        tree(&handbook(&home))["MEMORY.md"],
        b"# Book\n\n- learnt mark-00\n- learnt mark-01\n- learnt mark-02\n"
    );
}

#[test]
fn cancelled_jobs_stay_away_until_a_person_wants_them() {
    let home = home();
    home.edit("config.toml", ON);
    session(&home, "s-one", &["About mark-01."]);
    let model = Model::answering(Wire::OpenAi, |_| Step::status(400));
    let failed = with_model(&home, &model, &["pipeline", "run", "--json"]);
    assert_eq!(failed.exit, Some(1));
    assert_eq!(home.json(&["pipeline", "cancel"])["cancelled"], 1);
    let job = home.json(&["pipeline", "status"])["jobs"][0].clone();
    assert_eq!((&job["status"], &job["error"]), (&json!("exhausted"), &json!("cancelled")));
    home.fails(&["pipeline", "cancel", job["id"].as_str().unwrap()], 4);
    home.fails(&["pipeline", "cancel", "999"], 3);
    let model = echoing(Duration::ZERO);
    assert_eq!(run(&home, &model)["phases"]["skipped"], json!({"exhausted": 1}));
    home.json(&["pipeline", "retry", job["id"].as_str().unwrap()]);
    assert_eq!(run(&home, &model)["phases"]["distilled"], 1);
}

#[test]
fn a_broken_prompt_is_named_where_jobs_are_shown() {
    let home = home();
    home.edit("config.toml", ON);
    session(&home, "s-one", &["About mark-01."]);
    write(&home.home().join("prompts/stage_one_input.md"), "{{nonsense}}");
    let ran = with_model(&home, &echoing(Duration::ZERO), &["pipeline", "run", "--json"]);
    assert_eq!(ran.exit, Some(1));
    let error = home.json(&["pipeline", "status"])["jobs"][0]["error"].clone();
    let error = error.as_str().unwrap();
    assert!(error.starts_with("invalid_prompt: the prompt stage_one_input.md: {{"), "{error}");
}

#[test]
fn a_run_for_a_project_that_is_not_there_does_not_run_for_another() {
    let home = home();
    home.edit("config.toml", ON);
    for (command, project) in [("run", ""), ("run", "/nonexistent"), ("status", ""), ("retry", "")] {
        let said = home.fails(&["pipeline", command, "--project", project], 6);
        assert_eq!(said["code"], "scope_unavailable", "{command} {project:?}: {said}");
    }
    let said = home.run(&["pipeline", "retry", "s-one"]);
    assert_eq!(said.exit, Some(2));
    assert!(said.stderr.contains("a job goes by its number"), "{}", said.stderr);
}

#[test]
fn what_is_purged_leaves_the_handbook_and_what_it_was_made_of() {
    let home = home();
    home.edit("config.toml", ON);
    let secret = "the spare key lies under the blue flowerpot";
    session(&home, "s-one", &[&format!("Remember that {secret}."), "Remember that the ferry leaves at seven."]);
    home.json(&["pipeline", "run"]);
    assert!(home.ok(&["memory", "view"]).contains("flowerpot"));
    home.ok(&["remember", &format!("Remember that {secret}")]);
    let purged = home.json(&["forget", "flowerpot", "--purge", "--all"]);
    let places = purged["removedFrom"].as_array().unwrap();
    let place = places.iter().find(|place| place["place"] == "handbook").unwrap();
    assert_eq!(place["state"], "removed", "{purged}");
    assert_eq!(holding(home.home(), "blue flowerpot"), Vec::<String>::new());
    let view = home.ok(&["memory", "view"]);
    assert!(view.contains("ferry leaves at seven") && view.contains("[PURGED]"), "{view}");
    home.json(&["pipeline", "run"]);
    assert_eq!(holding(home.home(), "blue flowerpot"), Vec::<String>::new());
    home.ok(&["session", "rm", "s-one"]);
    assert_eq!(home.json(&["pipeline", "run"])["phases"]["consolidated"], 1);
    assert!(!handbook(&home).exists(), "no session, no handbook");
}

#[test]
fn a_person_frames_the_summary_themself() {
    let home = home();
    home.edit("config.toml", ON);
    session(&home, "s-one", &["Remember that the heron lives in Oslo."]);
    home.json(&["pipeline", "run"]);
    home.edit("prompts/read_path.md", "Notes of this project:\n{{memory_summary}}");
    let context = home.json(&["context"]);
    let part = context["parts"].as_array().unwrap().iter().find(|part| part["name"] == "summary").unwrap().clone();
    let text = part["text"].as_str().unwrap();
    assert!(text.starts_with("Notes of this project:\n<memory_summary>") && text.contains("heron"), "{text}");
    assert!(home.ok(&["memory", "view"]).starts_with(text), "view prints the injected block exactly");
    home.edit("prompts/read_path.md", "no place for it");
    assert!(home.json(&["context"])["text"].as_str().unwrap().contains("heron"));
}

/// A process's largest memory so far, in kilobytes.
fn most_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[test]
fn every_message_of_many_long_sessions_is_read_once_and_memory_has_a_bound() {
    let home = home();
    home.edit("config.toml", &format!("{ON}stage1_input_tokens = 4000\n"));
    let mut all = Vec::new();
    for session_number in 0..12 {
        let said: Vec<String> = (0..20)
            .map(|number| {
                let name = format!("mark-{session_number:02}-{number:02}");
                format!("{name} {}", "some ordinary words of a talk ".repeat(70))
            })
            .collect();
        all.extend(said.iter().map(|text| text[..10].to_owned()));
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        session(&home, &format!("s-{session_number:02}"), &said);
    }
    let model = echoing(Duration::ZERO);
    let mut child = start(&home, &model);
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(most_memory(child.id()).unwrap_or_default());
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.wait().unwrap().success());
    let asked: Vec<String> =
        model.requests().iter().filter(|request| !is_second(request)).map(|request| request.body.to_string()).collect();
    assert!(asked.len() > 24, "{} questions", asked.len());
    assert!(asked.iter().all(|text| text.len() < 40_000), "no question is larger than it may be");
    let text = asked.concat();
    for name in &all {
        assert_eq!(text.matches(name.as_str()).count(), 1, "{name}");
    }
    assert!((1..200_000).contains(&most), "{most} kB");
}
