//! Two nodes at one database, at the same instant: what one writer at a time gives SQLite must hold here too.

use jiff::Timestamp;
use loci_domain::change::{GroupId, Identity};
use loci_domain::digest::Digest;
use loci_domain::transcript::Role;
use loci_ledger::{
    Accounts, Begin, Begun, CancelledTask, Card, Claim, Clients, Extraction, Extractions, Holding, Job, JobEnd, Jobs,
    Leases, Message, Postgres, Provenance, Room, Said, Session, Sessions, Source, Spoken, Step, Taken, Task, TaskEnd,
    TaskKind, TaskStatus, Tasks, Turns, Wanted, Whose,
};
use loci_testkit::servers::postgres::Database;
use std::collections::BTreeSet;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(3600);
/// Over as soon as it is granted.
const NO_TIME: Duration = Duration::ZERO;
const NODES: usize = 2;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

async fn nodes() -> ([Postgres; NODES], Database) {
    let database = Database::shared().await;
    let open = async || Postgres::open(&database.url()).await.unwrap();
    ([open().await, open().await], database)
}

/// Does something so many times at once, every other time on the other node; the answers in no order.
async fn at_once<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    nodes: &[Postgres; NODES],
    times: usize,
    work: impl Fn(Postgres, usize) -> F,
) -> Vec<T> {
    let mut all = tokio::task::JoinSet::new();
    for number in 0..times {
        all.spawn(work(nodes[number % NODES].clone(), number));
    }
    all.join_all().await
}

fn task(id: &str) -> Task {
    Task {
        id: id.to_owned(),
        lane: "lane".to_owned(),
        kind: TaskKind::Remember,
        client: None,
        words: Some("words".to_owned()),
        mode: None,
        scope: None,
        status: TaskStatus::Queued,
        end: None,
        cuts: 0,
        run: None,
        worker: None,
        created_at: at(0),
        updated_at: at(0),
    }
}

fn wanted(key: &str) -> Wanted {
    let [kind, key, project, payload] = ["extract", key, "p", ""].map(str::to_owned);
    Wanted { kind, key, project, payload, mark: None }
}

fn claim(lasts: Duration) -> Claim<'static> {
    Claim { kinds: &["extract"], project: None, owner: "node", lasts, tries: 100, dead: &[], passed_over: &[] }
}

fn begin(key: &str, event: &str, lasts: Duration) -> Begin {
    Begin {
        account: "a".to_owned(),
        key: key.to_owned(),
        event: event.to_owned(),
        turn: format!("turn_{}", loci_store::store::fresh_id()),
        agent: "ag_1".to_owned(),
        ingress: vec![Spoken { role: Role::User, content: format!("\"{event}\"") }],
        lasts,
        claimed: LONG,
    }
}

fn session(name: &str) -> Session {
    let whose = Whose { account: "local".to_owned(), project: "p".to_owned() };
    Session { whose, id: name.to_owned(), title: String::new(), format: "loci".to_owned(), at: at(0), kept_at: at(0) }
}

fn said(text: &str) -> Said {
    let [id, content] = ["m", text].map(str::to_owned);
    let message = Message { id, role: Role::User, content, at: None, calls: String::new(), mark: 1 };
    Said { message, words: text.to_owned(), asks: false, vector: vec![1, 2] }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lane_is_never_overfull() {
    let (nodes, _database) = nodes().await;
    let room = Room { pending: 5, upkeep: 5, kept: 100 };
    let put =
        at_once(&nodes, 20, |node, n| async move { node.enqueue_task(&task(&n.to_string()), room).await.unwrap() });
    assert_eq!(put.await.into_iter().filter(|put| *put).count(), 5);
    assert_eq!(nodes[0].pending_tasks("lane").await.unwrap(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_started_once_and_ends_once() {
    let (nodes, _database) = nodes().await;
    let room = Room { pending: 100, upkeep: 5, kept: 100 };
    for n in 0..8 {
        assert!(nodes[0].enqueue_task(&task(&n.to_string()), room).await.unwrap());
    }
    let started = at_once(&nodes, 16, |node, n| async move {
        let run = GroupId(n.to_string());
        (node.start_task("lane", &run, at(1)).await.unwrap(), run)
    });
    let started: Vec<_> = started.await.into_iter().filter_map(|(task, run)| Some((task?, run))).collect();
    let ids: BTreeSet<&str> = started.iter().map(|(task, _)| task.id.as_str()).collect();
    assert_eq!((started.len(), ids.len()), (8, 8));
    // Whoever is at it and a person who wants it no more: one of them decides.
    for (task, run) in started {
        let (id, end) = (task.id.clone(), TaskEnd::Completed("{}".to_owned()));
        let (finished, cancelled) =
            tokio::join!(nodes[0].finish_task(&id, &run, &end, at(2), 100), nodes[1].cancel_task("lane", &id, at(2)));
        let cancelled = matches!(cancelled.unwrap(), CancelledTask::Now(_));
        assert_ne!(finished.unwrap(), cancelled);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_claimed_by_one_node() {
    let (nodes, _database) = nodes().await;
    for n in 0..10 {
        nodes[0].enqueue_job(&wanted(&n.to_string()), at(0)).await.unwrap();
    }
    let claimed =
        at_once(&nodes, 20, |node, _| async move { node.claim_job(&claim(LONG), at(1)).await.unwrap() }).await;
    let ids: Vec<u64> = claimed.into_iter().flatten().map(|job| job.id).collect();
    assert_eq!((ids.len(), BTreeSet::from_iter(&ids).len()), (10, 10), "all of them, each once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_asked_for_at_once_is_one_job() {
    let (nodes, _database) = nodes().await;
    at_once(&nodes, 20, |node, _| async move { node.enqueue_job(&wanted("k"), at(0)).await.unwrap() }).await;
    let jobs = nodes[1].jobs(None, 10).await.unwrap();
    assert_eq!((jobs.len(), jobs[0].asked), (1, 20));
}

/// A claim that ran out is taken while its holder settles: one of them has it, and the tally says so.
#[tokio::test(flavor = "multi_thread")]
async fn claim_is_fenced() {
    let (nodes, _database) = nodes().await;
    nodes[0].enqueue_job(&wanted("k"), at(0)).await.unwrap();
    let mut settled = 0;
    let mut job = nodes[0].claim_job(&claim(NO_TIME), at(1)).await.unwrap().unwrap();
    for _ in 0..15 {
        let end = JobEnd::Done(1);
        let take = claim(NO_TIME);
        let (mine, theirs) =
            tokio::join!(nodes[0].settle_job(&job, &end, 100, at(2)), nodes[1].claim_job(&take, at(2)));
        let (mine, theirs) = (mine.unwrap(), theirs.unwrap());
        assert_ne!(mine, theirs.is_some(), "either it is done, or somebody else is at it");
        settled += u64::from(mine);
        assert!(theirs.as_ref().is_none_or(|next| next.token > job.token));
        job = match theirs {
            Some(next) => next,
            None => {
                nodes[0].enqueue_job(&wanted("k"), at(3)).await.unwrap();
                nodes[0].claim_job(&claim(NO_TIME), at(3)).await.unwrap().unwrap()
            }
        };
    }
    assert_eq!(nodes[1].take_tally("extract", "p", "k").await.unwrap(), settled);
}

/// A job that is asked for again while old ones are dropped is there afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_for_is_not_dropped() {
    let (nodes, _database) = nodes().await;
    for _ in 0..15 {
        nodes[0].enqueue_job(&wanted("k"), at(0)).await.unwrap();
        let job = nodes[0].claim_job(&claim(LONG), at(1)).await.unwrap().unwrap();
        assert!(nodes[0].settle_job(&job, &JobEnd::Done(0), 9, at(1)).await.unwrap());
        let again = wanted("k");
        let (asked, dropped) = tokio::join!(nodes[0].enqueue_job(&again, at(2)), nodes[1].drop_jobs(at(2)));
        assert!(asked.unwrap() && dropped.unwrap() <= 1);
        let job = nodes[1].claim_job(&claim(LONG), at(3)).await.unwrap().unwrap();
        assert!(nodes[1].settle_job(&job, &JobEnd::Done(0), 9, at(1)).await.unwrap());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lease_is_fenced() {
    let (nodes, _database) = nodes().await;
    let taken =
        at_once(
            &nodes,
            16,
            |node, n| async move { node.take_lease("name", &n.to_string(), LONG, None).await.unwrap() },
        );
    let mine: Vec<_> = taken.await.into_iter().filter(|taken| matches!(taken, Taken::Mine(_))).collect();
    assert_eq!(mine.len(), 1);
    // A holder that is late renews while another takes over: one of them has it.
    let Taken::Mine(mut lease) = nodes[0].take_lease("late", "0", NO_TIME, None).await.unwrap() else { panic!() };
    for _ in 0..15 {
        let (renewed, taken) =
            tokio::join!(nodes[0].renew_lease(&lease, LONG), nodes[1].take_lease("late", "1", LONG, None));
        let (renewed, taken) = (renewed.unwrap(), taken.unwrap());
        let theirs = match taken {
            Taken::Mine(theirs) => Some(theirs),
            Taken::Theirs(_) => None,
        };
        assert_ne!(renewed.is_some(), theirs.is_some());
        let held = renewed.or(theirs).unwrap();
        assert!(held.token >= lease.token && nodes[1].holds_lease(&held).await.unwrap());
        lease = nodes[0].renew_lease(&held, NO_TIME).await.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_taken_once() {
    let (nodes, _database) = nodes().await;
    let begun = at_once(&nodes, 16, |node, n| async move {
        node.begin_turn(&begin(&format!("talk {}", n % 4), "event", LONG)).await.unwrap()
    });
    let begun = begun.await;
    let started = begun.iter().filter(|begun| matches!(begun, Begun::Started(_))).count();
    let duplicates = begun.iter().filter(|begun| **begun == Begun::Duplicate).count();
    assert_eq!((started, duplicates), (1, 15));
    assert_eq!(nodes[0].conversations("a", 10).await.unwrap().len(), 1, "what is refused leaves nothing behind");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_has_one_turn() {
    let (nodes, _database) = nodes().await;
    let begun = at_once(&nodes, 16, |node, n| async move {
        node.begin_turn(&begin("talk", &format!("event {n}"), LONG)).await.unwrap()
    });
    let begun = begun.await;
    let busy = begun.iter().filter(|begun| matches!(begun, Begun::Busy(_))).count();
    assert_eq!(busy, 15);
    assert_eq!(nodes[0].conversation("a", "talk").await.unwrap().unwrap().messages, 1);
}

/// A late turn ends while another takes its conversation over: what it said is there if it was told so, and only then.
#[tokio::test(flavor = "multi_thread")]
async fn turn_is_fenced() {
    let (nodes, _database) = nodes().await;
    let Begun::Started(mut turn) = nodes[0].begin_turn(&begin("talk", "0", NO_TIME)).await.unwrap() else { panic!() };
    let mut expected = vec!["\"0\"".to_owned()];
    for round in 1..20 {
        let answer = [Spoken { role: Role::Assistant, content: format!("\"answer to {}\"", turn.event) }];
        let next = begin("talk", &round.to_string(), NO_TIME);
        let (ended, begun) = tokio::join!(nodes[0].complete_turn(turn.token, &answer), nodes[1].begin_turn(&next));
        let Begun::Started(begun) = begun.unwrap() else { panic!("its time was over") };
        match ended.unwrap() {
            Step::Done(_) => expected.push(answer[0].content.clone()),
            other => assert_eq!(other, Step::Lost),
        }
        expected.push(format!("\"{round}\""));
        assert!(begun.token > turn.token);
        turn = begun;
    }
    let lines = nodes[1].lines(turn.conversation, 0, 1000).await.unwrap();
    assert_eq!(lines.iter().map(|line| line.content.clone()).collect::<Vec<_>>(), expected);
    assert!(lines.iter().zip(0..).all(|(line, place)| line.position == place));
    assert_eq!(nodes[0].conversation("a", "talk").await.unwrap().unwrap().messages, expected.len() as u64);
}

/// Each takes over what the other's conversation has: they meet, and both go on.
#[tokio::test(flavor = "multi_thread")]
async fn events_that_change_places_are_both_taken() {
    let (nodes, _database) = nodes().await;
    for round in 0..10 {
        let events = [format!("x{round}"), format!("y{round}")];
        for (key, event) in ["one", "two"].iter().zip(&events) {
            assert!(matches!(nodes[0].begin_turn(&begin(key, event, NO_TIME)).await.unwrap(), Begun::Started(_)));
        }
        let (a, b) = (begin("two", &events[0], NO_TIME), begin("one", &events[1], NO_TIME));
        let (a, b) = tokio::join!(nodes[0].begin_turn(&a), nodes[1].begin_turn(&b));
        assert!(matches!((a.unwrap(), b.unwrap()), (Begun::Started(_), Begun::Started(_))));
    }
}

/// A turn ends while its conversation goes: nothing of it is left.
#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_conversation_is_gone() {
    let (nodes, _database) = nodes().await;
    for round in 0..10 {
        let Begun::Started(turn) = nodes[0].begin_turn(&begin("talk", &round.to_string(), LONG)).await.unwrap() else {
            panic!()
        };
        let answer = [Spoken { role: Role::Assistant, content: "\"x\"".to_owned() }];
        let (ended, dropped) =
            tokio::join!(nodes[0].complete_turn(turn.token, &answer), nodes[1].drop_conversation("a", "talk"));
        assert!(matches!(ended.unwrap(), Step::Done(_) | Step::Lost) && dropped.unwrap());
        assert!(nodes[0].lines(turn.conversation, 0, 10).await.unwrap().is_empty());
    }
}

/// What a session came to is settled while the session goes: no row without its session.
#[tokio::test(flavor = "multi_thread")]
async fn an_extraction_goes_with_its_session() {
    let (nodes, _database) = nodes().await;
    for round in 0..10 {
        let name = format!("s{round}");
        nodes[0].say(&session(&name), 0, "maker", &[said("word")]).await.unwrap();
        let number = nodes[0].session(&session(&name).whose, &name).await.unwrap().unwrap().number;
        nodes[0].enqueue_job(&wanted(&name), at(0)).await.unwrap();
        let job: Job = nodes[0].claim_job(&claim(LONG), at(1)).await.unwrap().unwrap();
        let end = JobEnd::Distilled(Box::new(Extraction {
            project: "p".to_owned(),
            session: name.clone(),
            mark: 1,
            kept_at: at(0),
            said_at: at(0),
            raw_memory: "raw".to_owned(),
            summary: "summary".to_owned(),
            slug: None,
            at: at(0),
        }));
        let (settled, dropped) = tokio::join!(nodes[0].settle_job(&job, &end, 9, at(2)), nodes[1].drop_session(number));
        assert!(settled.unwrap() && dropped.unwrap());
        assert!(nodes[0].watermarks().await.unwrap().is_empty());
    }
}

/// Who reads only above the highest number it knows has all chunks in the end.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_follows_the_chunks_misses_nothing() {
    let (nodes, _database) = nodes().await;
    let (reader, whose) = (nodes[1].clone(), session("s").whose);
    let writing = at_once(&nodes, 16, |node, n| async move {
        node.say(&session(&format!("s{n}")), 0, "maker", &[said("word")]).await.unwrap();
    });
    let reading = async {
        let mut known: Vec<u64> = Vec::new();
        while known.len() < 16 {
            let highest = known.last().copied().unwrap_or(0);
            known.extend(reader.chunks(&whose, highest, usize::MAX).await.unwrap().iter().map(|chunk| chunk.number));
        }
        known.len()
    };
    let both = async { tokio::join!(writing, reading) };
    let (_, known) = tokio::time::timeout(Duration::from_secs(20), both).await.expect("one was missed");
    assert_eq!(known, 16);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_counted_stays_within_its_bounds() {
    let (nodes, _database) = nodes().await;
    let added = at_once(&nodes, 12, |node, n| async move {
        let [id, account, body] = [&*n.to_string(), "a", "{}"].map(str::to_owned);
        let card = Card { id, account, body, created_at: at(0), updated_at: at(0) };
        node.add_holding(Holding::Agent, &card, 3).await.unwrap()
    });
    assert_eq!(added.await.into_iter().filter(|added| *added).count(), 3);
    let (of, fact) = (Identity("i".to_owned()), Digest::of(b"fact"));
    at_once(&nodes, 24, |node, n| {
        let of = of.clone();
        async move {
            let source = Source { session: n.to_string(), message: None, at: at(0) };
            node.note_source(&of, &fact, &source).await.unwrap();
            node.register_client(&n.to_string(), at(0), 4).await.unwrap();
        }
    })
    .await;
    assert_eq!(nodes[0].sources(&of, &fact).await.unwrap().len(), 16);
    let mut known = 0;
    for n in 0..24 {
        known += usize::from(nodes[1].knows_client(&n.to_string()).await.unwrap());
    }
    assert_eq!(known, 4);
}
