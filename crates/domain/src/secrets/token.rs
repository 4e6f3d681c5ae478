//! Secrets that are known by their form.
//!
//! Owns the match of one rule at one keyword: where it may start and end, what counts as a stand-in, line breaks inside.
//! Never reads further than [`WINDOW`] bytes, so the whole scan stays linear.
//! Start at [`at`].

use super::rules::{Compiled, Rule};
use super::value::{contains, entropy, stand_in, wordy};
use std::ops::Range;

/// The longest secret that a pattern is tried on.
const WINDOW: usize = 4096;
/// The most lines a token may be broken over.
const BREAKS: usize = 3;
/// The most bytes that are unfolded at once.
const FOLDED: usize = 512;

/// How many bytes one scan may still unfold: a second look at each byte on average, so that no text makes it more.
pub(super) struct Patience(usize);

impl Patience {
    /// Patience for a text of this length.
    pub fn with(text: &[u8]) -> Patience {
        Patience(text.len() + 4096)
    }
}

/// The secret that this rule finds at this keyword.
pub(super) fn at(text: &[u8], rule: &Rule, hit: &Range<usize>, patience: &mut Patience) -> Option<Range<usize>> {
    let head = |byte: &&u8| in_token(**byte) || rule.wide && b"+/".contains(*byte);
    let start = hit.start - text[..hit.start].iter().rev().take(rule.back).take_while(head).count();
    if rule.needs.is_some_and(|sign| !comes(text, hit.end, sign)) {
        return None;
    }
    if !rule.inside && !opens(text, start) || rule.exact() && rule.back == 0 && !promising(text, hit.end) {
        return None;
    }
    let compiled = rule.compiled()?;
    if rule.near > 0 {
        return near(text, rule, compiled, hit.end);
    }
    let from = match &compiled.lead {
        Some(lead) => start + lead.find(window(text, start))?.end(),
        None => start,
    };
    let found = whole(text, rule, compiled, from);
    match found {
        Some(found) if rule.exact() && broken(text, found.end) => {
            Some(folded(text, rule, compiled, from, patience).unwrap_or(found))
        }
        Some(found) => rule.before.as_ref().is_none_or(|word| line_before(text, start, word)).then_some(found),
        None if rule.exact() => folded(text, rule, compiled, from, patience),
        None => None,
    }
}

/// The match at `from`, if it ends where a word ends and is worth something.
fn whole(text: &[u8], rule: &Rule, compiled: &Compiled, from: usize) -> Option<Range<usize>> {
    let end = from + compiled.pattern.find(window(text, from))?.end();
    let closes = rule.tail > 0 || !text.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let found = from..end - rule.tail;
    let value = &text[found.clone()];
    // Behind a header or a name stands a random value or code; a password may well be a word.
    let code = compiled.lead.is_some() && rule.entropy >= 3.0 && wordy(value);
    (closes && !code && worth(rule, compiled, value)).then_some(found)
}

fn worth(rule: &Rule, compiled: &Compiled, value: &[u8]) -> bool {
    entropy(value) >= rule.entropy
        && !stand_in(value)
        && !compiled.ignore.as_ref().is_some_and(|ignore| ignore.is_match(value))
}

/// The first match shortly after a telling word, if something between them says that it is its value.
fn near(text: &[u8], rule: &Rule, compiled: &Compiled, from: usize) -> Option<Range<usize>> {
    let part = |byte: &u8| in_token(*byte) || b"+/".contains(byte);
    let mut at = from;
    while at <= from + rule.near {
        let run = text[at..].iter().take(200).take_while(|byte| part(byte)).count();
        // No token is shorter than this, and most words are.
        if run >= 24
            && let Some(end) = compiled.pattern.find(&text[at..at + run]).map(|found| at + found.end())
        {
            let gap = &text[from..at];
            let says = gap.iter().any(|byte| b"=:>".contains(byte))
                || ["key", "token", "secret", " is "].iter().any(|word| contains(gap, word));
            let apart = at > from && !text.get(end).is_some_and(|byte| part(byte) && *byte != b'.');
            let lines = gap.iter().filter(|byte| **byte == b'\n').count();
            let value = &text[at..end];
            return (says && apart && lines <= 1 && worth(rule, compiled, value) && !wordy(value)).then_some(at..end);
        }
        at += run + 1;
        if at >= text.len() {
            break;
        }
    }
    None
}

/// A token that was broken over lines (plainly, or with a backslash) or salted with invisible signs.
fn folded(text: &[u8], rule: &Rule, compiled: &Compiled, from: usize, patience: &mut Patience) -> Option<Range<usize>> {
    let (flat, places) = fold(text, from, patience)?;
    let end = compiled.pattern.find(&flat)?.end();
    let value = &flat[..end];
    let found = from..places[end - 1] + 1;
    // Prose wraps too: what was joined must be one piece of randomness, and really span a break.
    let crosses = found.len() > end;
    (crosses
        && value.iter().any(u8::is_ascii_digit)
        && entropy(value) >= 3.0
        && worth(rule, compiled, value)
        && !wordy(value))
    .then_some(found)
}

/// The token bytes from `from` on without their breaks, and where each stood; nothing if there is no break.
fn fold(text: &[u8], from: usize, patience: &mut Patience) -> Option<(Vec<u8>, Vec<usize>)> {
    let part = |byte: &u8| in_token(*byte) || b"+/=".contains(byte);
    let first = text[from..].iter().take(FOLDED.min(patience.0)).take_while(|byte| part(byte)).count();
    patience.0 -= first;
    after_break(text, from + first)?;
    let (mut flat, mut places, mut breaks, mut at) = (Vec::new(), Vec::new(), 0, from);
    while let Some(byte) = text.get(at).filter(|_| flat.len() < FOLDED) {
        if part(byte) {
            flat.push(*byte);
            places.push(at);
            at += 1;
        } else if let Some(next) = after_break(text, at).filter(|_| breaks < BREAKS) {
            breaks += 1;
            at = next;
        } else {
            break;
        }
    }
    patience.0 = patience.0.saturating_sub(flat.len());
    (!flat.is_empty()).then_some((flat, places))
}

/// Where the text goes on behind a line break or invisible signs at `at`.
fn after_break(text: &[u8], at: usize) -> Option<usize> {
    const UNSEEN: [&str; 6] = ["\u{200b}", "\u{200c}", "\u{200d}", "\u{2060}", "\u{feff}", "\u{ad}"];
    let rest = text.get(at..)?;
    if !rest.first().is_some_and(|byte| b"\\\r\n".contains(byte) || !byte.is_ascii()) {
        return None;
    }
    if let Some(sign) = UNSEEN.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
        return Some(at + sign.len());
    }
    let line = ["\\\r\n", "\\\n", "\r\n", "\n"].iter().find(|end| rest.starts_with(end.as_bytes()))?;
    let indent = rest[line.len()..].iter().take(40).take_while(|byte| b" \t>#*".contains(byte)).count();
    Some(at + line.len() + indent)
}

/// Whether a match that ended here is only the first part of a longer one.
fn broken(text: &[u8], end: usize) -> bool {
    let Some(next) = after_break(text, end) else { return false };
    let run = text[next..].iter().take(512).take_while(|byte| in_token(**byte)).count();
    let alone = text.get(next + run).is_none_or(|byte| b"\r\n".contains(byte));
    let piece = &text[next..next + run];
    text[end] != b'\n' && text[end] != b'\r'
        || alone && run >= 12 && piece.iter().any(u8::is_ascii_digit) && !wordy(piece)
}

/// Whether a token may start here: not inside a word, but behind an escape such as `\n` or `%3D`.
///
/// This is also what keeps the scan linear: a run of token bytes is tried once per rule, not at each of its bytes.
fn opens(text: &[u8], start: usize) -> bool {
    let before = |back: usize| start.checked_sub(back).and_then(|at| text.get(at)).copied().unwrap_or(b' ');
    match before(1) {
        b'n' | b't' | b'r' if before(2) == b'\\' => true,
        byte if byte.is_ascii_hexdigit() && before(2).is_ascii_hexdigit() && before(3) == b'%' => true,
        byte if byte.is_ascii_alphanumeric() => false,
        b'_' | b'-' => !(before(2).is_ascii_alphanumeric() || b"_-".contains(&before(2))),
        _ => true,
    }
}

/// Whether enough follows a keyword to be worth compiling its rule for.
fn promising(text: &[u8], from: usize) -> bool {
    let run = text[from..].iter().take(10).take_while(|byte| byte.is_ascii_graphic()).count();
    run >= 8
        || run >= 4 && after_break(text, from + run - usize::from(text[from + run - 1] == b'\\')).is_some()
        || text.get(from + run).is_some_and(|byte| !byte.is_ascii())
        || from + run == text.len() && run > 0
}

/// Whether this sign comes before the next blank, quote or slash.
fn comes(text: &[u8], from: usize, sign: u8) -> bool {
    let stop = |byte: &u8| *byte == sign || *byte <= b' ' || b"/\"<>`".contains(byte);
    text[from..].iter().take(320).find(|byte| stop(byte)) == Some(&sign)
}

fn line_before(text: &[u8], start: usize, word: &str) -> bool {
    let head = &text[start.saturating_sub(300)..start];
    let line = head.iter().rposition(|byte| *byte == b'\n').filter(|at| *at == 0 || head[at - 1] != b'\\');
    contains(&head[line.unwrap_or(0)..], word)
}

fn in_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.~".contains(&byte)
}

fn window(text: &[u8], from: usize) -> &[u8] {
    &text[from..text.len().min(from + WINDOW)]
}
