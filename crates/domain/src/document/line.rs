//! Text that has to fit on one line of a list.
//!
//! Owns folding and cutting, so that summaries, descriptions and the index do both alike.

use crate::sign::is_hidden;

/// Text with every run of white space as one space and nothing that cannot be seen.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let end = line.len();
        if end > 0 {
            line.push(' ');
        }
        line.extend(word.chars().filter(|c| !is_hidden(*c)));
        if line.len() == end + 1 && end > 0 {
            line.pop();
        }
    }
    line
}

/// Text of at most `longest` characters, a cut marked by an ellipsis.
pub fn cut(text: &str, longest: usize) -> String {
    if text.chars().nth(longest).is_none() {
        return text.to_owned();
    }
    let kept: String = text.chars().take(longest.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}
