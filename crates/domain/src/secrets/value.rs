//! What a value is worth: random, wordy, or a stand-in.
//!
//! Owns the judgement of a single value, without its surroundings.
//! Never looks at names or separators; `assignment` weighs both together.
//! Start at [`strength`].

use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// How much a value looks like a secret, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// A word, a type, a path, a placeholder.
    None,
    /// A word with digits or signs: what people choose (`hunter2`).
    Weak,
    /// Short but made of mixed signs.
    Medium,
    /// Long and random.
    Strong,
}

/// What people put into passwords, and names do not have.
const MARKS: &[u8] = b"!@#$%^&*+?~";

/// Words that say "put yours here".
const STAND_INS: [&str; 20] = [
    "example",
    "placeholder",
    "redacted",
    "changeme",
    "change-me",
    "change_me",
    "change_this",
    "xxxx",
    "****",
    "....",
    "your_",
    "your-",
    "<your",
    "my-secret",
    "replace",
    "insert",
    "ed25519",
    "x25519",
    "dummy",
    "sample",
];

/// Words that a weak value has only if it is a stand-in or names a technique.
const TALK: [&str; 40] = [
    "password", "passwd", "secret", "token", "test", "foo", "bar", "demo", "fake", "mock", "oauth", "argon2", "pbkdf2",
    "sha1", "sha2", "sha3", "sha5", "md5", "base64", "ed25519", "bcrypt", "x509", "utf8", "utf-8", "http", "aes",
    "hs256", "rs256", "es256", "rsa-", "auth0", "kerberos", "todo", "1234", "int8", "int16", "int32", "int64", "float",
    "char",
];

static STAND_IN: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| any_of(&STAND_INS));
static TALKING: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| any_of(&TALK));

fn any_of(words: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()
}

fn holds(words: &Option<AhoCorasick>, value: &[u8]) -> bool {
    words.as_ref().is_some_and(|words| words.is_match(value))
}

/// Shannon entropy in bits per byte, of the first bytes of a value.
pub(super) fn entropy(value: &[u8]) -> f32 {
    /// `n * log2(n)`; logarithms were a fifth of the time of a scan that finds much.
    static WEIGHTS: LazyLock<[f32; 257]> =
        LazyLock::new(|| std::array::from_fn(|n| if n < 2 { 0.0 } else { n as f32 * (n as f32).log2() }));
    let value = &value[..value.len().min(256)];
    let mut counts = [0u16; 256];
    for &byte in value {
        counts[usize::from(byte)] += 1;
    }
    let repeated: f32 =
        value.iter().map(|&byte| WEIGHTS[usize::from(std::mem::take(&mut counts[usize::from(byte)]))]).sum();
    (WEIGHTS[value.len()] - repeated) / value.len().max(1) as f32
}

/// Whether a value is a stand-in for a secret, or a secret that was taken out already.
pub(super) fn stand_in(value: &[u8]) -> bool {
    // Long values are never typed by hand, and random ones hold any four letters sooner or later.
    if value.len() > 160 {
        return contains(value, "[REDACTED:");
    }
    holds(&STAND_IN, value)
}

/// Judges a value by its own signs.
pub(super) fn strength(value: &[u8]) -> Strength {
    let has = |test: fn(&u8) -> bool| value.iter().any(test);
    let (lower, upper, digit) = (has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase), has(u8::is_ascii_digit));
    let sign = value.iter().any(|byte| !byte.is_ascii_alphanumeric());
    let letter = lower || upper;
    let mark = value.iter().any(|byte| MARKS.contains(byte));
    if value.len() < 6 || !letter || !(digit || mark || lower && upper) || reference(value) || stand_in(value) {
        return Strength::None;
    }
    let bits = entropy(value);
    let wordy = wordy(value);
    let mixed = digit || lower && upper && bits >= 3.5;
    if value.len() >= 16 && mixed && !wordy && bits >= 3.0 {
        return Strength::Strong;
    }
    if holds(&TALKING, value) {
        return Strength::None;
    }
    let classes = [lower, upper, digit, sign].iter().filter(|&&it| it).count();
    let unruly = digit && (classes >= 3 || value.len() >= 10) || lower && upper && value.len() >= 10 && bits >= 3.0;
    if value.len() >= 8 && bits >= 2.5 && !wordy && unruly {
        return Strength::Medium;
    }
    // `hunter2`, `Summer2024!`: letters with something behind them, not `snake_case` and not `a.b.c`.
    let word = value.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let marked = value[word..].iter().all(|byte| byte.is_ascii_digit() || MARKS.contains(byte));
    if word > 0 && word < value.len() && marked && bits >= 2.0 {
        return Strength::Weak;
    }
    // `correct-Horse7-battery`: words with all kinds of signs between them, not a version and not a path.
    let joined = value.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-' || MARKS.contains(byte));
    if value.len() >= 12 && classes == 4 && joined && value.split(|byte| *byte == b'-').count() > 2 {
        return Strength::Weak;
    }
    Strength::None
}

/// Whether a value stands for something kept elsewhere: a variable, a path, a link, a call.
fn reference(value: &[u8]) -> bool {
    let starts = |with: &str| value.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with.as_bytes()));
    const HEADS: [&str; 27] = [
        "$",
        "%(",
        "%{",
        "{",
        "<",
        "[",
        "/",
        "./",
        "../",
        "~/",
        "\\",
        "@",
        "arn:",
        "sha256",
        "sha384",
        "sha512",
        "sha1-",
        "env.",
        "process.env",
        "os.",
        "var.",
        "local.",
        "secrets.",
        "urn:",
        "self.",
        "this.",
        "cls.",
    ];
    HEADS.iter().any(|head| starts(head))
        // The alphabet of an encoder or a parser.
        || value.starts_with(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        || value.ends_with(b"$") && value.iter().any(|byte| b"^\\[(|*+".contains(byte))
        || number(value)
        || ["://", "${", "{{", "}}", "$(", "->", "::", "()", "%s", "[0-9", "[a-z"].iter().any(|part| contains(value, part))
        || contains(padless(value), "==")
        || constant(value)
        || value.iter().any(|byte| !byte.is_ascii() || byte.is_ascii_whitespace())
}

/// Whether a value is the name of a constant, in a module or not: `KEY_READ`, `winreg.KEY_WOW64_32KEY`.
fn constant(value: &[u8]) -> bool {
    let name = value.rsplit(|byte| *byte == b'.').next().unwrap_or(value);
    let module = &value[..value.len() - name.len()];
    let shouted = name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
    let spoken = module.iter().all(|byte| byte.is_ascii_lowercase() || b"_.".contains(byte));
    shouted && spoken && name.contains(&b'_') && (wordy(name) || !module.is_empty())
}

/// A value without the padding of Base64, which is no comparison.
fn padless(value: &[u8]) -> &[u8] {
    &value[..value.iter().rposition(|byte| *byte != b'=').map_or(0, |at| at + 1)]
}

/// Whether a value is a number, alone in hexadecimal or with its type: `0x8031006C`, `2147483648u32`.
fn number(value: &[u8]) -> bool {
    if value.len() <= 18 && value.starts_with(b"0x") && value[2..].iter().all(u8::is_ascii_hexdigit) {
        return true;
    }
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit() || b"-_.".contains(byte)).count();
    let kind = &value[digits..];
    digits > 0
        && kind.len() <= 5
        && kind.first().is_some_and(|byte| b"iuf".contains(byte))
        && (kind.ends_with(b"size") || kind[1..].iter().all(u8::is_ascii_digit))
}

/// Whether most of a value is made of pronounceable words, as identifiers, paths and names are.
pub(super) fn wordy(value: &[u8]) -> bool {
    // The head tells enough, and long values are many in hostile text.
    let value = &value[..value.len().min(48)];
    let (mut alphanumeric, mut in_words) = (0, 0);
    for piece in pieces(value) {
        alphanumeric += piece.len();
        if piece.len() >= 3 && piece[0].is_ascii_alphabetic() && pronounceable(piece) {
            in_words += piece.len();
        }
    }
    if restless(value) {
        return false;
    }
    // Random letters of both cases form short "words" too: of those more must be words.
    let has = |test: fn(&u8) -> bool| value.iter().any(test);
    let both = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    in_words * 10 >= alphanumeric * if both { 8 } else { 6 }
}

/// Whether letters and digits take turns more often than in any name, without a sign between them.
pub(super) fn restless(value: &[u8]) -> bool {
    const TURNS: usize = 6;
    value.split(|byte| !byte.is_ascii_alphanumeric()).any(|run| {
        run.len() >= 16
            && run.windows(2).filter(|both| both[0].is_ascii_digit() != both[1].is_ascii_digit()).count() >= TURNS
    })
}

/// Whether a run of letters has a vowel, and not five of one kind in a row.
fn pronounceable(letters: &[u8]) -> bool {
    let vowel = |letter: &u8| matches!(letter.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    letters.iter().any(vowel) && letters.chunk_by(|one, two| vowel(one) == vowel(two)).all(|row| row.len() < 5)
}

/// The runs of a value: words of an identifier (`camelCase`, `snake_case`, `APIKey`) and numbers.
pub(super) fn pieces(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = value;
    std::iter::from_fn(move || {
        let from = rest.iter().position(u8::is_ascii_alphanumeric)?;
        rest = &rest[from..];
        let end = (1..rest.len()).find(|&at| border(rest, at)).unwrap_or(rest.len());
        let (piece, tail) = rest.split_at(end);
        rest = tail;
        Some(piece)
    })
}

fn border(run: &[u8], at: usize) -> bool {
    let (before, here) = (run[at - 1], run[at]);
    let acronym_ends = before.is_ascii_uppercase()
        && here.is_ascii_uppercase()
        && run.get(at + 1).is_some_and(u8::is_ascii_lowercase)
        && at > 1;
    !here.is_ascii_alphanumeric()
        || before.is_ascii_digit() != here.is_ascii_digit()
        || before.is_ascii_lowercase() && here.is_ascii_uppercase()
        || acronym_ends
}

/// Whether `text` holds `word`, in any case.
pub(super) fn contains(text: &[u8], word: &str) -> bool {
    let first = word.as_bytes()[0];
    text.windows(word.len())
        .any(|window| window[0].eq_ignore_ascii_case(&first) && window.eq_ignore_ascii_case(word.as_bytes()))
}
