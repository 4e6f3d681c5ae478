#!/usr/bin/env python3
"""Checks corpus.json and questions.json, here and in second/, and prints a table of slices and languages for each.

    python3 check.py            check; exit code 1 when something is wrong
    python3 check.py --split    first give a split to questions whose "split" is empty; others keep theirs

Standard library only.
"""

import json
import random
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUITE = HERE.parents[3] / "shared" / "acceptance" / "recall.py"
SEED = 27182818
SHINGLE = 8
TYPES = {"user", "feedback", "project", "reference"}
SCOPES = {"global", "project"}
MINIMUM = {"keywords": 20, "phrase": 20, "description": 16, "body-only": 20, "identifier": 20, "zh": 16, "ja": 16, "ko": 16,
           "mixed": 12, "european": 10, "neighbours": 16, "prompt": 16, "paraphrase": 30, "nothing": 45, "typo": 8}
LANGUAGES = {"en": 50, "zh": 10, "ja": 10, "ko": 10, "mixed": 6, "de": 2, "es": 2, "fr": 2}
SECOND_MINIMUM = {"keywords": 4, "phrase": 4, "description": 4, "body-only": 4, "identifier": 4, "zh": 4, "ja": 2, "ko": 2,
                  "mixed": 2, "european": 4, "neighbours": 2, "prompt": 2, "paraphrase": 120, "nothing": 80, "typo": 2}
SECOND_LANGUAGES = {"en": 60, "zh": 6, "ja": 4, "ko": 4, "mixed": 1, "de": 2, "es": 2, "fr": 1}
QUERY_SCRIPT = {"zh": {"zh"}, "ja": {"ja", "zh"}, "ko": {"ko"}}  # a short Japanese question may hold kanji only
STOP = set("""
a about above after again all also always am an and any anybody anything are as ask at be because been before below between both but by can
could did do does doing done down during each either else ever every everybody everything few for from get gets give gives go goes got had
has have having he her here hers him his how i if in into is it its just keep kept like made make makes many may me might mine more most
much must my neither never next no nobody nor not nothing now of off on once one only onto or other others our ours out over own per please
put same shall she should since so some somebody something such take takes than that the their them then there these they thing things this
those though through till to too two under until unless up upon us use used uses using very via was we were what when where whether which
while who whom whose why will with within without would yes yet you your yours s t m re
""".split())
# function words of the other languages, for the slices that may share no content word; none of them is an English content word
FUNCTION = set("""
am auf auch das dem der damit ein eine einen erst es ich im ist mit muss nicht nur und von wann was wer wie wird wir wo zu
a al con de del el en es está la las lo los me mi mis para por que qué se si un una y
au aux ce ces dans des du elle est et il je le les mon ne ou pas qu que quel sa sur une à
""".split())
CJK_FUNCTION = set("什么 怎么 多少 我们 可以 是不 不是 까지".split())  # two kana that are both hiragana count as function words, too
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af々]")
# words that tell the European languages of our documents apart; enough for a corpus that is checked by eye as well
MARKS = {"de": {"der", "die", "das", "und", "wird", "werden", "nur", "von", "unsere"},
         "es": {"el", "los", "las", "solo", "lleva", "persona", "del", "muelle"},
         "fr": {"les", "des", "le", "pour", "une", "par", "est"}}

problems = []


def wrong(where, what):
    problems.append(f"{where}: {what}")


def norm(text):
    return unicodedata.normalize("NFKC", text).casefold()


def parts(text):
    """Words of a text with identifiers split at case changes, digits, underscores and punctuation; CJK runs stay whole."""
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", text)
    return re.findall(r"[^\W_]+", text.casefold())


def stem(word):
    """A plain suffix stripper: it should rather merge too much than too little."""
    if CJK.search(word) or len(word) < 4:
        return word
    word = re.sub(r"'s$", "", word)
    for suffix, keep in (("ations", 3), ("ation", 3), ("ments", 4), ("ment", 4), ("iness", 3), ("ness", 4), ("ings", 3), ("ing", 3), ("ies", 2),
                         ("ied", 2), ("ers", 3), ("ors", 3), ("er", 3), ("or", 3), ("ed", 3), ("es", 3), ("ly", 3), ("al", 4), ("s", 3), ("y", 3), ("e", 3)):
        if word.endswith(suffix) and len(word) - len(suffix) >= keep and not (suffix == "s" and word.endswith("ss")):
            word = word[: -len(suffix)]
            break
    word = re.sub(r"e$", "", word) if len(word) > 4 else word
    return re.sub(r"([bdfgklmnprt])\1$", r"\1", word)


def content(text):
    """Stems of the content words; CJK runs give their bigrams."""
    out = set()
    for word in parts(text):
        for run in re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af々]+|[^\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af々]+", word):
            if CJK.search(run):
                out.update(run[i:i + 2] for i in range(max(1, len(run) - 1)))
            elif run not in STOP:
                out.add(stem(run))
    return out


def strict(words):
    """Without the function words that the English stop list doesn't know."""
    function = {stem(w) for w in FUNCTION}
    return {w for w in words if w not in function and w not in CJK_FUNCTION and not re.fullmatch(r"[\u3040-\u309f]+", w)}


def shingles(text, n=SHINGLE):
    words = []
    for word in re.findall(r"[^\W_]+", norm(text)):
        words += list(word) if CJK.search(word) else [word]
    return {tuple(words[i:i + n]) for i in range(len(words) - n + 1)}


def language(text):
    cjk, latin = len(CJK.findall(text)), len(re.findall(r"[A-Za-z]", text))
    if cjk:
        if latin > 0.35 * (cjk + latin):
            return "mixed"
        if re.search(r"[\uac00-\ud7af]", text):
            return "ko"
        return "ja" if re.search(r"[\u3040-\u30ff]", text) else "zh"
    words = Counter(re.findall(r"[^\W\d_]+", norm(text)))
    scores = {code: sum(words[w] for w in marks) for code, marks in MARKS.items()}
    best = max(scores, key=scores.get)
    return best if scores[best] >= 2 else "en"


def scalar(value, where):
    """One value of our frontmatter: plain or double-quoted; anything YAML could read differently is refused."""
    if value.startswith('"'):
        return json.loads(value)
    if re.search(r": |:$| #", value) or value[:1] in "'`[]{}>|*&!%#@,-?" or not value.strip() or value != value.strip():
        wrong(where, f"frontmatter value needs quotes: {value!r}")
    return value


def document(row):
    where = row.get("path", "?")
    if set(row) != {"path", "scope", "content"}:
        wrong(where, f"keys {sorted(row)}")
    match = re.fullmatch(r"---\n(.*?)\n---\n(.+)", row["content"], re.S)
    if not match:
        wrong(where, "no frontmatter")
        return None
    fields = {}
    for line in match[1].split("\n"):
        key, _, value = line.partition(": ")
        fields[key] = scalar(value, where)
    if list(fields) != ["name", "description", "type"]:
        wrong(where, f"frontmatter keys {list(fields)}")
    if fields.get("type") not in TYPES:
        wrong(where, f"type {fields.get('type')!r}")
    if row["scope"] not in SCOPES:
        wrong(where, f"scope {row['scope']!r}")
    if not re.fullmatch(r"[^/\\~%<>\"\x00-\x1f]+(/[^/\\~%<>\"\x00-\x1f]+)*\.md", where) or ".." in where or where != unicodedata.normalize("NFC", where):
        wrong(where, "path is not one that the path grammar accepts")
    if not match[2].endswith("\n") or re.search(r"lorem ipsum|TO[D]O|TBD|FIX[M]E|placeholder", match[2], re.I):
        wrong(where, "body lacks a final newline or holds placeholder text")
    return {**fields, "body": match[2], "text": f"{fields.get('name')}\n{fields.get('description')}\n{match[2]}"}


def split(questions):
    """Half and half at random in each group (slice; `nothing` by its two kinds), for questions that have no split yet."""
    rng = random.Random(SEED)
    groups = defaultdict(list)
    for q in questions:
        groups[q["id"].rpartition("-")[0]].append(q)
    spare = 0
    for group in sorted(groups):
        have = Counter(q["split"] for q in groups[group])
        new = [q for q in groups[group] if not q["split"]]
        rng.shuffle(new)
        total = len(groups[group])
        want = total // 2
        if total % 2:  # odd groups alternate, so that the halves stay equal overall
            want, spare = want + spare, 1 - spare
        tune = max(0, want - have["tune"])
        for i, q in enumerate(new):
            q["split"] = "tune" if i < tune else "held"


def split_by_document(questions, corpus):
    """Documents in odd places are for tuning and those in even places are held; `nothing` alternates in each of its two kinds."""
    place = {f"/memories/{row['scope']}/{row['path']}": i for i, row in enumerate(corpus)}
    count = Counter()
    for q in questions:
        group = q["id"].rpartition("-")[0]
        i = place.get(q["gold"][0], 0) if q["gold"] else count[group]
        count[group] += 1
        q["split"] = q["split"] or ("held" if i % 2 else "tune")


def check_halves(rows):
    """No document is asked for in both halves."""
    sides = defaultdict(set)
    for q in rows:
        for g in q["gold"]:
            sides[g].add(q["split"])
    for path, both in sides.items():
        if len(both) > 1:
            wrong(path, "is asked for in both halves")


def check_apart(docs, rows, other_docs, other_rows):
    """The second corpus takes nothing from the first."""
    known = set().union(*(shingles(d["text"]) for d in other_docs.values()), *(shingles(q["query"]) for q in other_rows))
    queries = {norm(q["query"]).strip() for q in other_rows}
    for where, text in [*((p, d["text"]) for p, d in docs.items()), *((q["id"], q["query"]) for q in rows)]:
        for shared in shingles(text) & known:
            wrong(where, f"shares {' '.join(shared)!r} with the first corpus")
    for q in rows:
        if norm(q["query"]).strip() in queries:
            wrong(q["id"], f"{q['query']!r} is a question of the first corpus")


def check_documents(rows):
    docs, seen = {}, Counter()
    for row in rows:
        path = f"/memories/{row['scope']}/{row['path']}"
        seen[path] += 1
        docs[path] = document(row) or {"name": "", "description": "", "body": "", "text": ""}
    for path, n in seen.items():
        if n > 1:
            wrong(path, "path is not unique")
    for field in ("name", "description", "body"):
        for value, n in Counter(norm(d[field]).strip() for d in docs.values()).items():
            if n > 1:
                wrong("corpus", f"{field} occurs {n} times: {value[:60]!r}")
    paths = list(docs)
    sets = {p: content(docs[p]["text"]) for p in paths}
    for i, a in enumerate(paths):
        for b in paths[i + 1:]:
            shared = len(sets[a] & sets[b]) / max(1, len(sets[a] | sets[b]))
            if shared > 0.4:
                wrong(a, f"is a near copy of {b} ({shared:.2f} of their words)")
    return docs


def check_questions(rows, docs):
    ids, texts = Counter(q.get("id") for q in rows), Counter(norm(q["query"]).strip() for q in rows)
    for counter, what in ((ids, "id"), (texts, "query")):
        for value, n in counter.items():
            if n > 1:
                wrong(value, f"{what} is not unique")
    flat = {p: re.sub(r"\s+", " ", norm(d["text"])) for p, d in docs.items()}
    everything = set().union(*(content(d["text"]) for d in docs.values()))
    for q in rows:
        where = q["id"]
        if set(q) != {"id", "slice", "split", "query", "gold"}:
            wrong(where, f"keys {sorted(q)}")
        if q["slice"] not in MINIMUM or not where.startswith(q["slice"]):
            wrong(where, f"slice {q['slice']!r}")
        if q["split"] not in ("tune", "held"):
            wrong(where, f"split {q['split']!r}")
        missing = [g for g in q["gold"] if g not in docs]
        if missing:
            wrong(where, f"gold does not exist: {missing}")
            continue
        if bool(q["gold"]) == (q["slice"] == "nothing") or len(set(q["gold"])) != len(q["gold"]):
            wrong(where, f"gold {q['gold']}")
        query = re.sub(r"\s+", " ", norm(q["query"])).strip()
        code = q["slice"] == "identifier" or not re.search(r"\s", query) and re.search(r"[_/.\-]", query)  # such a question is the literal name
        if not code:
            for path, text in flat.items():
                if query in text:
                    wrong(where, f"{q['query']!r} occurs verbatim in {path}")
        words = content(q["query"])
        golds = [docs[g] for g in q["gold"]]
        heads = set().union(*(content(f"{d['name']} {d['description']}") for d in golds)) if golds else set()
        bodies = set().union(*(content(d["body"]) for d in golds)) if golds else set()
        names = set().union(*(content(re.sub(r"^/memories/\w+/\w+/|\.md$", "", g)) for g in q["gold"])) if golds else set()
        shared = strict(words) & (heads | bodies | names)
        if q["slice"] == "paraphrase" and shared:
            wrong(where, f"{q['query']!r} shares {sorted(shared)} with {q['gold']}")
        if q["slice"] == "body-only" and words & heads:
            wrong(where, f"{q['query']!r} shares {sorted(words & heads)} with name or description")
        if q["slice"] == "body-only" and not words & bodies:
            wrong(where, f"{q['query']!r} shares nothing with the body")
        if q["slice"] == "description" and not words & set().union(*(content(d["description"]) for d in golds)):
            wrong(where, f"{q['query']!r} shares nothing with the description")
        if q["slice"] == "keywords" and not 2 <= len(q["query"].split()) <= 4:
            wrong(where, "keywords are two to four words")
        if where.startswith("nothing-far") and strict(words) & everything:
            wrong(where, f"{q['query']!r} shares {sorted(strict(words) & everything)} with the corpus; that is a nothing-near question")
        if q["slice"] in ("keywords", "phrase", "identifier", "zh", "ja", "ko", "mixed", "european", "neighbours", "prompt", "typo") and not words & (heads | bodies):
            wrong(where, f"{q['query']!r} shares no word with its gold")
        if q["slice"] in QUERY_SCRIPT and language(q["query"]) not in QUERY_SCRIPT[q["slice"]]:
            wrong(where, f"{q['query']!r} looks like {language(q['query'])}")


def check_independence(docs, rows):
    if not SUITE.exists():
        return f"no {SUITE}: independence was not checked"
    suite = SUITE.read_text(encoding="utf-8")
    known, quoted = shingles(suite), {norm(s).strip() for s in re.findall(r'"([^"\n]{4,})"', suite)}
    for where, text in [*((p, d["text"]) for p, d in docs.items()), *((q["id"], q["query"]) for q in rows)]:
        for shared in shingles(text) & known:
            wrong(where, f"shares {' '.join(shared)!r} with the acceptance suite")
    for q in rows:
        if norm(q["query"]).strip() in quoted:
            wrong(q["id"], f"{q['query']!r} is a text of the acceptance suite")
    for path, d in docs.items():
        for field in ("description", "body"):
            if norm(d[field]).strip() in quoted:
                wrong(path, f"its {field} is a text of the acceptance suite")
    return f"independent of {SUITE.name} ({SHINGLE}-word shingles)"


def write(path, rows):
    lines = ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows)
    path.write_text(f'{{"questions": [\n{lines}\n]}}\n', encoding="utf-8")


def load(folder):
    read = lambda name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))[{"corpus": "documents"}.get(name, name)]
    return read("corpus"), read("questions")


def report(title, docs, rows, minimum, languages, documents, questions):
    """Counts, and what is wrong with them."""
    print(title)
    tongues, kinds = Counter(language(d["text"]) for d in docs.values()), Counter(d.get("type") for d in docs.values())
    for code, least in languages.items():
        if tongues[code] < least:
            wrong(title, f"{tongues[code]} documents in {code}, at least {least} wanted")
    if len(docs) < documents or len(rows) < questions:
        wrong(title, f"{len(docs)} documents and {len(rows)} questions; at least {documents} and {questions} wanted")
    per = Counter((q["slice"], q["split"]) for q in rows)
    print(f"{'slice':<12} {'tune':>5} {'held':>5} {'all':>5}")
    for name, least in minimum.items():
        tune, held = per[name, "tune"], per[name, "held"]
        print(f"{name:<12} {tune:>5} {held:>5} {tune + held:>5}")
        if tune + held < least:
            wrong(f"{title}: {name}", f"{tune + held} questions, at least {least} wanted")
        if abs(tune - held) > 2:
            wrong(f"{title}: {name}", f"split {tune} to {held}")
    tune, held = (sum(n for (_, s), n in per.items() if s == side) for side in ("tune", "held"))
    print(f"{'all':<12} {tune:>5} {held:>5} {tune + held:>5}\n")
    print(f"documents {len(docs)}: " + ", ".join(f"{k} {v}" for k, v in sorted(tongues.items(), key=lambda kv: -kv[1])))
    print("types: " + ", ".join(f"{k} {v}" for k, v in sorted(kinds.items())))
    asked = {g for q in rows for g in q["gold"]}
    print(f"documents that some question asks for: {len(asked)}, distractors only: {len(docs) - len(asked)}")


def main():
    first, second = HERE, HERE / "second"
    (corpus, rows), (corpus2, rows2) = load(first), load(second)
    if "--split" in sys.argv[1:]:
        split(rows)
        write(first / "questions.json", rows)
        split_by_document(rows2, corpus2)
        write(second / "questions.json", rows2)
    docs = check_documents(corpus)
    check_questions(rows, docs)
    suite = check_independence(docs, rows)
    report("first corpus", docs, rows, MINIMUM, LANGUAGES, 90, 240)
    print(suite, end="\n\n")

    docs2 = check_documents(corpus2)
    check_questions(rows2, docs2)
    suite = check_independence(docs2, rows2)
    check_halves(rows2)
    check_apart(docs2, rows2, docs, rows)
    report("second corpus", docs2, rows2, SECOND_MINIMUM, SECOND_LANGUAGES, 80, 240)
    print(suite)
    if problems:
        print(f"\n{len(problems)} problems", *problems, sep="\n  ")
        return 1
    print("clean")
    return 0


if __name__ == "__main__":
    sys.exit(main())
