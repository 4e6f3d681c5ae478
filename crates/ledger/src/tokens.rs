//! Tokens of documents: text that comes cut already, separated by spaces.

use std::borrow::Cow;

/// Tokens of a row of words that are looked for at most; a longer row is looked for by its beginning.
pub(crate) const MOST_IN_A_ROW: usize = 32;

/// How many tokens a text has.
pub(crate) fn count(text: &str) -> i64 {
    crate::values::limit(text.split_ascii_whitespace().count())
}

/// ASCII letters in lower case: they match in either.
pub(crate) fn folded(token: &str) -> Cow<'_, str> {
    if token.bytes().any(|byte| byte.is_ascii_uppercase()) { token.to_ascii_lowercase().into() } else { token.into() }
}

/// Whether these tokens, which are in lower case, stand in a row in the text.
pub(crate) fn in_a_row(text: &str, tokens: &[String]) -> bool {
    let text = folded(text);
    let all: Vec<&str> = text.split_ascii_whitespace().collect();
    all.windows(tokens.len().max(1)).any(|window| window.iter().eq(tokens))
}
