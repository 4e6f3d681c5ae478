//! Remembering without a model: type by rules, scope by type, one document a statement.

use super::{ContextMode, Remember, Remembered, guess, told};
use crate::draft::{Draft, Hand};
use crate::{Memory, Result};
use loci_domain::change::Actor;
use loci_domain::document::{Kind, made};
use loci_domain::path::EntryPath;
use loci_domain::scope::Scope;
use loci_domain::secrets::{self, Policy};
use loci_domain::slug::slug;
use loci_domain::{alike, entry, frontmatter, statement};

/// Words of a file name.
const NAME_WORDS: usize = 8;

/// What became of a statement in a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Noted {
    /// In a document of its own.
    New(Scope, EntryPath),
    /// In place of an entry that said nearly the same.
    Updated(Scope, EntryPath),
    /// It was there already, word by word.
    Known(Scope, EntryPath),
}

pub(super) async fn remember(memory: &Memory, ask: &Remember) -> Result<Remembered> {
    let mut draft = Draft::open(memory, Hand::Machine).await?;
    // "Please remember that" asks; what it asks for is the memory.
    let content = laid_out(&statement::requested(&ask.content));
    let kind = ask.kind.or_else(|| said_kind(&content)).unwrap_or_else(|| guess(&content));
    let noted = note(&mut draft, &content, kind, ask.scope, ask.context).await?;
    let (edits, diff) = (draft.edits(), draft.diff());
    // The statement itself was screened; what a header adds to it is not to fail the whole.
    let policy = if ask.secrets == Policy::Allow { Policy::Allow } else { Policy::Redact };
    draft.commit(Actor::Remember, policy).await?;
    memory.lift_tombstones(&content).await?;
    let mut remembered = told(&edits, diff);
    if let Noted::Known(scope, path) = noted {
        remembered.summary = format!("Already remembered in {}.", path.virtual_in(scope));
    }
    Ok(remembered)
}

/// A statement of one line with its reasons on lines of their own, as an entry has them.
fn laid_out(content: &str) -> String {
    let mut text = content.to_owned();
    if !content.contains('\n') {
        for label in ["Why:", "How to apply:"] {
            for end in ['.', '!', ';'] {
                text = text.replace(&format!("{end} {label}"), &format!("{end}\n\n{label}"));
            }
        }
    }
    text
}

/// Puts a statement into a draft: in place of one that says nearly the same, else as a new document.
pub async fn note(
    draft: &mut Draft,
    content: &str,
    kind: Kind,
    scope: Option<Scope>,
    context: ContextMode,
) -> Result<Noted> {
    if context == ContextMode::Workspace
        && let Some(noted) = update(draft, content, scope).await?
    {
        return Ok(noted);
    }
    let scope = scope.unwrap_or_else(|| home_of(draft, kind));
    // Names are in every listing, so not even an allowed secret is part of one.
    let open = secrets::redact(content);
    let path = free_path(draft, scope, kind, &open)?;
    let text = if said_kind(content) == Some(kind) {
        format!("{}\n", content.trim_end())
    } else {
        made::document(kind, &open, content)
    };
    draft.put(scope, &path, text).await?;
    Ok(Noted::New(scope, path))
}

/// Where a kind lives: what is about the person everywhere, the rest in the project if there is one.
fn home_of(draft: &Draft, kind: Kind) -> Scope {
    match kind {
        Kind::User | Kind::Feedback => Scope::Global,
        Kind::Project | Kind::Reference if draft.scopes().contains(&Scope::Project) => Scope::Project,
        Kind::Project | Kind::Reference => Scope::Global,
    }
}

/// The kind of a statement that is a whole document already.
fn said_kind(content: &str) -> Option<Kind> {
    match frontmatter::split(content).outcome {
        frontmatter::Outcome::Fields(fields) if fields.name.is_some() => {
            Kind::from_word(fields.kind.as_deref()?.trim())
        }
        _ => None,
    }
}

/// `<type>/<words>.md`, with a number when that is taken, in any case of letters.
fn free_path(draft: &Draft, scope: Scope, kind: Kind, content: &str) -> Result<EntryPath> {
    let body = content.get(frontmatter::split(content).body).unwrap_or(content);
    let words = match slug(&made::name(&body.replace("[REDACTED:", "[")), NAME_WORDS) {
        words if words.is_empty() => "note".to_owned(),
        words => words,
    };
    let taken: Vec<String> = draft.paths(scope).iter().map(|path| path.as_str().to_lowercase()).collect();
    let mut names = (1..).map(|n| if n == 1 { format!("{kind}/{words}.md") } else { format!("{kind}/{words}-{n}.md") });
    let free = names.find(|name| !taken.contains(name)).unwrap_or_else(|| unreachable!("the numbers do not end"));
    Ok(EntryPath::parse(&free).map_err(loci_store::Error::from)?)
}

/// Finds the entry that says the same, or nearly so, and puts the new words in its place.
async fn update(draft: &mut Draft, content: &str, scope: Option<Scope>) -> Result<Option<Noted>> {
    let mut best: Option<(f64, Scope, EntryPath, usize)> = None;
    for of in draft.scopes().into_iter().filter(|of| scope.is_none_or(|scope| scope == *of)) {
        for path in draft.paths(of) {
            // A file that cannot be read holds nothing to compare with.
            let Ok(Some(text)) = draft.read(of, &path).await else { continue };
            if same_body(&text, content) {
                return Ok(Some(Noted::Known(of, path)));
            }
            for (n, entry) in entry::entries(&text, frontmatter::split(&text).body).iter().enumerate() {
                let old = entry.text(&text);
                if alike::normalised(old) == alike::normalised(content) {
                    return Ok(Some(Noted::Known(of, path)));
                }
                let (was, is) = (head(old).0, head(content).0);
                // The same with another value is as near as can be without being the same.
                let likeness = if alike::corrects(was, is) { 1.0 } else { alike::likeness(was, is) };
                if likeness >= alike::NEAR && best.as_ref().is_none_or(|(most, ..)| likeness > *most) {
                    best = Some((likeness, of, path.clone(), n));
                }
            }
        }
    }
    let Some((_, of, path, n)) = best else { return Ok(None) };
    if draft.may_change(of, &path).is_err() {
        return Ok(None);
    }
    let Some(text) = draft.read(of, &path).await? else { return Ok(None) };
    let Some(changed) = rewritten(&text, n, content) else { return Ok(None) };
    draft.put(of, &path, changed).await?;
    Ok(Some(Noted::Updated(of, path)))
}

fn same_body(text: &str, content: &str) -> bool {
    let body = |text: &str| alike::normalised(text.get(frontmatter::split(text).body).unwrap_or(text));
    body(text) == body(content)
}

/// A document with entry `n` said in new words, in the line ends that it has; its reasons stay unless new ones are given.
/// `None` when either is more than a sentence with reasons: then nothing is risked.
fn rewritten(text: &str, n: usize, content: &str) -> Option<String> {
    let (plain, content) = (text.replace("\r\n", "\n"), content.replace("\r\n", "\n"));
    let breaks = text.matches('\n').count();
    match text.matches("\r\n").count() {
        0 => said_anew(text, n, &content),
        windows if windows == breaks => Some(said_anew(&plain, n, &content)?.replace('\n', "\r\n")),
        _ => None,
    }
}

fn said_anew(text: &str, n: usize, content: &str) -> Option<String> {
    let entries = entry::entries(text, frontmatter::split(text).body);
    let entry = entries.get(n)?;
    let old = entry.text(text);
    let (old_head, old_fields) = head(old);
    let (new_head, new_fields) = head(content);
    if !is_plain(old_head) || !is_plain(new_head) || text.contains('\r') {
        return None;
    }
    let was = unmarked(old_head);
    let marker = &old_head[..old_head.len() - was.len()];
    let said = unmarked(new_head.trim()).to_owned();
    let fields = merged(old_fields, new_fields);
    let gap = if fields.trim().is_empty() || fields.starts_with('\n') { "" } else { gap_of(old_head, content) };
    let ending = if old.ends_with('\n') || !fields.is_empty() { "\n" } else { "" };
    let new = format!("{marker}{said}{ending}{gap}{fields}");
    let mut changed = format!("{}{new}{}", &text[..entry.span.start], &text[entry.span.end..]);
    // The face of a document that says one thing follows it.
    if entries.len() == 1 {
        let is = said.as_str();
        for (before, after) in [
            (made::field("description", &made::description(was)), made::field("description", &made::description(is))),
            (made::field("name", &made::name(was)), made::field("name", &made::name(is))),
        ] {
            changed = changed.replacen(&format!("\n{before}\n"), &format!("\n{after}\n"), 1);
        }
    }
    Some(changed)
}

/// A statement without the bullets before it; the sign of a number is none.
fn unmarked(head: &str) -> &str {
    let head = head.trim_start_matches(' ');
    match ["- ", "* ", "+ "].iter().find_map(|bullet| head.strip_prefix(bullet)) {
        Some(rest) => unmarked(rest),
        None => head,
    }
}

/// An empty line between a statement and its reasons, where one of the two texts has it.
fn gap_of(old_head: &str, content: &str) -> &'static str {
    if old_head.ends_with("\n\n") || content.contains("\n\n") { "\n" } else { "" }
}

/// A statement and the `Why:` and `How to apply:` lines that follow it.
fn head(text: &str) -> (&str, &str) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && label(line).is_some() {
            return text.split_at(at);
        }
        at += line.len();
    }
    (text, "")
}

/// New reasons in place of old ones with the same label; the others stay.
fn merged(old: &str, new: &str) -> String {
    if new.trim().is_empty() {
        return old.to_owned();
    }
    let given: Vec<&str> = new.lines().filter_map(label).collect();
    let mut fields = format!("{}\n", new.trim_end());
    let mut stays = false;
    for line in old.split_inclusive('\n') {
        stays = label(line).map_or(stays, |label| !given.contains(&label));
        if stays && !line.trim().is_empty() {
            fields.push_str(&format!("{}\n", line.trim_end()));
        }
    }
    fields
}

/// Which reason a line begins.
fn label(line: &str) -> Option<&'static str> {
    let line = line.trim_start_matches([' ', '*', '_']).to_lowercase();
    [("why", "why"), ("how to apply", "how"), ("how_to_apply", "how")]
        .into_iter()
        .find_map(|(word, label)| line.starts_with(word).then_some(label))
}

/// True for one paragraph without code, quotes, nested items or an indented part.
fn is_plain(head: &str) -> bool {
    let body = head.trim();
    let marked = |line: &str| {
        line.trim_start().starts_with(['-', '*', '+', '>', '#', '|', '`', '~']) || line.starts_with("    ")
    };
    !body.is_empty() && !body.contains("\n\n") && !body.contains("```") && !body.lines().skip(1).any(marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_words_keep_marker_reasons_and_neighbours() {
        let text = "---\nname: X\ntype: user\n---\n# H\n\n- Likes tea.\n  Why: warm.\n- Likes rain.\n";
        let got = rewritten(text, 0, "Likes green tea.").unwrap();
        assert_eq!(got, text.replace("Likes tea.", "Likes green tea."));
        let got = rewritten(text, 1, "Likes the rain.").unwrap();
        assert_eq!(got, text.replace("Likes rain.", "Likes the rain."));
    }

    #[test]
    fn new_reasons_replace_old_ones() {
        let text = made::document(Kind::Feedback, "Use tabs.", "Use tabs.\n\nWhy: width.\n");
        let got = rewritten(&text, 0, "Use tabs everywhere.\n\nWhy: the team agreed.").unwrap();
        assert!(got.ends_with("---\nUse tabs everywhere.\n\nWhy: the team agreed.\n"), "{got}");
        assert!(
            got.contains("description: Use tabs everywhere.\n") && got.contains("name: Use tabs everywhere\n"),
            "{got}"
        );
    }

    #[test]
    fn a_reason_that_is_not_said_anew_stays() {
        let text = made::document(Kind::Feedback, "Use tabs.", "Use tabs.\n\nWhy: width.\nHow to apply: Go files.\n");
        let got = rewritten(&text, 0, "Use tabs everywhere.\n\nWhy: the team agreed.").unwrap();
        let expected = "---\nUse tabs everywhere.\n\nWhy: the team agreed.\nHow to apply: Go files.\n";
        assert!(got.ends_with(expected), "{got}");
    }

    #[test]
    fn the_sign_of_a_number_is_no_bullet() {
        let text = made::document(Kind::Project, "+5 is the rate.", "+5 is the rate.");
        let got = rewritten(&text, 0, "-5 is the rate.").unwrap();
        assert!(got.ends_with("---\n-5 is the rate.\n"), "{got}");
    }

    #[test]
    fn line_ends_stay() {
        let text = "# H\r\n\r\n- Likes tea.\r\n  Why: warm.\r\n- Likes rain.\r\n";
        assert_eq!(rewritten(text, 0, "Likes green tea.").unwrap(), text.replace("Likes tea.", "Likes green tea."));
        assert_eq!(rewritten("- Likes tea.\r\n- Likes rain.\n", 0, "Likes green tea."), None);
    }

    #[test]
    fn more_than_a_sentence_is_left_alone() {
        let text = "- Uses varnish.\n  - three coats\n- Other.\n";
        assert_eq!(rewritten(text, 0, "Uses a varnish."), None);
    }
}
