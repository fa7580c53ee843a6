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
    assert_eq!(check(&[], r#"{"error":{"details":[{"retryDelay":"36m"}]}}"#), None);
}
