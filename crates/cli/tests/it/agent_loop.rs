//! The example of an agent, as it runs: every fact is in its notes, and the conversation was told in short on the way.

#[path = "../../../../examples/agent_loop.rs"]
mod example;

#[test]
fn an_agent_talks_through_a_long_conversation() {
    let talked = example::talk(env!("CARGO_BIN_EXE_loci"), 12);
    assert_eq!(talked.answers.len(), 12);
    assert_eq!(talked.answers[11], "Noted: fact number 11 is 77.");
    for n in 0..12 {
        assert!(talked.notes.contains(&format!("- fact number {n} is {}\n", n * 7)), "{}", talked.notes);
    }
    assert!(talked.compactions >= 1, "{}", talked.compactions);
    assert!(talked.summary.contains("facts about numbers"), "{}", talked.summary);
}
