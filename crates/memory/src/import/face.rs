//! A face for documents that have none: name, description and type, made of their own words.

use loci_domain::document::{Kind, made};
use loci_domain::frontmatter::{self, Outcome};

/// The text with a header that says name, description and type; what is there already is kept byte for byte.
/// A `type` that is none of ours goes on as `source_type`.
pub(super) fn faced(text: &str, path: &str, kind: Kind, title: Option<&str>) -> String {
    faced_by(text, &text[frontmatter::split(text).body], path, kind, title)
}

/// The same with name and description made of these words of the body.
pub(super) fn faced_by(text: &str, words: &str, path: &str, kind: Kind, title: Option<&str>) -> String {
    let split = frontmatter::split(text);
    let body = &text[split.body.clone()];
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let said = words.chars().any(char::is_alphanumeric);
    let stem = super::file_name(path).rsplit_once('.').map_or(path, |(stem, _)| stem).replace(['-', '_'], " ");
    let name = title.map(str::to_owned).unwrap_or_else(|| if said { made::name(words) } else { stem.clone() });
    let prose: String = words.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    let described = [prose.as_str(), words].into_iter().find(|text| text.chars().any(char::is_alphanumeric));
    let description = described.map_or(stem, made::description);
    let kind = by_folder(path).or_else(|| nested_type(&text[split.raw.clone()])).unwrap_or(kind);
    let lines = |name: Option<&str>, description: Option<&str>, kind: Option<Kind>| -> String {
        let name = name.map(|name| made::field("name", name));
        let description = description.map(|text| made::field("description", text));
        let kind = kind.map(|kind| format!("type: {kind}"));
        [name, description, kind].into_iter().flatten().map(|line| format!("{line}{newline}")).collect()
    };
    match split.outcome {
        Outcome::None => {
            format!("---{newline}{}---{newline}{body}", lines(Some(&name), Some(&description), Some(kind)))
        }
        // What cannot be read is kept as it is; `loci doctor` names it.
        Outcome::Malformed(_) | Outcome::Unclosed => text.to_owned(),
        Outcome::Fields(fields) => {
            let known = fields.kind.as_deref().is_some_and(|word| Kind::from_word(word).is_some());
            let wanted = |there: bool| !there;
            let added = lines(
                Some(name.as_str()).filter(|_| wanted(fields.name.is_some())),
                Some(description.as_str()).filter(|_| wanted(fields.description.is_some())),
                Some(kind).filter(|_| wanted(known)),
            );
            let header = &text[split.raw.clone()];
            let header = if fields.kind.is_some() && !known { other_type(header) } else { header.to_owned() };
            format!("{}{added}{header}{}", &text[..split.raw.start], &text[split.raw.end..])
        }
    }
}

/// The type that the first folder says.
fn by_folder(path: &str) -> Option<Kind> {
    path.split_once('/').and_then(|(folder, _)| Kind::from_word(folder))
}

/// The type below `metadata:`, where some tools keep it.
fn nested_type(header: &str) -> Option<Kind> {
    let mut lines = header.lines().skip_while(|line| line.trim_end() != "metadata:").skip(1);
    let value = lines.by_ref().take_while(|line| line.starts_with([' ', '\t']));
    let word = value.filter_map(|line| line.trim().strip_prefix("type:")).next()?;
    Kind::from_word(word.trim().trim_matches(['"', '\'']))
}

/// The header with the foreign `type` under another name.
fn other_type(header: &str) -> String {
    let line = |line: &str| match line.strip_prefix("type") {
        Some(rest) if rest.trim_start().starts_with(':') => format!("source_type{rest}"),
        _ => line.to_owned(),
    };
    header.split_inclusive('\n').map(line).collect()
}

/// The plain value of a key in a header, as far as it can be told without reading all of YAML.
pub(super) fn plain_field(text: &str, key: &str) -> Option<String> {
    let split = frontmatter::split(text);
    let header = &text[split.raw];
    let value = header.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix(':'))?;
    let value = value.trim().trim_matches(['"', '\'']).trim();
    (!value.is_empty()).then(|| value.to_owned())
}
