use super::*;
use crate::provider::{Answer, Provider};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// Says what it was told to, and remembers what it was asked.
#[derive(Debug, Default)]
struct Scripted {
    answers: Mutex<VecDeque<Result<Answer>>>,
    asked: Mutex<Vec<Ask>>,
}

#[async_trait]
impl Provider for Scripted {
    fn name(&self) -> &str {
        "test/scripted"
    }

    async fn ask(&self, ask: &Ask) -> Result<Answer> {
        self.asked.lock().unwrap().push(ask.clone());
        let next = self.answers.lock().unwrap().pop_front();
        match next {
            Some(answer) => answer,
            None => std::future::pending().await,
        }
    }
}

/// Notes every call; `read` brings the path back, `long` brings much, `count` never the same, `slow` nothing.
#[derive(Default)]
struct Desk(Mutex<Vec<Call>>);

#[async_trait]
impl Toolbox for Desk {
    fn tools(&self) -> Vec<Tool> {
        let tool = |name: &str| Tool { name: name.to_owned(), description: String::new(), schema: json!({}) };
        ["read", "long", "count", "slow"].map(tool).to_vec()
    }

    async fn call(&self, call: &Call) -> std::result::Result<String, String> {
        self.0.lock().unwrap().push(call.clone());
        let made = self.0.lock().unwrap().len();
        match (call.name.as_str(), &call.arguments) {
            (_, Value::String(_)) => Err("the arguments are no JSON object".to_owned()),
            ("long", _) => Ok("日".repeat(20_000)),
            ("count", _) => Ok(made.to_string()),
            ("slow", _) => std::future::pending().await,
            (_, arguments) => Ok(arguments["path"].to_string()),
        }
    }
}

fn call(name: &str, arguments: Value) -> Call {
    Call { id: format!("id of {name} {arguments}"), name: name.to_owned(), arguments }
}

fn calls(calls: &[Call]) -> Result<Answer> {
    Ok(Answer { text: "working".to_owned(), calls: calls.to_vec(), spent: Spent { input: 10, output: 1 } })
}

fn words(text: &str) -> Result<Answer> {
    Ok(Answer { text: text.to_owned(), calls: Vec::new(), spent: Spent { input: 10, output: 1 } })
}

/// How it ended, the calls that were done, and the results that the model was told, all turns in a row.
async fn ran(turns: usize, answers: Vec<Result<Answer>>) -> (Result<Finished>, Vec<Call>, Vec<Vec<String>>) {
    let provider = Arc::new(Scripted { answers: Mutex::new(answers.into()), ..Scripted::default() });
    let models = Models::default().with(Role::Default, Arc::clone(&provider) as Arc<dyn Provider>);
    let desk = Desk::default();
    let time = Duration::from_millis(500);
    let (system, prompt) = ("s".to_owned(), "p".to_owned());
    let task = Task { name: "test", role: Role::Smol, system, prompt, turns, time };
    let finished = run(&models, &desk, &task).await;
    let asked = provider.asked.lock().unwrap();
    let last = asked.last().unwrap();
    let told = last.messages.iter().filter_map(|message| match message {
        Message::Results(results) => Some(results.iter().map(|result| result.text.clone()).collect()),
        _ => None,
    });
    (finished, desk.0.lock().unwrap().clone(), told.collect())
}

#[tokio::test]
async fn parallel_calls_are_all_answered_in_order() {
    let both = [call("read", json!({"path": "a"})), call("read", json!({"path": "b"}))];
    let (finished, done, told) = ran(6, vec![calls(&both), words("there")]).await;
    let spent = Spent { input: 20, output: 2 };
    assert_eq!(finished, Ok(Finished { text: "there".to_owned(), ended: Ended::Done, turns: 2, spent }));
    assert_eq!((done, told), (both.to_vec(), vec![vec!["\"a\"".to_owned(), "\"b\"".to_owned()]]));
}

#[tokio::test]
async fn unknown_tools_and_malformed_arguments_are_told_to_the_model() {
    let odd = [call("shell", json!({})), call("read", json!("{\"path"))];
    let (finished, done, told) = ran(6, vec![calls(&odd), words("sorry")]).await;
    assert_eq!(finished.unwrap().ended, Ended::Done);
    assert_eq!(done, odd[1..], "the box is asked for tools that are in it only");
    assert_eq!(told[0][0], "Error: there is no tool of this name; there are: read, long, count, slow");
    assert_eq!(told[0][1], "Error: the arguments are no JSON object");
}

#[tokio::test]
async fn the_last_turn_is_announced_and_its_calls_are_done() {
    let step = |n: usize| calls(&[call("read", json!({"path": n}))]);
    let (finished, done, told) = ran(3, vec![step(1), step(2), step(3)]).await;
    let finished = finished.unwrap();
    assert_eq!((finished.ended, finished.turns, done.len()), (Ended::Turns, 3, 3));
    assert_eq!(told[0], ["1"]);
    assert!(told[1][0].starts_with("2\n\n[This is your last turn"), "{told:?}");
    let (finished, done, _) = ran(1, vec![step(1)]).await;
    assert_eq!((finished.unwrap().ended, done.len()), (Ended::Turns, 1));
}

#[tokio::test]
async fn the_same_call_with_the_same_result_three_times_ends_it() {
    let same = || calls(&[call("read", json!({"path": "a"})), call("count", json!({}))]);
    let (finished, done, _) = ran(9, vec![same(), calls(&[call("read", json!({"path": "b"}))]), same(), same()]).await;
    let finished = finished.unwrap();
    assert_eq!((finished.ended, finished.turns, done.len()), (Ended::Circles, 4, 7));
}

#[tokio::test]
async fn the_same_call_with_another_result_goes_on() {
    let count = || calls(&[call("count", json!({}))]);
    let twice = || calls(&[call("read", json!({"path": "a"})), call("read", json!({"path": "a"}))]);
    let answers = vec![count(), count(), count(), count(), twice(), twice(), words("six")];
    let (finished, _, _) = ran(9, answers).await;
    assert_eq!(finished.unwrap().ended, Ended::Done);
}

#[tokio::test]
async fn a_long_result_is_cut_between_characters() {
    let (_, _, told) = ran(6, vec![calls(&[call("long", json!({}))]), words("")]).await;
    assert!(told[0][0].len() < RESULT_BYTES + 100);
    assert!(told[0][0].ends_with("\n\n[cut: these are the first 16383 of 60000 bytes; ask for a part]"));
}

#[tokio::test]
async fn time_and_trouble_are_errors_after_what_was_done() {
    let read = || calls(&[call("read", json!({"path": "a"}))]);
    let late = Err(Error::Late { limit: Duration::from_millis(500) });
    let (finished, done, _) = ran(6, vec![read()]).await;
    assert_eq!((finished, done.len()), (late.clone(), 1));
    let (finished, _, _) = ran(6, vec![calls(&[call("slow", json!({}))])]).await;
    assert_eq!(finished, late);
    let (finished, done, _) = ran(6, vec![read(), Err(Error::Spent)]).await;
    assert_eq!((finished, done.len()), (Err(Error::Spent), 1));
}
