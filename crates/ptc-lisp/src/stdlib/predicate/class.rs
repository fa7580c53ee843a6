//! Class names that programs write after `instance?`, and what they mean here.

use crate::error::{ErrorClass, Res};
use crate::stdlib::Call;
use crate::value::{CellKind, Value, shown};

/// What a class name means.
enum Class {
    /// Values that pass this test.
    Of(fn(&Value) -> bool),
    /// Exceptions.
    Error(ErrorClass),
}

/// The class with this name, written alone or after its package.
fn class(name: &str) -> Option<Class> {
    let simple = match name.rsplit_once('.') {
        Some((package, simple)) if package.starts_with("java.") || package == "clojure.lang" => simple,
        Some(_) => return None,
        None => name,
    };
    ErrorClass::named(simple).map(Class::Error).or_else(|| test(simple).map(Class::Of))
}

/// The test for instances of the class with this name.
fn test(name: &str) -> Option<fn(&Value) -> bool> {
    Some(match name {
        "AFn" | "Fn" => is_function,
        "Associative" => |x| matches!(x, Value::Map(_) | Value::Vector(_)),
        "Atom" => |x| is_cell(x, CellKind::Atom),
        "BigInt" | "BigInteger" => |x| matches!(x, Value::Big(_)),
        "Boolean" => |x| matches!(x, Value::Bool(_)),
        // The integers of Clojure are longs.
        "BigDecimal" | "Byte" | "Integer" | "Ratio" | "Short" => |_| false,
        "Character" => |x| matches!(x, Value::Str(text) if text.chars() == 1),
        "Collection" => |x| is_sequence(x) || matches!(x, Value::Set(_)),
        "Date" | "Instant" => |x| matches!(x, Value::Instant(_)),
        "DayOfWeek" => |x| is_time(x, "day-of-week"),
        "Delay" => |x| is_cell(x, CellKind::Delay),
        "Double" | "Float" => |x| matches!(x, Value::Float(_)),
        "Duration" => |x| is_time(x, "duration"),
        "IFn" => |x| is_callable(x) && !matches!(x, Value::Var(_)),
        "IPersistentCollection" | "Iterable" => is_collection,
        "IPersistentList" | "ISeq" | "List" | "PersistentList" | "Sequential" => is_sequence,
        "IPersistentMap" | "Map" | "PersistentArrayMap" | "PersistentHashMap" => |x| matches!(x, Value::Map(_)),
        "IPersistentSet" | "PersistentHashSet" | "Set" => |x| matches!(x, Value::Set(_)),
        "IPersistentVector" | "PersistentVector" => |x| matches!(x, Value::Vector(_)),
        "Keyword" => |x| matches!(x, Value::Keyword(_)),
        "LazySeq" => |x| matches!(x, Value::LazySeq(_)),
        "LocalDate" => |x| matches!(x, Value::Date(_)),
        "LocalDateTime" => |x| is_time(x, "local-datetime"),
        "LocalTime" => |x| is_time(x, "local-time"),
        "Long" => |x| matches!(x, Value::Int(_)),
        "MapEntry" => |x| matches!(x, Value::Vector(items) if items.len() == 2),
        "Month" => |x| is_time(x, "month"),
        "Number" => Value::is_number,
        "Object" => |x| !x.is_nil(),
        "Pattern" => |x| matches!(x, Value::Regex(_)),
        "Period" => |x| is_time(x, "period"),
        "Seqable" => |x| is_collection(x) || matches!(x, Value::Str(_) | Value::Nil),
        "String" => |x| matches!(x, Value::Str(_)),
        "Symbol" => |x| matches!(x, Value::Symbol(_)),
        "UUID" => |x| matches!(x, Value::Uuid(_)),
        "Var" => |x| matches!(x, Value::Var(_)),
        "Volatile" => |x| is_cell(x, CellKind::Volatile),
        "YearMonth" => |x| is_time(x, "year-month"),
        "ZoneId" => |x| is_time(x, "zone"),
        "ZonedDateTime" => |x| is_time(x, "zoned-datetime"),
        _ => return None,
    })
}

/// Whether programs may test for instances of this class.
pub(crate) fn is_class(name: &str) -> bool {
    class(name).is_some()
}

pub(super) fn is_instance(call: &mut Call<'_>) -> Res {
    let found = if let Value::Symbol(name) = call.arg(0) { class(name.as_str()) } else { None };
    let class = found.ok_or_else(|| {
        call.invalid(format_args!(
            "expected a class name such as String, Number or Keyword first, got {}; predicates such as string? and \
             map? need no class",
            shown(call.arg(0))
        ))
    })?;
    let value = call.arg(1);
    let is_one = match class {
        Class::Of(test) => test(value),
        Class::Error(class) => matches!(value, Value::Exception(exception) if class.takes(exception)),
    };
    Ok(is_one.into())
}

pub(in crate::stdlib) fn is_function(x: &Value) -> bool {
    matches!(x, Value::Function(_) | Value::Builtin(_) | Value::Tool(_))
}

pub(in crate::stdlib) fn is_sequence(x: &Value) -> bool {
    matches!(x, Value::Vector(_) | Value::LazySeq(_))
}

pub(in crate::stdlib) fn is_collection(x: &Value) -> bool {
    is_sequence(x) || matches!(x, Value::Map(_) | Value::Set(_))
}

fn is_time(x: &Value, kind: &str) -> bool {
    matches!(x, Value::Temporal(temporal) if temporal.kind() == kind)
}

fn is_cell(x: &Value, kind: CellKind) -> bool {
    matches!(x, Value::Cell(cell) if cell.kind == kind)
}

/// Whether a value can be called.
pub(crate) fn is_callable(x: &Value) -> bool {
    is_function(x)
        || matches!(
            x,
            Value::Keyword(_) | Value::Symbol(_) | Value::Var(_) | Value::Map(_) | Value::Set(_) | Value::Vector(_)
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_found_by_name() {
        assert!(["AFn", "Integer", "ZonedDateTime"].map(is_class) == [true; 3]);
        assert!(is_class("String") && is_class("java.lang.String") && is_class("clojure.lang.Keyword"));
        assert!(!is_class("my.String") && !is_class("Strin"));
    }
}
