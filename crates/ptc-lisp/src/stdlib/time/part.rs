//! The date, the time of day and the point in time that a value has, and the same value with another one.

use jiff::Zoned;
use jiff::civil::{Date, DateTime, Time};
use ptc_calendar::Measure;

use crate::value::{Temporal, Value, moment};

/// A value of the calendar beside dates and instants.
pub(super) fn temporal(value: &Value) -> Option<&Temporal> {
    if let Value::Temporal(temporal) = value { Some(temporal) } else { None }
}

/// The name of a constant such as `TextStyle/FULL`.
pub(super) fn constant(value: &Value) -> &str {
    if let Value::Symbol(name) = value { name.as_str() } else { "" }
}

pub(super) fn date(value: &Value) -> Option<Date> {
    moment(value)?.date()
}

pub(super) fn month_start(value: &Value) -> Option<Date> {
    moment(value)?.month_start()
}

pub(super) fn time(value: &Value) -> Option<Time> {
    moment(value)?.time()
}

pub(super) fn zoned(value: &Value) -> Option<&Zoned> {
    moment(value)?.zoned()
}

pub(super) fn date_time(value: &Value) -> Option<DateTime> {
    moment(value)?.date_time()
}

pub(super) fn micros(value: &Value) -> Option<i64> {
    moment(value)?.micros()
}

/// The microseconds of a duration; an integer counts milliseconds.
pub(super) fn duration(value: &Value) -> Option<i64> {
    match (value, temporal(value)) {
        (Value::Int(millis), _) => millis.checked_mul(1_000),
        (_, Some(Temporal::Duration(micros))) => Some(*micros),
        _ => None,
    }
}

pub(super) fn redated(value: &Value, change: impl FnOnce(Date) -> Option<Date>) -> Option<Value> {
    moment(value)?.with_date(change).map(Value::from)
}

pub(super) fn retimed(value: &Value, change: impl FnOnce(Time) -> Option<Time>) -> Option<Value> {
    moment(value)?.with_time(change).map(Value::from)
}

/// See [`ptc_calendar::Moment::moved`].
pub(super) fn moved(value: &Value, count: Option<i64>, by: Measure) -> Option<Option<Value>> {
    Some(moment(value)?.moved(count, by)?.map(Value::from))
}
