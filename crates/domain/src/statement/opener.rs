//! How a statement begins, in the languages in which that can be told cheaply.
//!
//! Owns the forms. A form stands at the start of its sentence, so that "if we decided …", "do you always …" and
//! "the docs say never …" are none.

mod forms;

use super::filter::pattern;
use super::local;
use crate::document::Kind;
use forms::*;
use regex::Regex;
use std::sync::LazyLock;

/// A form that was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Opener {
    /// What kind of fact the form tells; `None` = any.
    pub kind: Option<Kind>,
    /// What was said, without the words that only ask to remember it.
    pub said: String,
    /// True when the person asked for it to be remembered: then it is for good even if it sounds like the task at hand.
    pub asked: bool,
}

/// A line that explains the statement before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// Its reason.
    Why,
    /// When and how to apply it.
    How,
}

macro_rules! patterns {
    ($($name:ident = $text:expr;)+) => { $(static $name: LazyLock<Regex> = LazyLock::new(|| pattern($text));)+ };
}

patterns! {
    FILLER = FILLERS;
    EXPLICITS = EXPLICIT;
    EXPLICIT_ENDS = EXPLICIT_END;
    EXPLICIT_BRIEFS = EXPLICIT_BRIEF;
    EXPLICIT_BARES = EXPLICIT_BARE;
    ASIDES = NO_ASIDE;
    SHOWNS = SHOWN;
    OPEN = UNDECIDED;
    ROUTINES = ROUTINE;
    PREFERENCE = PREFERS;
    DISLIKE = DISLIKES;
    HABITS = HABIT;
    ABOUT = ABOUT_ME;
    PERSONS = PERSON_ELSEWHERE;
    ORDERS = ORDER;
    ORDERS_WHEN = ORDER_WHEN;
    ORDERS_EVER = ORDER_EVER;
    AFTER = HENCEFORTH;
    AFTER_END = HENCEFORTH_END;
    STOPS = STOP;
    ORDERS_ELSEWHERE = ORDER_ELSEWHERE;
    DECISION = DECIDED;
    OUR = OURS;
    DATES = DATED;
    DECISIONS = DECIDED_ELSEWHERE;
    PLACES = PLACE;
    TRACKS = TRACKED;
    BECAUSE = r"(?i)\s*[,;–—-]?\s+(?:because|weil|denn|parce que|porque|perché|потому что)\s+|[，,]?因为";
    ADDRESS = r"^(?P<place>.*https?://[^\s,;]+)[,;–—]\s*(?:and |so |please )?(?P<rest>\S.*)$";
    FIELD_WHY = r"(?i)^(?:\*\*)?why(?:\*\*)?\s*:(?:\*\*)?\s*(?P<said>.+)$|^(?:that['’]?s )?because (?P<because>.+)$|^the reason (?:is|being)(?: that)?:? (?P<reason>.+)$";
    FIELD_HOW = r"(?i)^(?:\*\*)?how[ _-]to[ _-]apply(?:\*\*)?\s*:(?:\*\*)?\s*(?P<said>.+)$|^(?:this|that|it) applies (?P<applies>.+)$";
}

/// The form of a sentence, if it has one.
pub(super) fn of(sentence: &str) -> Option<Opener> {
    let whole = sentence.trim();
    let bare = FILLER.find(whole).map_or(whole, |filler| &whole[filler.end()..]);
    explicit(bare).or_else(|| form(bare))
}

/// What a text says behind "please remember that" and its like; `None` when it does not begin so.
pub(super) fn requested(text: &str) -> Option<&str> {
    let whole = text.trim_start();
    let bare = FILLER.find(whole).map_or(whole, |filler| &whole[filler.end()..]);
    let line = bare.lines().next()?;
    let said = EXPLICITS.captures(line).or_else(|| EXPLICIT_BRIEFS.captures(line))?.name("said")?.start();
    Some(bare[said..].trim_start()).filter(|said| !said.is_empty())
}

/// Splits a reason off: what was said, and why.
pub(super) fn because(said: &str) -> Option<(&str, &str)> {
    let found = BECAUSE.find(said)?;
    let (before, after) = (&said[..found.start()], &said[found.end()..]);
    // "Never skip a test just because it is slow" is one thought.
    let whole = before.ends_with("just") || before.ends_with("only") || before.chars().count() < 12;
    (!whole && !after.trim().is_empty()).then_some((before, after))
}

/// Splits off what is said behind an address: where something is, and what to do there.
pub(super) fn beyond_address(said: &str) -> Option<(&str, &str)> {
    let found = ADDRESS.captures(said)?;
    Some((found.name("place")?.as_str(), found.name("rest")?.as_str()))
}

/// A sentence that explains the one before it.
pub(super) fn field(sentence: &str) -> Option<(Field, &str)> {
    [(Field::Why, &*FIELD_WHY), (Field::How, &*FIELD_HOW)].into_iter().find_map(|(field, form)| {
        let found = form.captures(sentence)?;
        let said = found.iter().skip(1).flatten().next()?;
        Some((field, said.as_str()))
    })
}

fn told(kind: Kind, said: &str) -> Option<Opener> {
    Some(Opener { kind: Some(kind), said: said.to_owned(), asked: false })
}

/// "Remember that …": whatever it is, the person wants it kept; if a form is inside, it tells the kind.
fn explicit(text: &str) -> Option<Opener> {
    if let Some(found) = ROUTINES.captures(text) {
        return told(Kind::Feedback, &found["said"]);
    }
    let ends = || EXPLICIT_ENDS.captures(text).and_then(|found| found.name("said").or(found.name("korean")));
    let Some(said) = EXPLICITS.captures(text).and_then(|found| found.name("said")).or_else(ends) else {
        return brief(text).or_else(|| form(EXPLICIT_BARES.captures(text)?.name("said")?.as_str()));
    };
    let said = said.as_str().trim();
    Some(Opener { kind: form(said).and_then(|inner| inner.kind), said: said.to_owned(), asked: true })
}

/// The form of what does not ask to be remembered.
fn form(said: &str) -> Option<Opener> {
    person(said).or_else(|| order(said)).or_else(|| project(said)).or_else(|| place(said))
}

/// "Remember the build server is called …", "note that the billing cron runs at …".
fn brief(text: &str) -> Option<Opener> {
    let found = EXPLICIT_BRIEFS.captures(text)?;
    let whole = found["subject"].split_whitespace().all(|word| !NO_SUBJECT.contains(&word.to_lowercase().as_str()));
    let aside = found.name("aside").is_some();
    let meant = whole && !(aside && ASIDES.is_match(&found["rest"]));
    let kind = form(&found["said"]).and_then(|inner| inner.kind);
    meant.then(|| Opener { kind, said: found["said"].to_owned(), asked: !aside })
}

fn person(text: &str) -> Option<Opener> {
    if let Some(found) = PREFERENCE.captures(text) {
        return told(Kind::User, text).filter(|_| is_general(&found["rest"]));
    }
    if let Some(found) = DISLIKE.captures(text) {
        // What somebody does not like is before their eyes more often than what they prefer.
        let far = !ARTICLES.contains(&first(&found["rest"]).as_str()) && found["rest"].split_whitespace().count() > 1;
        return told(Kind::User, text).filter(|_| far && is_general(&found["rest"]));
    }
    if let Some(found) = HABITS.captures(text) {
        let verb = first(&found["rest"]);
        let habit = !NO_HABIT.contains(&verb.as_str()) && !verb.ends_with("ed") && found["rest"].split(' ').count() > 2;
        return told(Kind::User, text).filter(|_| habit && !local::only_points(&found["rest"]));
    }
    (ABOUT.is_match(text) || PERSONS.is_match(text)).then(|| told(Kind::User, text)).flatten()
}

fn first(rest: &str) -> String {
    rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase()
}

/// True for what somebody prefers whatever is before their eyes: "it when answers are short" is, "the other one" is not.
fn is_general(rest: &str) -> bool {
    let word = first(rest);
    if ARTICLES.contains(&word.as_str()) {
        let alone = rest.split_whitespace().count() == 1;
        return !(alone || SHOWNS.is_match(rest) || points(rest));
    }
    !NEAR_BY.contains(&word.as_str()) || rest.to_lowercase().starts_with("it when ")
}

/// True when the thing itself is only pointed at; its reason may point at the thing.
fn points(said: &str) -> bool {
    local::only_points(because(said).map_or(said, |(said, _)| said))
}

fn order(text: &str) -> Option<Opener> {
    for form in [&ORDERS, &ORDERS_WHEN, &ORDERS_EVER] {
        if let Some(found) = form.captures(text) {
            let meant = is_imperative(&found["verb"]) && !local::ends_soon(&found["rest"]);
            return told(Kind::Feedback, text).filter(|_| meant && !points(text));
        }
    }
    if let Some(found) = AFTER.captures(text).or_else(|| AFTER_END.captures(text)) {
        return henceforth(&found["said"]);
    }
    let meant = (STOPS.is_match(text) && !local::only_points(text)) || ORDERS_ELSEWHERE.is_match(text);
    meant.then(|| told(Kind::Feedback, text)).flatten()
}

/// What holds from now on: an order, or what "we" do; a forecast is neither.
fn henceforth(said: &str) -> Option<Opener> {
    let first = said.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let kind = match first.as_str() {
        "we" => Kind::Project,
        "it" | "this" | "that" | "these" | "i" | "they" | "the" | "there" | "he" | "she" | "maybe" | "could"
        | "would" => return None,
        _ => Kind::Feedback,
    };
    told(kind, said).filter(|_| said.split_whitespace().count() > 2 && !local::only_points(said))
}

fn project(text: &str) -> Option<Opener> {
    if let Some(found) = DECISION.captures(text) {
        let rest = &found["rest"];
        // "on Postgres" names a thing; "to wait" does not.
        let least = if ["on", "against", "for"].contains(&first(rest).as_str()) { 2 } else { 3 };
        let enough = rest.split_whitespace().count() >= least && !rest.starts_with(':');
        return told(Kind::Project, text).filter(|_| enough && !OPEN.is_match(&local::without_lasting(rest)));
    }
    let is = OUR.is_match(text) || DATES.is_match(text) || DECISIONS.is_match(text);
    is.then(|| told(Kind::Project, text)).flatten()
}

fn place(text: &str) -> Option<Opener> {
    (PLACES.is_match(text) || TRACKS.is_match(text)).then(|| told(Kind::Reference, text)).flatten()
}

/// True for a verb as orders have it: "always returns null" and "never seen" tell what happens.
fn is_imperative(verb: &str) -> bool {
    let verb = verb.to_lowercase();
    let third_person = verb.ends_with('s') && !verb.ends_with("ss") && verb != "focus";
    let past = verb.ends_with("ed") && verb != "embed" && verb != "need";
    let going = verb.ends_with("ing") && verb != "bring" && verb != "ping";
    !(third_person || past || going || NO_ORDER.contains(&verb.as_str()))
}
