use super::*;

#[test]
fn case_and_punctuation_do_not_matter() {
    assert_eq!(normalised("Use **tabs**, not spaces!"), normalised("use tabs not  spaces"));
    assert_eq!(normalised("ＡＢＣ—１"), "abc 1");
}

#[test]
fn signs_that_make_another_fact_stay() {
    for (one, other) in [
        ("I prefer C for firmware work.", "I prefer C++ for firmware work."),
        ("I prefer C for firmware work.", "I prefer C# for firmware work."),
        ("I prefer C++ for firmware work.", "I prefer C# for firmware work."),
        ("Rate is +5", "Rate is -5"),
        ("Rate is 5", "Rate is (-5)"),
        ("Use a<b", "Use a>b"),
        ("It costs 5 €", "It costs 5 $"),
        ("It costs 5 £", "It costs 5 €"),
        ("Off by 5%", "Off by 5"),
        ("x = 1", "x ≠ 1"),
        ("2+3", "2-3"),
        ("Reviews end with 👍", "Reviews end with 👎"),
        ("👍", "👎"),
        ("!!!", "???"),
    ] {
        assert_ne!(normalised(one), normalised(other), "{one}");
        assert!(likeness(one, other) < NEAR, "{one}");
    }
}

#[test]
fn signs_that_only_set_words_apart_do_not_matter() {
    for (one, other) in [
        ("- Use **tabs** (always)", "Use tabs, always"),
        ("> A quote\n> of two lines", "a quote of two lines"),
        ("# Heading #", "heading"),
        ("Stop it with Ctrl+C", "Stop it with `Ctrl-C`"),
        ("Use a<b", "use `a < b`."),
        ("It is −5 degrees", "It is -5 degrees"),
        ("On 2026-11-18", "on 2026/11/18"),
        ("issue #12", "issue 12"),
        ("- 5 eggs", "5 eggs"),
        ("👍\u{fe0f} done", "👍 done!"),
    ] {
        assert_eq!(normalised(one), normalised(other), "{one}");
    }
}

proptest::proptest! {
    #[test]
    fn words_are_as_they_were_and_no_sign_stands_at_the_border(text in "[a-zA-Z0-9 +#<>=%$€.,()-]{0,30}") {
        let plain = normalised(&text);
        let words = |text: &str| -> Vec<String> {
            let split = text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
            split.map(str::to_lowercase).collect()
        };
        proptest::prop_assert_eq!(words(&plain), words(&text));
        proptest::prop_assert_eq!(plain.trim(), plain.as_str());
    }
}

#[test]
fn a_number_or_a_negation_makes_a_difference() {
    assert!(likeness("The port is 8080", "the port is 8080.") > NEAR);
    assert!(likeness("The port of the staging server is 8080", "The port of the staging server is 8081") < NEAR);
    assert!(likeness("Always squash commits before merging", "Never squash commits before merging") < NEAR);
    assert_eq!(likeness("", ""), 0.0);
}

#[test]
fn texts_about_one_thing_share_words_that_matter() {
    for (one, other) in [
        ("The staging port is 8080", "Staging moved to port 9090"),
        ("Uses npm for all projects", "I switched from npm to pnpm"),
    ] {
        assert!(is_about(one, other), "{one}");
    }
    for (one, other) in [
        ("The staging database runs on PostgreSQL 16 at port 5433", "I prefer pnpm over npm in every project"),
        ("We have a cat and the dog", "I have a car and the keys"),
        ("", "The port is 80"),
    ] {
        assert!(!is_about(one, other), "{one}");
    }
}

#[test]
fn another_value_corrects_and_another_name_does_not() {
    for (old, new) in [
        ("The staging port is 8080", "The staging port is 8081."),
        ("Standup starts at 9:30 in the blue room", "Standup starts at 10 in the blue room"),
        ("The release deadline is 14 November 2026", "The release deadline is 21 November 2026"),
        ("I prefer pull requests with fewer than 300 lines", "I prefer pull requests with fewer than 400 lines"),
        ("We use Node v18", "We use Node v20"),
    ] {
        assert!(corrects(old, new), "{old}");
    }
    for (old, new) in [
        ("Sprint 12 ends on Friday", "Sprint 13 ends on Friday"),
        ("The pump in hall 1 is red", "The pump in hall 2 is red"),
        ("Never use port 80", "Never use port 443"),
        ("Queue fact 1", "Queue fact 2"),
        ("The port is 80", "The port is 80"),
        ("The port is 80", "The host is 81"),
    ] {
        assert!(!corrects(old, new), "{old}");
    }
}
