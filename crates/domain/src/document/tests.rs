use super::*;

fn at(path: &str, text: &str) -> Document {
    read(&EntryPath::parse(path).unwrap(), text)
}

fn card(path: &str, text: &str) -> (String, String, &'static str) {
    let Card { name, description, kind } = at(path, text).card;
    (name, description, kind.word())
}

fn faults(path: &str, text: &str) -> (usize, usize) {
    let complaints = at(path, text).complaints;
    let faults = complaints.iter().filter(|complaint| matches!(complaint, Complaint::Fault(_))).count();
    (faults, complaints.len() - faults)
}

#[test]
fn a_header_speaks_for_itself() {
    let text = "---\nname: Terse replies\ndescription: Keep answers short\ntype: feedback\n---\nKeep replies short.\n";
    assert_eq!(card("x.md", text), ("Terse replies".into(), "Keep answers short".into(), "feedback"));
    assert_eq!(at("x.md", text).complaints, []);
    assert_eq!(&text[at("x.md", text).body], "Keep replies short.\n");
    let folded = "---\nname: |\n  two\n   lines\ndescription: \"a\\tb\\n c\"\ntype: ' user '\n---\n";
    assert_eq!(card("x.md", folded), ("two lines".into(), "a b c".into(), "user"));
}

#[test]
fn what_is_unsaid_comes_from_the_file() {
    let plain = |path: &str| card(path, "Just text.\n");
    for kind in Kind::ALL {
        assert_eq!(plain(&format!("{kind}/plain-note.md")), ("plain note".into(), "Just text.".into(), kind.word()));
        assert_eq!(Kind::from_word(kind.word()), Some(kind));
    }
    assert_eq!(plain("misc/feedback/deep_er--x.md").0, "deep er x");
    assert_eq!(plain("misc/feedback/deep.md").2, "project");
    assert_eq!(plain("user.md").2, "project");
    assert_eq!(plain("--.md").0, "--.md");
    assert_eq!(plain("v1.2.md").0, "v1.2");
    assert_eq!(plain("日本.md").0, "日本");
}

#[test]
fn a_missing_description_is_the_first_line() {
    let opening = |body: &str| card("x.md", body).1;
    assert_eq!(opening("# Title\n\n- [x] **Uses Helix**\n- more\n"), "Uses Helix");
    assert_eq!(opening("<!-- c -->\n\nFirst `line`\nsecond\n"), "First `line`");
    assert_eq!(opening("# Only a title\n"), "");
    assert_eq!(opening(""), "");
    let long = opening(&"word ".repeat(100));
    assert!(long.chars().count() <= 120 && long.ends_with("word…"), "{long}");
}

#[test]
fn faults_are_told_from_advice() {
    let header = |inner: &str| format!("---\n{inner}---\nText.\n");
    assert_eq!(faults("x.md", &header("name: A\ndescription: d\ntype: user\n")), (0, 0));
    assert_eq!(faults("x.md", &header("description: d\ntype: user\n")), (0, 0));
    assert_eq!(faults("x.md", &header("name: A\ndescription: d\n")), (0, 1));
    assert_eq!(faults("x.md", &header("name: A\ntype: user\n")), (0, 1));
    assert_eq!(faults("x.md", &header("")), (0, 2));
    assert_eq!(faults("x.md", "Text.\n"), (0, 1));
    assert_eq!(faults("x.md", ""), (0, 1));
    assert_eq!(faults("x.md", &header("description: d\ntype: decision\n")), (1, 0));
    assert_eq!(faults("x.md", &header("name: [open\n")), (1, 0));
    assert_eq!(faults("x.md", "---\nname: open\n\nText.\n"), (1, 0));
    let Complaint::Fault(text) = &at("x.md", &header("description: d\ntype: \"a\\nb\\u202E\"\n")).complaints[0] else {
        panic!()
    };
    assert_eq!(text, "unknown type \"a b\"; use user, feedback, project or reference");
}

#[test]
fn a_broken_header_is_still_a_document() {
    let broken = "---\nname: [unclosed\n  : : :\ntype: user\n---\nStill a memory.\n";
    assert_eq!(card("reference/broken.md", broken), ("broken".into(), "Still a memory.".into(), "reference"));
    let open = "---\nname: never closed\n\nBody.\n";
    assert_eq!(at("open.md", open).body, 0..open.len());
}
