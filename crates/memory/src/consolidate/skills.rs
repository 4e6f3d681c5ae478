//! Skills as agents that read skills accept them: a folder with a plain name, and a header with name and description.
//!
//! Owns names and paths: whatever a model calls a skill or a file of it, it lies in the folder of that skill, and no name
//! holds a secret.
//! Only name and description of a header are kept: what else stands there may grant an agent something, and nobody but a
//! person may do that.

use super::answer::{Extra, Skill};
use super::book::says_something;
use loci_domain::digest::Digest;
use loci_domain::document::line::{cut, one_line};
use loci_domain::document::{self, made};
use loci_domain::path::EntryPath;
use loci_domain::secrets;
use std::collections::{BTreeMap, BTreeSet};

/// Characters of a name.
const NAME: usize = 64;
/// Characters of a description.
const DESCRIPTION: usize = 1_024;

/// The files of all skills by path; what cannot lie in its folder is left out.
pub(super) fn files(skills: Vec<Skill>) -> BTreeMap<EntryPath, String> {
    let mut files = BTreeMap::new();
    let mut names = BTreeSet::new();
    for skill in skills {
        if !says_something(&skill.content) {
            continue;
        }
        // Before the name is plain: a secret in lower case is none by any rule.
        let name = unique(plain(&secrets::redact(&skill.name)), &mut names);
        let Ok(path) = EntryPath::parse(&format!("skills/{name}/SKILL.md")) else { continue };
        files.insert(path, card(&name, &skill.content));
        for (folder, extras) in
            [("scripts", skill.scripts), ("templates", skill.templates), ("examples", skill.examples)]
        {
            for extra in extras.into_iter().flatten() {
                place(&mut files, &name, folder, extra);
            }
        }
    }
    files
}

/// Puts a file into its folder, unless its path leads elsewhere or holds a secret, or something is in its way.
fn place(files: &mut BTreeMap<EntryPath, String>, name: &str, folder: &str, extra: Extra) {
    if !secrets::scan(&extra.path).is_empty() {
        return;
    }
    let inner = extra.path.strip_prefix(&format!("{folder}/")).unwrap_or(&extra.path);
    let Ok(path) = EntryPath::parse(&format!("skills/{name}/{folder}/{inner}")) else { return };
    let in_the_way = |known: &EntryPath| known.is_within(&path) || path.is_within(known);
    if says_something(&extra.content) && !path.is_hidden() && !files.keys().any(in_the_way) {
        files.insert(path, extra.content);
    }
}

/// Lower case letters, digits and single hyphens.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    for sign in name.chars().flat_map(char::to_lowercase) {
        match sign {
            sign if sign.is_ascii_alphanumeric() => plain.push(sign),
            _ if !plain.is_empty() && !plain.ends_with('-') => plain.push('-'),
            _ => {}
        }
    }
    plain.truncate(NAME);
    match plain.trim_end_matches('-') {
        // A name in another script, or none: told apart by what it was.
        "" => format!("skill-{}", &Digest::of(name.as_bytes()).to_string()[..8]),
        plain => plain.to_owned(),
    }
}

fn unique(name: String, names: &mut BTreeSet<String>) -> String {
    let mut chosen = name.clone();
    for number in 2.. {
        if names.insert(chosen.clone()) {
            break;
        }
        let room = NAME - 4;
        chosen = format!("{}-{number}", name[..name.len().min(room)].trim_end_matches('-'));
    }
    chosen
}

/// The text of `SKILL.md`.
fn card(name: &str, content: &str) -> String {
    let (description, body) = match EntryPath::parse("SKILL.md") {
        Ok(path) => {
            let read = document::read(&path, content);
            (read.card.description, content[read.body].trim().to_owned())
        }
        Err(_) => (String::new(), content.trim().to_owned()),
    };
    let description = cut(&one_line(&description), DESCRIPTION);
    let description = if description.is_empty() { name.replace('-', " ") } else { description };
    format!("---\n{}\n{}\n---\n\n{body}\n", made::field("name", name), made::field("description", &description))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(name: &str, content: &str) -> Skill {
        Skill { name: name.into(), content: content.into(), ..Skill::default() }
    }

    fn extra(path: &str) -> Extra {
        Extra { path: path.into(), content: "x".into() }
    }

    #[test]
    fn a_skill_of_dots_is_none() {
        let mut one = skill("release", "Cut the release.");
        one.scripts = Some(vec![Extra { path: "a.sh".into(), content: "…".into() }, extra("b.sh")]);
        let files = files(vec![skill("…", "…"), one]);
        let paths: Vec<&str> = files.keys().map(EntryPath::as_str).collect();
        assert_eq!(paths, ["skills/release/SKILL.md", "skills/release/scripts/b.sh"]);
    }

    #[test]
    fn names_are_plain_and_told_apart() {
        for (given, expected) in [
            ("release-notes", "release-notes"),
            ("On Call!", "on-call"),
            ("../../evil", "evil"),
            ("/tmp/abs", "tmp-abs"),
            ("a__b--c", "a-b-c"),
            (".hidden", "hidden"),
        ] {
            assert_eq!(plain(given), expected);
        }
        assert!(plain("発布").starts_with("skill-") && plain("発布") != plain("部署"));
        assert_eq!(plain(&"long-".repeat(40)).len(), NAME);
        let names: Vec<String> = files(vec![skill("A", "x"), skill("a", "y"), skill("b", " ")])
            .into_keys()
            .map(|path| path.to_string())
            .collect();
        assert_eq!(names, ["skills/a-2/SKILL.md", "skills/a/SKILL.md"].map(str::to_owned));
    }

    #[test]
    fn no_name_of_a_skill_or_of_its_files_is_a_secret() {
        let key = format!("ghp_{}", "wX9bT2a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5");
        let mut one = skill(&format!("deploy {key}"), "x");
        one.scripts = Some(vec![extra(&format!("{key}.sh")), extra(&format!("{key}/a.sh")), extra("b.sh")]);
        let files = files(vec![one, skill(&key, "y")]);
        let names: Vec<&str> = files.keys().map(EntryPath::as_str).collect();
        assert_eq!(names.len(), 3, "{names:?}");
        assert!(
            names.iter().any(|name| name.starts_with("skills/deploy-redacted-") && name.ends_with("/scripts/b.sh"))
        );
        assert!(names.iter().all(|name| !name.contains("wx9bt2") && !name.contains("wX9bT2")), "{names:?}");
        assert!(files.values().all(|text| !text.to_lowercase().contains("wx9bt2")), "{files:?}");
    }

    #[test]
    fn a_header_has_name_and_description_only() {
        let text = card("ship", "---\nname: Other\ndescription: \"how to: ship\"\nallowed-tools: Bash\n---\nGo.\n");
        assert_eq!(text, "---\nname: ship\ndescription: \"how to: ship\"\n---\n\nGo.\n");
        assert_eq!(
            card("two-words", "# Steps\n\nDo it."),
            "---\nname: two-words\ndescription: Do it.\n---\n\n# Steps\n\nDo it.\n"
        );
    }

    #[test]
    fn no_file_leaves_the_folder_of_its_skill() {
        let mut one = skill("ok", "x");
        let paths =
            ["a.sh", "scripts/b.sh", "a.sh", "a.sh/c", "../../up.sh", "/abs", "x/../y", ".env", "", "a\\b", "~/z"];
        one.scripts = Some(paths.map(extra).to_vec());
        let names: Vec<String> = files(vec![one]).into_keys().map(|path| path.to_string()).collect();
        assert_eq!(
            names,
            ["skills/ok/SKILL.md", "skills/ok/scripts/a.sh", "skills/ok/scripts/b.sh"].map(str::to_owned)
        );
    }
}
