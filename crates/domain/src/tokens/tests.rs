use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(serde::Deserialize)]
struct Samples {
    sample: Vec<Sample>,
}

#[derive(serde::Deserialize)]
struct Sample {
    kind: String,
    tokens: usize,
    text: String,
}

fn samples() -> Vec<Sample> {
    toml::from_str::<Samples>(include_str!("samples.toml")).unwrap().sample
}

fn ratio(estimate: usize, real: usize) -> f64 {
    estimate as f64 / real as f64
}

#[test]
fn no_short_text_is_far_off() {
    for Sample { kind, tokens, text } in samples() {
        let found = ratio(estimate(&text), tokens);
        assert!((0.96..1.20).contains(&found), "{kind}: {found:.3} of {tokens} for {text}");
    }
}

/// A block is many texts, and what it may cost is a promise.
#[test]
fn texts_of_a_kind_together_are_a_little_above_the_real_count() {
    let mut kinds: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for Sample { kind, tokens, text } in samples() {
        let group = match kind.as_str() {
            "rust" | "python" | "typescript" | "json" | "shell" | "sql" => "code",
            "markdown" | "index" => "markdown",
            "zh" | "zh-hant" => "chinese",
            "de" | "fr" | "es" | "ru" => "european",
            other => other,
        };
        let (all, real) = kinds.entry(group.to_owned()).or_default();
        all.push_str(&text);
        all.push('\n');
        *real += tokens;
    }
    for (kind, (text, real)) in kinds {
        let found = ratio(estimate(&text), real);
        assert!((1.0..1.15).contains(&found), "{kind}: {found:.3} of {real}");
    }
}

/// Kinds that nobody writes much of, repeated: no mean hides them. Real counts by o200k.
#[test]
fn a_budget_holds_for_odd_texts_too() {
    let odd = [
        ("|---|---|---|:---:|\n", 3, 33),
        ("!@#$%^&*()[]{};:,.<>/?", 3, 42),
        ("🎉🚀🦀😀🐛✨🔥💡", 3, 42),
        ("x  \t\n \n", 8, 32),
        ("①②③④⑤ ②③ ", 2, 18),
        ("አጭር መልስ ስጥ", 1, 18),
        ("사용자는 짧은 답변을 선호합니다. 데이터베이스 마이그레이션에는 항상 롤백이 필요하다.", 1, 29),
    ];
    for (text, times, real) in odd {
        let found = estimate(&text.repeat(times));
        assert!(within(real) <= found, "{found} of {real} for {text:?}");
    }
    assert_eq!((within(0), within(1), within(22)), (0, 0, 20));
}

#[test]
fn pieces_are_those_of_the_tokenizer() {
    // Texts whose pieces are one token each, and their number.
    let check = |text: &str, pieces: u64| {
        let mut all = Pieces::new(text);
        while all.take() {}
        assert_eq!(all.sum() / 100, pieces, "{text:?}");
    };
    check("", 0);
    check(" ", 1);
    check("the", 1);
    check(" the end", 2);
    check("don't", 1);
    check("we'll see", 2);
    check("12345 67", 4);
    check("a  b", 3);
    check("a\n\n    b", 4);
    check("f(x);\n\n", 3);
    check("getName", 2);
    check("x == y", 3);
    check("\t\tend", 2);
    check("a \n", 2);
}

#[test]
fn nothing_costs_nothing_and_anything_costs_something() {
    assert_eq!(estimate(""), 0);
    for text in ["a", " ", "\n", "字", "\u{1F600}", "\u{300}", "\u{0}", "٣", "\u{10FFFF}"] {
        assert!(estimate(text) >= 1, "{text:?}");
    }
}

#[test]
fn long_runs_are_not_free() {
    for (run, least) in
        [(" ".repeat(4096), 30), ("\n".repeat(4096), 200), ("-".repeat(4096), 50), ("ab".repeat(2048), 400)]
    {
        assert!(estimate(&run) >= least, "{:?}: {}", &run[..2], estimate(&run));
    }
}

proptest! {
    #[test]
    fn parts_cost_no_less_than_the_whole(a in "\\PC{0,60}", b in "\\PC{0,60}") {
        // How the hot set adds up its items: each starts with a tag and ends with one and a line break.
        let (a, b) = (format!("<x>\n{a}\n</x>\n"), format!("<x>\n{b}\n</x>\n"));
        let whole = format!("{a}{b}");
        prop_assert!(estimate(&a) + estimate(&b) >= estimate(&whole));
    }

    #[test]
    fn any_text_is_read_to_its_end(text in any::<String>()) {
        let found = estimate(&text);
        prop_assert!(found <= text.len() * 4 && (found > 0 || text.is_empty()), "{found}");
    }
}
