//! What is not for good: said of the task at hand, in jest, or taken back at once.

use super::filter::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// Pointing at something that another session will not see.
const TASK: &str = r"(?ix)
    \b(?:this|these|that|those|the\ (?:current|same|above|following|second|first|last|new|old|other|two))\s+(?:\w+\s+)?
      (?: function|method|class|struct|enum|trait|interface|module|file|line|loop|block|branch|pr|pull\ request|mr|commit|diff
        | patch|change|test|case|bug|issue|ticket|error|warning|step|task|one|ones|instance|variable|column|field|row|table
        | query|call|component|button|modal|page|screen|snippet|code|place|places|part|section|version|approach|option|name
        | idea|way|thing|things|endpoint|handler|script|cell|argument|parameter|type|value|request|response|key|id|example
        | if|refactor|migration|run|build|job|log|trace|prompt|answer|message )s?\b
    | \bline\ \d+ | \b(?:here|hereby|above|below)\b | \w\(\) | \boption\ [a-z0-9]\b
    | \b(?:the|both|either)\ (?:first|second|former|latter)\b
    | 这个|那个|這個|那個|这里|這裡 | \bdiese[rsnm]?\s+(?:Funktion|Datei|Zeile|Methode|Klasse|Fehler|Test)\b
    | \b(?:cette|ce)\s+(?:fonction|fichier|ligne|méthode|classe|erreur) | \best[ea]\s+(?:función|archivo|línea|método|clase|error)\b";
/// The same for what somebody asked to be remembered: only what is pointed at with the finger.
const NEAR: &str = r"(?ix)
    (?: \b(?:this|these|those|the\ (?:current|above|following)) | (?:^|\b(?:in|on|of|for|at|to|with|from|by)\ )that )\s+(?:\w+\s+)?
      (?: function|method|class|struct|enum|trait|interface|module|file|line|loop|block|branch|pr|pull\ request|mr|commit|diff
        | patch|change|test|bug|issue|ticket|error|warning|step|task|one|variable|column|field|row|query|call|component|button
        | modal|page|screen|snippet|code|part|section|version|approach|option|endpoint|handler|script|cell|argument|parameter
        | value|request|response|example|refactor|run|job|log|trace|prompt|answer|message )s?\b
    | 这个|那个|這個|那個 | \bdiese[rsnm]?\s+(?:Funktion|Datei|Zeile|Methode|Klasse|Fehler|Test)\b
    | \b(?:cette|ce)\s+(?:fonction|fichier|ligne|méthode|classe|erreur) | \best[ea]\s+(?:función|archivo|línea|método|clase|error)\b";
/// An order that ends by itself; "never merge until the checks pass" does not.
const SOON: &str = r"(?ix)\b(?:until|till)\ (?:the\ )?(?:
      (?:mon|tues|wednes|thurs|fri|satur|sun)day | next\b | (?:end\ of|rest\ of) | release\b | demo\b | launch\b | meeting\b | migration\b | weekend\b
    | further\ notice | then\b | v?\d | (?:january|february|march|april|may|june|july|august|september|october|november|december)\b
    | .{1,40}\b(?:fixed|back|merged|resolved|restored|over|shipped|ships|lands|landed|released)\b )
    | \bfor\ (?:the\ )?(?:rest\ of|next\ \w+)\b";
/// A pronoun whose noun stands elsewhere; "this project" is no such thing.
const POINTER: &str = r"(?i)\b(?:it|them|this|these|those)\b|\bthat(?: again| anymore)?[.!]*$";
const LASTING: &str = r"(?i)\b(?:this|these|our) (?:projects?|repo(?:s|sitory|sitories)?|codebase|code base|team|company|organi[sz]ation|org|workspace|product|monorepo|account|service|services|department)\b";
const JEST: &str = r"(?i)(?:^|\s)/s(?:\s|[.!]|$)|\b(?:lol|lmao|rofl|haha\w*|jk|just kidding|yeah,? right|as if|said no ?one|what could (?:possibly )?go wrong|why not|great idea|obviously not)\b|🙄|😂|🤣|😅|;-?\)";
const BACK: &str = r"(?i)^(?:(?:ok|no|wait|sorry|actually|oh)[,. ]+)*(?:scratch that|ignore (?:that|this|it)|forget (?:that|it|about it)|never ?mind|just kidding|not really|i take (?:that|it) back|strike that)\b";

static TASKS: LazyLock<Regex> = LazyLock::new(|| pattern(TASK));
static NEARS: LazyLock<Regex> = LazyLock::new(|| pattern(NEAR));
static SOONS: LazyLock<Regex> = LazyLock::new(|| pattern(SOON));
static POINTERS: LazyLock<Regex> = LazyLock::new(|| pattern(POINTER));
static LASTINGS: LazyLock<Regex> = LazyLock::new(|| pattern(LASTING));
static JESTS: LazyLock<Regex> = LazyLock::new(|| pattern(JEST));
static BACKS: LazyLock<Regex> = LazyLock::new(|| pattern(BACK));

/// True for words about what only the running task knows.
pub(super) fn is_of_the_task(said: &str) -> bool {
    TASKS.is_match(said)
}

/// True for what only the running task knows, even if somebody asks to remember it.
pub(super) fn is_before_their_eyes(said: &str) -> bool {
    NEARS.is_match(said)
}

/// True for an order with a date on which it ends.
pub(super) fn ends_soon(said: &str) -> bool {
    SOONS.is_match(said)
}

/// Without "this project" and its like, which point at what stays.
pub(super) fn without_lasting(said: &str) -> std::borrow::Cow<'_, str> {
    LASTINGS.replace_all(said, " ")
}

/// True for an order whose object is only pointed at: "never inline it again".
pub(super) fn only_points(said: &str) -> bool {
    POINTERS.is_match(&without_lasting(said))
}

/// True for what is not meant.
pub(super) fn is_in_jest(sentence: &str) -> bool {
    JESTS.is_match(sentence) || sentence.starts_with(['"', '“', '„', '«', '\'', '‘', '「', '`'])
}

/// True for a sentence that takes back what was said before it in the same message.
pub(super) fn takes_back(sentence: &str) -> bool {
    BACKS.is_match(sentence)
}
