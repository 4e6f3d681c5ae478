use super::*;
use futures_util::StreamExt;

async fn heard(stream: &mut (impl Stream<Item = Result<sse::Event, Infallible>> + Unpin)) -> Option<String> {
    stream.next().await.map(|event| format!("{:?}", event.unwrap()))
}

#[tokio::test]
async fn who_comes_back_misses_nothing_and_hears_nothing_twice() {
    let events = Events::default();
    for n in 1..=3 {
        events.tell("", "memory_changed", &json!({"n": n}), None);
    }
    let mut back = Box::pin(events.listen(Vec::new(), Some(1)));
    events.tell("", "memory_changed", &json!({"n": 4}), Some("me"));
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
        events.tell("", "memory_changed", &json!({}), None);
    }
    assert!(heard(&mut slow).await.unwrap().contains("slow_client"));
    assert_eq!(heard(&mut slow).await, None);
}

#[test]
fn the_past_is_bounded() {
    let events = Events::default();
    for _ in 0..REPLAY + 5 {
        events.tell("", "memory_changed", &json!({}), None);
    }
    let past = events.past.lock().unwrap();
    assert_eq!((past.events.len(), past.events[0].id, past.last), (REPLAY, 6, REPLAY as u64 + 5));
}

#[tokio::test]
async fn who_comes_back_after_a_restart_hears_the_new_life() {
    let before = Events::new(Timestamp::from_second(1_000).unwrap());
    (0..5).for_each(|_| before.tell("", "memory_changed", &json!({}), None));
    let heard_last = before.past.lock().unwrap().last;
    let after = Events::new(Timestamp::from_second(1_001).unwrap());
    (0..7).for_each(|_| after.tell("", "memory_changed", &json!({}), None));
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
    events.tell("beta", "memory_changed", &json!({"n": "of beta"}), None);
    events.tell("alpha", "memory_changed", &json!({"n": "of alpha"}), None);
    assert!(heard(&mut alpha).await.unwrap().contains("of alpha"));
    let mut back = Box::pin(events.listen(vec!["beta".to_owned()], Some(0)));
    assert!(heard(&mut back).await.unwrap().contains("of beta"));
    events.close();
    assert_eq!(heard(&mut back).await, None);
}
