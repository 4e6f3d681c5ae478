#!/usr/bin/env python3
"""Takes a model2vec folder of int8 rows apart into what the binary ships.

    python3 convert.py <folder with model.safetensors and tokenizer.json>

Writes beside itself:
  table.i8        the rows, one after the other, one signed byte a number
  vocabulary.txt  the tokens, one a line, in the order of the rows

Only the standard library is used. Whatever the crate does not expect of a tokenizer is refused here, because the
crate ships the settings of that tokenizer as code (`src/embedders/static_minilm.rs`).
"""

import json
import struct
import sys
from pathlib import Path

DIMENSIONS = 256
SPECIALS = {"[PAD]": 0, "[UNK]": 100, "[CLS]": 101, "[SEP]": 102, "[MASK]": 103}


def expect(holds, what):
    if not holds:
        sys.exit(f"convert.py: {what}")


def table(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        tensors = {name: value for name, value in header.items() if name != "__metadata__"}
        expect(list(tensors) == ["embeddings"], "a table with weights, a mapping or a scale of its own")
        embeddings = tensors["embeddings"]
        rows, columns = embeddings["shape"]
        expect(embeddings["dtype"] == "I8" and columns == DIMENSIONS, f"not int8 rows of {DIMENSIONS}")
        expect(embeddings["data_offsets"] == [0, rows * columns], "rows that are not in one piece")
        data = file.read()
        expect(len(data) == rows * columns, "a file that ends early")
        return rows, data


def vocabulary(path):
    tokenizer = json.loads(Path(path).read_text(encoding="utf-8"))
    model = tokenizer["model"]
    expect(
        (model["type"], model["unk_token"], model["continuing_subword_prefix"], model["max_input_chars_per_word"])
        == ("WordPiece", "[UNK]", "##", 100),
        "another kind of model",
    )
    expect(tokenizer["pre_tokenizer"] == {"type": "BertPreTokenizer"}, "another pre-tokenizer")
    expect(
        tokenizer["normalizer"]
        == {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "another normalizer",
    )
    for added in tokenizer["added_tokens"]:
        flags = [added[flag] for flag in ("single_word", "lstrip", "rstrip", "normalized")]
        expect(SPECIALS.get(added["content"]) == added["id"] and not any(flags), f"another added token: {added}")
    expect(len(tokenizer["added_tokens"]) == len(SPECIALS), "an added token is missing")
    ids = model["vocab"]
    tokens = sorted(ids, key=ids.get)
    expect([ids[token] for token in tokens] == list(range(len(tokens))), "ids with a gap")
    expect(not any("\n" in token or "\r" in token or token == "" for token in tokens), "a token that is no line")
    return tokens


def main():
    expect(len(sys.argv) == 2, "name the folder of the model")
    source, here = Path(sys.argv[1]), Path(__file__).parent
    rows, data = table(source / "model.safetensors")
    tokens = vocabulary(source / "tokenizer.json")
    expect(len(tokens) == rows, "not one row for each token")
    (here / "table.i8").write_bytes(data)
    (here / "vocabulary.txt").write_bytes("".join(token + "\n" for token in tokens).encode())


main()
