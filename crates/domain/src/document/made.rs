//! A new document, made from nothing but a statement.
//!
//! Owns the name, the description and the header that such a document gets. Never invents: all of it is the statement's own.

use super::{Kind, line};
use crate::frontmatter::{self, Outcome};

const NAME: usize = 60;
const DESCRIPTION: usize = 120;
/// What a statement without a word is called.
const NAMELESS: &str = "Note";

/// What a statement is called: its first sentence, cut between words.
pub fn name(statement: &str) -> String {
    let first = first_line(statement);
    let sentence = first.split(['。', '！', '？', ';']).next().unwrap_or_default();
    let sentence = sentence.split(". ").next().unwrap_or_default();
    let sentence = sentence.trim().trim_end_matches(['.', '!', ',', ':']);
    if !sentence.contains(char::is_alphanumeric) {
        return NAMELESS.to_owned();
    }
    if sentence.chars().count() <= NAME {
        return sentence.to_owned();
    }
    let cut: String = sentence.chars().take(NAME).collect();
    let whole = cut.rsplit_once(' ').map(|(whole, _)| whole).filter(|whole| whole.len() * 2 > cut.len());
    format!("{}…", whole.unwrap_or(&cut).trim_end_matches([',', ';', ':', ' ']))
}

/// What a statement is about: its first line.
pub fn description(statement: &str) -> String {
    line::cut(&first_line(statement), DESCRIPTION)
}

/// One line of a header, quoted where YAML would read something else.
pub fn field(key: &str, value: &str) -> String {
    let plain = format!("{key}: {value}");
    let read = match frontmatter::split(&format!("---\n{plain}\n---\n")).outcome {
        Outcome::Fields(fields) => [fields.name, fields.description, fields.kind].into_iter().flatten().next(),
        _ => None,
    };
    if read.as_deref() == Some(value) && !value.contains('\n') && !is_other_than_text(value) {
        return plain;
    }
    // A JSON string is a YAML string too.
    let mut quoted = String::from("\"");
    for sign in value.chars() {
        match sign {
            '"' | '\\' => quoted.extend(['\\', sign]),
            sign if sign.is_control() => quoted.push(' '),
            sign => quoted.push(sign),
        }
    }
    format!("{key}: {quoted}\"")
}

/// True for a value that some reader of YAML would take for a truth, nothing, a number or a date.
fn is_other_than_text(value: &str) -> bool {
    const WORDS: [&str; 10] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "~"];
    let counts = |sign: char| sign.is_ascii_hexdigit() || "+-.:_xoTZ ".contains(sign);
    WORDS.contains(&value.to_lowercase().as_str())
        || value.starts_with(['.', '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
            && value.chars().all(counts)
}

/// The whole text of a document that says one thing; `faced` is what its name and description are made of.
pub fn document(kind: Kind, faced: &str, body: &str) -> String {
    let (name, description) = (field("name", &name(faced)), field("description", &description(faced)));
    format!("---\n{name}\n{description}\ntype: {kind}\n---\n{}\n", body.trim_end())
}

/// The first line that says something, without list marker, heading marks and emphasis around it.
fn first_line(statement: &str) -> String {
    let said = |text: &&str| text.chars().any(char::is_alphanumeric);
    let first = statement.lines().map(str::trim).find(said).unwrap_or(statement.trim());
    let bare = first.trim_start_matches(['-', '*', '+', '#', '>', ' ']);
    line::one_line(bare.trim_matches(['*', '_', '`']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{self, Complaint};
    use crate::path::EntryPath;

    #[test]
    fn names_are_the_first_sentence() {
        for (statement, expected) in [
            ("I prefer tea.", "I prefer tea"),
            ("Use tabs. Spaces are for prose.", "Use tabs"),
            ("- **Never** deploy on Friday!\nWhy: nobody is there.", "Never** deploy on Friday"),
            ("部署需要审批。先测试。", "部署需要审批"),
            (&"long words here and there ".repeat(9), "long words here and there long words here and there long…"),
        ] {
            assert_eq!(name(statement), expected);
        }
    }

    #[test]
    fn what_other_readers_take_for_something_else_is_quoted() {
        for value in ["true", "No", "null", "~", "007", "1e3", "2026-01-01", "12:30", "0x1f", ".5", "-1"] {
            assert_eq!(field("name", value), format!("name: \"{value}\""));
        }
        for value in ["true story", "42 is the answer", "Node 18", "No tabs"] {
            assert_eq!(field("name", value), format!("name: {value}"));
        }
        assert_eq!(name("..."), "Note");
    }

    #[test]
    fn what_is_made_reads_without_complaint() {
        for statement in [
            "Plain.",
            "key: value # no comment",
            "\"quoted\" 'both' \\ back",
            "[list]",
            "- dash",
            "007",
            "yes",
            "2026-01-01",
            "@at `tick` %percent",
            "日本語：テスト",
            "a\u{202e}b",
            "{{x}}",
            "--- fence",
            "* star\n* two",
        ] {
            let text = document(Kind::User, statement, statement);
            let path = EntryPath::parse("user/x.md").unwrap();
            let read = document::read(&path, &text);
            assert_eq!(read.complaints, Vec::<Complaint>::new(), "{text}");
            assert_eq!(read.card.name, name(statement), "{text}");
            assert_eq!(read.card.kind, Kind::User);
            assert_eq!(text[read.body.clone()].trim_end(), statement);
        }
    }
}
