//! As much Markdown as references need: spans in backticks and targets of links, with their lines.
//!
//! Never renders. Fenced blocks are skipped; a link's text may hold backticks, a span in backticks holds no links.

/// Something in a document that points elsewhere.
pub struct Mention<'a> {
    pub line: usize,
    pub kind: Kind,
    pub text: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Between backticks.
    Code,
    /// Between the brackets after `]`.
    Link,
}

/// All mentions, in order.
pub fn mentions(text: &str) -> impl Iterator<Item = Mention<'_>> {
    let mut fence: Option<&str> = None;
    let open = text.lines().enumerate().filter(move |(_, line)| {
        let start = line.trim_start();
        match fence {
            Some(mark) if start.starts_with(mark) => fence = None,
            Some(_) => {}
            None => match ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark)) {
                Some(mark) => fence = Some(mark),
                None => return true,
            },
        }
        false
    });
    open.flat_map(|(index, line)| {
        in_line(line).into_iter().map(move |(kind, text)| Mention { line: index + 1, kind, text })
    })
}

fn in_line(line: &str) -> Vec<(Kind, &str)> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['`', ']']) {
        let (kind, opening, closing) = if rest[at..].starts_with("](") {
            (Kind::Link, "](", ")")
        } else if rest[at..].starts_with("``") {
            (Kind::Code, "``", "``")
        } else if rest[at..].starts_with('`') {
            (Kind::Code, "`", "`")
        } else {
            rest = &rest[at + 1..];
            continue;
        };
        let inner = &rest[at + opening.len()..];
        let Some(end) = inner.find(closing) else {
            rest = inner;
            continue;
        };
        // A link may have a title after its target, and angle brackets around it.
        let text = match kind {
            Kind::Code => inner[..end].trim(),
            Kind::Link => inner[..end].split(' ').next().unwrap_or_default().trim_matches(['<', '>']),
        };
        found.push((kind, text));
        rest = &inner[end + closing.len()..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_links_are_found_outside_fences() {
        let text = "See `a` and [`b`](c.md \"title\").\n```\n`d`\n```\n[x] ``e`f`` ](g\n";
        let found: Vec<_> = mentions(text).map(|it| (it.line, it.kind, it.text)).collect();
        assert_eq!(
            found,
            [(1, Kind::Code, "a"), (1, Kind::Code, "b"), (1, Kind::Link, "c.md"), (5, Kind::Code, "e`f")]
        );
    }
}
