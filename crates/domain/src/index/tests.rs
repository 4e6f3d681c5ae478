use super::*;
use crate::document::Kind;
use proptest::prelude::*;

const USUAL: Limits = Limits { lines: 200, bytes: 25_000 };

fn row(path: &str, name: &str, description: &str) -> String {
    let card = Card { name: name.into(), description: description.into(), kind: Kind::User };
    super::line(&EntryPath::parse(path).unwrap(), &card) + "\n"
}

fn line(path: &str, name: &str, description: &str) -> String {
    render(&row(path, name, description), 1, USUAL)
}

fn decoded(target: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = target.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'%' {
            bytes.push(u8::from_str_radix(std::str::from_utf8(&tail[..2]).unwrap(), 16).unwrap());
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_line_is_name_link_description() {
    assert_eq!(line("user/editor.md", "Editor", "Uses Helix"), "- [Editor](user/editor.md) — Uses Helix\n");
    assert_eq!(line("a.md", "A", ""), "- [A](a.md)\n");
    assert_eq!(line("a.md", "A", " \u{200b} \n "), "- [A](a.md)\n");
    assert_eq!(line("a.md", " \u{202e} ", "d"), "- [a.md](a.md) — d\n");
    assert_eq!(render("", 0, USUAL), "");
    assert_eq!(render("", 7, USUAL), "");
}

#[test]
fn lines_are_sanitised() {
    assert_eq!(
        line("x.md", "Ev\u{202E}il\u{200B} `code` ](http://evil)\u{7}", "a\nb\u{2066}c\u{FEFF} `rm` [x](y) \u{85}"),
        "- [Evil 'code' )(http://evil)](x.md) — a bc 'rm' [x] (y)\n"
    );
    assert_eq!(line("x.md", "back\\\\", "]\u{200b}(z)"), "- [back](x.md) — ] (z)\n");
}

#[test]
fn long_lines_are_cut_and_keep_their_link() {
    let long = line("a.md", "Long", &"ä".repeat(400));
    assert_eq!(long.trim_end().chars().count(), 150);
    assert!(long.starts_with("- [Long](a.md) — ää") && long.ends_with("…\n"));
    let name = line("b.md", &"N".repeat(300), "d");
    assert!(name.trim_end().chars().count() <= 150 && name.ends_with("…](b.md) — d\n"), "{name}");
    let bare = line("b.md", &"N".repeat(300), "");
    assert_eq!(bare.trim_end().chars().count(), 150);
    assert!(bare.ends_with("N…](b.md)\n"), "{bare}");
    let deep = format!("{}/x.md", vec!["folder"; 30].join("/"));
    assert_eq!(line(&deep, "Name", "d"), cut(&format!("- [Name]({deep}"), 150) + "\n");
}

#[test]
fn no_line_is_longer_than_150_characters() {
    let longest = "長".repeat(80);
    for (path, name) in
        (1..=160).map(|n| ("x".repeat(n), "N".repeat(n))).chain([("日本語の長い名前".repeat(3), longest)])
    {
        for description in ["", "d", &"ä".repeat(300)] {
            let line = line(&format!("{path}.md"), &name, description);
            assert!(line.trim_end().chars().count() <= 150 && is_generated(line.as_bytes()), "{line}");
        }
    }
}

#[test]
fn targets_decode_to_the_path() {
    for path in ["a b.md", "p(1).md", "100%.md", "日本.md", "sub dir/c#d?.md", "a[b]`c.md", "plain-_.md"] {
        let line = line(path, "T", "t");
        let target = line.split_once("](").unwrap().1.split_once(')').unwrap().0;
        assert_eq!(decoded(target), path);
        assert!(target.bytes().all(|byte| byte.is_ascii_graphic() && !b"()#?<>".contains(&byte)), "{target}");
    }
}

#[test]
fn what_is_left_out_is_said() {
    let rows: Vec<_> = (0..260)
        .map(|i| row(&format!("d{i:03}.md"), &format!("Name {i}"), if i % 2 == 0 { "short" } else { &WIDE }))
        .collect();
    let text = render(&rows.concat(), 260, USUAL);
    assert!(text.len() <= 25_000 && text.len() > 24_000 && text.lines().count() <= 200);
    let shown = text.lines().filter(|line| line.starts_with("- [")).count();
    assert_eq!(
        text.lines().last().unwrap(),
        format!("… {} more documents are not listed here; loci list shows them.", 260 - shown)
    );

    let count = |rows: &[String], total, lines| {
        render(&rows.concat(), total, Limits { lines, bytes: 25_000 }).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(count(&rows[..3], 3, 3).len(), 3);
    assert_eq!(
        count(&rows[..3], 3, 2),
        ["- [Name 0](d000.md) — short", "… 2 more documents are not listed here; loci list shows them."]
    );
    assert_eq!(count(&rows[..3], 4, 9)[3], "… 1 more document is not listed here; loci list shows it.");
    assert_eq!(count(&rows[..3], 3, 1), ["… 3 more documents are not listed here; loci list shows them."]);
    assert_eq!(count(&rows[..3], 3, 0), [""; 0]);
    assert_eq!(render(&rows.concat(), 260, Limits { lines: 200, bytes: 10 }), "");
}

static WIDE: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| "界".repeat(140));

#[test]
fn a_full_index_is_cheap() {
    let rows: String = (0..200)
        .map(|i| row(&format!("folder/d{i:03}.md"), "A name", "A description of usual length, one line"))
        .collect();
    let start = std::time::Instant::now();
    let text = render(&rows, 1_000, USUAL);
    println!("200 rows: {:?}", start.elapsed());
    assert!(start.elapsed().as_millis() < 50 && text.lines().count() == 200);
}

proptest! {
    #[test]
    fn any_row_is_one_safe_line(name in "([\\[\\]()`\\\\…—]|\\PC|\\s|.){0,200}", description in "([\\[\\]()`]|.|\\s){0,200}", stem in "[a-zé%#?() ]{1,120}") {
        let Ok(path) = EntryPath::parse(&format!("{stem}.md")) else { return Ok(()) };
        let text = line(path.as_str(), &name, &description);
        prop_assert_eq!(text.matches("](").count(), 1);
        prop_assert!(text.starts_with("- [") && text.ends_with('\n') && text.matches('\n').count() == 1);
        prop_assert!(!text.trim_end_matches('\n').contains(|c| c == '`' || crate::sign::is_hidden(c)));
        prop_assert!(text.trim_end_matches('\n').chars().count() <= 150);
        let target = text.split_once("](").unwrap().1;
        match target.split_once(')') {
            Some((target, _)) => prop_assert_eq!(decoded(target), path.as_str()),
            None => prop_assert!(encoded(path.as_str()).starts_with(target.trim_end_matches("…\n"))),
        }
    }

    #[test]
    fn limits_hold(n in 1usize..40, more in 0usize..5, lines in 0usize..45, bytes in 0usize..2_000) {
        let rows: Vec<_> = (0..n).map(|i| row(&format!("d{i:02}.md"), "Name", &"x".repeat(i))).collect();
        let text = render(&rows.concat(), n + more, Limits { lines, bytes });
        prop_assert!(text.len() <= bytes && text.lines().count() <= lines);
        let shown = text.lines().filter(|line| line.starts_with("- [")).count();
        let left = n + more - shown;
        if let Some(last) = text.lines().last().filter(|_| left > 0) {
            let said = format!("… {left} more");
            prop_assert!(last.starts_with(&said), "{}", text);
        }
    }
}
