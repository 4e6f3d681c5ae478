use super::*;

const LOCOMO: &str = r#"[{"sample_id":"c1","qa":[
  {"question":"Where is the boat?","answer":"north","evidence":["D2:1; D1:2"],"category":1},
  {"question":"Who?","evidence":["D:1:1","D9:9"],"category":4},
  {"question":"Nothing?","evidence":[],"category":5}],
 "conversation":{"speaker_a":"Ann","session_2":[{"speaker":"Bo","dia_id":"D2:1","text":"North pier."}],
  "session_1_date_time":"1:56 pm on 8 May, 2023",
  "session_1":[{"speaker":"Ann","dia_id":"D1:1","text":"Hi"},
   {"speaker":"Bo","dia_id":"D1:2","text":"Look","img_url":["x"],"blip_caption":"a photo of a boat"}]}}]"#;

#[test]
fn locomo_has_turns_of_conversations() {
    let found = locomo(LOCOMO).unwrap();
    let [conversation] = found.as_slice() else { panic!("{found:?}") };
    let ids: Vec<&str> = conversation.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(ids, ["session_1", "session_2"]);
    assert!(conversation.sessions[0].lines.ends_with("\"content\":\"Bo: Look [a photo of a boat]\"}\n"));
    let asked: Vec<(&str, &str, &[String])> = conversation
        .questions
        .iter()
        .map(|question| (question.id.as_str(), question.category.as_str(), question.gold.as_slice()))
        .collect();
    let own = |turns: &[&str]| turns.iter().map(|turn| (*turn).to_owned()).collect::<Vec<_>>();
    assert_eq!(asked, [("c1/0", "1", &own(&["D2:1", "D1:2"])[..]), ("c1/1", "4", &own(&["D1:1"])[..])]);
    assert!(locomo("{}").is_err());
}

#[test]
fn longmemeval_has_sessions_of_questions() {
    let one = |id: &str| {
        format!(
            r#"{{"question_id":"{id}","question_type":"single-session-user","question":"Which degree?","answer":"x",
            "question_date":"2023/05/30 (Tue) 23:40","haystack_session_ids":["s1","s2","s1"],
            "haystack_dates":["2023/05/20 (Sat) 02:21","2023/05/21 (Sun) 02:21","2023/05/20 (Sat) 02:21"],
            "haystack_sessions":[[{{"role":"user","content":"Hello","has_answer":true}},{{"role":"assistant","content":"Hi"}}],[],[]],
            "answer_session_ids":["s1"]}}"#
        )
    };
    let found = longmemeval(&format!("[{},{}]", one("q1"), one("q2_abs"))).unwrap();
    let [conversation] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(conversation.sessions.len(), 2);
    let first = r#"{"id":0,"role":"user","content":"Hello","at":"2023-05-20T02:21:00Z"}"#;
    assert_eq!(conversation.sessions[0].lines.lines().next(), Some(first));
    let question = &conversation.questions[0];
    assert_eq!((question.id.as_str(), question.category.as_str()), ("q1", "single-session-user"));
    assert_eq!(question.gold, ["s1"]);
}
