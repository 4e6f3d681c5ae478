//! A file that must be scrolled for long is two files.
//!
//! Owns the two limits and the short list of files that may be longer than the first, each with its reason.
//! Tests are not counted: a test file is a table, and tables may be long.

use super::Complaint;
use crate::repo::File;

/// Above this a file needs a reason.
const THINK: usize = 300;
/// Above this there is no reason.
const STOP: usize = 500;

/// Files between the two limits, and why they are better in one piece.
const EXCEPTIONS: &[(&str, &str)] = &[];

pub fn check(files: &[File]) -> Vec<Complaint> {
    check_with(files, EXCEPTIONS)
}

fn check_with(files: &[File], exceptions: &[(&str, &str)]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        let lines = if file.is_test() { 0 } else { counted(&file.text) };
        let excused = exceptions.iter().any(|(path, reason)| *path == file.path && !reason.is_empty());
        let (what, remedy) = if lines > STOP {
            (format!("{lines} lines without tests, more than {STOP}"), "split it by what it owns")
        } else if lines > THINK && !excused {
            (
                format!("{lines} lines without tests, more than {THINK}"),
                "split it, or give the reason in EXCEPTIONS of tidy/length.rs",
            )
        } else if lines <= THINK && excused {
            (format!("{lines} lines need no exception"), "take it out of EXCEPTIONS in tidy/length.rs")
        } else {
            continue;
        };
        complaints.push(Complaint::new(file, lines.max(1), what, remedy));
    }
    complaints
}

/// The lines up to the tests at the end of the file.
fn counted(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines.windows(2).rposition(|pair| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod tests {"));
    // What follows the block is code again, and then nothing is left out.
    let end =
        tests.filter(|start| lines[start + 2..].iter().position(|line| *line == "}") == Some(lines.len() - start - 3));
    end.unwrap_or(lines.len())
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    fn told(path: &str, text: &str, exceptions: &[(&str, &str)]) -> Vec<String> {
        check_with(&[file(path, text)], exceptions).iter().map(Complaint::to_string).collect()
    }

    #[test]
    fn short_files_and_tests_are_fine() {
        let code = "let x = 1;\n".repeat(300);
        let tests = format!("{code}#[cfg(test)]\nmod tests {{\n{}}}\n", "    let x = 1;\n".repeat(900));
        assert_eq!(told("crates/a/src/a.rs", &tests, &[]), [""; 0]);
        assert_eq!(told("crates/a/src/a/tests.rs", &code.repeat(3), &[]), [""; 0]);
        assert_eq!(told("crates/a/tests/it/a.rs", &code.repeat(3), &[]), [""; 0]);
    }

    #[test]
    fn long_files_need_a_reason() {
        let code = "let x = 1;\n".repeat(301);
        let path = "crates/a/src/a.rs";
        assert_eq!(
            told(path, &code, &[]),
            [
                "crates/a/src/a.rs:301: 301 lines without tests, more than 300; split it, or give the reason in EXCEPTIONS of tidy/length.rs"
            ]
        );
        assert_eq!(told(path, &code, &[(path, "one table")]), [""; 0]);
        assert_eq!(told(path, &code, &[(path, "")]).len(), 1);
        assert_eq!(told(path, "", &[(path, "one table")]).len(), 1);
    }

    #[test]
    fn nothing_excuses_a_very_long_file() {
        let code = "let x = 1;\n".repeat(501);
        let path = "crates/a/src/a.rs";
        assert_eq!(told(path, &code, &[(path, "one table")]).len(), 1);
    }

    #[test]
    fn code_after_the_tests_counts() {
        let text = format!("#[cfg(test)]\nmod tests {{\n}}\n{}", "let x = 1;\n".repeat(300));
        assert_eq!(told("crates/a/src/a.rs", &text, &[]).len(), 1);
    }
}
