use super::*;
use pack::pack;

const TOKENS: &str = include_str!("../../assets/static-minilm-256/vocabulary.txt");

fn wordpiece(vocabulary: Vocabulary<'_>) -> Wordpiece<'_> {
    let rules = Rules { case: Letters::Folded, accents: Letters::Folded };
    Wordpiece { vocabulary, rules, unknown: 0, added: &[], most_chars: MOST_CHARS }
}

fn check(tokens: &[&str], text: &str, most: usize, expected: &[u32]) {
    let packed = pack(tokens.iter().copied()).unwrap();
    let mut found = Vec::new();
    wordpiece(packed.vocabulary()).tokens(text, most, |id| found.push(id));
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn every_token_is_found_where_it_belongs() {
    let packed = pack(TOKENS.split_terminator('\n')).unwrap();
    let vocabulary = packed.vocabulary();
    let mut hashes = [0; 64];
    for (id, token) in TOKENS.split_terminator('\n').enumerate() {
        let (piece, place) = match token.strip_prefix("##") {
            Some(rest) if !rest.is_empty() => (rest, Place::Continuing),
            _ => (token, Place::Beginning),
        };
        assert_eq!(vocabulary.longest_at(piece.as_bytes(), place, &mut hashes), Some((id as u32, piece.len())));
    }
}

#[test]
fn words_are_cut_into_the_longest_pieces() {
    let tokens = ["[UNK]", "un", "unwant", "##want", "##ed", "##e", "a", "é", "e", "##é", "!"];
    check(&tokens, "unwanted", 9, &[2, 4]);
    check(&tokens, "Un WANTED", 9, &[1]);
    check(&tokens, "unwante! a", 9, &[2, 5, 10, 6]);
    check(&tokens, "é e\u{301}", 9, &[8, 8]);
}

#[test]
fn a_word_with_an_unknown_part_is_unknown_as_a_whole_and_counts() {
    let tokens = ["[UNK]", "un", "a"];
    check(&tokens, "unx a", 9, &[2]);
    check(&tokens, "x a", 1, &[]);
    check(&tokens, "x a", 2, &[2]);
    check(&tokens, "a a a a", 2, &[2, 2]);
    check(&tokens, "a a", 0, &[]);
}

#[test]
fn an_empty_vocabulary_knows_nothing() {
    check(&[], "a b", 9, &[]);
    check(&["", ""], "a b", 9, &[]);
}

#[test]
fn a_text_is_cut_at_characters() {
    assert_eq!(beginning("añb", 2), "añ");
    assert_eq!(beginning("añb", 3), "añb");
    assert_eq!(beginning("añb", usize::MAX), "añb");
    assert_eq!(beginning("añb", 0), "");
}
