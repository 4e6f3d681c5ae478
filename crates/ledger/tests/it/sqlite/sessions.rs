//! What only a file can show of sessions: that nothing of a dropped one is left in it, and that repair keeps them.

use super::*;
use loci_domain::transcript::Role;
use loci_ledger::{Message, Said, Session, Sessions, Whose};

fn session(id: &str) -> Session {
    let whose = Whose { account: "local".to_owned(), project: "p".to_owned() };
    let title = if id == "s" { "The quagmire" } else { "Harmless" }.to_owned();
    let at = sample::at(1);
    Session { whose, id: id.to_owned(), title, format: "loci".to_owned(), at, kept_at: at }
}

fn said(content: &str) -> Said {
    let message = Message {
        id: "m".to_owned(),
        role: Role::User,
        content: content.to_owned(),
        at: None,
        calls: String::new(),
        mark: 1,
    };
    Said { message, words: content.to_lowercase(), asks: false, vector: vec![7; 256] }
}

fn talk(word: &str, count: usize) -> Vec<Said> {
    (0..count).map(|n| said(&format!("{word} number{n} and {}", "long ".repeat(n * 7 % 2000)))).collect()
}

#[tokio::test]
async fn nothing_of_a_dropped_session_is_left_in_the_file() {
    let home = Home::new();
    let ledger = home.open();
    for round in 0..40 {
        ledger.say(&session(&format!("other{round}")), 0, "maker", &talk("Harmless", 20)).await.unwrap();
        let from = ledger.marks(&session("s").whose, "s").await.unwrap().len() as u64;
        ledger.say(&session("s"), from, "maker", &talk("Quagmire", 9)).await.unwrap();
    }
    // Others that go first make SQLite move rows about.
    for round in (0..40).step_by(3) {
        let other = ledger.session(&session("s").whose, &format!("other{round}")).await.unwrap().unwrap();
        assert!(ledger.drop_session(other.number).await.unwrap());
    }
    // A part that is replaced, and then all.
    ledger.say(&session("s"), 200, "maker", &talk("Wombat", 30)).await.unwrap();
    let holds = |word: &[u8]| {
        let files = ["loci.db", "loci.db-wal"].map(|name| std::fs::read(home.0.path().join(name)).unwrap_or_default());
        files.iter().any(|bytes| bytes.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word)))
    };
    assert!(holds(b"quagmire") && holds(b"wombat"));
    let number = ledger.session(&session("s").whose, "s").await.unwrap().unwrap().number;
    assert!(ledger.drop_session(number).await.unwrap());
    assert!(!holds(b"quagmire") && !holds(b"wombat"));
    assert!(holds(b"harmless"));
    drop(ledger);
    assert!(!holds(b"quagmire"));
    assert_eq!(home.open().check().await.unwrap(), [""; 0]);
}

#[tokio::test]
async fn repair_keeps_sessions() {
    let home = Home::new();
    let ledger = home.open();
    ledger.say(&session("s"), 0, "maker", &talk("kept", 300)).await.unwrap();
    let whose = session("s").whose;
    let (kept, heard) =
        (ledger.sessions("local").await.unwrap(), ledger.heard(&whose, &["kept".to_owned()]).await.unwrap());
    drop(ledger);
    Sqlite::repair(&home.db()).unwrap();
    let ledger = home.open();
    // A new ledger begins anew, so numbers differ.
    let again = ledger.sessions("local").await.unwrap();
    assert_eq!((&again[0].session, again[0].messages), (&kept[0].session, 300));
    assert_eq!(ledger.marks(&whose, "s").await.unwrap().len(), 300);
    let places = |heard: &[loci_ledger::Heard]| heard.iter().map(|heard| heard.places.clone()).collect::<Vec<_>>();
    assert_eq!(places(&ledger.heard(&whose, &["kept".to_owned()]).await.unwrap()), places(&heard));
    assert_eq!(ledger.chunks(&whose, 0, usize::MAX).await.unwrap().len(), 3);
}
