use super::*;
use jiff::SignedDuration;
use loci_domain::transcript::Role;
use loci_ledger::{Claim, Extraction, JobEnd, Jobs, Message, Said, Session, Sessions, Sqlite, Wanted, Whose};
use std::time::Duration;

fn now() -> Timestamp {
    Timestamp::now()
}

async fn said(ledger: &Sqlite, project: &str, name: &str, hours: i64, written: i64) {
    let message = Message {
        id: "m".to_owned(),
        role: Role::User,
        content: "hello".to_owned(),
        at: None,
        calls: String::new(),
        mark: written.unsigned_abs(),
    };
    let session = Session {
        whose: Whose { account: LOCAL.to_owned(), project: project.to_owned() },
        id: name.to_owned(),
        title: String::new(),
        format: "loci".to_owned(),
        at: now() - SignedDuration::from_hours(hours),
        kept_at: Timestamp::from_second(written).unwrap(),
    };
    let said = Said { message, words: "hello".to_owned(), asks: false, vector: Vec::new() };
    ledger.say(&session, 0, "test", &[said]).await.unwrap();
}

async fn survey(ledger: &Sqlite) -> Survey {
    Survey::of(ledger, &Settings::sample(), None, now()).await.unwrap()
}

fn names(survey: &Survey) -> Vec<&str> {
    survey.due.iter().map(|due| due.session.as_str()).collect()
}

/// Claims the only job there is and ends it so.
async fn end(ledger: &Sqlite, due: &Due, end: impl Fn(&Job) -> JobEnd) {
    ledger.enqueue_job(&distil::wanted(&due.project, &due.session, due.mark), now()).await.unwrap();
    let lasts = Duration::from_secs(60);
    let claim =
        Claim { kinds: &[distil::KIND], project: None, owner: "a", lasts, tries: 1, dead: &[], passed_over: &[] };
    let job = ledger.claim_job(&claim, now()).await.unwrap().unwrap();
    assert!(ledger.settle_job(&job, &end(&job), 1, now()).await.unwrap());
}

fn read(job: &Job, kept_at: i64) -> JobEnd {
    JobEnd::Distilled(Box::new(Extraction {
        project: job.project.clone(),
        session: job.key.clone(),
        mark: job.asked,
        kept_at: Timestamp::from_second(kept_at).unwrap(),
        said_at: now(),
        raw_memory: String::new(),
        summary: String::new(),
        slug: None,
        at: now(),
    }))
}

#[tokio::test]
async fn every_session_that_is_not_read_has_its_reason() {
    let ledger = Sqlite::in_memory().unwrap();
    for (name, hours) in [("young", 2), ("right", 13), ("month", 24 * 29), ("old", 24 * 32)] {
        said(&ledger, "project:a", name, hours, 1_000).await;
    }
    said(&ledger, "", "homeless", 20, 1_000).await;
    said(&ledger, "project:a", "busy", 20, 1_000).await;
    let turn = Wanted {
        kind: extract_turn::KIND.to_owned(),
        key: "busy".to_owned(),
        project: "project:a".to_owned(),
        payload: String::new(),
        mark: None,
    };
    ledger.enqueue_job(&turn, now()).await.unwrap();
    let found = survey(&ledger).await;
    assert_eq!((found.sessions, names(&found)), (6, vec!["right", "month"]));
    let skipped = [(Skip::NoProject, 1), (Skip::Active, 1), (Skip::TooYoung, 1), (Skip::TooOld, 1)];
    assert_eq!(found.skipped, BTreeMap::from(skipped));
}

#[tokio::test]
async fn what_was_read_is_due_again_when_it_was_written_again() {
    let ledger = Sqlite::in_memory().unwrap();
    said(&ledger, "project:a", "one", 20, 2_000).await;
    let due = survey(&ledger).await.due.remove(0);
    end(&ledger, &due, |job| read(job, 2_000)).await;
    assert_eq!(survey(&ledger).await.skipped, BTreeMap::from([(Skip::Unchanged, 1)]));
    // Also by a clock that was set back meanwhile.
    said(&ledger, "project:a", "one", 19, 1_500).await;
    let again = survey(&ledger).await.due.remove(0);
    assert!(again.mark > due.mark);
    ledger.enqueue_job(&distil::wanted(&again.project, &again.session, again.mark), now()).await.unwrap();
    assert_eq!(ledger.jobs_of(distil::KIND, None).await.unwrap()[0].status, JobStatus::Pending);
}

#[tokio::test]
async fn what_failed_waits_and_then_is_left_alone_until_there_is_more() {
    let ledger = Sqlite::in_memory().unwrap();
    said(&ledger, "project:a", "one", 20, 2_000).await;
    let due = survey(&ledger).await.due.remove(0);
    end(&ledger, &due, |_| JobEnd::Later(Duration::from_secs(3_600))).await;
    assert_eq!(survey(&ledger).await.skipped, BTreeMap::from([(Skip::WaitsForBudget, 1)]));
    let id = ledger.jobs_of(distil::KIND, None).await.unwrap()[0].id;
    assert!(ledger.retry_job(id, now()).await.unwrap());
    end(&ledger, &due, |_| JobEnd::Hopeless("no".to_owned())).await;
    assert_eq!(survey(&ledger).await.skipped, BTreeMap::from([(Skip::Exhausted, 1)]));
    said(&ledger, "project:a", "one", 19, 3_000).await;
    assert_eq!(names(&survey(&ledger).await), ["one"]);
}

#[tokio::test]
async fn a_run_has_an_end_and_goes_on_with_what_was_asked_for() {
    let ledger = Sqlite::in_memory().unwrap();
    for hours in 20..25 {
        said(&ledger, "project:a", &format!("s{hours}"), hours, 1_000).await;
    }
    let found = survey(&ledger).await;
    assert_eq!(names(&found), ["s20", "s21", "s22"]);
    assert_eq!(found.skipped, BTreeMap::from([(Skip::OverLimit, 2)]));
    ledger.enqueue_job(&distil::wanted("project:a", "s24", found.due[0].mark), now()).await.unwrap();
    let mut found = survey(&ledger).await;
    assert_eq!(names(&found), ["s24", "s20", "s21"]);
    found.without(&BTreeSet::from(["project:a".to_owned()]));
    assert_eq!((found.due.len(), found.skipped[&Skip::Disabled]), (0, 3));
}
