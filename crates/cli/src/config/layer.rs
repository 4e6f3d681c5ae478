//! One TOML text as dotted keys.

use anyhow::Result;
use toml::{Table, Value};

/// The keys and values of a text, tables flattened, in the order of the text.
pub fn read(text: &str) -> Result<Vec<(String, Value)>> {
    let table: Table = text.parse()?;
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

/// A value as typed on a command line: TOML where it is TOML, else text.
pub fn value(typed: &str) -> Value {
    let parsed = format!("v = {typed}").parse::<Table>().ok().and_then(|mut table| table.remove("v"));
    parsed.unwrap_or_else(|| Value::String(typed.to_owned()))
}
