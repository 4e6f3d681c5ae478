//! The forms that the contract names, word by word, and what looks like them and is none.

use super::said;

#[test]
fn the_literal_forms_of_the_contract_are_taken() {
    let wrong: Vec<_> = [
        "The dashboard is at grafana.internal/d/abc.",
        "The dashboard is at dash.example.com.",
        "The latency dashboard lives at grafana.internal:3000/d/abc",
        "Always use pnpm.",
        "Never use tabs.",
        "Always use TypeScript.",
        "Never force push.",
        "Always sign commits.",
        "In this project, always use pnpm.",
        "Never mock the database because it hides bugs",
        "Never merge until the checks pass.",
        "I prefer the Colemak layout.",
        "I prefer to write tests before code.",
        "I prefer not to use mocks in tests.",
        "I prefer it when answers are short.",
        "I prefer a short summary at the top of reports.",
        "I prefer one commit per change.",
        "I prefer TypeScript.",
        "We decided on Postgres.",
        "We decided against GraphQL.",
        "We decided to move this project to Gitea.",
        "Our team decided to drop Safari 12 support.",
    ]
    .into_iter()
    .filter(|message| said(message).len() != 1)
    .collect();
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn what_somebody_asks_to_remember_may_sound_like_the_task() {
    for (message, summary) in [
        ("Remember that main() is in src/app.rs.", "main() is in src/app.rs"),
        ("Remember that the first release was in 2019.", "The first release was in 2019"),
        ("Remember that option A was rejected by legal.", "Option A was rejected by legal"),
        ("Remember that the function parse_config() must stay pure.", "The function parse_config() must stay pure"),
        ("Remember that the rule is that tests run twice.", "The rule is that tests run twice"),
        ("Remember the build server is called Hephaestus.", "The build server is called Hephaestus"),
        ("Remember my name is Joana.", "My name is Joana"),
        ("Remember, always use pnpm.", "Always use pnpm"),
        ("Remember I prefer short answers.", "I prefer short answers"),
        ("Note that the billing cron runs at 02:00 UTC.", "The billing cron runs at 02:00 UTC"),
        ("Please note that we decided on Postgres.", "We decided on Postgres"),
    ] {
        assert_eq!(said(message), [summary], "{message}");
    }
}

#[test]
fn what_only_looks_like_a_form_stays_out() {
    let wrong: Vec<_> = [
        // Questions and hypotheses.
        "Remember the build server is called Hephaestus?",
        "Remember the bug we had in the parser?",
        "Do you always use pnpm?",
        "Should we always sign commits?",
        "Always use pnpm, right?",
        "We decided on Postgres, didn't we?",
        "Is the dashboard at dash.example.com?",
        "If we decided on Postgres, the tests would change.",
        "Maybe we should always use pnpm.",
        "What if I prefer TypeScript?",
        // The moment.
        "Always use the mock server until Friday.",
        "Never push to main until the release.",
        "Always use the backup host till it is fixed.",
        "Always use pnpm for now.",
        "Never deploy today.",
        "I prefer tea right now.",
        "The dashboard is at dash.example.com for the moment.",
        "Remember that the server is down today.",
        "Note that the build is failing.",
        "Note that the tests are still red.",
        "Note that the staging database is down.",
        // The task at hand.
        "We decided to fix this later.",
        "We decided to wait.",
        "We decided on it.",
        "We decided against that.",
        "We agreed on Friday.",
        "We decided to look at the parser later.",
        "Always call it twice.",
        "Never use that.",
        "Never do that again.",
        "Always return early in this function.",
        "Remember that this function is broken.",
        "Remember that the bug is in that file.",
        "Note that this test needs a database.",
        "Note that the second function has a bug.",
        "I prefer the second option.",
        "I prefer the first.",
        "I prefer the other one.",
        "I prefer the shorter version.",
        "I prefer the cleaner.",
        "I prefer option B here.",
        "I prefer your version.",
        "I prefer this one.",
        "I prefer the way you did it.",
        "I prefer to leave it as it is.",
        "I prefer not to touch this file.",
        "I prefer neither.",
        "I prefer one of the two.",
        "I don't like the error message.",
        "I hate the new layout.",
        "Remember to call me back.",
        "Remember the time we broke production?",
        "Remember the bug that is in the parser.",
        "Remember what we said about tabs.",
        "Remember when the build was green.",
        "The dashboard is at risk.",
        "The board is on fire.",
        "The logs are under heavy load.",
        // What happened, what others say.
        "Always fails randomly.",
        "Never came up before.",
        "Never say never.",
        "Never mind that.",
        "Always the same thing.",
        "\"Always use pnpm\" is what the linter says.",
        "The docs say never use tabs.",
        "He said we decided on Postgres.",
        "Our CI decided to fail again.",
        // Code, logs, quotes.
        "> We decided on Postgres.",
        "```\nAlways use pnpm.\n```",
        "    Never use tabs.",
        "The readme says:\nAlways use pnpm.",
        "note: the function parse is unused",
        "Always use pnpm. Scratch that.",
        "Always use pnpm /s",
        "I prefer a different approach.",
    ]
    .into_iter()
    .filter(|message| !said(message).is_empty())
    .collect();
    assert_eq!(wrong, [""; 0]);
}
