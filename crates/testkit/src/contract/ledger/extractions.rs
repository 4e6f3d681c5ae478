//! Extractions: kept by who holds the job, gone with their session, and counted for the handbook.

use jiff::Timestamp;
use loci_domain::transcript::Role;
use loci_ledger::{
    Claim, Cleared, Extraction, Handbook, Job, JobEnd, JobStatus, LOCAL, Ledger, Message, Said, Session, Wanted,
    Watermark, Whose,
};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(3600);
const KIND: &str = "distil";

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

async fn talk(ledger: &dyn Ledger, project: &str, name: &str) {
    let message = Message {
        id: "m".to_owned(),
        role: Role::User,
        content: "hello".to_owned(),
        at: None,
        calls: String::new(),
        mark: 1,
    };
    let whose = Whose { account: LOCAL.to_owned(), project: project.to_owned() };
    let session = Session {
        whose,
        id: name.to_owned(),
        title: String::new(),
        format: "loci".to_owned(),
        at: at(1),
        kept_at: at(2),
    };
    let said = Said { message, words: "hello".to_owned(), asks: false, vector: Vec::new() };
    ledger.say(&session, 0, "test", &[said]).await.unwrap();
}

async fn claimed(ledger: &dyn Ledger, project: &str, name: &str, mark: u64, lasts: Duration) -> Job {
    let wanted = Wanted {
        kind: KIND.to_owned(),
        key: name.to_owned(),
        project: project.to_owned(),
        payload: String::new(),
        mark: Some(mark),
    };
    ledger.enqueue_job(&wanted, at(0)).await.unwrap();
    let claim =
        Claim { kinds: &[KIND], project: Some(project), owner: "a", lasts, tries: 9, dead: &[], passed_over: &[] };
    ledger.claim_job(&claim, at(1)).await.unwrap().unwrap()
}

fn extraction(job: &Job, raw: &str, summary: &str) -> Extraction {
    Extraction {
        project: job.project.clone(),
        session: job.key.clone(),
        mark: job.asked,
        kept_at: at(2),
        said_at: at(i64::try_from(job.asked).unwrap()),
        raw_memory: raw.to_owned(),
        summary: summary.to_owned(),
        slug: (!raw.is_empty()).then(|| "slug".to_owned()),
        at: at(3),
    }
}

async fn settle(ledger: &dyn Ledger, job: &Job, end: JobEnd) -> bool {
    ledger.settle_job(job, &end, 9, at(4)).await.unwrap()
}

/// A session, read and kept.
async fn keep(ledger: &dyn Ledger, project: &str, name: &str, mark: u64, raw: &str, summary: &str) -> Extraction {
    let job = claimed(ledger, project, name, mark, LONG).await;
    let made = extraction(&job, raw, summary);
    assert!(settle(ledger, &job, JobEnd::Distilled(Box::new(made.clone()))).await);
    assert_eq!(ledger.job(job.id).await.unwrap().unwrap().status, JobStatus::Done);
    made
}

async fn counts(ledger: &dyn Ledger) -> Vec<(String, u64, u64)> {
    ledger.handbooks().await.unwrap().into_iter().map(|book| (book.project, book.changed, book.made)).collect()
}

/// Every field, newest words first, and how far it was read.
pub async fn an_extraction_comes_back_whole(ledger: &dyn Ledger) {
    assert_eq!(ledger.snapshot("project:a", 10).await.unwrap(), Default::default());
    for name in ["one", "two", "none"] {
        talk(ledger, "project:a", name).await;
    }
    let one = keep(ledger, "project:a", "one", 5, "- raw 'one'", "sum").await;
    let two = keep(ledger, "project:a", "two", 7, "", "only a summary").await;
    keep(ledger, "project:a", "none", 9, "", "").await;
    let snapshot = ledger.snapshot("project:a", 10).await.unwrap();
    assert_eq!((snapshot.changed, snapshot.made, snapshot.left_out), (2, 0, 0));
    assert_eq!(snapshot.extractions, [two.clone(), one]);
    let few = ledger.snapshot("project:a", 1).await.unwrap();
    assert_eq!((few.extractions, few.left_out), (vec![two], 1));
    let mut marks = ledger.watermarks().await.unwrap();
    marks.sort_by_key(|mark| mark.mark);
    let mark = |session: &str, mark| Watermark {
        project: "project:a".to_owned(),
        session: session.to_owned(),
        mark,
        kept_at: at(2),
    };
    assert_eq!(marks, [mark("one", 5), mark("two", 7), mark("none", 9)]);
    let book = ledger.handbooks().await.unwrap().remove(0);
    let expected =
        Handbook { project: "project:a".to_owned(), changed: 2, made: 0, made_at: None, extractions: 2, nothing: 1 };
    assert_eq!(book, expected);
}

/// What is new takes the place of what was, and what comes to nothing takes it away.
pub async fn a_session_has_one_extraction(ledger: &dyn Ledger) {
    talk(ledger, "project:a", "one").await;
    keep(ledger, "project:a", "one", 1, "old", "old").await;
    let new = keep(ledger, "project:a", "one", 2, "new", "new").await;
    assert_eq!(ledger.snapshot("project:a", 10).await.unwrap().extractions, [new]);
    keep(ledger, "project:a", "one", 3, "", "").await;
    assert_eq!(ledger.snapshot("project:a", 10).await.unwrap().extractions, []);
    assert_eq!(counts(ledger).await, [("project:a".to_owned(), 3, 0)]);
    keep(ledger, "project:a", "one", 4, "", "").await;
    assert_eq!(counts(ledger).await, [("project:a".to_owned(), 3, 0)], "nothing came, nothing went");
}

/// Whoever lost its claim keeps nothing.
pub async fn an_extraction_is_kept_by_who_holds_the_job(ledger: &dyn Ledger) {
    talk(ledger, "project:a", "one").await;
    let late = claimed(ledger, "project:a", "one", 1, Duration::ZERO).await;
    let held = claimed(ledger, "project:a", "one", 1, LONG).await;
    assert!(!settle(ledger, &late, JobEnd::Distilled(Box::new(extraction(&late, "late", "late")))).await);
    assert!(!settle(ledger, &late, JobEnd::Made(9)).await);
    assert_eq!((ledger.watermarks().await.unwrap(), counts(ledger).await), (Vec::new(), Vec::new()));
    assert!(settle(ledger, &held, JobEnd::Distilled(Box::new(extraction(&held, "held", "held")))).await);
    assert_eq!(ledger.snapshot("project:a", 9).await.unwrap().extractions[0].raw_memory, "held");
}

/// Dropped before or after it was read.
pub async fn an_extraction_goes_with_its_session(ledger: &dyn Ledger) {
    for name in ["one", "two"] {
        talk(ledger, "project:a", name).await;
        talk(ledger, "project:b", name).await;
    }
    keep(ledger, "project:a", "one", 1, "raw", "sum").await;
    keep(ledger, "project:b", "one", 1, "raw", "sum").await;
    let running = claimed(ledger, "project:a", "two", 1, LONG).await;
    for kept in ledger.sessions(LOCAL).await.unwrap() {
        if kept.session.whose.project == "project:a" {
            assert!(ledger.drop_session(kept.number).await.unwrap());
        }
    }
    assert!(settle(ledger, &running, JobEnd::Distilled(Box::new(extraction(&running, "raw", "sum")))).await);
    assert_eq!(ledger.snapshot("project:a", 9).await.unwrap().extractions, []);
    assert_eq!(ledger.snapshot("project:b", 9).await.unwrap().extractions.len(), 1);
    assert_eq!(counts(ledger).await, [("project:a".to_owned(), 2, 0), ("project:b".to_owned(), 1, 0)]);
}

/// By changes, whatever else happens meanwhile.
pub async fn a_handbook_is_made_up_to_a_change(ledger: &dyn Ledger) {
    assert_eq!(ledger.mark_stale("project:a").await.unwrap(), 1);
    let job = claimed(ledger, "project:a", "handbook", 1, LONG).await;
    assert_eq!(ledger.mark_stale("project:a").await.unwrap(), 2);
    assert!(settle(ledger, &job, JobEnd::Made(1)).await);
    assert_eq!(counts(ledger).await, [("project:a".to_owned(), 2, 1)]);
    assert_eq!(ledger.handbooks().await.unwrap()[0].made_at, Some(at(4)));
    let job = claimed(ledger, "project:a", "handbook", 2, LONG).await;
    assert!(settle(ledger, &job, JobEnd::Made(2)).await);
    assert_eq!(counts(ledger).await, [("project:a".to_owned(), 2, 2)]);
}

/// In every text, and the handbook has to follow.
pub async fn redacted_extractions_say_it_no_more(ledger: &dyn Ledger) {
    for (project, raw) in [("project:a", "the '%_' code is 1234, really 1234"), ("project:b", "nothing of it")] {
        talk(ledger, project, "one").await;
        keep(ledger, project, "one", 1, raw, &format!("about {raw}")).await;
    }
    let texts = ["code is 1234".to_owned(), "really 1234".to_owned(), String::new()];
    assert_eq!(ledger.redact_extractions(&texts, "[X]").await.unwrap(), ["project:a"]);
    let now = ledger.snapshot("project:a", 9).await.unwrap();
    assert_eq!(now.extractions[0].raw_memory, "the '%_' [X], [X]");
    assert_eq!(now.extractions[0].summary, "about the '%_' [X], [X]");
    assert_eq!(now.extractions[0].slug, None);
    assert_eq!(counts(ledger).await, [("project:a".to_owned(), 2, 0), ("project:b".to_owned(), 1, 0)]);
    assert_eq!(ledger.redact_extractions(&texts, "[X]").await.unwrap(), Vec::<String>::new());
}

/// All of one project, also what somebody is at; nothing of another.
pub async fn a_cleared_project_starts_anew(ledger: &dyn Ledger) {
    for project in ["project:a", "project:b"] {
        talk(ledger, project, "one").await;
        talk(ledger, project, "two").await;
        keep(ledger, project, "one", 1, "raw", "sum").await;
    }
    let running = claimed(ledger, "project:a", "two", 1, LONG).await;
    let cleared = ledger.clear_extractions("project:a", &[KIND]).await.unwrap();
    assert_eq!(cleared, Cleared { extractions: 1, jobs: 2 });
    assert!(!settle(ledger, &running, JobEnd::Distilled(Box::new(extraction(&running, "raw", "sum")))).await);
    assert!(ledger.jobs_of(KIND, Some("project:a")).await.unwrap().is_empty());
    assert_eq!(ledger.jobs_of(KIND, None).await.unwrap().len(), 1);
    assert_eq!(counts(ledger).await, [("project:b".to_owned(), 1, 0)]);
    assert_eq!(ledger.sessions(LOCAL).await.unwrap().len(), 4, "sessions stay");
    keep(ledger, "project:a", "one", 1, "raw", "sum").await;
}
