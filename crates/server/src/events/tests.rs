use super::*;
use futures_util::StreamExt;

async fn heard(stream: &mut (impl Stream<Item = Result<sse::Event, Infallible>> + Unpin)) -> Option<String> {
    stream.next().await.map(|event| format!("{:?}", event.unwrap()))
}

/// Tells something under the next number.
fn tell(events: &Events, room: &str, n: &str) {
    let number = events.past.lock().unwrap().last + 1;
    let (room, kind) = (room.to_owned(), "memory_changed".to_owned());
    events.relay(number, &Telling { room, kind, data: json!({"n": n}).to_string(), client: None });
}

#[tokio::test]
async fn who_comes_back_misses_nothing_and_hears_nothing_twice() {
    let events = Events::default();
    for n in 1..=3 {
        tell(&events, "", &n.to_string());
    }
    let mut back = Box::pin(events.listen(Vec::new(), Some(1)));
    tell(&events, "", "4");
    for n in 2..=4 {
        let said = heard(&mut back).await.unwrap();
        assert!(said.contains(&format!("id: {n}\\n")), "{said}");
    }
    let mut new = Box::pin(events.listen(Vec::new(), None));
    let mut of_another_life = Box::pin(events.listen(Vec::new(), Some(99)));
    events.close();
    assert_eq!(heard(&mut new).await, None);
    assert!(heard(&mut of_another_life).await.unwrap().contains("id: 1\\n"));
}

#[tokio::test]
async fn a_slow_listener_is_told_and_dropped() {
    let events = Events::default();
    let mut slow = Box::pin(events.listen(Vec::new(), None));
    for _ in 0..=BEHIND {
        tell(&events, "", "");
    }
    assert!(heard(&mut slow).await.unwrap().contains("slow_client"));
    assert_eq!(heard(&mut slow).await, None);
}

#[test]
fn the_past_is_bounded() {
    let events = Events::default();
    for _ in 0..REPLAY + 5 {
        tell(&events, "", "");
    }
    let past = events.past.lock().unwrap();
    assert_eq!((past.events.len(), past.events[0].id, past.last), (REPLAY, 6, REPLAY as u64 + 5));
}

#[tokio::test]
async fn who_comes_back_after_a_restart_hears_the_new_life() {
    let before = Events::new(Timestamp::from_second(1_000).unwrap());
    (0..5).for_each(|_| before.pass("memory", &json!({})));
    let heard_last = before.past.lock().unwrap().last;
    let after = Events::new(Timestamp::from_second(1_001).unwrap());
    (0..7).for_each(|_| after.pass("memory", &json!({})));
    let mut back = Box::pin(after.listen(Vec::new(), Some(heard_last)));
    after.close();
    let mut count = 0;
    while heard(&mut back).await.is_some() {
        count += 1;
    }
    assert_eq!(count, 7);
}

#[tokio::test]
async fn a_room_hears_only_its_own() {
    let events = Events::default();
    let mut alpha = Box::pin(events.listen(vec!["alpha".to_owned()], None));
    tell(&events, "beta", "of beta");
    tell(&events, "alpha", "of alpha");
    assert!(heard(&mut alpha).await.unwrap().contains("of alpha"));
    let mut back = Box::pin(events.listen(vec!["beta".to_owned()], Some(0)));
    assert!(heard(&mut back).await.unwrap().contains("of beta"));
    events.close();
    assert_eq!(heard(&mut back).await, None);
}
