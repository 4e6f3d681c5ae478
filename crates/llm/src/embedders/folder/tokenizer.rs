//! A `tokenizer.json` of the BERT kind.
//!
//! Owns which settings are understood; one that is not is refused by name, because vectors from other tokens than the
//! model was made with would be wrong without a sign of it.
//! Never runs the tokenizer: that is `wordpiece.rs`. Start at [`Tokenizer::read`].

use super::{damaged, failure, unsupported};
use crate::embed::Result;
use crate::wordpiece::pack::{self, CONTINUING, ID_BITS, Packed};
use crate::wordpiece::{ADDED_MARK, Letters, MOST_CHARS, Rules, Wordpiece};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Vocabularies of a hundred thousand tokens take a few megabytes; what is larger is no tokenizer.
const MOST_BYTES: u64 = 64 << 20;

/// A tokenizer that was read from its file.
#[derive(Debug)]
pub(super) struct Tokenizer {
    packed: Packed,
    rules: Rules,
    unknown: u32,
    added: Vec<(Cow<'static, str>, u32)>,
    most_chars: usize,
}

#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    added_tokens: Vec<Added>,
    normalizer: Option<Normalizer>,
    pre_tokenizer: Option<Typed>,
    model: serde_json::Value,
}

#[derive(Deserialize)]
struct Typed {
    r#type: String,
}

#[derive(Deserialize)]
struct Added {
    content: String,
    single_word: bool,
    lstrip: bool,
    rstrip: bool,
    normalized: bool,
}

#[derive(Deserialize)]
struct Normalizer {
    r#type: String,
    clean_text: Option<bool>,
    handle_chinese_chars: Option<bool>,
    strip_accents: Option<bool>,
    lowercase: Option<bool>,
}

#[derive(Deserialize)]
struct Model {
    unk_token: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
    vocab: HashMap<String, u32>,
}

impl Tokenizer {
    /// Reads a tokenizer; the error says what is not understood.
    pub(super) fn read(path: &Path) -> Result<Tokenizer> {
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|error| failure(path, error))?;
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| failure(path, error))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(unsupported(path, "a tokenizer of more than 64 MiB"));
        }
        let written: Written = serde_json::from_slice(&bytes).map_err(|error| damaged(path, error.to_string()))?;
        Tokenizer::from(written).map_err(|refused| match refused {
            Refused::Damaged(what) => damaged(path, what),
            Refused::Unsupported(what) => unsupported(path, what),
        })
    }

    fn from(written: Written) -> std::result::Result<Tokenizer, Refused> {
        let kind = written.model.get("type").and_then(|kind| kind.as_str()).unwrap_or("none");
        if kind != "WordPiece" {
            return Err(Refused::Unsupported(format!("a model of the type {kind}; only WordPiece is")));
        }
        let model: Model =
            serde_json::from_value(written.model).map_err(|error| Refused::Damaged(error.to_string()))?;
        let pre_tokenizer = written.pre_tokenizer.map_or("none".to_owned(), |typed| typed.r#type);
        if pre_tokenizer != "BertPreTokenizer" {
            return Err(Refused::Unsupported(format!("the pre-tokenizer {pre_tokenizer}; only BertPreTokenizer is")));
        }
        if model.continuing_subword_prefix != CONTINUING || model.max_input_chars_per_word > MOST_CHARS {
            return Err(Refused::Unsupported("words that continue with another sign than ## or are longer".into()));
        }
        let find = |token: &str| {
            let missing = || Refused::Damaged(format!("the token {token} is not in the vocabulary"));
            model.vocab.get(token).copied().ok_or_else(missing)
        };
        let mut added = Vec::new();
        for token in written.added_tokens {
            let plain = !(token.single_word || token.lstrip || token.rstrip || token.normalized);
            if !plain || !token.content.starts_with(ADDED_MARK) {
                return Err(Refused::Unsupported(format!("the added token {}", token.content)));
            }
            let id = find(&token.content)?;
            added.push((Cow::Owned(token.content), id));
        }
        // The longest first, so that none hides behind its own beginning.
        added.sort_by_key(|(token, _): &(Cow<'static, str>, u32)| std::cmp::Reverse(token.len()));
        let unknown = find(&model.unk_token)?;
        let most_chars = model.max_input_chars_per_word;
        Ok(Tokenizer { packed: packed(&model.vocab)?, rules: rules(written.normalizer)?, unknown, added, most_chars })
    }

    pub(super) fn wordpiece(&self) -> Wordpiece<'_> {
        Wordpiece {
            vocabulary: self.packed.vocabulary(),
            rules: self.rules,
            unknown: self.unknown,
            added: &self.added,
            most_chars: self.most_chars,
        }
    }
}

enum Refused {
    Damaged(String),
    Unsupported(String),
}

fn rules(normalizer: Option<Normalizer>) -> std::result::Result<Rules, Refused> {
    match normalizer {
        Some(Normalizer {
            r#type,
            clean_text: Some(true),
            handle_chinese_chars: Some(true),
            lowercase: Some(lowercase),
            strip_accents,
        }) if r#type == "BertNormalizer" => {
            let letters = |folded| if folded { Letters::Folded } else { Letters::Kept };
            // Accents follow case where nothing is said of them.
            Ok(Rules { case: letters(lowercase), accents: letters(strip_accents.unwrap_or(lowercase)) })
        }
        _ => Err(Refused::Unsupported("a normalizer other than a BertNormalizer that cleans text".into())),
    }
}

fn packed(vocab: &HashMap<String, u32>) -> std::result::Result<Packed, Refused> {
    let most = vocab.values().max().map_or(0, |id| *id as usize + 1);
    if most >> ID_BITS > 0 {
        return Err(Refused::Unsupported(format!("a token with the number {}", most - 1)));
    }
    let mut tokens = vec![""; most];
    for (token, id) in vocab {
        if !std::mem::replace(&mut tokens[*id as usize], token).is_empty() {
            return Err(Refused::Damaged(format!("two tokens have the number {id}")));
        }
    }
    pack::pack(tokens.into_iter()).ok_or_else(|| Refused::Unsupported("a vocabulary of this size".into()))
}
