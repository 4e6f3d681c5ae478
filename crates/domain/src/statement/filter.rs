//! What never becomes a memory, whoever proposes it.
//!
//! Owns the named reasons for which a patch is dropped; the extractor without a model and a model's answer pass the same door.

use crate::secrets;
use regex::Regex;
use std::fmt;
use std::sync::LazyLock;

/// The shortest summary; a wide sign says as much as two narrow ones.
const SHORTEST: usize = 12;

/// Why a patch was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dropped {
    /// It says next to nothing.
    Short,
    /// It asks.
    Question,
    /// It is true today and wrong tomorrow.
    Moment,
    /// It tells of the conversation, not of what lasts.
    Talk,
    /// There is nothing in it but a secret.
    Secret,
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dropped::Short => "too short",
            Dropped::Question => "a question",
            Dropped::Moment => "about the moment",
            Dropped::Talk => "about the conversation",
            Dropped::Secret => "a secret",
        })
    }
}

/// Says whether a summary may be kept.
pub fn check(summary: &str) -> Result<(), Dropped> {
    let summary = summary.trim();
    if summary.chars().map(|sign| if sign >= '\u{1100}' { 2 } else { 1 }).sum::<usize>() < SHORTEST {
        return Err(Dropped::Short);
    }
    if summary.trim_end_matches(['"', '\'', ')', '”', '»', ' ']).ends_with(['?', '？', '؟']) {
        return Err(Dropped::Question);
    }
    if speaks_of_the_moment(summary) {
        return Err(Dropped::Moment);
    }
    if TALK.is_match(summary) {
        return Err(Dropped::Talk);
    }
    if is_only_a_secret(summary) {
        return Err(Dropped::Secret);
    }
    Ok(())
}

/// "From now on" is for good, "right now" is not.
const FOR_GOOD: &str = r"(?i)\b(?:from now on|from today on|as of today|starting (?:now|today)|ab jetzt|von jetzt an|von nun an|à partir de maintenant|a partir de ahora|de ahora en adelante|a partir de agora|d['’]ora in poi)\b|从现在(?:开始|起)|從現在起";
const MOMENT: &str = r"(?ix)
    \b(?: today | tonight | tomorrow | yesterday | now | currently | presently | temporar(?:y|ily) | for\ the\ moment
      | at\ the\ moment | at\ this\ moment | at\ present | for\ the\ time\ being | this\ time | just\ this\ once | this\ once
      | this\ (?:morning|afternoon|evening|week|weekend|session|conversation|chat) | (?:last|next)\ (?:night|week)
      | as\ of\ late | momentarily | in\ a\ minute | work\ in\ progress | wip
      | heute | jetzt | gerade | derzeit | momentan | vorerst | vorübergehend | morgen\ früh
      | aujourd['’]hui | maintenant | actuellement | temporairement | pour\ l['’]instant | en\ ce\ moment
      | hoy | ahora | actualmente | temporalmente | por\ ahora | de\ momento
      | hoje | agora | atualmente | por\ enquanto | temporariamente
      | oggi | adesso | attualmente | per\ ora | temporaneamente
      | сегодня | сейчас | временно | пока )\b
    | 今天 | 现在 | 現在 | 目前 | 暂时 | 暫時 | 今日 | とりあえず | 一時的 | 오늘 | 지금 | 현재 | 임시";

/// Small models retell what was said instead of what was learnt.
const RETOLD: &str = r"(?ix)^(?:(?:the|this|an?)\s+)?(?:
      (?:ai\s+)?(?:assistant|chatbot)\b
    | (?:agent|model|ai)\s+(?:has\s+|then\s+|also\s+)*(?:decided|said|suggested|recommended|agreed|explained|mentioned|confirmed|noted)\b
    | (?:conversation|chat)\s+(?:is|was|covers|covered)\b
    | (?:user|person|human)\s+(?:has\s+|is\s+|then\s+|also\s+)*(?:ask(?:s|ed|ing)?|request(?:s|ed|ing)?|want(?:s|ed)?\s+(?:help|to\s+know)
        |need(?:s|ed)?\s+help|inquir(?:es|ed)|thank(?:s|ed)?)\b)";
static TALK: LazyLock<Regex> = LazyLock::new(|| pattern(RETOLD));
static EXEMPT: LazyLock<Regex> = LazyLock::new(|| pattern(FOR_GOOD));
static MOMENTS: LazyLock<Regex> = LazyLock::new(|| pattern(MOMENT));

/// A pattern that is part of the program.
pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| unreachable!("a pattern of the program: {error}"))
}

fn speaks_of_the_moment(summary: &str) -> bool {
    MOMENTS.is_match(&EXEMPT.replace_all(summary, " "))
}

/// True when redaction leaves fewer words than a statement needs.
fn is_only_a_secret(summary: &str) -> bool {
    let findings = secrets::scan(summary);
    if findings.is_empty() {
        return false;
    }
    let redacted = secrets::redact(summary);
    let rest = MARK.replace_all(&redacted, " ");
    let words = rest.split_whitespace().filter(|word| word.chars().filter(|sign| sign.is_alphabetic()).count() > 1);
    words.count() < 4
}

static MARK: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[REDACTED:[^\]]*\]"));
