//! The date, the time of day and the point in time that a value has, and the same value with another one.

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Span, Timestamp, Zoned};

use super::DAY_MICROS;
use crate::value::{InZone, Temporal, Value, YearMonth};
use ptc_calendar::Measure;

/// A value of the calendar beside dates and instants.
pub(super) fn temporal(value: &Value) -> Option<&Temporal> {
    if let Value::Temporal(temporal) = value { Some(temporal) } else { None }
}

/// The name of a constant such as `TextStyle/FULL`.
pub(super) fn constant(value: &Value) -> &str {
    if let Value::Symbol(name) = value { name.as_str() } else { "" }
}

/// The date of a date, date-time or time in a zone.
pub(super) fn date(value: &Value) -> Option<Date> {
    if let Value::Date(date) = value {
        return Some(*date);
    }
    match temporal(value)? {
        Temporal::DateTime(at) => Some(at.date()),
        Temporal::Zoned(zoned) => Some(zoned.0.date()),
        _ => None,
    }
}

/// The same of a month of a year: its first day.
pub(super) fn month_start(value: &Value) -> Option<Date> {
    match temporal(value) {
        Some(Temporal::YearMonth(month)) => Some(month.first()),
        _ => date(value),
    }
}

/// The time of day.
pub(super) fn time(value: &Value) -> Option<Time> {
    match temporal(value)? {
        Temporal::Time(time) => Some(*time),
        Temporal::DateTime(at) => Some(at.time()),
        Temporal::Zoned(zoned) => Some(zoned.0.time()),
        _ => None,
    }
}

/// The time in a zone.
pub(super) fn zoned(value: &Value) -> Option<&Zoned> {
    if let Temporal::Zoned(zoned) = temporal(value)? { Some(&zoned.0) } else { None }
}

/// Date and time of day as clocks show them.
pub(super) fn date_time(value: &Value) -> Option<DateTime> {
    Some(date(value)?.to_datetime(time(value)?))
}

/// Microseconds since 1970 of a point in time.
pub(super) fn micros(value: &Value) -> Option<i64> {
    match value {
        Value::Instant(micros) => Some(*micros),
        other => zoned(other).map(|zoned| zoned.timestamp().as_microsecond()),
    }
}

/// The microseconds of a duration; an integer counts milliseconds.
pub(super) fn duration(value: &Value) -> Option<i64> {
    match (value, temporal(value)) {
        (Value::Int(millis), _) => millis.checked_mul(1_000),
        (_, Some(Temporal::Duration(micros))) => Some(*micros),
        _ => None,
    }
}

/// The same value on another date; nothing outside of the calendar.
pub(super) fn with_date(value: &Value, change: impl FnOnce(Date) -> Option<Date>) -> Option<Value> {
    let changed = change(month_start(value)?)?;
    match temporal(value) {
        None => Some(Value::Date(changed)),
        Some(Temporal::DateTime(at)) => Some(Temporal::DateTime(changed.to_datetime(at.time())).into()),
        Some(Temporal::Zoned(zoned)) => in_zone(changed.to_datetime(zoned.0.time()), &zoned.0),
        Some(_) => Some(Temporal::YearMonth(YearMonth::from(changed)).into()),
    }
}

/// The same value at another time of day.
pub(super) fn with_time(value: &Value, change: impl FnOnce(Time) -> Option<Time>) -> Option<Value> {
    let changed = change(time(value)?)?;
    match temporal(value)? {
        Temporal::DateTime(at) => Some(Temporal::DateTime(at.date().to_datetime(changed)).into()),
        Temporal::Zoned(zoned) => in_zone(zoned.0.date().to_datetime(changed), &zoned.0),
        _ => Some(Temporal::Time(changed).into()),
    }
}

/// A local time in the zone of another; one that clocks skip is moved on by the gap, of two the first is taken, as in
/// Java.
fn in_zone(at: DateTime, other: &Zoned) -> Option<Value> {
    at.to_zoned(other.time_zone().clone()).ok().map(in_its_zone)
}

pub(super) fn in_its_zone(zoned: Zoned) -> Value {
    Temporal::Zoned(InZone(zoned)).into()
}

/// `value` later by `count` times a unit; nothing inside where the calendar does not reach so far, nothing at all where
/// values of this kind do not move by this unit.
pub(super) fn moved(value: &Value, count: Option<i64>, by: Measure) -> Option<Option<Value>> {
    let times = |scale: i64| count?.checked_mul(scale);
    match by {
        // The day of the month stays, or is the last one of a shorter month.
        Measure::Months(months) => {
            month_start(value)?;
            Some(with_date(value, |date| after_months(date, times(months)?)))
        }
        Measure::Days(days) if date(value).is_some() => {
            Some(with_date(value, |date| super::from_epoch_day(super::epoch_day(date).checked_add(times(days)?)?)))
        }
        Measure::Days(days) => {
            let is_exact = matches!(value, Value::Instant(_)) || matches!(temporal(value), Some(Temporal::Duration(_)));
            is_exact.then(|| moved_exactly(value, times(days).and_then(|days| days.checked_mul(DAY_MICROS))))?
        }
        Measure::Exact(micros) => moved_exactly(value, times(micros)),
    }
}

/// The date so many months later.
pub(super) fn after_months(date: Date, months: i64) -> Option<Date> {
    date.checked_add(Span::new().try_months(months).ok()?).ok()
}

fn moved_exactly(value: &Value, by: Option<i64>) -> Option<Option<Value>> {
    let way = by.map(SignedDuration::from_micros);
    let moved = match (value, temporal(value)) {
        (Value::Instant(micros), _) => {
            let moved = by.and_then(|by| micros.checked_add(by));
            return Some(moved.filter(|micros| Timestamp::from_microsecond(*micros).is_ok()).map(Value::Instant));
        }
        (_, Some(Temporal::DateTime(at))) => way.and_then(|way| at.checked_add(way).ok()).map(Temporal::DateTime),
        (_, Some(Temporal::Zoned(InZone(at)))) => {
            way.and_then(|way| at.checked_add(way).ok()).map(InZone).map(Temporal::Zoned)
        }
        (_, Some(Temporal::Time(time))) => way.map(|way| Temporal::Time(time.wrapping_add(way))),
        (_, Some(Temporal::Duration(micros))) => by.and_then(|by| micros.checked_add(by)).map(Temporal::Duration),
        _ => return None,
    };
    Some(moved.map(Value::from))
}

/// Microseconds from `a` to `b`, dates taken at midnight; nothing where they are not of one kind.
pub(super) fn exact(a: &Value, b: &Value) -> Option<i64> {
    if let (Some(a), Some(b)) = (micros(a), micros(b)) {
        return b.checked_sub(a);
    }
    if let (Value::Date(a), Value::Date(b)) = (a, b) {
        return Some((super::epoch_day(*b) - super::epoch_day(*a)) * DAY_MICROS);
    }
    let span = match (date_time(a), date_time(b)) {
        (Some(a), Some(b)) => b.duration_since(a),
        (None, None) => time(b)?.duration_since(time(a)?),
        _ => return None,
    };
    i64::try_from(span.as_micros()).ok()
}

/// The dates between which whole days, months and years are counted: the last day does not count while its time is not
/// there.
pub(super) fn dates(a: &Value, b: &Value) -> Option<(Date, Date)> {
    let b_there = match (zoned(a), zoned(b)) {
        (Some(a), Some(b)) => Some(in_its_zone(b.with_time_zone(a.time_zone().clone()))),
        _ => None,
    };
    let b = b_there.as_ref().unwrap_or(b);
    let (from, to) = (month_start(a)?, month_start(b)?);
    let (Some(start), Some(end)) = (time(a), time(b)) else {
        return if time(a).is_some() { None } else { Some((from, to)) };
    };
    let whole = if to > from && end < start {
        to.yesterday().ok()?
    } else if to < from && end > start {
        to.tomorrow().ok()?
    } else {
        to
    };
    Some((from, whole))
}

/// Whole months from `a` to `b`, as Java counts them.
pub(super) fn months(a: Date, b: Date) -> i64 {
    let packed = |date: Date| (i64::from(date.year()) * 12 + i64::from(date.month()) - 1) * 32 + i64::from(date.day());
    (packed(b) - packed(a)) / 32
}
