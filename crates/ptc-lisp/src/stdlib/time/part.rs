//! The date, the time of day and the point in time of a value, and the same value with another one.

use crate::calendar::Measure;
use jiff::Zoned;
use jiff::civil::{Date, DateTime, Time};

use crate::value::{Moment, Temporal, Value, moment};

/// A calendar value other than dates and instants.
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

/// The same value with another part.
pub(super) fn changed<T: Into<Value>>(value: &Value, change: impl FnOnce(Moment<'_>) -> Option<T>) -> Option<Value> {
    change(moment(value)?).map(T::into)
}

/// See [`crate::calendar::Moment::moved`].
pub(super) fn moved(value: &Value, count: Option<i64>, by: Measure) -> Option<Option<Value>> {
    Some(moment(value)?.moved(count, by)?.map(Value::from))
}
