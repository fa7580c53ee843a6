//! How long a provider asks to wait, wherever it says so.

#[cfg(test)]
mod tests;

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::HeaderMap;
use serde_json::Value;

/// The wait in `retry-after-ms` or `retry-after`, which holds seconds or a date, or in the body of an error, where
/// Google puts it. A date that has passed means no wait.
pub(super) fn retry_after(headers: Option<&HeaderMap>, body: &str) -> Option<Duration> {
    headers.and_then(in_headers).or_else(|| in_body(body))
}

fn in_headers(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    if let Some(seconds) = number("retry-after-ms").map(|millis| millis / 1000.0).or_else(|| number("retry-after")) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = date(text("retry-after")?)?;
    // The provider's own clock, if it sends the time, since ours may differ.
    let now = text("date").and_then(date).unwrap_or_else(Timestamp::now);
    Some(Duration::try_from(until.duration_since(now)).unwrap_or(Duration::ZERO))
}

fn date(text: &str) -> Option<Timestamp> {
    DateTimeParser::new().parse_timestamp(text).ok()
}

/// `{"error": {"details": [{"@type": "…RetryInfo", "retryDelay": "36s"}]}}`
fn in_body(body: &str) -> Option<Duration> {
    let body: Value = serde_json::from_str(body).ok()?;
    // A failed stream has its error in a list.
    let error = body.get("error").or_else(|| body.pointer("/0/error"))?;
    let details = error.get("details")?.as_array()?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    Duration::try_from_secs_f64(delay.trim().strip_suffix('s')?.parse().ok()?).ok()
}
