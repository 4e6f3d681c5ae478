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
    async fn today(&self) -> Result<u64> {
        if self.broken {
            return Err(Error::Uncounted("no".to_owned()));
        }
        Ok(self.rows.lock().unwrap().iter().map(|row| row.1).sum())
    }

    async fn add(&self, model: &str, spent: Spent) -> Result<()> {
        self.rows.lock().unwrap().push((model.to_owned(), spent.total()));
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
