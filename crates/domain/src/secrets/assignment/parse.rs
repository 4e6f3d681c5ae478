//! The grammar of an assignment, read byte by byte.
//!
//! Owns where a name ends, what separates it from its value, and where the value ends.
//! Never reads far: every step is bounded or ends at the next quote, so that hostile text costs linear time.

use super::Form;
use std::ops::Range;

/// The longest name and the longest value that are read.
const NAME: usize = 64;
const VALUE: usize = 2048;
/// The shortest value that is a secret to anybody.
const LEAST: usize = 6;

/// What ends a value without quotes.
static ENDS: [bool; 256] = {
    let mut table = [false; 256];
    let signs = b"\"'`,;<>(){}[]|\\=:&";
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte <= 32 || byte >= 127;
        byte += 1;
    }
    let mut at = 0;
    while at < signs.len() {
        table[signs[at] as usize] = true;
        at += 1;
    }
    table
};

/// A value and how it was given.
pub(super) struct Given {
    pub span: Range<usize>,
    pub form: Form,
    pub quoted: bool,
}

/// The identifier around a keyword.
pub(super) fn name(text: &[u8], hit: &Range<usize>) -> Range<usize> {
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let start = hit.start - text[..hit.start].iter().rev().take(NAME).take_while(|byte| part(byte)).count();
    let run = text[hit.end..].iter().take(NAME).take_while(|byte| part(byte)).count();
    let tail = text[hit.end..hit.end + run].iter().rev().take_while(|byte| b"-.".contains(byte)).count();
    start..hit.end + run - tail
}

/// The value behind a name.
pub(super) fn value(text: &[u8], name: &Range<usize>) -> Option<Given> {
    // Our own mark names the rule that took a secret out; what follows it is no value of it.
    if text[..name.start].ends_with(b"[REDACTED:") || name.len() > 2 * NAME {
        return None;
    }
    let (after, form) = separator(text, name)?;
    let (start, broke) = gap(text, after);
    let start = scheme(text, start);
    match text.get(start)? {
        quote @ (b'"' | b'\'' | b'`') => quoted(text, start, *quote, form),
        b'\\' if text.get(start + 1) == Some(&b'"') => quoted(text, start + 1, b'\\', form),
        b'b' | b'f' | b'r' | b'u' if matches!(text.get(start + 1), Some(b'"' | b'\'')) => {
            quoted(text, start + 1, text[start + 1], form)
        }
        _ => bare(text, start, form, broke),
    }
}

/// Where the separator behind a name ends.
fn separator(text: &[u8], name: &Range<usize>) -> Option<(usize, Form)> {
    let mut at = name.end;
    let closed = text[at..].iter().take(4).take_while(|byte| b"\"'`]*\\".contains(byte)).count();
    at += closed;
    if text.get(at) == Some(&b'>') {
        return Some((at + 1, Form::Given));
    }
    let spaces = blank(text, at);
    let rest = &text[at + spaces..];
    let behind = |length: usize| at + spaces + length;
    let glued = spaces == 0 || closed > 0;
    match rest.first()? {
        b'=' | b':' if rest.starts_with(b":=") || rest.starts_with(b"=>") || rest.starts_with(b"==") => {
            Some((behind(2), Form::Given))
        }
        b':' if rest.starts_with(b"::") => None,
        b':' => Some(typed(text, behind(1)).unwrap_or((behind(1), Form::Loose))),
        b'=' => Some((behind(1), Form::Given)),
        _ if rest.starts_with("：".as_bytes()) => Some((behind("：".len()), Form::Loose)),
        _ if ["是", "为", "為"].iter().any(|is| rest.starts_with(is.as_bytes())) => {
            Some((behind("是".len()), Form::Prose))
        }
        b'-' if rest.starts_with(b"->") && spaces > 0 => Some((behind(2), Form::Loose)),
        b'|' => Some((behind(1), Form::Loose)),
        b'(' if glued && matches!(rest.get(1), Some(b'"' | b'\'')) && tells(&text[name.clone()]) => {
            Some((behind(1), Form::Given))
        }
        // `define('PASSWORD', '…')`, but not a list of words.
        b',' if closed > 0 && name.start > 1 && text[name.start - 2] == b'(' => Some((behind(1), Form::Prose)),
        b'\r' | b'\n' if !text[name.clone()].iter().any(u8::is_ascii_digit) => {
            below(rest).map(|length| (behind(length), Form::Beside))
        }
        _ if spaces == 0 => None,
        _ if text[..name.start].ends_with(b" --") || text[name.clone()].starts_with(b"-") => {
            Some((behind(0), Form::Given))
        }
        _ if starts(rest, "is ") || starts(rest, "is: ") || starts(rest, "to ") || starts(rest, "was ") => {
            Some((behind(rest.iter().position(|byte| *byte == b' ')?), Form::Prose))
        }
        b'"' | b'\'' | b'`' => Some((behind(0), Form::Loose)),
        _ if beside(rest) => Some((behind(0), Form::Beside)),
        _ => spoken(rest).map(|length| (behind(length), Form::Prose)),
    }
}

/// Whether the next word is long, holds a digit and stands alone, as a token beside its name does.
fn beside(rest: &[u8]) -> bool {
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-.~!:".contains(byte);
    let run = rest.iter().take(VALUE).take_while(|byte| part(byte)).count();
    run >= 20
        && rest[..run].iter().any(u8::is_ascii_digit)
        && rest.get(run).is_none_or(|byte| byte.is_ascii_whitespace() || b"\"'`),;".contains(byte))
}

/// How far to a token that stands alone on the next line, as copied from a page that shows it under its name.
fn below(rest: &[u8]) -> Option<usize> {
    let broken = 1 + usize::from(rest.starts_with(b"\r\n"));
    let start = broken + blank(rest, broken);
    let line = &rest[start..rest.len().min(start + VALUE)];
    let line = line[..line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len())].trim_ascii_end();
    (beside(line) && line.iter().all(u8::is_ascii_graphic)).then_some(start)
}

/// Whether a call by this name takes a secret: `setPassword(`, not `password.encode(`.
fn tells(name: &[u8]) -> bool {
    ["password", "passwd", "secret", "token", "key"]
        .iter()
        .any(|word| name.len() >= word.len() && starts(&name[name.len() - word.len()..], word))
}

/// `: string = ` and its like: the value stands behind the type.
fn typed(text: &[u8], at: usize) -> Option<(usize, Form)> {
    let kind = |byte: &u8| byte.is_ascii_alphanumeric() || b" _<>&'?|[]".contains(byte);
    let run = text[at..].iter().take(40).take_while(|byte| kind(byte)).count();
    (run > 1 && text.get(at + run) == Some(&b'=')).then_some((at + run + 1, Form::Given))
}

/// `password for the staging database is …`: how far to the value.
fn spoken(rest: &[u8]) -> Option<usize> {
    ["for ", "of ", "on ", "in ", "at "].iter().find(|word| starts(rest, word))?;
    let line = &rest[..rest.len().min(60)];
    let line = &line[..line.iter().position(|byte| b"\n.,;".contains(byte)).unwrap_or(line.len())];
    [" is ", ": ", " = "].iter().filter_map(|mark| position(line, mark).map(|at| at + mark.len())).min()
}

/// Skips blanks, marks of emphasis and at most one line break (with the sign of a YAML block before it).
fn gap(text: &[u8], at: usize) -> (usize, bool) {
    let mut at = at + text[at..].iter().take(16).take_while(|byte| b" \t*".contains(byte)).count();
    let block = text[at..].iter().take(2).take_while(|byte| b"|>-".contains(byte)).count();
    let broken = |at: usize| text[at..].starts_with(b"\n") || text[at..].starts_with(b"\r\n");
    if broken(at + block) {
        at += block + 1 + usize::from(text[at + block] == b'\r');
        return (at + text[at..].iter().take(40).take_while(|byte| b" \t".contains(byte)).count(), true);
    }
    if text[at..].starts_with(b"\\\n") {
        at += 2;
        at += blank(text, at);
    }
    (at, false)
}

/// Skips the word that says how a token is used or written.
fn scheme(text: &[u8], at: usize) -> usize {
    ["bearer ", "basic ", "token ", "base64:"]
        .iter()
        .find(|word| starts(&text[at..], word))
        .map_or(at, |word| at + word.len())
}

fn quoted(text: &[u8], open: usize, quote: u8, form: Form) -> Option<Given> {
    let triple = text[open..].starts_with(&[quote; 3]);
    let start = open + if triple { 3 } else { 1 };
    let line = &text[start..text.len().min(start + VALUE)];
    let length = line.iter().position(|byte| *byte == quote || *byte == b'\n').filter(|at| line[*at] == quote)?;
    // In prose a quote sets off a word; only code and configuration give values that way.
    let form = if form == Form::Prose { form } else { Form::Given };
    let value = line[..length].trim_ascii_end();
    (value.len() >= LEAST).then_some(Given { span: start..start + value.len(), form, quoted: true })
}

fn bare(text: &[u8], start: usize, form: Form, broke: bool) -> Option<Given> {
    let end = |from: usize| text[from..].iter().take(VALUE).position(|byte| ENDS[usize::from(*byte)]);
    let mut run = end(start).unwrap_or(text.len().min(start + VALUE) - start);
    // `NAME=user:value` is one value; behind a blank or a colon the next colon may end a name.
    let joined = text[start + run..].first() == Some(&b':')
        && text.get(start + run + 1).is_some_and(u8::is_ascii_alphanumeric)
        && text[..start].ends_with(b"=");
    if joined {
        let from = start + run + 1;
        run += 1 + end(from).unwrap_or(text.len().min(from + VALUE) - from);
    }
    let pad = text[start + run..].iter().take(2).take_while(|byte| **byte == b'=').count();
    let padded = !text.get(start + run + pad).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut end = start + run + if padded { pad } else { 0 };
    while end > start && b".!?*".contains(&text[end - 1]) && form != Form::Given {
        end -= 1;
    }
    if end < start + LEAST {
        return None;
    }
    let rest = &text[end..];
    // `name(`, `name[`, `name::` are code, and `word:` on the next line is another name.
    let code = rest.first().is_some_and(|byte| b"([{<".contains(byte)) && !rest.starts_with(b"</");
    if code || rest.starts_with(b"::") || broke && rest.first() == Some(&b':') {
        return None;
    }
    let alone = rest.iter().take_while(|byte| **byte != b'\n').take(40).all(|byte| b" \t\r".contains(byte));
    let form = if alone && form == Form::Loose { Form::Given } else { form };
    Some(Given { span: start..end, form, quoted: false })
}

fn blank(text: &[u8], at: usize) -> usize {
    text[at..].iter().take(16).take_while(|byte| b" \t".contains(byte)).count()
}

fn starts(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
}

fn position(text: &[u8], mark: &str) -> Option<usize> {
    text.windows(mark.len()).position(|window| window == mark.as_bytes())
}
