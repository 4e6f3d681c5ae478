//! How a statement begins, in the languages in which that can be told cheaply.
//!
//! Owns the forms. A form stands at the start of its sentence, so that "if we decided …", "do you always …" and
//! "the docs say never …" are none.

use super::filter::pattern;
use super::local;
use crate::document::Kind;
use regex::Regex;
use std::sync::LazyLock;

/// A form that was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Opener {
    /// What kind of fact the form tells; `None` = any.
    pub kind: Option<Kind>,
    /// What was said, without the words that only ask to remember it.
    pub said: String,
}

/// A line that explains the statement before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// Its reason.
    Why,
    /// When and how to apply it.
    How,
}

/// What may stand before a statement without changing it.
const FILLERS: &str = r"(?i)^(?:(?:ok|okay|so|and|but|also|then|oh|well|btw|by the way|yes|yep|no|nope|right|cool|thanks|thank you|hey|hi|hello|fyi|please|pls|one (?:more |last )?thing|before (?:we start|i forget)|just so you know|for the record|for your information|important|note|again|exactly|agreed|great|bitte|por favor|s'il te plaît|und|et|y)\s*(?:[,:;.!–—-]+\s*|\s+))+";

/// The rest of the sentence is the fact.
const EXPLICIT: &str = r"(?ix)^(?:
      (?:always\ |do\ )?(?:remember|memori[sz]e)(?:\ this|\ for\ (?:the\ future|later|next\ time))?(?:\ that\ |\s*[:–—]\s*(?:that\ )?)
    | (?:keep|bear)\ in\ mind(?:\ that\ |\s*:\s*)
    | (?:make|take)\ (?:a\ )?note(?:\ that\ |\s*:\s*|\ of\ this\s*:\s*)
    | (?:don['’]?t|do\ not|never)\ forget\ that\ 
    | (?:save|add|store|put)\ (?:this\ )?(?:in|to|into)\ (?:your\ |the\ )?memory\s*:?\s+(?:that\ )?
    | merke?\ dir(?:\ bitte)?\s*(?:[:,]\s*|\ )(?:dass\ )? | denke?\ (?:bitte\ )?daran\s*[,:]?\s*dass\  | vergiss\ nicht\s*,?\s*dass\ 
    | (?:souviens-toi|rappelle-toi|retiens|n['’]oublie\ pas)(?:\ bien)?\s*(?:que\ |qu['’]|:\s*)
    | (?:recuerda|acuérdate(?:\ de)?|ten\ en\ cuenta|no\ olvides)\s*(?:que\ |:\s*)
    | (?:lembre-se|lembra-te|lembra|não\ (?:se\ )?esqueças?|tenha\ em\ mente)(?:\ de)?\s*(?:que\ |:\s*)
    | (?:ricorda(?:ti)?|tieni\ presente|non\ dimenticare)\s*(?:che\ |:\s*)
    | (?:запомни|помни|учти|имей\ в\ виду)\s*(?:,?\s*что\ |:\s*)
    | (?:请|請)?(?:记住|記住|牢记|牢記|记一下|記一下)[：:，,\s]*
    | 覚えて(?:おいて)?(?:ください)?[:：、，\s]+ | 기억해(?:줘|\ ?주세요)?[:：,]\s*
    )(?P<said>.+)$";
/// The same with the verb at the end.
const EXPLICIT_END: &str = r"^(?P<said>.{6,}?)(?:という)?(?:こと|の)?(?:を|と|は)覚えておいて(?:ください|ね)?[。.!！]?$|^(?P<korean>.{6,}?)(?:는|다는) (?:것을|걸) 기억해\s?(?:줘|주세요)?[.!]?$";
/// An order that is repeated, so it is for good: "remember to … before every …".
const ROUTINE: &str = r"(?ix)^(?:(?:always\ )?remember|(?:don['’]?t|do\ not|never)\ forget)\ to\ (?P<said>.+
    \b(?:every|each|always|whenever|before\ (?:you|we|any|each|every|committing|pushing|merging|releasing|deploying)|after\ (?:each|every|any))\b.*)$";

/// The person.
const PREFERS: &str =
    r"(?ix)^i\ (?:(?:really|strongly|generally|usually|personally|much|always)\ )*(?:prefer|favou?r)\ (?P<rest>.+)$";
const DISLIKES: &str =
    r"(?ix)^i\ (?:really\ )?(?:hate|dislike|can['’]?t\ stand|don['’]?t\ like|do\ not\ like)\ (?P<rest>.+)$";
const HABIT: &str = r"(?ix)^i\ (?:always|never|usually|typically|normally)\ (?P<rest>[a-z][\w'’-]+\ .+)$";
const ABOUT_ME: &str = r"(?x)^(?:
      (?i:my\ (?:name|role|job|job\ title|title|time\ ?zone|pronouns|native\ language|first\ language|mother\ tongue|editor|shell|os|operating\ system|keyboard\ layout|(?:preferred|favou?rite)\ [\w\ -]{2,40}?)\ (?:is|are)\ .+)
    | (?i:call\ me)\ \p{Lu}\w+.*
    | (?i:i(?:['’]m|\ am|\ work\ as)\ (?:an?|the)\ (?:[\w/+\#.-]+\ ){0,5}?(?:engineer|developer|programmer|designer|scientist|analyst|manager|student|teacher|researcher|architect|consultant|administrator|admin|lead|founder|writer|nurse|doctor|lawyer|accountant|pm|sre|cto|ceo|dba|maintainer|freelancer|beginner)\b.*)
    | (?i:i\ (?:use|type\ on|work\ (?:on|in|with))\ .*\b(?:keyboard|editor|vim|neovim|emacs|vs\ ?code|intellij|zed|helix|tmux|zsh|fish|screen\ reader|macos|linux|windows|nixos|dvorak|colemak|terminal|layout)\b.*)
    | (?i:i\ speak\ \p{L}+.*) | (?i:i\ live\ in\ .+)
    )$";
/// The person, in other languages; none of them points at something near.
const PERSON_ELSEWHERE: &str = r"(?ix)^(?:
      (?:ich\ (?:bevorzuge|mag\ lieber)|je\ préfère|(?:yo\ |eu\ )?prefi(?:ero|ro)|(?:io\ )?preferisco|я\ предпочитаю)\ (?P<rest>.+)
    | 我(?:更|比较|比較)?(?:喜欢|喜歡|偏好|倾向于)(?P<chinese>[^这那它這].+) | 私は(?P<japanese>.+)(?:が好き(?:です)?|を好みます)。?
    )$";

/// How agents should work.
const ORDER: &str = r"(?ix)^(?:you\ (?:should|must|need\ to|have\ to)\ )?(?P<word>always|never)\ (?P<verb>[a-z][\w'’-]*)\ (?P<rest>.+)$";
const ORDER_WHEN: &str = r"(?ix)^(?:when(?:ever)?|if\ you|before|after|for|in|with)\ (?P<when>[^,]{2,80}),\ (?:please\ )?(?:you\ (?:should|must)\ )?(?P<word>always|never)\ (?P<verb>[a-z][\w'’-]*)\ (?P<rest>.+)$";
const ORDER_EVER: &str = r"(?ix)^(?:don['’]?t|do\ not)\ ever\ (?P<verb>[a-z][\w'’-]*)\ (?P<rest>.+)$";
const HENCEFORTH: &str = r"(?ix)^(?:from\ (?:now|here)\ on(?:\ out)?|going\ forward|henceforth|in\ (?:the\ )?future|from\ today\ on)\s*,?\ (?P<said>.+)$";
const HENCEFORTH_END: &str =
    r"(?ix)^(?P<said>[a-z].+?),?\ (?:from\ (?:now|here)\ on(?:\ out)?|going\ forward|henceforth)[.!]*$";
const STOP: &str = r"(?ix)^(?:stop|quit|avoid)\ \w+ing\b.*\b(?:every|each|always|all|any|your\ (?:answers|replies|responses|messages))\b.*$";
const ORDER_ELSEWHERE: &str = r"(?ix)^(?:
      (?:ab\ jetzt|von\ (?:nun|jetzt)\ an|künftig|in\ zukunft)\s*,?\ .+ | (?:verwende|benutze|nutze|schreibe?|antworte|frage?)\ (?:bitte\ )?(?:immer|nie|niemals)\ .+
    | (?:désormais|dorénavant|à\ partir\ de\ maintenant)\s*,?\ .+ | n['’e]\ ?\p{L}+\ jamais\ .+ | \p{L}+(?:e|s|z)\ toujours\ .+
    | (?:a\ partir\ de\ ahora|de\ ahora\ en\ adelante|a\ partir\ de\ agora|d['’]ora\ in\ poi)\s*,?\ .+
    | (?:siempre\ (?:usa|escribe|responde|ejecuta|pregunta)|nunca\ (?:uses|escribas|respondas|ejecutes|borres))\ .+
    | (?:отныне|впредь|с\ этого\ момента)\s*,?\ .+ | (?:всегда|никогда\ не)\ \p{L}+(?:й|йте|ь|ьте)\ .+
    | (?:请|請)?(?:以后|以後|今后|今後|从现在(?:开始|起)|從現在起|总是|總是|始终|始終|永远不要|永遠不要|绝不要|不要再).+ | (?:今後は|これからは).+
    )$";

/// The project.
const DECIDED: &str = r"(?ix)^(?:we|the\ \w+(?:\ team)?|everyone|everybody|management|legal|product|leadership|it\ was)(?:['’]ve|\ have|\ has|\ had)?(?:\ all|\ just|\ already|\ finally)?\ (?:decided|agreed|chose|settled|opted|committed|voted|ruled)\ (?P<rest>.+)$";
const OURS: &str = r"(?ix)^our\ (?:[\w-]+\ ){0,3}?(?:policy|convention|rule|standard|agreement|process|deadline|goal|release\ date|release\ window|code\ freeze|sla|target|naming\ scheme)\ (?:[\w\ -]{0,40}?\ )?(?:is|are)\ .+$";
const DATED: &str = r"(?ix)^the\ (?:[\w-]+\ ){0,3}?(?:deadline|due\ date|release\ date|launch\ date|launch|cut-?off|code\ freeze|go-live|release)\b[^.]{0,80}?\b(?:is|are|moved\ to|moves\ to|falls\ on|starts\ on|ends\ on)\ [^.]*(?:\d|january|february|march|april|may|june|july|august|september|october|november|december).*$";
const DECIDED_ELSEWHERE: &str = r"(?ix)^(?:
      wir\ haben\ (?:uns\ )?.*\b(?:entschieden|beschlossen|vereinbart|geeinigt)\b.* | (?:nous\ avons|on\ a)\ (?:décidé|choisi|convenu)\ .+
    | (?:hemos\ (?:decidido|acordado)|decidimos|acordamos|combinamos|ficou\ decidido)\ .+ | abbiamo\ (?:deciso|concordato)\ .+
    | мы\ (?:решили|договорились)\ .+ | (?:我们|我們)(?:已经|已經)?(?:决定|決定|商定|约定|約定).+ | .+(?:ことに(?:決め|し)ました|に決めました)。?
    )$";

/// Where things are.
const PLACE: &str = r"(?ix)^(?:the|our|all|my|every)?\s*(?:[\w'’/&-]+\ ){0,6}?
      (?:dashboards?|tracker|boards?|wiki|docs|documentation|runbooks?|playbooks?|channel|backlog|specs?|design\ docs?|calendar|status\ page|repo(?:sitory)?|roadmap|metrics|logs|alerts|schedule|portal|registry|grafana|kibana|jira|figma|notion|confluence|sentry|postmortems?|changelog|handbook)
      \b[^.?!]{0,60}?\b(?:is|are|lives?|sits?|stay|stays|can\ be\ found)\b[^.?!]{0,40}?(?:https?://\S+|\#[a-z][\w-]+).*$";
const TRACKED: &str = r"(?x)^(?i:(?:the|our|all)?\s*(?:[\w'’-]+\ ){0,4}?(?:bugs|issues|tickets|incidents|tasks|requests|features|outages|feedback|complaints|decisions|designs)\ (?:are|is)\ (?:all\ )?(?:tracked|filed|reported|collected|kept|logged|recorded)\ (?:in|at|on|under)\ )(?:.*(?:https?://|\#[a-z]|\b\p{Lu}).*)$";

/// "always" and "never" before one of these are no order.
const NO_ORDER: &[&str] = &[
    "mind", "been", "seen", "had", "have", "has", "got", "get", "nice", "good", "great", "happy", "fun", "on", "off",
    "in", "at", "the", "a", "an", "this", "that", "there", "same", "so", "too", "more", "like", "a-", "again", "heard",
    "was", "were", "is", "are", "did", "does", "knew", "thought", "said", "worked", "happened", "true", "false",
    "null", "none", "one", "two", "just", "only", "my", "your", "their", "its", "with", "without", "when", "to", "and",
    "or", "because", "wrong", "right", "ready",
];
/// "I always" and "I never" before one of these is a complaint, or no habit.
const NO_HABIT: &[&str] = &[
    "forget",
    "get",
    "got",
    "see",
    "saw",
    "seen",
    "mix",
    "confuse",
    "remember",
    "know",
    "knew",
    "understand",
    "understood",
    "thought",
    "think",
    "hear",
    "heard",
    "end",
    "run",
    "have",
    "had",
    "wanted",
    "want",
    "said",
    "say",
    "meant",
    "asked",
    "did",
    "do",
    "was",
    "feel",
    "found",
    "find",
    "liked",
    "loved",
    "wondered",
    "wonder",
    "assumed",
    "expected",
    "noticed",
    "tried",
    "used",
    "met",
    "miss",
    "mess",
    "struggle",
    "been",
    "am",
    "could",
    "would",
    "can",
    "will",
    "even",
    "really",
    "touched",
    "changed",
    "got",
];
/// What a preference may not be of: something that only the two of them see.
const NEAR_BY: &[&str] = &[
    "it", "this", "that", "these", "those", "your", "option", "the", "how", "to", "them", "version", "b", "a", "one",
    "not", "both", "neither", "either",
];

macro_rules! patterns {
    ($($name:ident = $text:expr;)+) => { $(static $name: LazyLock<Regex> = LazyLock::new(|| pattern($text));)+ };
}

patterns! {
    FILLER = FILLERS;
    EXPLICITS = EXPLICIT;
    EXPLICIT_ENDS = EXPLICIT_END;
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
    FIELD_WHY = r"(?i)^(?:\*\*)?why(?:\*\*)?\s*:(?:\*\*)?\s*(?P<said>.+)$|^(?:that['’]?s )?because (?P<because>.+)$|^the reason (?:is|being)(?: that)?:? (?P<reason>.+)$";
    FIELD_HOW = r"(?i)^(?:\*\*)?how[ _-]to[ _-]apply(?:\*\*)?\s*:(?:\*\*)?\s*(?P<said>.+)$|^(?:this|that|it) applies (?P<applies>.+)$";
}

/// The form of a sentence, if it has one.
pub(super) fn of(sentence: &str) -> Option<Opener> {
    let whole = sentence.trim();
    let bare = FILLER.find(whole).map_or(whole, |filler| &whole[filler.end()..]);
    explicit(bare).or_else(|| person(bare)).or_else(|| order(bare)).or_else(|| project(bare)).or_else(|| place(bare))
}

/// Splits a reason off: what was said, and why.
pub(super) fn because(said: &str) -> Option<(&str, &str)> {
    let found = BECAUSE.find(said)?;
    let (before, after) = (&said[..found.start()], &said[found.end()..]);
    // "Never skip a test just because it is slow" is one thought.
    let whole = before.ends_with("just") || before.ends_with("only") || before.chars().count() < 12;
    (!whole && !after.trim().is_empty()).then_some((before, after))
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
    Some(Opener { kind: Some(kind), said: said.to_owned() })
}

/// "Remember that …": whatever it is, the person wants it kept; if a form is inside, it tells the kind.
fn explicit(text: &str) -> Option<Opener> {
    if let Some(found) = ROUTINES.captures(text) {
        return told(Kind::Feedback, &found["said"]);
    }
    let ends = || EXPLICIT_ENDS.captures(text).and_then(|found| found.name("said").or(found.name("korean")));
    let said = EXPLICITS.captures(text).and_then(|found| found.name("said")).or_else(ends)?.as_str().trim();
    let inner = person(said).or_else(|| order(said)).or_else(|| project(said)).or_else(|| place(said));
    Some(Opener { kind: inner.and_then(|inner| inner.kind), said: said.to_owned() })
}

fn person(text: &str) -> Option<Opener> {
    let first = |rest: &str| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let far = |rest: &str| !NEAR_BY.contains(&first(rest).as_str()) && rest.split_whitespace().count() > 1;
    if let Some(found) = PREFERENCE.captures(text).or_else(|| DISLIKE.captures(text)) {
        return told(Kind::User, text).filter(|_| far(&found["rest"]));
    }
    if let Some(found) = HABITS.captures(text) {
        let verb = first(&found["rest"]);
        let habit = !NO_HABIT.contains(&verb.as_str()) && !verb.ends_with("ed") && found["rest"].split(' ').count() > 2;
        return told(Kind::User, text).filter(|_| habit && !local::only_points(&found["rest"]));
    }
    (ABOUT.is_match(text) || PERSONS.is_match(text)).then(|| told(Kind::User, text)).flatten()
}

fn order(text: &str) -> Option<Opener> {
    for form in [&ORDERS, &ORDERS_WHEN, &ORDERS_EVER] {
        if let Some(found) = form.captures(text) {
            let meant = is_imperative(&found["verb"]) && found["rest"].split_whitespace().count() > 1;
            return told(Kind::Feedback, text).filter(|_| meant && !local::only_points(text));
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
        let enough = found["rest"].split_whitespace().count() > 2 && !found["rest"].starts_with(':');
        return told(Kind::Project, text).filter(|_| enough);
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
