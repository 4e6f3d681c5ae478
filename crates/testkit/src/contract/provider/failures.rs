//! What goes wrong.

use super::*;
use loci_llm::provider::Error;
use std::time::Instant;

/// 429 and 5xx pass.
pub async fn busy_is_tried_again(wire: Wire, open: Open) {
    for status in [408, 429, 500, 502, 503, 529] {
        let (model, provider) = scripted(wire, open, [Step::status(status), Step::status(status), Step::say("ok")]);
        assert_eq!(provider.ask(&question()).await.unwrap().text, "ok", "{status}");
        assert_eq!(model.requests().len(), 3);
    }
}

/// Half an answer is none.
pub async fn a_broken_line_is_tried_again(wire: Wire, open: Open) {
    let (_model, provider) = scripted(wire, open, [Step::cut(), Step::say("ok")]);
    assert_eq!(provider.ask(&question()).await.unwrap().text, "ok");
    let (_model, provider) = limited(wire, open, [Step::cut(), Step::cut()], Duration::from_secs(20), 1);
    assert_eq!(provider.ask(&question()).await.unwrap_err(), Error::Unreachable);
}

/// After the last try its answer counts.
pub async fn tries_end(wire: Wire, open: Open) {
    let steps = [Step::status(500), Step::status(500), Step::status(503).header("retry-after", "0")];
    let (_model, provider) = limited(wire, open, steps, Duration::from_secs(20), 2);
    let error = provider.ask(&question()).await.unwrap_err();
    assert_eq!(error, Error::Busy { status: 503, retry_after: Some(Duration::ZERO) });
}

/// None is none.
pub async fn no_retries_is_one_try(wire: Wire, open: Open) {
    let (_model, provider) = limited(wire, open, [Step::status(429)], Duration::from_secs(20), 0);
    assert_eq!(provider.ask(&question()).await.unwrap_err(), Error::Busy { status: 429, retry_after: None });
}

/// Other refusals would be the same the next time.
pub async fn refusals_are_final(wire: Wire, open: Open) {
    for status in [400, 402, 404, 413, 422] {
        let (_model, provider) = scripted(wire, open, [Step::status(status)]);
        assert_eq!(provider.ask(&question()).await.unwrap_err(), Error::Refused { status });
    }
    for status in [401, 403] {
        let (_model, provider) = scripted(wire, open, [Step::status(status)]);
        assert_eq!(provider.ask(&question()).await.unwrap_err(), Error::Key { status });
    }
}

/// The service knows best when to come again.
pub async fn retry_after_is_kept(wire: Wire, open: Open) {
    let (_model, provider) = scripted(wire, open, [Step::status(429).header("Retry-After", "1"), Step::say("ok")]);
    let began = Instant::now();
    assert_eq!(provider.ask(&question()).await.unwrap().text, "ok");
    assert!(began.elapsed() >= Duration::from_secs(1), "{:?}", began.elapsed());
}

/// Nobody waits for what cannot come in time.
pub async fn a_pause_longer_than_the_time_is_not_waited_for(wire: Wire, open: Open) {
    let (_model, provider) = scripted(wire, open, [Step::status(503).header("retry-after", "3600")]);
    let hour = Some(Duration::from_secs(3600));
    assert_eq!(provider.ask(&question()).await.unwrap_err(), Error::Busy { status: 503, retry_after: hour });
    // Nor for what is further away than any clock goes.
    let (_model, provider) = scripted(wire, open, [Step::status(503).header("retry-after", "1e19")]);
    let never = Some(Duration::from_secs(10_000_000_000_000_000_000));
    assert_eq!(provider.ask(&question()).await.unwrap_err(), Error::Busy { status: 503, retry_after: never });
}

/// Every call ends.
pub async fn a_silent_service_is_late(wire: Wire, open: Open) {
    let time = Duration::from_millis(300);
    let (_model, provider) = limited(wire, open, [Step::hang()], time, 3);
    assert_eq!(provider.ask(&question()).await.unwrap_err(), Error::Late { limit: time });
}

/// Tries share one limit.
pub async fn the_time_covers_all_tries(wire: Wire, open: Open) {
    let time = Duration::from_millis(700);
    let slow = Step::status(500).after(Duration::from_millis(400));
    let (_model, provider) = limited(wire, open, [slow.clone(), slow], time, 9);
    assert_eq!(provider.ask(&question()).await.unwrap_err(), Error::Late { limit: time });
}

/// A service that is not there is not there a moment later either.
pub async fn nobody_there_is_said_at_once(_wire: Wire, open: Open) {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let time = Duration::from_secs(20);
    let provider = open(Place { base_url: format!("http://{free}/v1"), time, retries: u32::MAX });
    assert_eq!(provider.ask(&question()).await.unwrap_err(), Error::Unreachable);
}

/// Dropping the future ends the call, also for the service.
pub async fn a_dropped_call_hangs_up(wire: Wire, open: Open) {
    let (model, provider) = scripted(wire, open, [Step::hang()]);
    let ask = question();
    let asked = tokio::time::timeout(Duration::from_millis(200), provider.ask(&ask)).await;
    assert!(asked.is_err());
    let end = Instant::now() + Duration::from_secs(10);
    while model.hung_up() == 0 {
        assert!(Instant::now() < end, "the line is still open");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A key goes to the address that a person gave, and nowhere else.
pub async fn redirects_are_not_followed(wire: Wire, open: Open) {
    let elsewhere = Model::new(wire, []);
    for status in [301, 302, 307, 308] {
        let redirect = Step::status(status).header("location", &elsewhere.base_url());
        let (_model, provider) = scripted(wire, open, [redirect]);
        assert_eq!(provider.ask(&question()).await.unwrap_err(), Error::Refused { status });
    }
    assert!(elsewhere.requests().is_empty());
}

/// Some models refuse any temperature and say so.
pub async fn an_unwanted_temperature_is_left_out_from_then_on(wire: Wire, open: Open) {
    let refusal =
        "{\"error\": {\"message\": \"Unsupported value: 'temperature' does not support 0 with this model.\"}}";
    let steps = [Step::refusal(400, refusal), Step::say("one"), Step::say("two"), Step::refusal(400, refusal)];
    let (model, provider) = scripted(wire, open, steps);
    let ask = Ask { temperature: Some(0.0), ..question() };
    assert_eq!(provider.ask(&ask).await.unwrap().text, "one");
    assert_eq!(provider.ask(&ask).await.unwrap().text, "two");
    assert_eq!(provider.ask(&ask).await.unwrap_err(), Error::Refused { status: 400 });
    let sent: Vec<Option<f64>> = model.requests().iter().map(|request| request.seen().temperature).collect();
    assert_eq!(sent, [Some(0.0), None, None, None]);
}

/// Neither key nor words, whatever the service repeats.
pub async fn nothing_leaks(wire: Wire, open: Open) {
    for status in [400, 401, 404, 429, 500] {
        let (_model, provider) = limited(wire, open, [Step::echo(status)], Duration::from_secs(20), 0);
        let error = provider.ask(&question()).await.unwrap_err();
        let shown = format!("{error} {error:?} {provider:?}");
        assert!(!shown.contains(KEY) && !shown.contains(PROMPT), "{shown}");
    }
    let (_model, provider) = scripted(wire, open, [Step::body(format!("{{\"{KEY}\": \"{PROMPT}\"}}"))]);
    let error = provider.ask(&question()).await.unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains(KEY) && !shown.contains(PROMPT), "{shown}");
}
