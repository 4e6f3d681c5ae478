//! `loci forget --purge`, by the bytes: whatever the home ever kept of a text is gone.

use crate::support::{G, assert_healthy, doc, holding, home, replace};
use loci_testkit::home::{Home, write};

/// The text in the forms in which it may lie somewhere: as written, as a stem, as part of a name.
const FORMS: [&str; 4] = ["ollects harmonicas", "harmonica", "armonica", "Harmonica"];

fn assert_gone(home: &Home) {
    for form in FORMS {
        assert_eq!(holding(home.home(), form), Vec::<String>::new(), "{form} is in the home");
    }
}

#[test]
fn no_byte_of_it_is_left_in_the_home() {
    let home = home();
    home.ok(&["remember", "I play the accordion on Sundays"]);
    home.ok(&["remember", "My neighbour Collects harmonicas from Trossingen", "--type", "user"]);
    home.create(&format!("{G}user/hobbies.md"), &doc("Hobbies", "- Collects harmonicas.\n- Collects stamps."));
    home.did(replace(&format!("{G}user/hobbies.md"), "stamps", "postage stamps"));
    // Fifty rewrites file the words into the search index, and merge it.
    for round in 0..50 {
        home.create(&format!("{G}notes/{round}.md"), &doc("Note", &format!("harmonicas again {round}")));
    }
    home.ok(&["recall", "harmonicas of the neighbour", "--session", "s1"]);
    home.ok(&["context", "--session", "s1"]);
    home.ok(&["pin", "global/user/hobbies.md"]);
    let talk = write(
        &home.dir().join("talk.jsonl"),
        "{\"id\":\"m1\",\"role\":\"user\",\"content\":\"What do you know?\"}\n\
         {\"id\":\"m2\",\"role\":\"assistant\",\"content\":\"You said: collects harmonicas. And stamps.\"}\n\
         {\"id\":\"m3\",\"role\":\"user\",\"content\":\"Right, and I sail.\"}\n",
    );
    home.ok(&["session", "import", &talk.to_string_lossy(), "--format", "loci"]);
    let titled = write(
        &home.dir().join("titled.jsonl"),
        "{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"role\":\"user\",\"content\":\"Hello there\"}}\n\
         {\"type\":\"ai-title\",\"aiTitle\":\"The one who collects harmonicas\"}\n",
    );
    home.ok(&["session", "import", &titled.to_string_lossy(), "--format", "claude-code"]);
    write(&home.home().join("drafts/01-a.md"), "a draft: Collects harmonicas.\n");
    write(&home.home().join("drafts/02-b.md"), "a draft of something else\n");
    // What a repair of the ledger leaves, and one that was cut off.
    for left in ["damaged-20260101T000000Z", "salvage", "salvage-wal", "repaired", "ready"] {
        write(&home.home().join(format!("loci.db.{left}")), "Collects harmonicas");
    }
    assert!(!holding(home.home(), "harmonica").is_empty(), "the test must be able to fail");

    let purged = home.json(&["forget", "harmonicas", "--all", "--purge"]);
    assert_eq!(purged["removedEntries"].as_array().unwrap().len(), 52, "{purged}");
    assert_gone(&home);
    assert_healthy(&home);
    assert!(holding(home.home(), "postage stamps").iter().any(|file| file.ends_with("user/hobbies.md")));
    assert!(home.home().join("drafts/02-b.md").exists());
    let session = home.ok(&["session", "show", "talk"]);
    assert!(session.contains("You said: [PURGED]. And stamps.") && session.contains("and I sail"), "{session}");
    assert!(home.ok(&["session", "list"]).contains("The one who [PURGED]"));
    let said = home.ok(&["recall", "accordion", "--json"]) + &home.ok(&["log", "--json"]);
    assert!(said.contains("accordion"));
    // Undo says so, goes on, and brings nothing of it back.
    home.fails(&["undo"], 3);
    // The accordion is the only change left whose bytes are there.
    home.ok(&["undo"]);
    home.fails(&["undo"], 3);
    assert!(holding(home.home(), "accordion").iter().all(|file| !file.starts_with("memory/user")));
    assert_gone(&home);
}

#[test]
fn a_folder_named_after_it_goes_too() {
    let home = home();
    home.create(&format!("{G}harmonicas/a.md"), &doc("A", "Collects harmonicas."));
    home.ok(&["forget", "harmonicas", "--purge"]);
    assert_gone(&home);
    assert!(!home.home().join("memory/harmonicas").exists());
    home.create(&format!("{G}boats/b.md"), &doc("B", "Sails on Sundays."));
    home.ok(&["forget", "sails sundays"]);
    assert!(!home.home().join("memory/boats").exists());
    home.ok(&["undo"]);
    assert!(home.home().join("memory/boats/b.md").exists());
}

#[test]
fn verbs_are_refused_while_memory_is_off() {
    let home = home();
    for args in [["remember", "a fact"], ["forget", "a fact"]] {
        let said = home.fails(&[&args[..], &["--set", "memory.enabled=false"]].concat(), 6);
        assert_eq!(said["code"], "memory_off");
    }
    home.ok(&["remember", "a person may still say it", "--set", "remember.enabled=false"]);
}

#[test]
fn a_persons_own_prompt_is_used_and_checked() {
    let home = home();
    let prompt = |text: &str| write(&home.home().join("prompts/forget.md"), text);
    prompt("Mine: {{query}} of {{candidates}}\n");
    home.ok(&["remember", "I keep bees"]);
    let shown = home.ok(&["forget", "bees", "--show-prompt"]);
    assert!(
        shown.starts_with("Mine: <request>\nbees\n</request> of <candidates>\nglobal:user/keep-bees.md [user]"),
        "{shown}"
    );
    prompt("Mine: {{query}} {{candidate}}\n");
    let said = home.fails(&["forget", "bees", "--show-prompt"], 1);
    assert_eq!(said["code"], "invalid_prompt");
    assert!(said["error"].as_str().unwrap().contains("forget.md: {{candidates}} is missing"), "{said}");
}

#[test]
fn every_verb_shows_its_prompt_and_changes_nothing() {
    let home = home();
    home.ok(&["remember", "I keep bees"]);
    let said = "{\"role\": \"user\", \"content\": \"I prefer tabs over spaces.\"}\n";
    write(&home.home().join("talk.jsonl"), said);
    let before = home.ok(&["log", "--json"]);
    let talk = home.home().join("talk.jsonl").display().to_string();
    for (args, held) in [
        (&["remember", "I keep hens", "--show-prompt"][..], &["<statement>\nI keep hens", "keep-bees.md"][..]),
        (&["forget", "bees", "--show-prompt"], &["<request>\nbees", "global:user/keep-bees.md"]),
        (&["extract", &talk, "--session", "s", "--show-prompt"], &["I prefer tabs over spaces.", "keep-bees.md"]),
        (&["dream", "--show-prompt"], &["keep-bees.md"]),
    ] {
        let shown = home.ok(args);
        for part in held {
            assert!(shown.contains(part), "{args:?} lacks {part:?}: {shown}");
        }
    }
    assert_eq!(home.ok(&["log", "--json"]), before);
    let read = home.json(&["extract", &talk, "--session", "s"]);
    assert_eq!(read["patches"].as_array().unwrap().len(), 1, "a prompt that was shown moves no cursor: {read}");
    assert_eq!(home.ok(&["extract", &talk, "--session", "s", "--show-prompt"]), "", "nothing is left to ask about");
}
