//! Kinds of tagged JSON whose payload is a string.

use crate::error::Fallible;
use crate::limits::meter::Meter;
use crate::value::{Name, Pattern, Value, number, parse_tagged_float};

/// How a scalar is read from its text. Errors with the limit that was reached.
pub(super) type Read = fn(&str, &mut Meter) -> Fallible<Option<Value>>;

/// Kinds whose `v` is a string: what it must be, and how it is read.
pub(super) const SCALARS: &[(&str, &str, Read)] = &[
    ("int", "decimal digits as a string", number::parse_integer),
    ("float", "a number as a string", |text, _| Ok(parse_tagged_float(text).map(Value::Float))),
    ("str", "a string", |text, _| Ok(Some(Value::string(text)))),
    ("kw", "a name as a string", |text, _| Ok(Some(Value::Keyword(Name::made(text))))),
    ("sym", "a name as a string", |text, _| Ok(Some(Value::Symbol(Name::made(text))))),
    ("var", "a name as a string", |text, _| Ok(Some(Value::Var(Name::made(text))))),
    ("date", "YYYY-MM-DD", |text, _| Ok(text.parse().ok().map(Value::Date))),
    ("inst", "a time such as 2024-03-09T10:00:00Z", |text, _| {
        Ok(text.parse::<jiff::Timestamp>().ok().map(|time| Value::Instant(time.as_microsecond())))
    }),
    ("uuid", "a UUID as a string", |text, _| Ok(Some(Value::Uuid(text.into())))),
    ("regex", "a regular expression of at most 1 MB compiled", regex),
];

/// Compiling takes up to 10 ms and up to eight times the memory of the program.
fn regex(text: &str, meter: &mut Meter) -> Fallible<Option<Value>> {
    meter.allocate_briefly(Pattern::BRIEFLY)?;
    let compiled = Pattern::within(text, meter)?;
    meter.charge(text.len() + compiled.as_ref().map_or(Pattern::LARGEST, Pattern::size))?;
    Ok(compiled.ok().map(|regex| Value::Regex(regex.into())))
}
