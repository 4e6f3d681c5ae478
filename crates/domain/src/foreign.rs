//! JSON that other programs wrote, read as far as it can be.
//!
//! Owns what is forgiven: a byte order mark, and half of a sign. Programs in JavaScript cut text between the two halves
//! of an emoji and write the one that is left as an escape that no strict reader takes.
//! Never guesses beyond that: what is no JSON then is none.

use serde_json::Value;

/// A JSON text; `None` = it is none.
pub fn json(text: &str) -> Option<Value> {
    let text = text.trim_start_matches('\u{FEFF}');
    serde_json::from_str(text).ok().or_else(|| serde_json::from_str(&with_whole_signs(text)?).ok())
}

/// The text with U+FFFD for every half of a sign; `None` when it has none.
fn with_whole_signs(text: &str) -> Option<String> {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    let mut mended = false;
    while let Some(at) = rest.find('\\') {
        whole.push_str(&rest[..at]);
        rest = &rest[at..];
        let (taken, half) = match (unit(rest), unit(rest.get(6..).unwrap_or_default())) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (12, false),
            (Some(0xD800..=0xDFFF), _) => (6, true),
            // An escape of one sign, which may be a backslash itself.
            _ => (rest.chars().take(2).map(char::len_utf8).sum(), false),
        };
        whole.push_str(if half { "\\uFFFD" } else { &rest[..taken] });
        mended |= half;
        rest = &rest[taken..];
    }
    whole.push_str(rest);
    mended.then_some(whole)
}

/// The number of an escape like `\ud83d` that a text begins with.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_sign_is_no_reason_to_drop_the_rest() {
        for (text, expected) in [
            (r#"{"a":"cut \ud83d"}"#, "cut \u{FFFD}"),
            (r#"{"a":"\ude00 tail"}"#, "\u{FFFD} tail"),
            (r#"{"a":"\ud83d\ud83d\ude00"}"#, "\u{FFFD}😀"),
            (r#"{"a":"\ud83dA"}"#, "\u{FFFD}A"),
            (r#"{"a":"\ud83d\u0041"}"#, "\u{FFFD}A"),
            (r#"{"a":"\\ud83d \ud83d"}"#, "\\ud83d \u{FFFD}"),
            ("\u{FEFF}{\"a\":\"whole 😀\"}", "whole 😀"),
            (r#"{"a":"\ud83d\ude00"}"#, "😀"),
        ] {
            assert_eq!(json(text).unwrap()["a"], expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_json_stays_none() {
        for text in
            ["", "{", r#"{"a":"\ud8"}"#, r#"{"a":"\ud83d"#, "\\", r"\ud83d", r#"{"a":"\q\ud83d"}"#, "\\é\\ud83d"]
        {
            assert_eq!(json(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_looked_at(text in r#"(\\|u|d83d|de00|"|é|x){0,12}"#) {
            json(&text);
            proptest::prop_assert_eq!(json(&serde_json::to_string(&text).unwrap()), Some(Value::String(text)));
        }
    }
}
