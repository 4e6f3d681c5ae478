//! Words of questions, not of answers: as stems, in the languages that write words with spaces.

const ENGLISH: &str = "a about after all also am an and ani anyth are as at be been befor being but by can could did do doe \
    done for from get give go had has have he help her here him his how i if in into is it its just know let like m make \
    may me mi might more most must my need no not now of off on one or our out over own pleas re s say shall she should so \
    some someth t take tell than that the their them then there these they thing this those to too up us use ve veri via \
    want was we were what when where which while who whom whose whi will with would you your";
const OTHERS: &str = "au con cuanta cuanto cuantas das de del dem den der des die du ein eine einer el en es esta et est hay il im \
    ist la las le les lo los mit para por que quel quell qui se sind sur un una und une von wer wie wo y zu";

/// True for a token that says nothing about what is asked.
pub(crate) fn is_filler(token: &str) -> bool {
    ENGLISH.split(' ').chain(OTHERS.split(' ')).any(|filler| filler == token)
}

#[cfg(test)]
mod tests {
    use super::is_filler;
    use loci_domain::words;

    #[test]
    fn stems_of_fillers_are_fillers() {
        for word in ["please", "very", "why", "does", "anything", "before", "any", "using", "der", "quel"] {
            let tokens = words::tokens(word);
            assert!(tokens.iter().all(|token| is_filler(token)), "{word}: {tokens:?}");
        }
        assert!(!is_filler("deploy") && !is_filler(""));
    }
}
