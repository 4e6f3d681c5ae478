//! The bars: what each number must be, and what it should be. Data, and nothing else.
//!
//! A bar names its figure by the words with which a measurement sets it; where none was set, the table says so.

/// A number that is held to something.
pub struct Bar {
    /// As the table says it.
    pub what: &'static str,
    /// The figure.
    pub figure: &'static str,
    /// Documents, or messages, in the store.
    pub documents: Option<usize>,
    pub must: Option<Limit>,
    pub aim: Option<Limit>,
}

/// How a number is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    AtMost(f64),
    AtLeast(f64),
}

use Limit::{AtLeast, AtMost};

const fn at_most(what: &'static str, documents: Option<usize>, must: f64, aim: f64, figure: &'static str) -> Bar {
    Bar { what, figure, documents, must: Some(AtMost(must)), aim: Some(AtMost(aim)) }
}

const fn at_least(what: &'static str, documents: Option<usize>, must: f64, aim: f64, figure: &'static str) -> Bar {
    Bar { what, figure, documents, must: Some(AtLeast(must)), aim: Some(AtLeast(aim)) }
}

/// Something that must not happen, not once.
const fn never(what: &'static str, figure: &'static str) -> Bar {
    Bar { what, figure, documents: None, must: Some(AtMost(0.0)), aim: None }
}

const SOME: Option<usize> = Some(1_000);
const MANY: Option<usize> = Some(10_000);

/// All of them, in the order of the table.
pub const BARS: &[Bar] = &[
    at_most(
        "`loci mcp`, start → first tool answer, to an empty process",
        SOME,
        15.0,
        8.0,
        "loci mcp, start, ratio to the spawn floor",
    ),
    at_most(
        "`loci hook`, prompt event, whole process, to an empty process",
        SOME,
        15.0,
        8.0,
        "prompt hook, ratio to the spawn floor",
    ),
    at_most(
        "durable `create` through MCP, p50, to the bare durable write",
        SOME,
        3.0,
        2.0,
        "create through MCP, ratio to the write floor",
    ),
    at_most(
        "durable `create` through MCP, p50, to the bare durable write",
        MANY,
        3.0,
        2.0,
        "create through MCP, ratio to the write floor",
    ),
    at_most("durable `create` through MCP, CPU", SOME, 1.5, 0.8, "create through MCP, CPU an operation"),
    at_most("durable `create` through MCP, CPU", MANY, 1.5, 0.8, "create through MCP, CPU an operation"),
    // The bar's aim is "flat"; a tenth is what the kernel's ticks can tell.
    at_most(
        "durable `create` through MCP, growth of CPU from N = 100 to 10,000",
        None,
        1.5,
        1.1,
        "create through MCP, growth of CPU from N = 100 to 10000",
    ),
    at_most("recall, CPU a question", SOME, 2.0, 0.8, "recall in a running process, CPU a question"),
    at_most("recall, CPU a question", MANY, 6.0, 2.5, "recall in a running process, CPU a question"),
    at_least("known item, hit@5 by phrase", SOME, 99.0, 100.0, "recall, known item by phrase, hit@5"),
    at_least("known item, hit@5 by keywords", SOME, 99.0, 100.0, "recall, known item by keywords, hit@5"),
    at_least("known item, hit@5 by description", SOME, 99.0, 100.0, "recall, known item by description, hit@5"),
    at_least("known item, hit@5 by phrase", MANY, 99.0, 100.0, "recall, known item by phrase, hit@5"),
    at_least("known item, hit@5 by keywords", MANY, 99.0, 100.0, "recall, known item by keywords, hit@5"),
    at_least("known item, hit@5 by description", MANY, 99.0, 100.0, "recall, known item by description, hit@5"),
    at_most("recall over session messages, p50", Some(100_000), 40.0, 10.0, "recall over session messages, p50"),
    at_most("resident memory of `loci mcp` after load", MANY, 60.0, 30.0, "loci mcp, resident memory after load"),
    never("8 processes × 50 creates: errors", "8 processes × 50 creates: errors"),
    never("8 processes × 50 creates: acknowledged and lost", "8 processes × 50 creates: acknowledged and lost"),
    Bar {
        what: "8 processes × 50 creates: acknowledged a second",
        figure: "8 processes × 50 creates: acknowledged a second",
        documents: None,
        must: None,
        aim: Some(AtLeast(300.0)),
    },
    never("8 processes × 25 inserts into one file: errors", "8 processes × 25 inserts into one file: errors"),
    never(
        "8 processes × 25 inserts into one file: acknowledged and lost",
        "8 processes × 25 inserts into one file: acknowledged and lost",
    ),
    Bar {
        what: "8 processes × 25 inserts into one file: acknowledged a second",
        figure: "8 processes × 25 inserts into one file: acknowledged a second",
        documents: None,
        must: None,
        aim: Some(AtLeast(300.0)),
    },
    never("`kill -9` in the middle of writes: acknowledged and lost", "kill -9: acknowledged and lost"),
    never("`kill -9` in the middle of writes: torn files", "kill -9: torn files"),
    never(
        "`kill -9` in the middle of writes: stray files after the next start",
        "kill -9: stray files after the next start, which only views",
    ),
    at_least(
        "recall over HTTP, 32 connections, requests a second",
        SOME,
        500.0,
        2_000.0,
        "recall over HTTP, 32 connections, requests a second",
    ),
    Bar {
        what: "recall over HTTP, 32 connections, p99",
        figure: "recall over HTTP, 32 connections, p99",
        documents: SOME,
        must: Some(AtMost(100.0)),
        aim: None,
    },
    never("tasks of 200 clients: answers of 5xx, and none", "tasks of 200 clients: answers of 5xx, and none"),
    never("tasks of 200 clients: accepted and lost", "tasks of 200 clients: accepted and lost"),
    // "Flat" is what `cargo xtask soak` takes for it: a tenth from one third of the time to the next.
    Bar {
        what: "tasks of 200 clients: memory, last third to middle third",
        figure: "tasks of 200 clients: memory, last third to middle third",
        documents: None,
        must: Some(AtMost(1.1)),
        aim: None,
    },
    at_most("release binary, stripped", None, 45.0, 30.0, "binary, stripped"),
    Bar {
        what: "scan of 1 MB of hostile text for secrets, CPU",
        figure: "secrets, CPU of a scan of 1 MB of hostile text, worst kind",
        documents: None,
        must: Some(AtMost(50.0)),
        aim: None,
    },
    at_least("LoCoMo, development half, R@5", None, 61.0, 66.0, "LoCoMo, development half, R@5"),
    at_least("LoCoMo, development half, R@10", None, 71.0, 76.0, "LoCoMo, development half, R@10"),
    at_least("LoCoMo, development half, R@25", None, 80.0, 85.0, "LoCoMo, development half, R@25"),
    at_least("own corpus, held half: lexical, recall@5", None, 95.0, 99.0, "own corpus, held half: lexical, recall@5"),
    at_least(
        "own corpus, held half: lexical, first hit",
        None,
        90.0,
        95.0,
        "own corpus, held half: lexical, first hit",
    ),
    at_least(
        "own corpus, held half: paraphrase, recall@5",
        None,
        60.0,
        80.0,
        "own corpus, held half: paraphrase, recall@5",
    ),
    at_least(
        "own corpus, held half: nothing relevant, precision",
        None,
        100.0,
        100.0,
        "own corpus, held half: nothing relevant, precision",
    ),
    at_least(
        "own corpus, held half: nothing relevant, recall",
        None,
        100.0,
        100.0,
        "own corpus, held half: nothing relevant, recall",
    ),
    at_least(
        "second corpus, held half: lexical, recall@5",
        None,
        95.0,
        99.0,
        "second corpus, held half: lexical, recall@5",
    ),
    at_least(
        "second corpus, held half: lexical, first hit",
        None,
        90.0,
        95.0,
        "second corpus, held half: lexical, first hit",
    ),
];
