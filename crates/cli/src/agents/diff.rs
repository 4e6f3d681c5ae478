//! What a person sees of a change: our lines and a little around them. Configurations hold keys, so what looks like a
//! secret is taken out, and of a long line only the place that changes is shown.

use loci_domain::secrets::redact;
use similar::{ChangeTag, TextDiff};

/// How much of a long line is shown around the change.
const AROUND: usize = 40;
/// A longer line is cut.
const LONG: usize = 160;

/// A unified diff of one file; empty when nothing changes.
pub fn unified(name: &str, before: Option<&str>, after: Option<&str>) -> String {
    if before == after {
        return String::new();
    }
    let (old, new) = (redact(before.unwrap_or_default()), redact(after.unwrap_or_default()));
    let side = |there: Option<&str>| there.map_or("/dev/null", |_| name);
    let mut shown = format!("--- {}\n+++ {}\n", side(before), side(after));
    let diff = TextDiff::from_lines(old.as_ref(), new.as_ref());
    for group in diff.grouped_ops(1) {
        let changes: Vec<(ChangeTag, &str)> = group
            .iter()
            .flat_map(|op| diff.iter_changes(op))
            .map(|change| (change.tag(), change.value().trim_end_matches(['\n', '\r'])))
            .collect();
        shown.push_str("@@\n");
        for (at, (tag, line)) in changes.iter().enumerate() {
            let (sign, other) = match tag {
                ChangeTag::Equal => (' ', None),
                ChangeTag::Delete => ('-', changes[at..].iter().find(|(tag, _)| *tag == ChangeTag::Insert)),
                ChangeTag::Insert => ('+', changes[..at].iter().rev().find(|(tag, _)| *tag == ChangeTag::Delete)),
            };
            shown.push_str(&format!("{sign}{}\n", cut(line, other.map(|(_, line)| *line))));
        }
    }
    shown
}

/// A line, or of a long one the part in which it differs from its other side.
fn cut(line: &str, other: Option<&str>) -> String {
    let signs: Vec<char> = line.chars().collect();
    if signs.len() <= LONG {
        return line.to_owned();
    }
    let (mut head, mut tail) = (0, signs.len() - AROUND.min(signs.len()));
    if let Some(other) = other {
        let other: Vec<char> = other.chars().collect();
        head = signs.iter().zip(&other).take_while(|(a, b)| a == b).count();
        let most = signs.len().min(other.len()) - head;
        tail = signs.iter().rev().zip(other.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    }
    let start = head.saturating_sub(AROUND);
    let end = (signs.len() - tail + AROUND).min(signs.len());
    let part: String = signs[start..end].iter().collect();
    let (before, after) = (if start > 0 { "…" } else { "" }, if end < signs.len() { "…" } else { "" });
    format!("{before}{part}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_shows_our_lines_and_no_secrets() {
        let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let before = format!("{{\n  \"token\": \"{key}\"\n}}\n");
        let after = format!("{{\n  \"token\": \"{key}\",\n  \"loci\": 1\n}}\n");
        let diff = unified("~/a.json", Some(&before), Some(&after));
        assert!(diff.contains("+  \"loci\": 1\n"), "{diff}");
        assert!(!diff.contains(&key) && diff.contains("REDACTED"), "{diff}");
        assert_eq!(unified("a", Some("x"), Some("x")), "");
    }

    #[test]
    fn of_a_long_line_only_the_change_is_shown() {
        let filler = "\"mine\": 1, ".repeat(60);
        let (before, after) = (format!("{{{filler}\"z\": 1}}"), format!("{{{filler}\"loci\": 2, \"z\": 1}}"));
        let diff = unified("a", Some(&before), Some(&after));
        assert!(diff.lines().all(|line| line.chars().count() < 120), "{diff}");
        assert!(diff.contains("\"loci\": 2"), "{diff}");
    }
}
