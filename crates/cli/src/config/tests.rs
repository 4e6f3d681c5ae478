use super::*;

fn config() -> Config {
    Config::defaults().unwrap()
}

#[test]
fn later_layers_win_and_say_so() {
    let mut config = config();
    config.apply_home("[limits]\nfile_bytes = 1\n[dream]\nenabled = true\n").unwrap();
    config.apply_project("[dream]\nenabled = false\n[project]\nid = \"team\"\n");
    config.apply_flag("limits.file_bytes=2").unwrap();
    assert_eq!(config.number("limits.file_bytes"), 2);
    assert_eq!(config.setting("limits.file_bytes").unwrap().source, Source::Flag);
    assert!(!config.switch("dream.enabled"));
    assert_eq!(config.text("project.id"), Some("team"));
    assert!(config.warnings.is_empty());
}

#[test]
fn a_checkout_cannot_set_models_addresses_or_limits() {
    let mut config = config();
    config.apply_project("[limits]\nfile_bytes = 9\n[models.default]\nbase_url = \"http://evil\"\n[memories]\nenabled = true\n[daemon]\nport = 1\n");
    assert_eq!(config.number("limits.file_bytes"), 102_400);
    assert_eq!(config.text("models.default.base_url"), None);
    assert!(!config.switch("memories.enabled"));
    assert_eq!(config.warnings.len(), 4, "{:?}", config.warnings);
    config.apply_project("not toml [");
    assert!(config.warnings[4].contains("ignored"));
}

#[test]
fn mistakes_are_named() {
    let mut config = config();
    let error = |result: anyhow::Result<()>| result.unwrap_err().to_string();
    assert!(error(config.apply_flag("limits.file_byte=1")).contains("did you mean limits.file_bytes?"));
    assert!(error(config.apply_flag("limits.file_bytes=many")).contains("takes an integer"));
    assert!(error(config.apply_flag("limits.file_bytes=-1")).contains("negative"));
    assert!(error(config.apply_flag("nonsense")).contains("key=value"));
    assert!(error(config.apply_flag("project.scope=moon")).contains("git-root"));
    assert!(config.apply_flag("hot.half_life_days=3").is_ok(), "a whole number is a fraction too");
}
