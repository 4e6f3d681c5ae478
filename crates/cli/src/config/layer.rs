//! One TOML text as dotted keys.

use std::ops::Range;
use toml::{Table, Value};

/// The keys and values of a text, tables flattened, in the order of the text; `Err` = what is wrong with it, and where.
pub fn read(text: &str) -> Result<Vec<(String, Value)>, String> {
    let broken = |error: toml::de::Error| place_of(text, error.span(), error.message());
    let table: Table = text.parse().map_err(broken)?;
    let mut values = Vec::new();
    flatten("", table, &mut values);
    Ok(values)
}

fn flatten(prefix: &str, table: Table, values: &mut Vec<(String, Value)>) {
    for (name, value) in table {
        let key = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        match value {
            Value::Table(inner) => flatten(&key, inner, values),
            value => values.push((key, value)),
        }
    }
}

/// Where a text is wrong. What stands there is not told: it may be a secret.
pub fn place_of(text: &str, span: Option<Range<usize>>, wrong: &str) -> String {
    let before = span.and_then(|span| text.get(..span.start)).unwrap_or_default();
    format!("line {}: {wrong}", before.matches('\n').count() + 1)
}

/// A value as typed on a command line: TOML where it is TOML, else text.
pub fn value(typed: &str) -> Value {
    let parsed = format!("v = {typed}").parse::<Table>().ok().and_then(|mut table| table.remove("v"));
    parsed.unwrap_or_else(|| Value::String(typed.to_owned()))
}

/// An address with stars for its password, wherever it may stand.
pub fn without_password(url: &str) -> String {
    let (address, query) = url.split_once('?').map_or((url, None), |(address, query)| (address, Some(query)));
    let mut shown = match (address.find("://"), address.rfind('@')) {
        (Some(scheme), Some(at)) if scheme + 3 <= at => match address[scheme + 3..at].split_once(':') {
            Some((user, _)) => format!("{}{user}:***{}", &address[..scheme + 3], &address[at..]),
            None => address.to_owned(),
        },
        _ => address.to_owned(),
    };
    if let Some(query) = query {
        let hidden = |part: &str| match part.split_once('=') {
            Some((name, _)) if name.contains("pass") => format!("{name}=***"),
            _ => part.to_owned(),
        };
        shown.push('?');
        shown.push_str(&query.split('&').map(hidden).collect::<Vec<_>>().join("&"));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            ("postgres://me:secret@host:5432/db", "postgres://me:***@host:5432/db"),
            ("postgres://me:a@b:c@host/db?sslmode=require", "postgres://me:***@host/db?sslmode=require"),
            ("postgres://me@host/db?password=secret&x=1", "postgres://me@host/db?password=***&x=1"),
            ("postgres://host/db", "postgres://host/db"),
            ("nonsense", "nonsense"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
