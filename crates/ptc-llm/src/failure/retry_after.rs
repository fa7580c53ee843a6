//! How long a provider asks to wait, wherever it says so.

#[cfg(test)]
mod tests;

use std::time::Duration;

use jiff::fmt::rfc2822::DateTimeParser;
use jiff::fmt::strtime;
use jiff::{SignedDuration, Timestamp};
use reqwest::header::HeaderMap;
use serde_json::Value;

/// Headers with the wait, in the order in which they count.
const WAITS: [(&str, Unit); 3] =
    [("retry-after-ms", Unit::Milliseconds), ("retry-after", Unit::Seconds), ("x-retry-after", Unit::Seconds)];
/// Headers with what is left of a limit, and when it is full again.
const LIMITS: [(&str, &str); 6] = [
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("ratelimit-remaining", "ratelimit-reset"),
];
/// Where the body of an error has a number of seconds.
const SECONDS: [&str; 4] =
    ["/error/retry_after", "/error/retry_after_seconds", "/error/metadata/retry_after_seconds", "/retry_after"];
/// Words of a message that a wait follows.
const WORDS: [&str; 4] = ["try again in ", "retry after ", "retry in ", "wait "];
/// A number of seconds that is not a wait but a time since 1970.
const EPOCH: f64 = 1e9;

#[derive(Clone, Copy)]
enum Unit {
    Seconds,
    Milliseconds,
}

/// The wait in a header, which holds seconds, milliseconds, a duration or a date, or in the body of an error: in a field, or
/// in the words of its message. A date that has passed means no wait.
pub(super) fn retry_after(headers: Option<&HeaderMap>, body: &str) -> Option<Duration> {
    headers.and_then(in_headers).or_else(|| in_body(body)).or_else(|| headers.and_then(of_limits))
}

fn in_headers(headers: &HeaderMap) -> Option<Duration> {
    WAITS.iter().find_map(|(name, unit)| wait(headers, text(headers, name)?, *unit))
}

/// The longest wait for a limit of which nothing is left.
fn of_limits(headers: &HeaderMap) -> Option<Duration> {
    let used_up = LIMITS.iter().filter(|(left, _)| text(headers, left) == Some("0"));
    used_up.filter_map(|(_, reset)| wait(headers, text(headers, reset)?, Unit::Seconds)).max()
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// The wait that `written` says.
fn wait(headers: &HeaderMap, written: &str, unit: Unit) -> Option<Duration> {
    // The provider's own clock, if it sends the time, since ours may differ.
    let now = || text(headers, "date").and_then(date).unwrap_or_else(Timestamp::now);
    let until = |time: Timestamp| Duration::try_from(time.duration_since(now())).unwrap_or(Duration::ZERO);
    match (written.parse::<f64>(), unit) {
        (Ok(seconds), Unit::Seconds) if seconds >= EPOCH => {
            let seconds = if seconds >= EPOCH * 1000.0 { seconds / 1000.0 } else { seconds };
            let since = SignedDuration::try_from_secs_f64(seconds).ok()?;
            Timestamp::from_duration(since).ok().map(until)
        }
        (Ok(seconds), Unit::Seconds) => Duration::try_from_secs_f64(seconds).ok(),
        (Ok(millis), Unit::Milliseconds) => Duration::try_from_secs_f64(millis / 1000.0).ok(),
        (Err(_), _) => duration(written).or_else(|| date(written).map(until)),
    }
}

/// A date as HTTP has it, in its old forms, or as in RFC 3339.
fn date(text: &str) -> Option<Timestamp> {
    let old = || {
        ["%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"].iter().find_map(|form| {
            let time = strtime::parse(form, text).ok()?.to_datetime().ok()?;
            time.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|time| time.timestamp())
        })
    };
    DateTimeParser::new().parse_timestamp(text).ok().or_else(|| text.parse().ok()).or_else(old)
}

/// A duration such as `1m30s`, `36.5s` or `250ms`.
fn duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut total = None;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(end);
        let unit_end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_end);
        let seconds = number.parse::<f64>().ok()? * seconds_of(unit)?;
        total = Some(total.unwrap_or_default() + Duration::try_from_secs_f64(seconds).ok()?);
        rest = after;
    }
    total
}

fn seconds_of(unit: &str) -> Option<f64> {
    match unit {
        "ms" => Some(0.001),
        "s" | "sec" | "second" | "seconds" => Some(1.0),
        "m" | "min" | "minute" | "minutes" => Some(60.0),
        "h" | "hour" | "hours" => Some(3600.0),
        "d" | "day" | "days" => Some(86_400.0),
        _ => None,
    }
}

/// `{"error": {"details": [{"@type": "…RetryInfo", "retryDelay": "36s"}]}}`, a number under another name, or words.
fn in_body(body: &str) -> Option<Duration> {
    let body: Value = serde_json::from_str(body).ok()?;
    // A failed stream has its error in a list.
    let body = body.get(0).unwrap_or(&body);
    let details = body.pointer("/error/details").and_then(Value::as_array);
    let delay = details.and_then(|details| details.iter().find_map(|detail| detail.get("retryDelay")?.as_str()));
    let number = || SECONDS.iter().find_map(|place| Duration::try_from_secs_f64(body.pointer(place)?.as_f64()?).ok());
    let message = || body.pointer("/error/message").or_else(|| body.get("message"))?.as_str();
    delay.and_then(duration).or_else(number).or_else(|| in_words(message()?))
}

/// `Please try again in 1m2.5s.`, `Please retry after 6 seconds.`
fn in_words(message: &str) -> Option<Duration> {
    let message = message.to_ascii_lowercase();
    WORDS.iter().find_map(|words| {
        let (_, after) = message.split_once(words)?;
        let mut words = after.split_whitespace();
        let first = words.next()?.trim_end_matches([',', ';', ')']);
        let first = first.strip_suffix('.').unwrap_or(first);
        duration(first).or_else(|| {
            let unit = words.next()?.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
            duration(&format!("{first}{unit}"))
        })
    })
}
