//! Dates, points in time, and the calendar: the part of `java.time` that models use.

mod amount;
mod clock;
mod date;
mod day;
mod formatter;
mod names;
mod part;

use jiff::Zoned;

use crate::calendar::{read_instant, read_point};
use crate::error::{Res, Signal};
use crate::stdlib::compare::compare;
use crate::stdlib::{Call, Family, rows};
use crate::value::{InZone, Temporal, Value, shortened};

pub(crate) use amount::FAMILY as AMOUNTS;
pub(crate) use clock::FAMILY as CLOCKS;
pub(crate) use date::FAMILY as DATES;
pub(crate) use day::FAMILY as TIMES;
pub(crate) use formatter::FAMILY as FORMATTERS;
pub(crate) use names::{FAMILY as NAMES, constants};

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Dates and times";
    "java.util.Date." "[]" "[x]" lazy effect = new_date,
        "The current point in time; or that of an integer (seconds since 1970 below 10^12, else milliseconds) or text \
         (ISO 8601 or RFC 2822)."
        "(java.util.Date. 86400)" => r#"#inst "1970-01-02T00:00:00Z""#,
        r#"(java.util.Date. "Tue, 5 Mar 2024 07:15:00 +0200")"# => r#"#inst "2024-03-05T05:15:00Z""#;
    "Date/from" "[inst]" lazy = |call| micros_of(call).map(Value::Instant),
        "The point in time itself." "(Date/from (java.util.Date. 0))" => r#"#inst "1970-01-01T00:00:00Z""#;
    "Instant/parse" "[s]" lazy = instant_parse,
        "The point in time of an ISO 8601 text with offset or `Z`."
        r#"(Instant/parse "2024-03-09T10:00:00Z")"# => r#"#inst "2024-03-09T10:00:00Z""#;
    "Instant/now" "[]" lazy effect = instant_now,
        "The current point in time." "(inst? (Instant/now))" => "true";
    "Instant/ofEpochMilli" "[n]" lazy = |call| call.instant(call.int(0)?.checked_mul(1_000)),
        "The point in time `n` milliseconds after 1970."
        "(Instant/ofEpochMilli 1500)" => r#"#inst "1970-01-01T00:00:01.5Z""#;
    "Instant/ofEpochSecond" "[n]" lazy = |call| call.instant(call.int(0)?.checked_mul(1_000_000)),
        "The point in time `n` seconds after 1970."
        "(Instant/ofEpochSecond 86400)" => r#"#inst "1970-01-02T00:00:00Z""#;
    "System/currentTimeMillis" "[]" lazy effect = |call| Ok(Value::Int(call.cx.clock.now_micros().div_euclid(1_000))),
        "Milliseconds since 1970." "(pos? (System/currentTimeMillis))" => "true";
    "inst-ms" "[inst]" lazy uses(Uses::Computes) = get_time,
        "Milliseconds from 1970 to a point in time." "(inst-ms (java.util.Date. 5))" => "5000";
    ".getTime" "[inst]" lazy = get_time,
        "Milliseconds from 1970 to a point in time." "(.getTime (java.util.Date. 86400))" => "86400000";
    ".toEpochMilli" "[inst]" lazy = get_time,
        "Milliseconds from 1970 to a point in time." "(.toEpochMilli (java.util.Date. 1))" => "1000";
    ".getEpochSecond" "[inst]" lazy = |call| micros_of(call).map(|micros| Value::Int(micros.div_euclid(1_000_000))),
        "Whole seconds from 1970 to a point in time." "(.getEpochSecond (java.util.Date. 86400))" => "86400";
    ".isBefore" "[a b]" lazy = |call| Ok(Value::Bool(order(call)?.is_lt())),
        "Whether `a` is before `b`: two dates, instants, times or months of the same kind."
        r#"(.isBefore (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-01-02"))"# => "true";
    ".isAfter" "[a b]" lazy = |call| Ok(Value::Bool(order(call)?.is_gt())),
        "Whether `a` is after `b`: two dates, instants, times or months of the same kind."
        r#"(.isAfter (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-01-02"))"# => "false";
    ".isEqual" "[a b]" lazy = |call| Ok(Value::Bool(order(call)?.is_eq())),
        "Whether two dates, instants or times of the same kind are equal."
        r#"(.isEqual (LocalDate/parse "2024-01-01") (LocalDate/of 2024 1 1))"# => "true";
    ".compareTo" "[a b]" lazy = compare,
        "The same as `compare`."
        "(.compareTo (LocalDate/of 2024 1 2) (LocalDate/of 2024 1 1))" => "1", r#"(.compareTo "a" "b")"# => "-1";
};

fn new_date(call: &mut Call<'_>) -> Res {
    match call.args.first() {
        None => instant_now(call),
        Some(Value::Int(n)) => {
            call.instant(n.checked_mul(if n.unsigned_abs() < 1_000_000_000_000 { 1_000_000 } else { 1_000 }))
        }
        Some(Value::Str(text)) => read_point(text).map(Value::Instant).ok_or_else(|| no_date_time(call, text)),
        Some(Value::Instant(_)) => Ok(call.take(0)),
        Some(other) => Err(call.wrong("an integer or a string", other)),
    }
}

fn out_of_range(call: &Call<'_>) -> Box<Signal> {
    call.invalid("the result is outside the years -9999 to 9999")
}

impl Call<'_> {
    /// An instant, checked to be in the range of the calendar.
    fn instant(&self, micros: Option<i64>) -> Res {
        let shown = micros.filter(|micros| jiff::Timestamp::from_microsecond(*micros).is_ok());
        shown.map(Value::Instant).ok_or_else(|| out_of_range(self))
    }

    /// A new calendar value; charges its memory.
    fn temporal(&mut self, value: Temporal) -> Res {
        self.allocate(96)?;
        Ok(value.into())
    }

    fn zoned(&mut self, value: Zoned) -> Res {
        self.temporal(Temporal::Zoned(InZone(value)))
    }
}

fn instant_now(call: &mut Call<'_>) -> Res {
    Ok(Value::Instant(call.cx.clock.now_micros()))
}

fn instant_parse(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    read_instant(&text).map(Value::Instant).ok_or_else(|| no_date_time(call, &text))
}

fn no_date_time(call: &Call<'_>, text: &str) -> Box<Signal> {
    let shown = shortened(text, 40);
    call.invalid(format_args!("not a date-time: '{shown}'; write 2024-03-09T10:30:00Z, with an offset or Z"))
}

fn get_time(call: &mut Call<'_>) -> Res {
    micros_of(call).map(|micros| Value::Int(micros.div_euclid(1_000)))
}

/// Microseconds since 1970 of the point in time in argument 0.
fn micros_of(call: &Call<'_>) -> Res<i64> {
    call.want(0, "an instant", part::micros)
}

fn order(call: &Call<'_>) -> Res<std::cmp::Ordering> {
    if let Some(order) = crate::value::compare_times(call.arg(0), call.arg(1)) {
        return Ok(order);
    }
    match (call.arg(0), call.arg(1)) {
        (Value::Date(_), other) => Err(call.wrong("two dates", other)),
        (Value::Instant(_), other) => Err(call.wrong("two instants", other)),
        (Value::Temporal(first), other) => Err(call.wrong(&format!("two of the kind {}", first.kind()), other)),
        (other, _) => Err(call.wrong("a date or instant", other)),
    }
}
