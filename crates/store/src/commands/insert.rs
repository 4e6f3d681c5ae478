//! `insert`: lines after line N, in the file's own line ending.

use super::{about, check_lines, editable, file_path, target};
use crate::store::Store;
use crate::transaction::By;
use crate::{Error, Result};
use loci_domain::access::Mode;
use loci_domain::fault::Fault;

pub(super) async fn run(store: &Store, given: &str, line: i64, insert: &str, mode: Mode, by: By) -> Result<String> {
    let path = file_path(store, given)?;
    let (root, inner) = target(store, &path, mode)?;
    let mut change = store.begin(root, by).await?;
    let blob = change.read(&inner).await.map_err(|error| about(&path, error))?;
    let text = editable(&path, &blob, store.settings().file_bytes)?;
    check_lines(&path, text)?;
    let changed = inserted(text, line, insert)?;
    change.put(&inner, changed).await.map_err(|error| about(&path, error))?;
    change.commit().await.map_err(|error| about(&path, error))?;
    Ok(format!("The file {} has been edited.", path.given))
}

/// The text with `insert` after line `line`. Whether the file ends in a newline stays as it was.
fn inserted(text: &str, line: i64, insert: &str) -> Result<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let range = 0..=lines.len() as i64;
    if !range.contains(&line) {
        let text = format!(
            "Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: [0, {}]",
            lines.len()
        );
        return Err(Error::refused(Fault::Invalid, text));
    }
    let ending = if lines.first().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" };
    let insert = insert.strip_suffix('\n').map_or(insert, |rest| rest.strip_suffix('\r').unwrap_or(rest));
    let insert = insert.replace("\r\n", "\n").replace('\n', ending);
    let (head, tail) = lines.split_at(line as usize);
    let (head, tail) = (head.concat(), tail.concat());
    let open_end = !head.is_empty() && !head.ends_with('\n');
    let before = if open_end { ending } else { "" };
    let after = if open_end || text.is_empty() { "" } else { ending };
    Ok(format!("{head}{before}{insert}{after}{tail}"))
}

#[cfg(test)]
mod tests {
    use super::inserted;

    #[test]
    fn endings_stay_as_they_were() {
        let check = |text, line, insert, expected: &str| assert_eq!(inserted(text, line, insert).unwrap(), expected);
        check("a\nb", 0, "N", "N\na\nb");
        check("a\nb", 2, "N", "a\nb\nN");
        check("a\nb\n", 2, "N", "a\nb\nN\n");
        check("a\n", 1, "two\n\n", "a\ntwo\n\n");
        check("a", 1, "end\n", "a\nend");
        check("a\r\nb", 2, "c\nd\n", "a\r\nb\r\nc\r\nd");
        check("a\r\nb\r\n", 1, "n", "a\r\nn\r\nb\r\n");
        check("", 0, "first", "first");
        check("a\n", 0, "", "\na\n");
        assert!(inserted("a\n", 2, "x").is_err() && inserted("a", -1, "x").is_err());
    }
}
