//! The words of a memory that may name something of its project.

use super::script;

/// Names that are looked up at most.
const MOST: usize = 48;
/// The longest name, in bytes.
const LONGEST: usize = 200;

/// A name in a memory, before anybody looked whether the project has such a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Called {
    /// `src/lib.rs`, `./run.sh`, `Makefile`; relative or absolute, perhaps a folder.
    Path(String),
    /// `Store::read`, `parse_limits()`.
    Symbol {
        /// Without parentheses.
        name: String,
        /// How sure it is that this is a name and no plain word.
        sure: Sure,
    },
    /// `npm run lint`, `make dist`.
    Command(String),
}

/// Where a symbol is worth looking for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sure {
    /// In the whole project: nobody writes it but as a name.
    Name,
    /// Only in files that the memory names too: it may be a plain word or a brand.
    Perhaps,
}

/// Every name in a text, once each, in order; bounded.
pub fn named(text: &str) -> Vec<Called> {
    let mut names: Vec<Called> = Vec::new();
    for (at, span) in text.split('`').enumerate() {
        let words: Vec<&str> = span.split(breaks).map(trimmed).filter(|word| !word.is_empty()).collect();
        let quoted = at % 2 == 1 && words.len() == 1;
        for (at, word) in words.iter().enumerate() {
            let found =
                [script::called(&words[at..]).map(Called::Command), path(word).or_else(|| symbol(word, quoted))];
            for name in found.into_iter().flatten() {
                if names.len() < MOST && !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
    names
}

fn breaks(c: char) -> bool {
    let quotes = [
        '"', '\'', '<', '>', '[', ']', '{', '}', ',', ';', '|', '“', '”', '「', '」', '，', '、', '。', '；', '（',
        '）',
    ];
    c.is_whitespace() || quotes.contains(&c)
}

/// Without the signs of a sentence around it, and without the line of `lib.rs:12` and `lib.rs#L12`.
fn trimmed(word: &str) -> &str {
    let word = word.trim_start_matches(['(', '*']).trim_end_matches(['.', ':', '!', '?', '*', '…']);
    let word = if word.contains('(') { word } else { word.trim_end_matches(')') };
    let word = word.split_once('#').filter(|(before, _)| before.contains('.')).map_or(word, |(before, _)| before);
    let digits =
        |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'-'));
    match word.split_once(':') {
        Some((before, line)) if digits(line) => before,
        _ => word,
    }
}

/// A word that may be a path: it has a folder, or an ending, or is a name that everybody knows.
fn path(word: &str) -> Option<Called> {
    const KNOWN: [&str; 8] =
        ["Makefile", "Dockerfile", "Justfile", "justfile", "Procfile", "Gemfile", "Rakefile", "Jenkinsfile"];
    let signs = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '@' | '+' | '$' | '(' | ')');
    let plain = word.len() <= LONGEST && word.chars().all(signs) && !word.contains("..") && !word.ends_with("()");
    let ending = word.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    let ends = ending.is_some_and(|(stem, ending)| {
        !stem.is_empty() && (1..=10).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphanumeric())
            // `3.14` and `e.g` are none.
            && !ending.bytes().all(|b| b.is_ascii_digit()) && stem.len() + ending.len() > 3
    });
    let slashes = word.trim_matches('/').contains('/') || (word.ends_with('/') && word.len() > 2);
    let is = plain && (slashes || ends || KNOWN.contains(&word));
    is.then(|| Called::Path(word.trim_start_matches("./").to_owned()))
}

/// A word that may be a name in code.
fn symbol(word: &str, quoted: bool) -> Option<Called> {
    let (name, call) = match word.find('(') {
        Some(open) if word.ends_with(')') => (&word[..open], true),
        Some(_) => return None,
        None => (word, false),
    };
    let name = name.trim_end_matches('!');
    let part = |part: &str| {
        let mut bytes = part.bytes();
        bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || matches!(first, b'_' | b'$'))
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
    };
    let parts: Vec<&str> = name.split("::").flat_map(|name| name.split(['.', '#'])).collect();
    if name.len() < 3 || name.len() > LONGEST || !parts.iter().all(|name| part(name)) {
        return None;
    }
    let last = parts.last()?;
    let inner_capital =
        last.bytes().skip(1).any(|byte| byte.is_ascii_uppercase()) && last.bytes().any(|b| b.is_ascii_lowercase());
    let snake = last.trim_matches('_').contains('_');
    let camel = inner_capital && last.starts_with(|c: char| c.is_ascii_lowercase());
    // A plain word in backticks may be a command or a value; with a capital it is a type, a constant or a component.
    let capital = last.starts_with(|c: char| c.is_ascii_uppercase());
    let sure =
        call || name.contains("::") || snake || camel || (quoted && (inner_capital || capital || parts.len() > 1));
    match (sure, quoted || inner_capital) {
        (true, _) => Some(Called::Symbol { name: name.to_owned(), sure: Sure::Name }),
        (false, true) => Some(Called::Symbol { name: name.to_owned(), sure: Sure::Perhaps }),
        (false, false) => None,
    }
}
