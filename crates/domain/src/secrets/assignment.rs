//! Secrets that are known by the name they are given to: `password = "…"`.
//!
//! Owns the grammar of names, separators and values, in code, configuration and prose.
//! Never judges a value alone: `value` does, and the name and the form say how strong it must be.
//! Start at [`at`].

use super::value::{Strength, pieces, restless, strength};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

mod parse;

/// What a name promises.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    /// People choose these, so weak ones count.
    Password,
    /// Machines make these.
    Token,
    /// May be a secret or a setting (`auth`, `credentials`, `acme_key`).
    Vague,
    /// Mostly names a place in a map (`key`).
    Bare,
}

/// How surely the value is given to the name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Quoted, or `name=value`, or alone on its line.
    Given,
    /// `name: value` amid other text.
    Loose,
    /// `the password is value`.
    Prose,
    /// `acme token value`.
    Beside,
}

/// The value that is assigned to the name around this keyword, if it looks like a secret; and where the name
/// ends, since its other keywords need no second look.
pub(super) fn at(text: &[u8], hit: &Range<usize>) -> (Option<Range<usize>>, usize) {
    let name = parse::name(text, hit);
    let seen = name.end;
    let found = parse::value(text, &name).filter(|given| {
        let strength = strength(&text[given.span.clone()]);
        // Letters without quotes are more often the name of a variable, but not in an environment file.
        let letters = text[given.span.clone()].iter().all(u8::is_ascii_alphabetic);
        let setting = shouted(&text[name.clone()]) && strength == Strength::Strong;
        let variable = letters && !given.quoted && given.form != Form::Prose && !setting;
        strength > Strength::None
            && !variable
            && (given.form != Form::Beside || ends_as_secret(&text[name.clone()]))
            && promise(&text[name.clone()], given.quoted).is_some_and(|name| {
                let value = &text[given.span.clone()];
                enough(name, given, strength) && (name != Name::Bare || dense(value)) && !fingerprint(name, value)
            })
    });
    (found.map(|given| given.span), seen)
}

fn enough(name: Name, given: &parse::Given, strength: Strength) -> bool {
    let least = match (name, given.form) {
        (Name::Vague | Name::Bare, Form::Beside) => return false,
        (_, Form::Beside) => Strength::Strong,
        (Name::Password, Form::Given) => Strength::Weak,
        (Name::Password, _) => Strength::Medium,
        (Name::Token, Form::Given) if given.span.len() >= 12 => Strength::Medium,
        (Name::Token | Name::Vague | Name::Bare, _) => Strength::Strong,
    };
    strength >= least
}

/// Whether the last word of a name is what makes it tell: `api_token`, not `token-bucket`.
fn ends_as_secret(name: &[u8]) -> bool {
    let last = pieces(name).last().unwrap_or_default();
    let ends = |it: &str| last.len() >= it.len() && last[last.len() - it.len()..].eq_ignore_ascii_case(it.as_bytes());
    !name.is_ascii()
        || PASSWORDS.iter().chain(&TOKENS).any(|it| ends(it))
        || ["key", "pat", "pass"].iter().any(|it| ends(it))
}

/// Whether a value is long and of all kinds of signs, as hashes and identifiers are not.
fn dense(value: &[u8]) -> bool {
    let has = |test: fn(&u8) -> bool| value.iter().any(test);
    value.len() >= 24 && has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit)
        || value.len() >= 32 && restless(value) && has(|byte| (b'g'..=b'z').contains(byte))
}

/// Whether a value is the fingerprint of a key instead of one.
fn fingerprint(name: Name, value: &[u8]) -> bool {
    let hex = |byte: &u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte);
    matches!(name, Name::Vague | Name::Bare) && value.len() == 40 && value.iter().all(hex)
}

/// Last words that turn a name into something about a secret.
const ABOUT: [&str; 52] = [
    "type",
    "types",
    "url",
    "uri",
    "endpoint",
    "name",
    "names",
    "id",
    "ids",
    "file",
    "path",
    "dir",
    "count",
    "length",
    "len",
    "limit",
    "limits",
    "policy",
    "method",
    "mode",
    "max",
    "min",
    "public",
    "expires",
    "expiry",
    "expiration",
    "ttl",
    "format",
    "field",
    "header",
    "label",
    "hint",
    "prompt",
    "regex",
    "pattern",
    "ref",
    "reference",
    "provider",
    "scheme",
    "version",
    "algorithm",
    "alg",
    "issuer",
    "audience",
    "scope",
    "scopes",
    "placeholder",
    "hash",
    "digest",
    "checksum",
    "usage",
    "kid",
];
const PASSWORDS: [&str; 9] =
    ["password", "passwd", "passphrase", "passwort", "pwd", "passcode", "userpass", "dbpass", "rootpw"];
const TOKENS: [&str; 12] = [
    "secret",
    "token",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "authkey",
    "authtoken",
    "apitoken",
    "credential",
    "bearer",
    "psk",
];
/// Words that make a secret of the `key` behind them.
const KEYS: [&str; 27] = [
    "api",
    "access",
    "secret",
    "private",
    "auth",
    "signing",
    "encryption",
    "encrypt",
    "master",
    "service",
    "account",
    "storage",
    "subscription",
    "shared",
    "app",
    "application",
    "client",
    "deploy",
    "admin",
    "license",
    "jwt",
    "session",
    "hmac",
    "rest",
    "write",
    "server",
    "consumer",
];

/// Words that make the `key` behind them a place, a name or something public.
static PLACES: LazyLock<HashSet<&[u8]>> = LazyLock::new(|| NOUNS.split(' ').map(str::as_bytes).collect());
const NOUNS: &str = "\
    public pub primary foreign sort partition cache object index row map idempotency dedup dedupe \
    query hash host item group routing range lookup column composite unique natural shard bucket \
    state json dict node file issue project ticket feature flag registry translation message locale \
    ssh gpg pgp known site publishable image config option setting sub resource parent artifact \
    build layer s3";

/// What the words of a name promise, if anything.
fn promise(name: &[u8], quoted: bool) -> Option<Name> {
    // A name in another script was found by its whole word.
    if !name.is_ascii() {
        return Some(Name::Password);
    }
    let is = |word: &[u8], list: &[&str]| list.iter().any(|it| word.eq_ignore_ascii_case(it.as_bytes()));
    let ends = |word: &[u8], list: &[&str]| {
        list.iter()
            .any(|it| word.len() >= it.len() && word[word.len() - it.len()..].eq_ignore_ascii_case(it.as_bytes()))
    };
    let (mut promised, mut before, mut count): (Option<Name>, &[u8], usize) = (None, b"", 0);
    for word in pieces(name) {
        count += 1;
        let found = if is(word, &ABOUT) && !(is(word, &["id"]) && is(before, &["key"])) {
            return None;
        } else if ends(word, &PASSWORDS)
            || is(word, &["pass", "pw"]) && (count > 1 || quoted)
            || is(name, &["pw", "mot de passe"])
        {
            Some(Name::Password)
        } else if ends(word, &TOKENS)
            || is(word, &["key", "keys"]) && (is(before, &KEYS) || shouted(name))
            || is(word, &["skey"])
            || is(word, &["pat"]) && count > 1
        {
            Some(Name::Token)
        } else if is(word, &["key"]) && (name.ends_with(word) || quoted && count > 1) {
            let vague =
                count > 1 && !PLACES.contains(before.to_ascii_lowercase().as_slice()) || name.starts_with(b"--");
            Some(if vague { Name::Vague } else { Name::Bare })
        } else {
            let api = (word == b"api" || shouted(name) && word == b"API") && count > 1 && name.ends_with(word);
            (api || is(word, &["auth", "credentials", "creds", "secrets"])).then_some(Name::Vague)
        };
        promised = match (promised, found) {
            (Some(Name::Password), _) | (_, Some(Name::Password)) => Some(Name::Password),
            (Some(Name::Token), _) | (_, Some(Name::Token)) => Some(Name::Token),
            (Some(Name::Bare), new @ Some(Name::Vague)) => new,
            (old, new) => old.or(new),
        };
        before = word;
    }
    promised
}

/// `FOO_KEY` in an environment file holds a key, whatever foo is.
fn shouted(name: &[u8]) -> bool {
    name.contains(&b'_') && !name.iter().any(u8::is_ascii_lowercase)
}
