//! Files and messages that are far too large, or no text: a limit is told, memory of the process stays bounded.

use super::doors::{Door, House};
use crate::support::{G, insert, replace, view};
use loci_testkit::home::{Ran, create};
use serde_json::json;
use std::fs::File;

/// The most that a process ever had in memory, in MiB.
fn peak(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() >> 10
}

#[test]
fn files_that_are_too_large_or_no_text_are_told_at_every_door() {
    let mut house = House::new();
    let root = house.home.global();
    std::fs::write(root.join("lines.md"), "a\n".repeat(1_000_000)).unwrap();
    std::fs::write(root.join("line.md"), vec![b'x'; 100 << 20]).unwrap();
    // A hole of 10 GB costs the disk nothing.
    File::create(root.join("hole.md")).unwrap().set_len(10 << 30).unwrap();
    std::fs::write(root.join("nul.md"), b"a\0b\n").unwrap();
    std::fs::write(root.join("latin.md"), b"caf\xe9\n").unwrap();
    for door in Door::ALL {
        for name in ["lines.md", "line.md", "hole.md", "nul.md", "latin.md"] {
            let path = format!("{G}{name}");
            for call in [view(&path), replace(&path, "a", "b"), insert(&path, 0, "x"), create(&path, "x")] {
                let answer = house.call(door, &call);
                assert!(!answer.done, "{door:?} {call}: {}", answer.words.len());
                assert!(answer.words.len() < 2000, "{door:?} {call}: {} bytes", answer.words.len());
                house.assert_tells_nothing(door, &call, &answer);
            }
        }
    }
    for path in ["/memory/files", "/memory/context"] {
        assert_eq!(house.daemon().ask("GET", path, None).0, 200, "{path}");
    }
    assert_eq!(house.daemon().ask("POST", "/memory/recall", Some(&json!({"query": "real"}))).0, 200);
    let most = peak(house.daemon().id());
    assert!(most < 400, "the daemon had {most} MiB in memory");
    house.home.ok(&["list"]);
}

#[test]
fn a_call_of_a_hundred_megabytes_is_refused_and_the_next_one_works() {
    let house = House::new();
    let huge = create(&format!("{G}huge.md"), &"x".repeat(100 << 20)).to_string();
    let next = create(&format!("{G}next.md"), "next\n");
    let ran = Ran::of(house.home.loci(&["tool"]), format!("{huge}\n{next}\n").as_bytes());
    let answers = ran.answers();
    assert_eq!((answers.len(), &answers[0]["success"], &answers[1]["success"]), (2, &json!(false), &json!(true)));
    assert!(answers[0].to_string().len() < 1000);
    let head = format!(
        "POST /memory/tool HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        house.daemon().address(),
        house.daemon().token(),
        huge.len()
    );
    let answer = house.daemon().raw(head.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    let most = peak(house.daemon().id());
    assert!(most < 400, "the daemon had {most} MiB in memory");
}

#[test]
fn line_ends_stay_what_they_are_at_every_door() {
    let mut house = House::new();
    for (number, door) in Door::ALL.into_iter().filter(|door| *door != Door::Page).enumerate() {
        let (name, text) = (format!("crlf-{number}.md"), "one\r\ntwo\r\nthree\rthree\r\n");
        std::fs::write(house.home.global().join(&name), text).unwrap();
        let path = format!("{G}{name}");
        assert!(house.call(door, &replace(&path, "two", "zwei")).done);
        assert!(house.call(door, &insert(&path, 1, "between")).done);
        let now = std::fs::read_to_string(house.home.global().join(&name)).unwrap();
        assert_eq!(now, "one\r\nbetween\r\nzwei\r\nthree\rthree\r\n", "{door:?}");
    }
}
