//! Reading dates and times.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::fmt::rfc2822::DateTimeParser;

use crate::error::{Res, Signal, argument_error};
use crate::value::shortened;

/// Microseconds since 1970 of an ISO date-time with offset, an ISO date (midnight UTC) or an RFC 2822 date-time.
///
/// Errors with `argument_error` for any other text.
pub(super) fn date_time(text: &str, name: &str) -> Res<i64> {
    let midnight = || Some(Timestamp::UNIX_EPOCH.as_microsecond() + super::epoch_day(iso_date(text)?) * super::DAY_MILLIS * 1_000);
    iso_instant(text).or_else(midnight).or_else(|| rfc2822(text)).ok_or_else(|| no_date_time(text, name))
}

/// `2024-03-09T10:00:00Z`, or with an offset.
pub(super) fn iso_instant(text: &str) -> Option<i64> {
    // Longer texts are no times; the parser need not see them.
    if text.len() > 64 {
        return None;
    }
    text.parse::<Timestamp>().ok().map(|time| time.as_microsecond())
}

/// `YYYY-MM-DD`.
pub(super) fn iso_date(text: &str) -> Option<Date> {
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    if shaped { text.parse().ok() } else { None }
}

/// `Tue, 5 Mar 2024 07:15:00 +0200`; without a zone it is UTC.
fn rfc2822(text: &str) -> Option<i64> {
    const PARSER: DateTimeParser = DateTimeParser::new().relaxed_weekday(true);
    if text.len() > 64 {
        return None;
    }
    let time = PARSER.parse_timestamp(text).or_else(|_| PARSER.parse_timestamp(format!("{text} +0000"))).ok()?;
    Some(time.as_microsecond())
}

pub(super) fn no_date_time(text: &str, name: &str) -> Box<Signal> {
    argument_error(format!("{name}: not a date-time: '{}'; write 2024-03-09T10:30:00Z, with an offset or Z", shown(text)))
}

/// The first characters of a text, for a message.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    shortened(text, 40)
}
