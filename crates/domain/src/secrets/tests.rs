use super::*;
use proptest::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// One rule's samples.
#[derive(Deserialize)]
struct Samples {
    finds: Vec<String>,
    ignores: Vec<String>,
}

fn samples() -> BTreeMap<String, Samples> {
    toml::from_str(include_str!("samples.toml")).unwrap()
}

/// Random signs, the same for the same seed.
struct Signs(u64);

impl Signs {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn of(&mut self, alphabet: &str, count: usize) -> String {
        const ABC: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let signs: Vec<char> = match alphabet {
            "hex" => "0123456789abcdef".chars().collect(),
            "num" => "0123456789".chars().collect(),
            "up" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".chars().collect(),
            "low" => "abcdefghijklmnopqrstuvwxyz0123456789".chars().collect(),
            "abc" => ABC.chars().collect(),
            "b62" => format!("{ABC}0123456789").chars().collect(),
            "b64" => format!("{ABC}0123456789+/").chars().collect(),
            "url" => format!("{ABC}0123456789-_").chars().collect(),
            other => panic!("no alphabet {other}"),
        };
        (0..count).map(|_| signs[(self.next() % signs.len() as u64) as usize]).collect()
    }

    /// Grows `{b62:36}` and `{uuid}` in a sample.
    fn grow(&mut self, sample: &str) -> String {
        let mut out = String::new();
        let mut rest = sample;
        while let Some(open) = rest.find('{') {
            out.push_str(&rest[..open]);
            let close = open + rest[open..].find('}').unwrap();
            match rest[open + 1..close].split_once(':') {
                Some((alphabet, count)) if count.parse::<usize>().is_ok() => {
                    out.push_str(&self.of(alphabet, count.parse().unwrap()))
                }
                None if &rest[open..=close] == "{uuid}" => {
                    let parts: Vec<String> = [8, 4, 4, 4, 12].map(|count| self.of("hex", count)).to_vec();
                    out.push_str(&format!(
                        "{}-{}-4{}-a{}-{}",
                        parts[0],
                        parts[1],
                        &parts[2][1..],
                        &parts[3][1..],
                        parts[4]
                    ));
                }
                _ => out.push_str(&rest[open..=close]),
            }
            rest = &rest[close + 1..];
        }
        out + rest
    }
}

fn hits(text: &str) -> Vec<&'static str> {
    scan(text).into_iter().map(|found| found.rule).collect()
}

fn token() -> String {
    format!("{}_{}", "ghp", "x9Kq2LmZ7vRt4WcY8nBd1HsF6gJp3TzQ5aEu")
}

#[test]
fn every_rule_compiles() {
    for rule in &rules().all {
        assert!(rule.compile().is_ok(), "{}", rule.id);
        assert!(!rule.keywords.is_empty() && !rule.about.is_empty(), "{}", rule.id);
        assert!(describe(rule.id).is_some());
    }
}

#[test]
fn the_rules_are_read_as_toml_reads_them() {
    let file: toml::Table = toml::from_str(include_str!("rules.toml")).unwrap();
    let read = rules().all.iter().map(|rule| (rule.id.to_owned(), rule.fields()));
    let told = file["rule"].as_array().unwrap().iter().map(|rule| {
        let rule = rule.as_table().unwrap();
        (
            rule["id"].as_str().unwrap().to_owned(),
            rule.iter().map(|(key, value)| (key.clone(), value.clone())).collect::<BTreeMap<_, _>>(),
        )
    });
    assert_eq!(read.collect::<Vec<_>>(), told.collect::<Vec<_>>());
}

#[test]
fn every_rule_has_samples() {
    let samples = samples();
    for rule in &rules().all {
        let it = samples.get(rule.id).unwrap_or_else(|| panic!("{} has no samples", rule.id));
        assert!(!it.finds.is_empty() && !it.ignores.is_empty(), "{} lacks a sample of one kind", rule.id);
    }
    assert_eq!(samples.len(), rules().all.len());
}

#[test]
fn samples_are_found_whatever_their_random_part() {
    let (mut missed, mut all) = (BTreeMap::<String, usize>::new(), 0);
    for seed in 0..40 {
        for (id, samples) in samples() {
            for sample in &samples.finds {
                let text = Signs(seed * 7919).grow(sample);
                all += 1;
                if !hits(&text).contains(&id.as_str()) {
                    *missed.entry(format!("{id}: {sample}: {:?}", hits(&text))).or_default() += 1;
                }
            }
        }
    }
    let count: usize = missed.values().sum();
    // Chance makes a few short passwords look like words or variables.
    assert!(count * 100 < all && missed.values().all(|count| *count <= 10), "{count} of {all}: {missed:#?}");
}

#[test]
fn passwords_as_people_write_them_are_found() {
    for text in [
        ["The password is Yzn9Xwb9", "F5Fm9$"],
        ["密码：", "S3cr3tPw99"],
        ["密码是 ", "S3cr3tPw99"],
        ["mot de passe : ", "S3cr3tPw99"],
        ["pw: ", "x9Kq2LmZ7v"],
        ["mysql -u root -p", "S3cr3tPw99"],
        ["DB_PASSWORD=", "correct-Horse7-battery"],
        ["Cookie: theme=dark; sessionid=", "k3j2h4g5f6d7s8a9q0w1e2r3t4y5u6i7"],
    ] {
        let text = text.concat();
        assert_eq!(hits(&text).len(), 1, "{text}");
    }
    for text in
        ["password: ^[a-z0-9]+A$", "mot de passe : oublié", "pw: usize", "密码：见维基", "PASSWORD_HASH=Argon2-Id-v1"]
    {
        assert_eq!(hits(text), [""; 0], "{text}");
    }
}

#[test]
fn ordinary_text_is_no_secret() {
    for seed in 0..20 {
        for (id, samples) in samples() {
            for sample in &samples.ignores {
                let text = Signs(seed * 104_729).grow(sample);
                assert_eq!(hits(&text), Vec::<&str>::new(), "{id}: {sample}");
            }
        }
    }
}

#[test]
fn ordinary_documents_are_no_secret() {
    let prose = [
        "The commit 3f786850e387550fdab836ed7e6dc881de23001b broke the build",
        "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 of the empty file",
        "Request id 123e4567-e89b-12d3-a456-426614174000 was slow",
        r#""integrity": "sha512-Xn4JMKoQgSBqr5hGHw0uCzcSdPOFp3wDcvVSvJvPZvsa8h3zNbSTwEHzKZ0WUSCRlj2nK6kWFzNs0Wd5u2mQZg==""#,
        "![dot](data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7)",
        "class=\"btn-primary-outline_large--disabled2 sk-circle sk-fading-circle\"",
        "see crates/domain/src/secrets/rules.toml and docs/decisions/0007-token-budget.md",
        "fn token(&self) -> Option<String> { self.token.clone() }",
        "interface Login { password: string; token?: string | undefined; apiKey: ApiKey2 }",
        "const token = await getToken({ scope: 'read:user2' });",
        "password = getpass.getpass('Password: ')",
        "export API_KEY=$(pass show api/key1)",
        "--token \"$GITHUB_TOKEN\" --password-file ./secrets/pw1.txt",
        "secret: projects/my-project-1/secrets/db-password/versions/3",
        "Authorization: Bearer YOUR_ACCESS_TOKEN",
        "- `LOCI_TOKEN` is the daemon's bearer token; `loci token` prints it",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE3k9Xy2bVq0cYw1mZp5sT8uR4nA7dHfL6gKjQoWxCvB me@host",
        "The token budget is 5000 tokens; the key idea: cache keys are `user:42`.",
        "password: null\ntoken: 0\nsecret: true\n",
        "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased-v2')",
        "auth: { method: 'oauth2', flow: 'pkce-s256' }",
        "{\"type\":\"password\",\"name\":\"user2-password\",\"id\":\"pw-field-2\"}",
        "password_hash VARCHAR(255) NOT NULL, token CHAR(64)",
        "secretKeyRef:\n  name: db-credentials-v2\n  key: password\n",
        "the password is stored in 1Password under team-2024",
        "token: ghp_… (see the vault)",
        "https://github.com/a/b/commit/3f786850e387550fdab836ed7e6dc881de23001b",
        "https://example.com/reset?lang=en&page=2#top",
        "pass: 12, fail: 3, skipped: test_login_v2",
        "key: ctrl+shift+p2",
        "foreign key (user_id2) references users(id)",
    ];
    for text in prose {
        assert_eq!(hits(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn split_and_wrapped_tokens_are_found() {
    let token = token();
    let (head, tail) = token.split_at(20);
    for text in [
        format!("{head}\\\n{tail}"),
        format!("{head}\\\n    {tail}"),
        format!("see {head}\r\n  {tail} there"),
        format!("token: {head}\n{tail}\n"),
        format!("{head}\u{200b}{tail}"),
    ] {
        let shown = redact(&text).into_owned();
        assert!(hits(&text).contains(&"github-token"), "{text:?}");
        assert!(!shown.contains(tail) && !shown.contains(&head[4..]), "{shown:?}");
    }
    let text = format!("{token}\nThe runner has it.\n");
    assert_eq!(redact(&text), "[REDACTED:github-token]\nThe runner has it.\n");
}

fn base64(text: &str) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let sign = |held: u32, shift: u32| SIGNS[(held >> shift & 63) as usize] as char;
    let quad = |chunk: &[u8]| {
        let held = chunk.iter().fold(0, |held, byte| held << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        let text: String = [18, 12, 6, 0].map(|shift| sign(held, shift)).iter().collect();
        format!("{:=<4}", &text[..=chunk.len()])
    };
    text.as_bytes().chunks(3).map(quad).collect()
}

#[test]
fn encoded_tokens_are_found() {
    let token = token();
    for inner in [token.clone(), format!("bob:{token}"), format!("x-access-token:{token}\n")] {
        let text = format!("# note\nvalue {} end", base64(&inner));
        let found = scan(&text);
        assert_eq!((found.len(), found[0].rule, found[0].line), (1, "github-token", 2), "{inner}");
        assert_eq!(redact(&text), "# note\nvalue [REDACTED:github-token] end");
    }
    let key = Signs(3).grow("-----BEGIN PRIVATE KEY-----\n{b64:64}\n{b64:64}\n-----END PRIVATE KEY-----\n");
    assert!(hits(&format!("tls.key: {}", base64(&key))).contains(&"private-key"));
}

#[test]
fn a_key_block_goes_as_a_whole() {
    let key =
        Signs(1).grow("-----BEGIN RSA PRIVATE KEY-----\n{b64:64}\n{b64:64}\n{b64:30}==\n-----END RSA PRIVATE KEY-----");
    assert_eq!(redact(&format!("a\n{key}\nb\n")), "a\n[REDACTED:private-key]\nb\n");
    assert_eq!(redact(&format!("a\n{}\nb\n", key.replace('\n', "\r\n"))), "a\n[REDACTED:private-key]\nb\n");
    let json = format!(r#"{{"private_key": "{}\n", "client_email": "a@b.c"}}"#, key.replace('\n', "\\n"));
    assert_eq!(redact(&json), r#"{"private_key": "[REDACTED:private-key]\n", "client_email": "a@b.c"}"#);
    let open = key.split("\n-----END").next().unwrap();
    assert_eq!(
        redact(&format!("{open}\n\nSome prose follows here.\n")),
        "[REDACTED:private-key]\n\nSome prose follows here.\n"
    );
}

#[test]
fn only_the_value_goes() {
    assert_eq!(redact("api_key = \"k8Zq2LmN7vRt4WcY8nBd\" # ci\n"), "api_key = \"[REDACTED:generic-secret]\" # ci\n");
    assert_eq!(redact("see postgres://app:k8Zq2LmN@db/app"), "see postgres://app:[REDACTED:url-password]@db/app");
    assert!(matches!(redact("nothing here"), Cow::Borrowed(_)));
}

#[test]
fn a_write_is_refused_redacted_or_allowed() {
    let text = format!("line one\r\ntoken: {}\r\n", token());
    let refused = screen(text.clone(), None, Policy::Refuse).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "line 2 looks like a secret (github-token); remove it, or let a person allow it with --allow-secret"
    );
    let redacted = screen(text.clone(), None, Policy::Redact).unwrap();
    assert_eq!(redacted.into_bytes(), b"line one\r\ntoken: [REDACTED:github-token]\r\n");
    assert_eq!(screen(text.clone(), None, Policy::Allow).unwrap().as_bytes(), text.as_bytes());
    assert_eq!(format!("{:?}", Clean::kept(text.into_bytes())), format!("Clean({} bytes)", 8 + 4 + 7 + 40));
}

#[test]
fn a_secret_that_was_allowed_does_not_stop_the_next_edit() {
    let (old, other) = (token(), Signs(9).grow("AKIA{up:16}"));
    let before = format!("token: {old}\n");
    let after = format!("A new line.\ntoken: {old}\n");
    assert!(screen(after.clone(), Some(&before), Policy::Refuse).is_ok());
    let more = format!("{after}{other}\n");
    assert_eq!(screen(more.clone(), Some(&before), Policy::Refuse).unwrap_err().line, Some(3));
    let kept = screen(more, Some(&before), Policy::Redact).unwrap();
    assert_eq!(kept.into_bytes(), format!("{after}[REDACTED:aws-access-key]\n").into_bytes());
}

/// How much hostile text is tried: the megabyte of the bar, and less where nothing is optimised.
const MUCH: usize = if cfg!(debug_assertions) { 1 << 18 } else { 1 << 20 };

/// What could make a scanner slow.
fn hostile() -> Vec<(String, String)> {
    let mut seeds: Vec<String> = [
        "a",
        " ",
        "\n",
        "sk-",
        "sk-\n",
        "eyJ",
        "-eyJ",
        "eyJ.",
        "eyJaaaaaaaaaaaaaaaaaa.",
        "token",
        "token=",
        "token=\"",
        "token: ",
        "token=aaaaaaaa ",
        "password=password=",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\\n",
        "://",
        "://a:",
        "://a:b@",
        "aws_secret",
        "twilio=",
        "twilioheroku",
        "curl -u a:bbbbbbbb ",
        "-u a:bbbbbbbb ",
        "AKIA",
        " AKIA",
        " ghp_a1B2\n",
        "ghp_\\\n",
        "AAAAAAAAAA",
        "MT",
        " Mj",
        ":AA",
        "1234567890:AA",
        "%3Dghp_",
        "\\nsk-",
        "é",
        "\u{200b}",
        "Authorization: Bearer ",
        "bearer ",
        "key key ",
        "A.B-C_D/",
        "Q~",
        "JQQJ99",
        "password for ",
        "pass|",
        "_auth=",
        "sig=",
        "1/",
        "\"token\",",
        "x=\"'`",
    ]
    .map(String::from)
    .to_vec();
    seeds.push(rules().all.iter().flat_map(|rule| rule.keywords.iter().map(|word| format!("{word} "))).collect());
    seeds.push(rules().all.iter().flat_map(|rule| rule.keywords.iter().map(|word| format!("{word}=\"a1"))).collect());
    seeds.push(samples().values().flat_map(|it| it.finds.iter().map(|text| Signs(5).grow(text) + "\n")).collect());
    seeds.push(base64(
        &rules().all.iter().flat_map(|rule| rule.keywords.iter().map(|word| format!("{word} "))).collect::<String>(),
    ));
    let long = |seed: &String| {
        seed.chars().cycle().scan(0, |sum, sign| (*sum < MUCH).then(|| (*sum += sign.len_utf8(), sign).1)).collect()
    };
    let mut all: Vec<(String, String)> =
        seeds.iter().map(|seed| (seed.chars().take(40).collect(), long(seed))).collect();
    all.push(("random".into(), Signs(2).of("b64", MUCH)));
    all
}

/// CPU time of this thread, or since some start where the system does not tell: others may be busy on this machine.
fn spent() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse().ok()).map(Duration::from_nanos);
    told.unwrap_or_else(|| START.elapsed())
}

#[test]
fn hostile_text_costs_linear_time() {
    scan(
        &hostile().into_iter().map(|(_, text)| text[..text.floor_char_boundary(20_000)].to_owned()).collect::<String>(),
    );
    // The bar is 50 ms for a megabyte in a release build; this leaves room for a busy machine, not for a square.
    let most = if cfg!(debug_assertions) { Duration::from_secs(3) } else { Duration::from_millis(150) };
    let mut times = Vec::new();
    for (seed, text) in hostile() {
        let start = spent();
        let count = scan(&text).len();
        times.push((spent() - start, seed, count));
    }
    times.sort_by_key(|it| std::cmp::Reverse(it.0));
    println!("{:?}", &times[..8]);
    assert!(times[0].0 < most, "{:?}", times[0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_is_scanned(text in any::<String>()) {
        sound(&text)?;
    }

    #[test]
    fn pieces_of_secrets_are_scanned(parts in proptest::collection::vec(part(), 0..24)) {
        sound(&parts.concat())?;
    }
}

/// Keywords, samples, separators and noise: what any text does not have often enough to be interesting.
fn part() -> impl Strategy<Value = String> {
    let words: Vec<String> =
        rules().all.iter().flat_map(|rule| rule.keywords.iter().map(|word| word.to_string())).collect();
    let finds: Vec<String> = samples().into_values().flat_map(|it| it.finds).collect();
    let glue = [
        "\n",
        "\r\n",
        " ",
        "\\\n",
        "=",
        ": ",
        "\"",
        "'",
        "@",
        "://",
        "-",
        "_",
        "é",
        "\u{200b}",
        ".",
        "a1B2c3D4e5",
        "-----END X-----",
        "]",
    ];
    prop_oneof![
        proptest::sample::select(words),
        (proptest::sample::select(finds), any::<u64>()).prop_map(|(sample, seed)| Signs(seed).grow(&sample)),
        proptest::sample::select(glue.map(String::from).to_vec()),
        "[A-Za-z0-9]{1,40}",
    ]
}

fn sound(text: &str) -> Result<(), TestCaseError> {
    let found = scan(text);
    for pair in found.windows(2) {
        prop_assert!(pair[0].span.end <= pair[1].span.start);
    }
    for it in &found {
        prop_assert!(it.span.start < it.span.end && text.get(it.span.clone()).is_some());
        prop_assert_eq!(it.line, 1 + text[..it.span.start].matches('\n').count());
    }
    let once = redact(text);
    prop_assert_eq!(scan(&once), vec![], "{}", once);
    prop_assert_eq!(redact(&once), once.clone());
    prop_assert_eq!(found.is_empty(), matches!(once, Cow::Borrowed(_)));
    Ok(())
}
