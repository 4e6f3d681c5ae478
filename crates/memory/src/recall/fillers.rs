//! Words of questions, not of answers: as stems, in the languages that write words with spaces.

use std::collections::HashSet;
use std::sync::OnceLock;

const ENGLISH: &str = "a about after all also am an and ani anyth are as at be been befor being but by can could did do doe \
    done ever for from get give go had has have he help her here him his how i if in into is it its just know let like m make \
    may me mi might more most mani much must my need no not now of off on one or our out over own pleas re s say shall she should so \
    some someth somebodi still t take tell than that the their them then there these they thing this those to too up us use ve veri via \
    want was we were whether what when where which while who whom whose whi will with would you your \
    arent cant couldnt didnt doesnt dont hadnt hasnt havent im isnt ive shouldnt thats theyd theyll theyr theyv wasnt werent weve whos wont wouldnt \
    youd youll youv";
const OTHERS: &str = "au con cuanta cuanto cuantas cuánta cuántas cuánto das de del dem den der des die du ein eine einer el en es esta et est hat hay il im \
    ist la las le les lo los mit para por qué que quel quell qui se sind sur un una und une von wer wie wo y zu";

/// Words for a side of a thing, as stems: which habits, whose duty, what kind. What is meant stands beside them.
const ASPECTS: &str = "activ address advic aim amount answer approach area arrang aspect attitud background behavior behaviour caus \
    chang choic common concern condit configur contact convent count current date detail devic duti environ equip \
    exampl expect experi fact favorit favourit format former general goal guidelin habit handl histori info inform \
    instruct interest issu item kind latest level limit list locat main manag manner materi matter method name new \
    number old opinion option overview owner particular past peopl person place plan polici practic prefer present \
    previous problem procedur process purpos qualiti question reason recommend requir respons routin rule schedul \
    set setup situat skill sort specif standard status strategi stuff style subject summari support system task \
    techniqu time tip tool topic troubl type typic user usual valu way whereabout wish workflow \
    时间 時間 시간 日期 日時 날짜 地点 地點 場所 장소 地址 方法 방법 方式 原因 理由 이유 情况 状况 状態 상태 内容 내용 规则 規則 규칙";

/// Pairs of signs that ask or are polite.
const PAIRED: &str = "什么 么时 时候 怎么 怎样 多久 多少 哪个 哪家 哪里 几点 为什 可以 请问 です ます すか どこ いつ だれ どう でし まし \
    어디 인가 가요 나요 까요 세요 주세 어떻 떻게 언제 무엇 누구 되나 하나";

/// Small words that only English has, as they are written.
const ENGLISH_ONLY: &str = "and are can did do does for from how is my of on our that the there they this to we what when where which \
    who why with you your";

/// Small words of other languages that are English words too.
const BOTH: &str = "con den des die es est hay para se";

/// True when the small words of a text are of another language than English.
pub(super) fn is_foreign(text: &str) -> bool {
    let has = |list: &str| {
        let mut words = text.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
        words.any(|word| list.split(' ').any(|known| known == word) && BOTH.split(' ').all(|both| both != word))
    };
    has(OTHERS) && !has(ENGLISH_ONLY)
}

/// True for a token that says nothing about what is asked.
pub(crate) fn is_filler(token: &str) -> bool {
    static FILLERS: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let all =
        || ENGLISH.split(' ').chain(OTHERS.split(' ')).chain(PAIRED.split(' ')).filter(|filler| !filler.is_empty());
    FILLERS.get_or_init(|| all().collect()).contains(token)
}

/// True for a token that says which side of a thing is asked for, and not which thing.
pub(super) fn is_aspect(token: &str) -> bool {
    static SET: OnceLock<HashSet<&'static str>> = OnceLock::new();
    SET.get_or_init(|| ASPECTS.split_whitespace().collect()).contains(token)
}

#[cfg(test)]
mod tests {
    use super::{is_aspect, is_filler, is_foreign};
    use loci_domain::words;

    #[test]
    fn stems_of_fillers_are_fillers() {
        for word in ["please", "very", "why", "does", "anything", "before", "any", "using", "der", "quel"] {
            let tokens = words::tokens(word);
            assert!(tokens.iter().all(|token| is_filler(token)), "{word}: {tokens:?}");
        }
        assert!(!is_filler("deploy") && !is_filler(""));
    }

    #[test]
    fn hay_fever_is_english() {
        assert!(!is_foreign("hay fever tablets") && !is_foreign("die casting"));
        assert!(is_foreign("¿Cuántas vacas hay en Asturias?") && is_foreign("Wer hat den Kopierer bestellt?"));
    }

    #[test]
    fn stems_of_aspects_are_aspects() {
        for word in ["preferences", "habits", "routine", "guidelines", "duties", "details", "whereabouts", "policies"] {
            let tokens = words::tokens(word);
            assert!(tokens.iter().all(|token| is_aspect(token) && !is_filler(token)), "{word}: {tokens:?}");
        }
        assert!(!is_aspect("lunch"));
    }
}
