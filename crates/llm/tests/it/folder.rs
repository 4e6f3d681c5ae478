//! A model folder: the shipped model written out as one, small tables of each kind, and what is refused.

use loci_llm::Embedder;
use loci_llm::embed::Kind;
use loci_llm::embedders::{Folder, StaticMinilm};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const TABLE: &[u8] = include_bytes!("../../assets/static-minilm-256/table.i8");
const TOKENS: &str = include_str!("../../assets/static-minilm-256/vocabulary.txt");

fn tokenizer(tokens: &[&str], specials: &[&str]) -> Value {
    let added = |token: &&str| json!({ "content": token, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false });
    let vocab: serde_json::Map<String, Value> =
        tokens.iter().enumerate().map(|(id, token)| ((*token).to_owned(), json!(id))).collect();
    json!({
        "added_tokens": specials.iter().map(added).collect::<Vec<_>>(),
        "normalizer": { "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                        "strip_accents": null, "lowercase": true },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "model": { "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                   "max_input_chars_per_word": 100, "vocab": vocab },
    })
}

/// A file of tensors, each given by name, type, shape and bytes.
fn tensors(tensors: &[(&str, &str, &[usize], &[u8])]) -> Vec<u8> {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, dtype, shape, bytes) in tensors {
        let offsets = [data.len(), data.len() + bytes.len()];
        header.insert((*name).to_owned(), json!({ "dtype": dtype, "shape": shape, "data_offsets": offsets }));
        data.extend_from_slice(bytes);
    }
    let header = serde_json::to_vec(&header).unwrap();
    [&(header.len() as u64).to_le_bytes()[..], &header, &data].concat()
}

fn written(tokenizer: &Value, model: &[u8]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tokenizer.json"), serde_json::to_vec(tokenizer).unwrap()).unwrap();
    fs::write(folder.path().join("model.safetensors"), model).unwrap();
    folder
}

async fn embedded(folder: &Path, text: &str) -> Result<Vec<f32>, String> {
    let told = |error: loci_llm::embed::Error| {
        assert_eq!(error.kind(), Kind::Invalid);
        error.to_string().replace(&folder.display().to_string(), "m")
    };
    let vectors = Folder::open(folder).map_err(told)?.embed(&[text.to_owned()]).await.map_err(told)?;
    Ok(vectors.concat())
}

#[tokio::test]
async fn the_shipped_model_is_the_same_from_a_folder() {
    let tokens: Vec<&str> = TOKENS.split_terminator('\n').collect();
    let tokenizer = tokenizer(&tokens, &["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]);
    let folder = written(&tokenizer, &tensors(&[("embeddings", "I8", &[30_522, 256], TABLE)]));
    let model = Folder::open(folder.path()).unwrap();
    let texts = crate::reference::texts();
    assert_eq!(model.embed(&texts).await.unwrap(), StaticMinilm::default().embed(&texts).await.unwrap());
}

#[tokio::test]
async fn tables_of_each_kind_are_read() {
    let tokenizer = tokenizer(&["[UNK]", "a", "b"], &["[UNK]"]);
    let floats: Vec<u8> = [9.0_f32, 9.0, 3.0, 0.0, 0.0, 4.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let halves: Vec<u8> = [0x4880_u16, 0x4880, 0x4200, 0, 0, 0x4400].iter().flat_map(|x| x.to_le_bytes()).collect();
    for (dtype, bytes) in [("F32", &floats[..]), ("F16", &halves), ("I8", &[9, 9, 3, 0, 0, 4])] {
        for name in ["embeddings", "0", "embedding.weight"] {
            let folder = written(&tokenizer, &tensors(&[(name, dtype, &[3, 2], bytes)]));
            assert_eq!(embedded(folder.path(), "a x B").await.unwrap(), [0.6, 0.8], "{dtype}");
            assert_eq!(embedded(folder.path(), "x [UNK]").await.unwrap(), [0.0, 0.0], "{dtype}");
        }
    }
}

#[tokio::test]
async fn weights_and_shared_rows_count() {
    let tokenizer = tokenizer(&["[UNK]", "a", "b"], &[]);
    let weights: Vec<u8> = [1.0_f64, 3.0, 2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let mapping: Vec<u8> = [0_i64, 0, 1].iter().flat_map(|x| x.to_le_bytes()).collect();
    let rows = ("embeddings", "I8", &[2, 2][..], &[1, 0, 0, 2][..]);
    let model = tensors(&[rows, ("weights", "F64", &[3], &weights), ("mapping", "I64", &[3], &mapping)]);
    assert_eq!(embedded(written(&tokenizer, &model).path(), "a b").await.unwrap(), [0.6, 0.8]);

    let far: Vec<u8> = [0_i32, -1, 2].iter().flat_map(|x| x.to_le_bytes()).collect();
    let folder = written(&tokenizer, &tensors(&[rows, ("mapping", "I32", &[3], &far)]));
    for (text, id) in [("a", 1), ("b", 2)] {
        let error = embedded(folder.path(), text).await.unwrap_err();
        assert_eq!(error, format!("m/model.safetensors is damaged: the token {id} has no row"));
    }
}

#[tokio::test]
async fn case_and_accents_are_kept_where_the_tokenizer_keeps_them() {
    let mut cased = tokenizer(&["[UNK]", "É", "a"], &[]);
    cased["normalizer"]["lowercase"] = json!(false);
    let folder = written(&cased, &tensors(&[("embeddings", "I8", &[3, 2], &[0, 0, 1, 0, 0, 1])]));
    assert_eq!(embedded(folder.path(), "É").await.unwrap(), [1.0, 0.0]);
    assert_eq!(embedded(folder.path(), "É é A E").await.unwrap(), [1.0, 0.0]);
}

#[tokio::test]
async fn a_tokenizer_that_is_not_understood_is_refused_by_name() {
    let model = tensors(&[("embeddings", "I8", &[2, 1], &[0, 1])]);
    for (pointer, value, expected) in [
        ("/model/type", json!("Unigram"), "is not supported: a model of the type Unigram; only WordPiece is"),
        (
            "/pre_tokenizer/type",
            json!("Metaspace"),
            "is not supported: the pre-tokenizer Metaspace; only BertPreTokenizer is",
        ),
        ("/pre_tokenizer", json!(null), "is not supported: the pre-tokenizer none; only BertPreTokenizer is"),
        ("/normalizer", json!(null), "is not supported: a normalizer other than a BertNormalizer that cleans text"),
        (
            "/normalizer/clean_text",
            json!(false),
            "is not supported: a normalizer other than a BertNormalizer that cleans text",
        ),
        (
            "/model/max_input_chars_per_word",
            json!(101),
            "is not supported: words that continue with another sign than ## or are longer",
        ),
        ("/model/unk_token", json!("<unk>"), "is damaged: the token <unk> is not in the vocabulary"),
        ("/model/vocab/a", json!(0), "is damaged: two tokens have the number 0"),
        ("/model/vocab/a", json!(u32::MAX), "is not supported: a token with the number 4294967295"),
        ("/added_tokens/0/lstrip", json!(true), "is not supported: the added token [UNK]"),
        ("/added_tokens/0/content", json!("<s>"), "is not supported: the added token <s>"),
    ] {
        let mut changed = tokenizer(&["[UNK]", "a"], &["[UNK]"]);
        *changed.pointer_mut(pointer).unwrap() = value;
        let error = embedded(written(&changed, &model).path(), "a").await.unwrap_err();
        assert_eq!(error, format!("m/tokenizer.json {expected}"));
    }
}

#[tokio::test]
async fn a_table_that_is_not_what_it_says_is_refused() {
    let good = tensors(&[("embeddings", "I8", &[2, 1], &[0, 1])]);
    for (model, expected) in [
        (vec![], "is damaged: it ends in its header"),
        (u64::MAX.to_le_bytes().to_vec(), "is damaged: it ends in its header"),
        (good[..good.len() - 1].to_vec(), "is damaged: the tensor `embeddings` is not as long as it says"),
        (
            tensors(&[("embeddings", "I8", &[usize::MAX, 2], &[1])]),
            "is damaged: the tensor `embeddings` is not as long as it says",
        ),
        (tensors(&[("embeddings", "I8", &[1, 1, 1], &[1])]), "is damaged: the tensor `embeddings` is no table"),
        (
            tensors(&[("embeddings", "BF16", &[1, 1], &[1, 1])]),
            "is not supported: the tensor `embeddings` of the type \"BF16\"",
        ),
        (tensors(&[("embeddings", "I8", &[1, 0], &[])]), "is not supported: rows of 0 numbers"),
        (tensors(&[("weights", "I8", &[1], &[1])]), "is not supported: a file without the tensor `embeddings`"),
    ] {
        let folder = written(&tokenizer(&["[UNK]", "a"], &[]), &model);
        let error = embedded(folder.path(), "a").await.unwrap_err();
        assert_eq!(error, format!("m/model.safetensors {expected}"));
    }
}

#[test]
fn a_missing_file_is_missing_and_a_changed_one_changes_the_name() {
    let nowhere = tempfile::tempdir().unwrap();
    assert_eq!(Folder::open(nowhere.path()).unwrap_err().kind(), Kind::Missing);
    let tokenizer = tokenizer(&["[UNK]", "a"], &[]);
    let folder = written(&tokenizer, &tensors(&[("embeddings", "I8", &[2, 1], &[0, 1])]));
    let name = |folder: &TempDir| Folder::open(folder.path()).unwrap().name().to_owned();
    let before = name(&folder);
    assert_eq!(name(&folder), before);
    fs::write(folder.path().join("model.safetensors"), tensors(&[("embeddings", "I8", &[3, 1], &[0, 1, 2])])).unwrap();
    assert_ne!(name(&folder), before);
}
