//! Which kind of fact a statement is, by rules.

use loci_domain::document::Kind;
use loci_domain::statement;

/// How a rule for agents starts; the first words of a statement count.
const RULES: [&str; 44] = [
    "always",
    "never",
    "don't",
    "do not",
    "dont",
    "avoid",
    "stop",
    "please",
    "make sure",
    "ensure",
    "prefer ",
    "use ",
    "keep ",
    "must",
    "you should",
    "you must",
    "when you",
    "before you",
    "from now on",
    "immer",
    "nie ",
    "niemals",
    "bitte",
    "vermeide",
    "toujours",
    "jamais",
    "évite",
    "ne pas",
    "siempre",
    "nunca",
    "evita",
    "sempre",
    "mai ",
    "не ",
    "всегда",
    "никогда",
    "总是",
    "不要",
    "请",
    "必须",
    "必ず",
    "絶対",
    "항상",
    "절대",
];

/// How a person speaks of themself.
const SELF: [&str; 23] = [
    "i ", "i'm", "i’m", "i've", "i’ve", "my ", "me ", "mine ", "ich ", "mein", "je ", "j'", "mon ", "ma ", "yo ",
    "mi ", "prefiero", "io ", "я ", "мой", "我", "私", "나는",
];

/// Words for what stands elsewhere.
const ELSEWHERE: [&str; 26] = [
    "dashboard",
    "grafana",
    "wiki",
    "confluence",
    "notion",
    "runbook",
    "tracker",
    "jira",
    "linear",
    "kanban",
    "slack",
    "channel",
    "ticket",
    "bookmark",
    "documentation",
    "spreadsheet",
    "repository is at",
    "docs are",
    "link:",
    "tableau de bord",
    "仪表板",
    "看板",
    "文档",
    "链接",
    "ダッシュボード",
    "대시보드",
];

/// Words of the work that a team does.
const WORK: [&str; 16] = [
    "deadline",
    "release",
    "milestone",
    "sprint",
    "decided",
    "decision",
    "incident",
    "launch",
    "roadmap",
    "we ",
    "our ",
    "the team",
    "wir ",
    "nous ",
    "项目",
    "プロジェクト",
];

/// The kind of a statement: what stands elsewhere, a rule for agents, the person, else the project.
pub fn guess(statement: &str) -> Kind {
    let said = statement::requested(statement.trim_start_matches(['-', '*', ' '])).to_lowercase();
    let opening: String = said.chars().take(200).collect();
    let starts = |cues: &[&str]| cues.iter().any(|cue| opening.starts_with(cue));
    let has = |cues: &[&str]| cues.iter().any(|cue| opening.contains(cue));
    let of_self = starts(&SELF)
        || opening.contains(" i prefer")
        || opening.contains("the user ")
        || starts(&["user prefers", "user likes", "user is ", "user wants "]);
    if starts(&RULES) || (of_self && (opening.contains(" you to ") || opening.contains("you never"))) {
        return Kind::Feedback;
    }
    if of_self {
        return Kind::User;
    }
    if opening.contains("://") || has(&ELSEWHERE) {
        return Kind::Reference;
    }
    if has(&WORK) { Kind::Project } else { fallback(&opening) }
}

/// A rule may come in the middle of a sentence; without any cue a statement is about the work.
fn fallback(opening: &str) -> Kind {
    let rule = [" should always", " should never", " must not ", " must never "];
    if rule.iter().any(|cue| opening.contains(cue)) { Kind::Feedback } else { Kind::Project }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_their_words() {
        for (statement, kind) in [
            ("The latency dashboard is at https://grafana.example.com/d/latency", Kind::Reference),
            ("Incidents are discussed in the #ops channel", Kind::Reference),
            ("The release deadline of this project is 14 November 2026", Kind::Project),
            ("We decided to use SQLite", Kind::Project),
            ("Backups are kept for ninety days", Kind::Project),
            ("I prefer the Colemak keyboard layout", Kind::User),
            ("My role is staff engineer", Kind::User),
            ("我喜欢喝茶", Kind::User),
            ("Ich arbeite in Lissabon", Kind::User),
            ("Always run the linter before committing", Kind::Feedback),
            ("Don't summarise at the end", Kind::Feedback),
            ("I want you to answer in Portuguese", Kind::Feedback),
            ("不要在周五部署", Kind::Feedback),
            ("Agents should never push to main", Kind::Feedback),
            ("Please remember that the dashboard is at https://grafana.example.com/d/a", Kind::Reference),
            ("ok, remember: I prefer tea", Kind::User),
            ("Please answer in Portuguese", Kind::Feedback),
            ("User prefers tabs", Kind::User),
            ("User stories are written by Ana", Kind::Project),
            ("", Kind::Project),
        ] {
            assert_eq!(guess(statement), kind, "{statement}");
        }
    }
}
