use super::*;
use std::sync::Mutex;

#[derive(Debug)]
struct Named(&'static str, Result<Answer>, Mutex<usize>);

#[async_trait]
impl Provider for Named {
    fn name(&self) -> &str {
        self.0
    }

    async fn ask(&self, _ask: &Ask) -> Result<Answer> {
        *self.2.lock().unwrap() += 1;
        self.1.clone()
    }
}

#[derive(Debug, Default)]
struct Tally {
    rows: Mutex<Vec<(String, u64)>>,
    broken: bool,
}

#[async_trait]
impl Meter for Tally {
    async fn reserve(&self, model: &str, guess: Spent, limit: u64) -> Result<Option<Reserved>> {
        if self.broken {
            return Err(Error::Uncounted("no".to_owned()));
        }
        let mut rows = self.rows.lock().unwrap();
        if rows.iter().map(|row| row.1).sum::<u64>() >= limit {
            return Ok(None);
        }
        rows.push((model.to_owned(), guess.total()));
        Ok(Some(Reserved { at: Timestamp::UNIX_EPOCH, guess }))
    }

    async fn charge(&self, model: &str, reserved: Reserved, spent: Option<Spent>) -> Result<()> {
        let mut rows = self.rows.lock().unwrap();
        let row = rows.iter().position(|row| *row == (model.to_owned(), reserved.guess.total())).unwrap();
        match spent {
            Some(spent) => rows[row].1 = spent.total(),
            None => drop(rows.remove(row)),
        }
        Ok(())
    }
}

fn named(name: &'static str) -> Arc<Named> {
    let answer = Answer { text: name.to_owned(), calls: Vec::new(), spent: Spent { input: 60, output: 40 } };
    Arc::new(Named(name, Ok(answer), Mutex::default()))
}

#[tokio::test]
async fn a_missing_role_falls_back_to_the_default_and_without_it_nobody_answers() {
    let models = Models::default().with(Role::Fast, named("fast"));
    assert_eq!(models.ask(Role::Fast, &Ask::default()).await.unwrap().text, "fast");
    assert_eq!(models.ask(Role::Smol, &Ask::default()).await, Err(Error::NoModel));
    assert!(!models.has(Role::Default));
    let models = models.with(Role::Default, named("default"));
    assert_eq!(models.ask(Role::Smol, &Ask::default()).await.unwrap().text, "default");
    assert_eq!((models.name(Role::Fast), models.name(Role::Smol)), (Some("fast"), Some("default")));
}

#[tokio::test]
async fn the_daily_limit_is_hard() {
    let (provider, tally) = (named("m"), Arc::new(Tally::default()));
    let models = Models::default().with(Role::Default, provider.clone()).metered(tally.clone(), 200);
    for _ in 0..2 {
        models.ask(Role::Default, &Ask::default()).await.unwrap();
    }
    assert_eq!(models.ask(Role::Default, &Ask::default()).await, Err(Error::Spent));
    assert_eq!(*provider.2.lock().unwrap(), 2, "it is asked although the limit is reached");
    assert_eq!(*tally.rows.lock().unwrap(), [("m".to_owned(), 100), ("m".to_owned(), 100)]);
}

#[tokio::test]
async fn a_failed_call_that_cost_something_counts() {
    let nothing = Error::Nothing { why: "it was filtered", spent: Spent { input: 7, output: 1 } };
    let provider = Arc::new(Named("m", Err(nothing.clone()), Mutex::default()));
    let tally = Arc::new(Tally::default());
    let models = Models::default().with(Role::Default, provider).metered(tally.clone(), 1_000);
    assert_eq!(models.ask(Role::Default, &Ask::default()).await, Err(nothing));
    assert_eq!(*tally.rows.lock().unwrap(), [("m".to_owned(), 8)]);
}

#[tokio::test]
async fn what_cannot_be_counted_is_not_asked() {
    let (provider, tally) = (named("m"), Arc::new(Tally { broken: true, ..Tally::default() }));
    let models = Models::default().with(Role::Default, provider.clone()).metered(tally, 200);
    assert!(matches!(models.ask(Role::Default, &Ask::default()).await, Err(Error::Uncounted(_))));
    assert_eq!(*provider.2.lock().unwrap(), 0);
}

/// Many calls at once: whoever is let through is counted before the service answers.
#[tokio::test]
async fn calls_at_the_same_time_stop_at_the_limit() {
    #[derive(Debug, Default)]
    struct Slow(Mutex<u64>);

    #[async_trait]
    impl Provider for Slow {
        fn name(&self) -> &str {
            "m"
        }

        async fn ask(&self, _ask: &Ask) -> Result<Answer> {
            *self.0.lock().unwrap() += 1;
            tokio::task::yield_now().await;
            Ok(Answer { spent: Spent { input: 10, output: 90 }, ..Answer::default() })
        }
    }

    let (provider, tally) = (Arc::new(Slow::default()), Arc::new(Tally::default()));
    let models = Models::default().with(Role::Default, provider.clone()).metered(tally.clone(), 250);
    let ask = Ask { max_tokens: Some(100), ..Ask::default() };
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let (models, ask) = (models.clone(), ask.clone());
            tokio::spawn(async move { models.ask(Role::Default, &ask).await })
        })
        .collect();
    let mut refused = 0;
    for call in calls {
        refused += usize::from(call.await.unwrap() == Err(Error::Spent));
    }
    assert_eq!((*provider.0.lock().unwrap(), refused), (3, 17));
    assert_eq!(tally.rows.lock().unwrap().iter().map(|row| row.1).sum::<u64>(), 300);
}

#[tokio::test]
async fn a_call_that_never_reached_anybody_costs_nothing_and_a_late_one_what_was_guessed() {
    let late = Error::Late { limit: std::time::Duration::from_secs(1) };
    for (error, counted) in [(Error::Unreachable, vec![]), (late, vec![("m".to_owned(), ANSWER)])] {
        let tally = Arc::new(Tally::default());
        let provider = Arc::new(Named("m", Err(error.clone()), Mutex::default()));
        let models = Models::default().with(Role::Default, provider).metered(tally.clone(), 1_000);
        assert_eq!(models.ask(Role::Default, &Ask::default()).await, Err(error));
        assert_eq!(*tally.rows.lock().unwrap(), counted);
    }
}
