//! Sessions through the binary: import, recall, why, rm, and what is said of mistakes.

use crate::support::{holding, home};
use serde_json::{Value, json};

#[test]
fn a_session_is_imported_found_and_removed() {
    let home = home();
    let file = home.dir().join("talk.jsonl");
    let line = |id: &str, content: &str| format!("{}\n", json!({"id": id, "role": "user", "content": content}));
    let text =
        format!("{}{{broken\n{}", line("m1", "Where do the numbers live?"), line("m2", "In the heron spreadsheet."));
    std::fs::write(&file, &text).unwrap();
    let file = file.to_str().unwrap();
    let imported = home.json(&["session", "import", file]);
    assert_eq!(imported, json!({"imported": 1, "messages": 2, "skippedLines": 1}));
    assert_eq!(home.json(&["session", "import", file, "--format", "loci"])["messages"], 0);
    let sessions = home.json(&["session", "list"]);
    assert_eq!((&sessions["sessions"][0]["id"], &sessions["sessions"][0]["messages"]), (&json!("talk"), &json!(2)));
    assert_eq!(home.json(&["session", "show", "talk"])["messages"][1]["content"], "In the heron spreadsheet.");
    let recalled = home.json(&["recall", "--sessions", "heron spreadsheet", "--limit", "1", "--no-model"]);
    let hit = &recalled["hits"][0];
    assert_eq!(
        (&recalled["strategy"], &hit["session"], &hit["message"]),
        (&json!("heuristic"), &json!("talk"), &json!("m2"))
    );
    for key in ["role", "at", "score", "why", "excerpt"] {
        assert_ne!(hit[key], Value::Null, "{key} in {hit}");
    }
    let why = home.json(&["why", recalled["receipt"].as_str().unwrap()]);
    assert_eq!(why["shown"][0]["path"], "session:talk#m2");
    assert_eq!(home.json(&["session", "rm", "talk"]), json!({"removed": "talk"}));
    assert_eq!(home.json(&["recall", "--sessions", "heron spreadsheet"])["hits"], json!([]));
    for (words, exit) in [
        (&["session", "rm", "talk"][..], 3),
        (&["session", "show", "talk"], 3),
        (&["session", "import", "none.jsonl"], 3),
        (&["session", "import", file, "--format", "word"], 2),
        (&["session", "import", file, file, "--session", "x"], 2),
        (&["session", "import"], 2),
    ] {
        home.fails(words, exit);
    }
}

#[test]
fn conversations_of_others_are_measured() {
    let home = home();
    let file = home.dir().join("set.json");
    let turn = |id: &str, text: &str| json!({"speaker": "Ann", "dia_id": id, "text": text});
    let set = json!([{"sample_id": "c", "qa": [{"question": "Where is the boat?", "evidence": ["D1:2"], "category": 4}],
        "conversation": {"session_1": [turn("D1:1", "Hi"), turn("D1:2", "The boat is at the north pier.")]}}]);
    std::fs::write(&file, set.to_string()).unwrap();
    let rankings = home.dir().join("out.jsonl");
    let words = [
        "eval",
        "recall",
        "--dataset",
        file.to_str().unwrap(),
        "--format",
        "locomo",
        "--rankings",
        rankings.to_str().unwrap(),
    ];
    let report = home.json(&words);
    assert_eq!(
        (&report["questions"], &report["recall@5"], &report["byCategory"]["4"]["mrr"]),
        (&json!(1), &json!(1.0), &json!(1.0))
    );
    let row: Value = serde_json::from_str(std::fs::read_to_string(rankings).unwrap().lines().next().unwrap()).unwrap();
    assert_eq!((&row["gold"], &row["hits"][0]["id"]), (&json!(["D1:2"]), &json!("D1:2")));
    let session = |content: &str| json!([{"role": "user", "content": content}]);
    let set = json!([{"question_id": "q", "question_type": "t", "question": "Which degree do I have?", "haystack_session_ids": ["a", "b"],
        "haystack_dates": [], "haystack_sessions": [session("My degree is in botany."), session("Rain again.")], "answer_session_ids": ["a"]}]);
    std::fs::write(&file, set.to_string()).unwrap();
    let report = home.json(&["eval", "recall", "--dataset", file.to_str().unwrap(), "--format", "longmemeval"]);
    assert_eq!((&report["recallAll@5"], &report["ndcgAny@10"]), (&json!(1.0), &json!(1.0)));
    assert_eq!(home.json(&["eval", "self"])["knownItem"], 1.0);
}

#[test]
fn a_removed_session_leaves_nothing_in_the_home() {
    let home = home();
    for (name, content) in [("talk", "The walrus goes on Tuesday."), ("other", "The heron stays.")] {
        let file = home.dir().join(format!("{name}.jsonl"));
        std::fs::write(&file, format!("{}\n", json!({"id": "m1", "role": "user", "content": content}))).unwrap();
        home.ok(&["session", "import", file.to_str().unwrap()]);
    }
    let receipt = |query: &str| home.json(&["recall", "--sessions", query])["receipt"].as_str().unwrap().to_owned();
    let (gone, kept) = (receipt("walrus"), receipt("heron"));
    home.ok(&["session", "rm", "talk"]);
    for word in ["walrus", "Tuesday", "session:talk"] {
        assert_eq!(holding(home.home(), word), Vec::<String>::new(), "{word}");
    }
    home.fails(&["why", &gone], 3);
    assert_eq!(home.json(&["why", &kept])["shown"][0]["path"], "session:other#m1");
}

#[test]
fn a_recall_in_sessions_is_told_without_its_words() {
    let home = home();
    let mut command = home.loci(&["recall", "--sessions", "walrus"]);
    command.env("LOCI_LOG", "info");
    let ran = loci_testkit::home::Ran::of(command, b"");
    assert!(ran.stderr.contains("memory.recall") && ran.stderr.contains("query_length=6"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("walrus"), "{}", ran.stderr);
}

#[test]
fn a_dataset_that_cannot_be_used_is_named() {
    let home = home();
    let file = home.dir().join("set.json");
    for (text, format, exit) in
        [("[]", "loci", 1), ("{}", "loci", 1), ("{", "locomo", 1), ("[{}]", "longmemeval", 1), ("", "gone", 3)]
    {
        std::fs::write(&file, text).unwrap();
        let (path, format) = match format {
            "gone" => (home.dir().join("gone.json"), "locomo"),
            format => (file.clone(), format),
        };
        let failure = home.fails(&["eval", "recall", "--dataset", path.to_str().unwrap(), "--format", format], exit);
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(failure["error"].as_str().unwrap().contains(name), "{failure}");
    }
}
