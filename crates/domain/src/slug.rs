//! File names that people can read and no file system minds.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The longest slug, in bytes: a name on disk has 255, and a folder and a number come on top.
const LONGEST: usize = 96;

/// Words that say nothing in a name.
const FILLERS: [&str; 22] = [
    "a", "an", "the", "is", "are", "was", "of", "to", "that", "this", "i", "my", "our", "we", "and", "in", "on", "at",
    "be", "it", "its", "remember",
];

/// The words of a text as a name: lower case with `-` between them, accents dropped, other scripts kept as they are.
///
/// At most `words` words; empty when the text has no letter or digit at all.
pub fn slug(text: &str, words: usize) -> String {
    // Apostrophes join, everything else that is no letter or digit separates.
    let joined = text.replace(['\'', '’'], "");
    let all: Vec<String> =
        joined.split(|sign: char| !sign.is_alphanumeric()).map(plain).filter(|word| !word.is_empty()).collect();
    let telling: Vec<&String> = all.iter().filter(|word| !FILLERS.contains(&word.as_str())).collect();
    let chosen = if telling.is_empty() { all.iter().collect() } else { telling };
    let mut slug = String::new();
    for word in chosen.into_iter().take(words) {
        let room = LONGEST.saturating_sub(slug.len() + usize::from(!slug.is_empty()));
        // A later word comes whole or not at all; only a first one that never ends is cut.
        if word.len() > room && !slug.is_empty() {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word[..word.floor_char_boundary(room.min(word.len()))]);
    }
    slug
}

/// A word in lower case; Latin letters lose their accents, and what comes is in normal form C.
fn plain(word: &str) -> String {
    let decomposed: String = word.nfkd().flat_map(char::to_lowercase).collect();
    let latin = decomposed.chars().any(|sign| sign.is_ascii_alphabetic());
    let kept: String = decomposed.chars().filter(|sign| !(latin && is_combining_mark(*sign))).collect();
    kept.nfc().filter(|sign| sign.is_alphanumeric() || is_combining_mark(*sign)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::EntryPath;

    #[test]
    fn names_are_readable_and_legal() {
        for (text, expected) in [
            ("I prefer dark roast coffee over tea", "prefer-dark-roast-coffee-over-tea"),
            ("Don't deploy on Fridays!", "dont-deploy-fridays"),
            ("Überprüfe die Größe: 3 MB", "uberprufe-die-große-3-mb"),
            ("生产环境部署需要两人审批", "生产环境部署需要两人审批"),
            ("パスワードは金庫にある", "パスワードは金庫にある"),
            ("Привет, мир", "привет-мир"),
            ("한국어 이름", "한국어-이름"),
            ("The", "the"),
            ("../../etc/passwd", "etc-passwd"),
            ("!!! \u{202e}", ""),
        ] {
            assert_eq!(slug(text, 8), expected, "{text}");
            if !expected.is_empty() {
                EntryPath::parse(&format!("user/{expected}.md")).unwrap();
            }
        }
    }

    #[test]
    fn names_are_short() {
        for text in ["word ".repeat(500), "x".repeat(5000), "界".repeat(5000), "a\u{301}".repeat(500)] {
            let name = slug(&text, 8);
            assert!(!name.is_empty() && name.len() <= LONGEST, "{name}");
            EntryPath::parse(&name).unwrap();
        }
        assert_eq!(slug("one two three", 2), "one-two");
    }
}
