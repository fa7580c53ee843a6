//! Class names that programs write after `instance?`, and what they mean here.

#[cfg(test)]
mod tests;

use crate::error::{Exception, Reason, Res, argument_error};
use crate::stdlib::Call;
use crate::value::{CellKind, Value};

/// A class by its simple name: which values are its instances.
type Class = (&'static str, fn(&Value) -> bool);

/// Sorted by name.
const CLASSES: &[Class] = &[
    ("AFn", is_function),
    ("ArithmeticException", |x| fails_with(x, &[Reason::ArithmeticError])),
    ("Associative", |x| matches!(x, Value::Map(_) | Value::Vector(_))),
    ("Atom", |x| is_cell(x, CellKind::Atom)),
    ("BigDecimal", never),
    ("BigInt", |x| matches!(x, Value::Big(_))),
    ("BigInteger", |x| matches!(x, Value::Big(_))),
    ("Boolean", |x| matches!(x, Value::Bool(_))),
    ("Byte", never),
    ("Character", |x| matches!(x, Value::Str(text) if text.chars() == 1)),
    ("ClassCastException", |x| fails_with(x, &[Reason::TypeError])),
    ("Collection", |x| is_sequence(x) || matches!(x, Value::Set(_))),
    ("Date", |x| matches!(x, Value::Instant(_))),
    ("DayOfWeek", |x| is_time(x, "day-of-week")),
    ("Delay", |x| is_cell(x, CellKind::Delay)),
    ("Double", |x| matches!(x, Value::Float(_))),
    ("Duration", |x| is_time(x, "duration")),
    ("Exception", is_exception),
    ("ExceptionInfo", |x| fails_with(x, &[Reason::Exception, Reason::ToolError])),
    ("Float", |x| matches!(x, Value::Float(_))),
    ("Fn", is_function),
    ("IFn", |x| {
        is_function(x)
            || matches!(x, Value::Keyword(_) | Value::Symbol(_) | Value::Map(_) | Value::Set(_) | Value::Vector(_))
    }),
    ("IPersistentCollection", is_collection),
    ("IPersistentList", is_sequence),
    ("IPersistentMap", |x| matches!(x, Value::Map(_))),
    ("IPersistentSet", |x| matches!(x, Value::Set(_))),
    ("IPersistentVector", |x| matches!(x, Value::Vector(_))),
    ("ISeq", is_sequence),
    ("IllegalArgumentException", |x| fails_with(x, &[Reason::ArgumentError, Reason::ArityError])),
    ("IndexOutOfBoundsException", |x| fails_with(x, &[Reason::ArgumentError])),
    ("Instant", |x| matches!(x, Value::Instant(_))),
    // As in Clojure: its integers are longs.
    ("Integer", never),
    ("Iterable", is_collection),
    ("Keyword", |x| matches!(x, Value::Keyword(_))),
    ("LazySeq", |x| matches!(x, Value::Generator(_))),
    ("List", is_sequence),
    ("LocalDate", |x| matches!(x, Value::Date(_))),
    ("LocalDateTime", |x| is_time(x, "local-datetime")),
    ("LocalTime", |x| is_time(x, "local-time")),
    ("Long", |x| matches!(x, Value::Int(_))),
    ("Map", |x| matches!(x, Value::Map(_))),
    ("MapEntry", |x| matches!(x, Value::Vector(items) if items.len() == 2)),
    ("Month", |x| is_time(x, "month")),
    ("NullPointerException", |x| fails_with(x, &[Reason::TypeError])),
    ("Number", Value::is_number),
    ("NumberFormatException", |x| fails_with(x, &[Reason::ArgumentError])),
    ("Object", |x| !x.is_nil()),
    ("Pattern", |x| matches!(x, Value::Regex(_))),
    ("Period", |x| is_time(x, "period")),
    ("PersistentArrayMap", |x| matches!(x, Value::Map(_))),
    ("PersistentHashMap", |x| matches!(x, Value::Map(_))),
    ("PersistentHashSet", |x| matches!(x, Value::Set(_))),
    ("PersistentList", is_sequence),
    ("PersistentVector", |x| matches!(x, Value::Vector(_))),
    ("Ratio", never),
    ("RuntimeException", is_exception),
    ("Seqable", |x| is_collection(x) || matches!(x, Value::Str(_) | Value::Nil)),
    ("Sequential", is_sequence),
    ("Set", |x| matches!(x, Value::Set(_))),
    ("Short", never),
    ("String", |x| matches!(x, Value::Str(_))),
    ("Symbol", |x| matches!(x, Value::Symbol(_))),
    ("Throwable", is_exception),
    ("UUID", |x| matches!(x, Value::Uuid(_))),
    ("Var", |x| matches!(x, Value::Var(_))),
    ("Volatile", |x| is_cell(x, CellKind::Volatile)),
    ("YearMonth", |x| is_time(x, "year-month")),
    ("ZoneId", |x| is_time(x, "zone")),
    ("ZonedDateTime", |x| is_time(x, "zoned-datetime")),
];

/// The class of this name, written alone or behind its package.
fn class(name: &str) -> Option<&'static Class> {
    let simple = match name.rsplit_once('.') {
        Some((package, simple)) if package.starts_with("java.") || package == "clojure.lang" => simple,
        Some(_) => return None,
        None => name,
    };
    CLASSES.binary_search_by(|(known, _)| (*known).cmp(simple)).ok().and_then(|at| CLASSES.get(at))
}

/// Whether programs may ask for instances of this class.
pub(crate) fn is_class(name: &str) -> bool {
    class(name).is_some()
}

pub(super) fn is_instance(call: &mut Call<'_>) -> Res {
    let found = match call.arg(0) {
        Value::Symbol(name) => class(name.as_str()),
        _ => None,
    };
    match found {
        Some((_, test)) => Ok(test(call.arg(1)).into()),
        None => {
            let shown = crate::value::shown(call.arg(0));
            Err(argument_error(format!(
                "instance?: expected a class name such as String, Number or Keyword first, got {shown}; predicates such as string? and map? need no class"
            )))
        }
    }
}

fn never(_: &Value) -> bool {
    false
}

fn is_function(x: &Value) -> bool {
    matches!(x, Value::Function(_) | Value::Builtin(_) | Value::Tool(_))
}

fn is_sequence(x: &Value) -> bool {
    matches!(x, Value::Vector(_) | Value::Generator(_))
}

fn is_collection(x: &Value) -> bool {
    is_sequence(x) || matches!(x, Value::Map(_) | Value::Set(_))
}

fn is_time(x: &Value, kind: &str) -> bool {
    matches!(x, Value::Temporal(temporal) if temporal.kind() == kind)
}

fn is_cell(x: &Value, kind: CellKind) -> bool {
    matches!(x, Value::Cell(cell) if cell.kind == kind)
}

fn is_exception(x: &Value) -> bool {
    matches!(x, Value::Exception(_))
}

fn fails_with(x: &Value, reasons: &[Reason]) -> bool {
    matches!(x, Value::Exception(exception) if reasons.contains(&reason(exception)))
}

fn reason(exception: &Exception) -> Reason {
    exception.reason
}
