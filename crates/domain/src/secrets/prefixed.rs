//! Tokens that carry their issuer in front: `issuer_kind_` and then a long random run.
//!
//! Owns the form that most issuers have come to use, so that a token of one that no rule knows is found as well.
//! Never looks at what stands around it. Ids have the same form (`msg_…`, `req_…`): their nouns are left alone.
//! Start at [`tokens`].

use super::value::{entropy, pieces, restless, stand_in, wordy};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

/// The longest token and the longest prefix that are read.
const LONGEST: usize = 256;
const PREFIX: usize = 40;

/// Words of a prefix that say that a secret follows, and ends of such words (`glpat`).
const TELLING: [&str; 8] = ["api", "sk", "tok", "live", "access", "auth", "private", "priv"];
const ENDS: [&str; 4] = ["key", "token", "secret", "pat"];

/// Nouns whose ids are no secret.
static IDS: LazyLock<HashSet<&[u8]>> = LazyLock::new(|| NOUNS.split(' ').map(str::as_bytes).collect());
const NOUNS: &str = "\
    msg toolu srvtoolu req run thread call resp file user usr org cus pi evt event in sub price prod \
    acct ch session sess team proj project batch asst item rs fc step vs job build img doc dpl prj \
    container wrkspc node id uid hash sha md etag rev commit digest object obj page trace span conv \
    chat vol inv task order ord pay txn plan ws wf exec acc grp ent seti pm si il po tr workspace \
    workflow space agent client customer invoice account channel room message comment note track clip \
    video audio image asset media upload download export import query report alert incident deploy \
    deployment release version snapshot backup cluster pod host server instance model dataset index";

/// Prefixes of keys that are made to be shown.
const SHOWN: [&str; 4] = ["pk", "phc", "pub", "public"];

/// Every token of this form in a text.
pub(super) fn tokens(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text.get(at..)?.iter().position(|byte| PART[usize::from(*byte)])?;
            let length = text[start..].iter().position(|byte| !PART[usize::from(*byte)]).unwrap_or(text.len() - start);
            at = start + length;
            // Inside a path, a link or Base64 anything may look like a prefix.
            let amid = start > 0 && b"+/.%@~\\".contains(&text[start - 1]);
            if (20..=LONGEST).contains(&length) && !amid && is_token(&text[start..at]) {
                return Some(start..at);
            }
        }
    })
}

/// What tokens are made of.
static PART: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_' || byte as u8 == b'-';
        byte += 1;
    }
    table
};

/// Tries each place where a prefix of words could end.
fn is_token(run: &[u8]) -> bool {
    let bars = run.iter().enumerate().take(PREFIX).filter(|(_, byte)| **byte == b'_').map(|(at, _)| at);
    bars.take_while(|bar| words(&run[..*bar])).any(|bar| random(&run[..bar], &run[bar + 1..]))
}

/// Whether a prefix is made of words of one case, each perhaps with a number.
fn words(prefix: &[u8]) -> bool {
    let one_case = !prefix.iter().any(u8::is_ascii_lowercase) || !prefix.iter().any(u8::is_ascii_uppercase);
    let named = prefix.iter().take_while(|byte| byte.is_ascii_alphabetic()).count() > 1;
    let mut words = prefix.split(|byte| *byte == b'_');
    one_case
        && named
        && words.all(|word| {
            let letters = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            letters > 0 && word.len() <= 12 && word[letters..].iter().all(u8::is_ascii_digit)
        })
}

/// Whether what follows is random enough for what its prefix says.
fn random(prefix: &[u8], rest: &[u8]) -> bool {
    let run = &rest[..rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()];
    let has = |text: &[u8], test: fn(&u8) -> bool| text.iter().any(test);
    let dense = |text: &[u8]| {
        has(text, u8::is_ascii_lowercase) && has(text, u8::is_ascii_uppercase) && has(text, u8::is_ascii_digit)
    };
    // Numbers with letters of one case between them, and not a hash.
    let base36 = |text: &[u8]| restless(text) && has(text, |byte| (b'g'..=b'z').contains(&byte.to_ascii_lowercase()));
    let enough = match says(prefix) {
        Says::Secret if dense(run) => run.len() >= 16 && entropy(run) >= 3.5,
        Says::Secret => run.len() >= 24 && has(run, u8::is_ascii_digit) && entropy(run) >= 3.0,
        Says::Nothing if dense(run) => run.len() >= 20 && entropy(run) >= 3.7,
        Says::Nothing => run.len() >= 30 && base36(run) && entropy(run) >= 3.7,
        Says::Id => return false,
    };
    if enough {
        return random_enough(run);
    }
    // A token of Base64 may have its signs early: then all of it counts, if one part is no name and there are few.
    let parts = || rest.split(|byte| !byte.is_ascii_alphanumeric());
    rest.len() >= 30
        && parts().count() * 8 <= rest.len()
        && dense(rest)
        && entropy(rest) >= 4.2
        && parts().any(|part| part.len() >= 8 && dense(part) && random_enough(part))
        && random_enough(rest)
}

fn random_enough(value: &[u8]) -> bool {
    !wordy(value) && !camel(value) && !stand_in(value)
}

/// What a prefix says about what follows it.
enum Says {
    Secret,
    Id,
    Nothing,
}

fn says(prefix: &[u8]) -> Says {
    let ends = |word: &[u8], end: &str| {
        word.len() >= end.len() && word[word.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
    };
    let mut words = prefix.split(|byte| *byte == b'_');
    if words.clone().any(|word| SHOWN.iter().any(|it| word.eq_ignore_ascii_case(it.as_bytes()))) {
        return Says::Id;
    }
    if words.clone().any(|word| {
        TELLING.iter().any(|it| word.eq_ignore_ascii_case(it.as_bytes())) || ENDS.iter().any(|end| ends(word, end))
    }) {
        return Says::Secret;
    }
    let first = words.next().unwrap_or_default();
    let noun = &first[..first.iter().take_while(|byte| byte.is_ascii_alphabetic()).count()];
    if IDS.contains(noun.to_ascii_lowercase().as_slice()) { Says::Id } else { Says::Nothing }
}

/// Whether half of a run is words of a `CamelCaseName`; random letters of both cases seldom make one of three.
fn camel(run: &[u8]) -> bool {
    let word = |piece: &&[u8]| piece.len() >= 3 && piece[1..].iter().all(u8::is_ascii_lowercase) && wordy(piece);
    run.iter().any(u8::is_ascii_uppercase) && pieces(run).filter(word).map(<[u8]>::len).sum::<usize>() * 2 >= run.len()
}
