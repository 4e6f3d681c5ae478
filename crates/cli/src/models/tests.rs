use super::*;
use async_trait::async_trait;
use loci_llm::Reserved;
use loci_llm::provider::{Result, Spent};

#[derive(Debug)]
struct Free;

#[async_trait]
impl Meter for Free {
    async fn reserve(&self, _model: &str, guess: Spent, _limit: u64) -> Result<Option<Reserved>> {
        Ok(Some(Reserved { at: jiff::Timestamp::UNIX_EPOCH, guess }))
    }

    async fn charge(&self, _model: &str, _reserved: Reserved, _spent: Option<Spent>) -> Result<()> {
        Ok(())
    }
}

/// Names by role, what the settings look like inside, and the troubles.
fn chosen(toml: &str, environment: &[(&str, &str)]) -> ([Option<String>; 3], String, Vec<String>) {
    let mut config = Config::defaults().unwrap();
    config.apply_home(toml).unwrap();
    let read = |name: &str| environment.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    config.apply_environment(read).unwrap();
    let chosen = choose(&config, read, Arc::new(Free));
    let names = ROLES.map(|(role, _)| chosen.models.name(role).map(str::to_owned));
    (names, format!("{:?}", chosen.models), chosen.troubles)
}

fn all(name: &str) -> [Option<String>; 3] {
    std::array::from_fn(|_| Some(name.to_owned()))
}

#[test]
fn nothing_said_is_no_model_and_no_trouble() {
    let (names, _, troubles) = chosen("", &[("LOCI_MODEL_API_KEY", "k-1")]);
    assert_eq!((names, troubles), ([const { None }; 3], vec![]));
}

#[test]
fn the_environment_sets_the_default_role_and_others_fall_back_to_it() {
    let environment = [
        ("LOCI_MODEL_PROVIDER", "openai"),
        ("LOCI_MODEL", "m"),
        ("LOCI_MODEL_BASE_URL", "http://127.0.0.1:1/v1"),
        ("LOCI_MODEL_API_KEY", "k-from-environment"),
    ];
    let (names, inside, troubles) =
        chosen("[models.default]\nprovider = \"gemini\"\nmodel = \"x\"\napi_key_env = \"OTHER\"\n", &environment);
    assert_eq!((names, troubles), (all("openai/m"), vec![]));
    assert!(!inside.contains("k-from-environment"), "a key is shown: {inside}");
}

#[test]
fn a_role_without_a_provider_is_another_model_at_the_same_service() {
    let toml = "[models.default]\nprovider = \"anthropic\"\nmodel = \"large\"\napi_key_env = \"K\"\n[models.fast]\nmodel = \"small\"\n[models.smol]\nprovider = \"ollama\"\nmodel = \"local\"\n";
    let (names, _, troubles) = chosen(toml, &[("K", "k")]);
    assert_eq!(names, ["anthropic/large", "anthropic/small", "ollama/local"].map(|name| Some(name.to_owned())));
    assert!(troubles.is_empty(), "{troubles:?}");
}

#[test]
fn a_key_goes_nowhere_but_to_its_own_service() {
    let toml = "[models.default]\nprovider = \"openai\"\nmodel = \"m\"\napi_key_env = \"K\"\n[models.fast]\nmodel = \"m\"\nbase_url = \"http://elsewhere.test/v1\"\n";
    let mut config = Config::defaults().unwrap();
    config.apply_home(toml).unwrap();
    let read = |name: &str| (name == "K").then(|| "key".to_owned());
    let default = Told::of(&config, "default").settle("default", None, &read).unwrap();
    assert!(default.key.is_some());
    let fast = Told::of(&config, "fast").settle("fast", Some(&default), &read).unwrap();
    assert!(fast.key.is_none(), "the key of another address is sent there");
}

#[test]
fn troubles_are_named_and_the_role_falls_back() {
    for (toml, trouble) in [
        ("[models.default]\nmodel = \"m\"\n", "models.default: no provider is named; use openai, anthropic"),
        ("[models.default]\nprovider = \"openai\"\n", "models.default: no model is named"),
        ("[models.default]\nprovider = \"openai\"\nmodel = \"m\"\n", "set LOCI_MODEL_API_KEY"),
        (
            "[models.default]\nprovider = \"gemini\"\nmodel = \"m\"\napi_key_env = \"NOT_THERE\"\n",
            "the variable NOT_THERE",
        ),
        ("[models.default]\nprovider = \"ollama\"\nmodel = \"m\"\nbase_url = \"host:1\"\n", "http://"),
        ("[models.default]\nprovider = \"ollama\"\nmodel = \"m\"\nbase_url = \"http://a:b@host\"\n", "password"),
    ] {
        let (names, _, troubles) = chosen(toml, &[]);
        assert_eq!(names, [const { None }; 3], "{toml}");
        assert!(troubles.len() == 1 && troubles[0].contains(trouble), "{toml}: {troubles:?}");
    }
    let toml =
        "[models.default]\nprovider = \"ollama\"\nmodel = \"m\"\n[models.fast]\nprovider = \"openai\"\nmodel = \"n\"\n";
    let (names, _, troubles) = chosen(toml, &[]);
    assert_eq!((names, troubles.len()), (all("ollama/m"), 1));
}
