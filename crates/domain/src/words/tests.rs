use super::*;
use proptest::prelude::*;
use std::collections::HashSet;
use std::time::{Duration, Instant};

#[test]
fn words_and_stems() {
    let check = |text: &str, want: &str| assert_eq!(segmented(text), want, "{text:?}");
    check("", "");
    check(" \t\n … — !?", "");
    check("🦀🔥👩‍👩‍👧 ", "");
    check("Hello, World!", "hello world");
    check("committing commits committed", "commit commit commit");
    check("migrations migrating", "migrat migrat");
    check("the user's keys don't match", "the user key dont match");
    check("PGBOUNCER ｐｇｂｏｕｎｃｅｒ", "pgbouncer pgbouncer");
    check("café CAFÉ cafe\u{301} cafe", "cafe cafe cafe cafe");
    check("Straße STRASSE łódź Ærø", "strass strass lodz aero");
    check("РЕЗЕРВНЫЕ копии", "резервные копии");
    check("x\u{200b}y\u{ad}z soft", "xyz soft");
    check("① ½ 5 µm", "1 1 2 5 μm");
    check("हिन्दी", "हिनदी");
    check("a\r\nb\nc\u{2028}d\u{3164}e", "a b c de");
}

#[test]
fn identifiers_come_in_parts_and_whole() {
    let check = |text: &str, want: &str| assert_eq!(segmented(text), want, "{text:?}");
    check("src/main.rs", "src main rs srcmainr");
    check("getUserName", "get user name getusernam");
    check("get_user_name", "get user name getusernam");
    check("get-user-name", "get user name getusernam");
    check("GET_USER_NAME", "get user name getusernam");
    check("src/auth/tokenStore.ts", "src auth token store tokenstor ts srcauthtokenstoret");
    check("std::fmt::Display", "std fmt display stdfmtdisplay");
    check("HTTPServer parseJSON base64Decode", "http server httpserver pars json parsejson base64 decod base64decode");
    check("IDs URLs 2FA sha256 v1.2.3", "id url 2fa sha256 v1 2 3 v123");
    check("userIDs APIIssue", "user id userid api issu apiissu");
    check("https://grafana.internal/d/api", "https grafana intern d api grafanainternaldapi");
    check("_private__ --flag .hidden /abs/", "privat flag hidden ab");
    check("wait... and/or.", "wait and or andor");
    check("C:\\Users\\me", "c user me cusersm");
}

#[test]
fn identifiers_and_prose_meet() {
    let all = |text: &str| tokens(text).into_iter().collect::<HashSet<_>>();
    for spelling in ["getUserName", "get_user_name", "get-user-name", "get.user.name"] {
        assert!(all("get user name").is_subset(&all(spelling)), "{spelling}");
        assert!(all(spelling).contains(&tokens("getusername")[0]), "{spelling}");
    }
    assert!(all("see src/auth/tokenStore.ts").is_superset(&all("tokenStore")));
}

#[test]
fn cjk_comes_in_pairs() {
    let check = |text: &str, want: &str| assert_eq!(segmented(text), want, "{text:?}");
    check("周三可以开会吗", "周三 三可 可以 以开 开会 会吗");
    check("请求書はどう", "请求 求書 書は はど どう");
    check("データベース", "デー ータ タベ ベー ース");
    check("ﾃﾞｰﾀ", "デー ータ");
    check("금요일에 배포", "금요 요일 일에 배포");
    check("猫 犬。", "猫 犬");
    check("Rustで書くAPI", "rust で書 書く api");
    check("部署v2到production", "部署 v2 到 product");
    check("𠮷野家", "𠮷野 野家");
}

#[test]
fn tokens_are_bounded() {
    let blob = "Ab1".repeat(500_000);
    assert!(tokens(&blob).iter().all(|token| token.len() <= LONGEST));
    assert_eq!(tokens(&"x".repeat(10_000)), ["x".repeat(LONGEST)]);
    assert_eq!(tokens(&"w ".repeat(50_000)).len(), MOST);
    assert_eq!(tokens(&"界".repeat(50_000)).len(), MOST);
    assert!(tokens(&"a_".repeat(100_000)).len() <= MOST);
}

#[test]
fn time_is_linear() {
    for text in ["aB_", "界", "a.b/c-", "\u{301}", "ﷺ", "Lorem ipsum dolor. ", "'", "\u{200d}", "_", "İ"] {
        let text = text.repeat(102_400 / text.len());
        let start = Instant::now();
        let count = tokens(&text).len();
        let took = start.elapsed();
        println!("{:?}: {count} tokens in {took:?}", text.chars().take(6).collect::<String>());
        assert!(took < Duration::from_millis(1_000), "{took:?}");
    }
}

proptest! {
    #[test]
    fn tokens_are_plain(text in "([a-zA-Z0-9_./:'\\- ]|\\PC|[\u{300}-\u{36F}界はカ금İß]|.){0,120}") {
        for token in tokens(&text) {
            prop_assert!(!token.is_empty() && token.len() <= LONGEST);
            prop_assert!(token.chars().all(char::is_alphanumeric), "{token:?}");
            prop_assert!(!token.bytes().any(|byte| byte.is_ascii_uppercase()), "{token:?}");
        }
    }
}
