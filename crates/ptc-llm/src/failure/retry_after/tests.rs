use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::retry_after;

fn check(headers: &[(&'static str, &'static str)], body: &str) -> Option<Duration> {
    let headers = headers.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    retry_after(Some(&headers.collect::<HeaderMap>()), body)
}

#[test]
fn numbers_are_seconds_unless_the_name_says_milliseconds() {
    assert_eq!(check(&[("retry-after", " 2 ")], ""), Some(Duration::from_secs(2)));
    assert_eq!(check(&[("retry-after", "1.5")], ""), Some(Duration::from_millis(1500)));
    assert_eq!(check(&[("retry-after-ms", "250"), ("retry-after", "9")], ""), Some(Duration::from_millis(250)));
    assert_eq!(check(&[("retry-after", "soon")], ""), None);
    assert_eq!(check(&[("retry-after", "-1")], ""), None);
    assert_eq!(check(&[], ""), None);
}

#[test]
fn dates_count_from_the_clock_of_the_provider() {
    let sent = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
    assert_eq!(check(&[sent, ("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT")], ""), Some(Duration::from_secs(30)));
    assert_eq!(check(&[sent, ("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")], ""), Some(Duration::ZERO));
    assert_eq!(check(&[("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT")], ""), Some(Duration::ZERO));
}

#[test]
fn google_says_it_in_the_body() {
    let error = r#"{"error":{"code":429,"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"36.5s"}]}}"#;
    assert_eq!(check(&[], error), Some(Duration::from_millis(36_500)));
    assert_eq!(check(&[], &format!("[{error}]")), Some(Duration::from_millis(36_500)));
    assert_eq!(check(&[("retry-after", "1")], error), Some(Duration::from_secs(1)));
    assert_eq!(check(&[], r#"{"error":{"details":[{"retryDelay":"36x"}]}}"#), None);
}

/// The wait in a body with this message.
fn said(message: &str) -> Option<Duration> {
    check(&[], &serde_json::json!({"error": {"message": message}}).to_string())
}

#[test]
fn every_notation_of_a_wait_is_read() {
    let after = |text: &'static str| check(&[("date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("retry-after", text)], "");
    let thirty = Some(Duration::from_secs(30));
    for text in [
        "30",
        "30.0",
        "30s",
        "0m30s",
        "30000ms",
        "0.5m",
        "Sun, 06 Nov 1994 08:50:07 GMT",
        "Sunday, 06-Nov-94 08:50:07 GMT",
        "Sun Nov  6 08:50:07 1994",
        "1994-11-06T08:50:07Z",
        "1994-11-06T09:50:07+01:00",
    ] {
        assert_eq!(after(text), thirty, "{text}");
    }
    // A time since 1970, in seconds and in milliseconds.
    let later = |text: &'static str| check(&[("date", "Sat, 17 May 2025 18:13:20 GMT"), ("retry-after", text)], "");
    assert_eq!([later("1747505630"), later("1747505630000")], [thirty, thirty]);
    assert_eq!(after("soon"), None);
    assert_eq!(after("30 potatoes"), None);
}

#[test]
fn the_wait_may_be_in_the_words_of_the_message() {
    let expected = [
        ("Rate limit reached for m. Limit 3, Used 3. Please try again in 20s. Visit …", 20_000),
        ("Please try again in 1m2.5s.", 62_500),
        ("Please try again in 6ms.", 6),
        ("Please retry after 6 seconds.", 6_000),
        ("Retry after 1 minute", 60_000),
        ("Please retry in 36.5s.", 36_500),
        ("Too many requests, please wait 2 minutes.", 120_000),
    ];
    for (message, millis) in expected {
        assert_eq!(said(message), Some(Duration::from_millis(millis)), "{message}");
    }
    for message in ["Please try again in a while", "Please try again later", "wait", ""] {
        assert_eq!(said(message), None, "{message}");
    }
    assert_eq!(check(&[], r#"{"error":{"retry_after":3.5}}"#), Some(Duration::from_millis(3_500)));
    assert_eq!(check(&[], r#"{"message":"slow","retry_after":2}"#), Some(Duration::from_secs(2)));
}

#[test]
fn a_limit_that_is_used_up_says_when_it_is_full_again() {
    let limits = [
        ("x-ratelimit-remaining-requests", "0"),
        ("x-ratelimit-reset-requests", "6m0s"),
        ("x-ratelimit-remaining-tokens", "100"),
        ("x-ratelimit-reset-tokens", "9h"),
    ];
    assert_eq!(check(&limits, ""), Some(Duration::from_secs(360)));
    assert_eq!(check(&[limits[0], limits[1], ("retry-after", "2")], ""), Some(Duration::from_secs(2)));
    assert_eq!(check(&limits[2..], ""), None);
    let claude = [
        ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("anthropic-ratelimit-tokens-remaining", "0"),
        ("anthropic-ratelimit-tokens-reset", "1994-11-06T08:50:07Z"),
    ];
    assert_eq!(check(&claude, ""), Some(Duration::from_secs(30)));
}
