//! Reading dates and times.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

use crate::error::{Res, Signal, argument_error};
use crate::temporal::{read_date, read_instant};
use crate::value::shortened;

/// Microseconds since 1970 of an ISO date-time with offset, an ISO date (midnight UTC) or an RFC 2822 date-time.
///
/// Errors with `argument_error` for any other text.
pub(super) fn date_time(text: &str, name: &str) -> Res<i64> {
    let midnight =
        || Some(Timestamp::UNIX_EPOCH.as_microsecond() + super::epoch_day(read_date(text)?) * super::DAY_MICROS);
    read_instant(text).or_else(midnight).or_else(|| rfc2822(text)).ok_or_else(|| no_date_time(text, name))
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
    argument_error(format!(
        "{name}: not a date-time: '{}'; write 2024-03-09T10:30:00Z, with an offset or Z",
        shown(text)
    ))
}

/// The first characters of a text, for a message.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    shortened(text, 40)
}
