//! `glob`: the files whose paths match a pattern.

use crate::files::Files;
use crate::{Error, Result};
use regex::Regex;

/// Paths that a model is shown.
const SHOWN: usize = 1000;
/// Bytes of a pattern.
const LONGEST: usize = 1024;

pub async fn glob(files: &Files, pattern: &str) -> Result<String> {
    let wanted = compiled(pattern)?;
    let (rows, complete) = files.list().await?;
    let found: Vec<&str> = rows.iter().map(|row| row.path.as_str()).filter(|path| wanted.is_match(path)).collect();
    let mut text = found.iter().take(SHOWN).copied().collect::<Vec<_>>().join("\n");
    if found.is_empty() {
        text.push_str("no file matches");
    }
    if found.len() > SHOWN {
        text.push_str(&format!("\n[cut: {} more]", found.len() - SHOWN));
    }
    if !complete {
        text.push_str("\n[the workspace has more files than are looked at]");
    }
    Ok(text)
}

/// `**` spans folders, `*` and `?` stay within one, `{a,b}` and `[a-z]` choose.
fn compiled(pattern: &str) -> Result<Regex> {
    if pattern.is_empty()
        || pattern.len() > LONGEST
        || pattern.starts_with('/')
        || pattern.split('/').any(|part| part == "..")
    {
        return Err(Error::Path("a pattern is relative to the workspace, as **/*.md".to_owned()));
    }
    let mut expression = String::from("^");
    let (mut signs, mut choices) = (pattern.chars().peekable(), 0_usize);
    while let Some(sign) = signs.next() {
        match sign {
            '*' if signs.next_if_eq(&'*').is_some() => match signs.next_if_eq(&'/') {
                Some(_) => expression.push_str("(?:.*/)?"),
                None => expression.push_str(".*"),
            },
            '*' => expression.push_str("[^/]*"),
            '?' => expression.push_str("[^/]"),
            '{' => {
                choices += 1;
                expression.push_str("(?:");
            }
            '}' if choices > 0 => {
                choices -= 1;
                expression.push(')');
            }
            ',' if choices > 0 => expression.push('|'),
            '[' => {
                let set: String = signs.by_ref().take_while(|sign| *sign != ']').collect();
                let (not, set) = set.strip_prefix('!').map_or(("", set.as_str()), |set| ("^", set));
                let safe: String = set
                    .chars()
                    .flat_map(|sign| if "\\[]^&~".contains(sign) { vec!['\\', sign] } else { vec![sign] })
                    .collect();
                expression.push_str(&format!("[{not}{safe}]"));
            }
            sign => expression.push_str(&regex::escape(sign.encode_utf8(&mut [0; 4]))),
        }
    }
    expression.push('$');
    Regex::new(&expression).map_err(|_| Error::Path(format!("{pattern:?} is no pattern; one looks like src/**/*.rs")))
}

#[cfg(test)]
mod tests {
    use super::compiled;

    #[test]
    fn patterns_mean_what_people_expect() {
        for (pattern, path, fits) in [
            ("**/*.md", "a.md", true),
            ("**/*.md", "a/b/c.md", true),
            ("*.md", "a/b.md", false),
            ("src/**/*.txt", "src/deep/new.txt", true),
            ("src/**/*.txt", "src/new.txt", true),
            ("src/**", "src/a/b", true),
            ("a.{md,txt}", "a.txt", true),
            ("a.{md,txt}", "aXtxt", false),
            ("[a-c]?.md", "b1.md", true),
            ("[!a-c]1.md", "b1.md", false),
            ("a+b(1).md", "a+b(1).md", true),
        ] {
            assert_eq!(compiled(pattern).unwrap().is_match(path), fits, "{pattern} {path}");
        }
        for bad in ["", "../**/*", "/etc/*", "a/../b", "[", "{a"] {
            assert!(compiled(bad).is_err(), "{bad}");
        }
    }
}
