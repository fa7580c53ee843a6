//! The namespaces of builtins: prefixes, members, classes.

use crate::stdlib::table::table;

/// One prefix that programs may write.
pub(super) struct Known {
    pub prefix: &'static str,
    /// What messages call its functions.
    pub title: &'static str,
}

const fn known_as(prefix: &'static str, title: &'static str) -> Known {
    Known { prefix, title }
}

static KNOWN: &[Known] = &[
    known_as("clojure.core", "core"),
    known_as("core", "core"),
    known_as("clojure.string", "string"),
    known_as("string", "string"),
    known_as("str", "string"),
    known_as("clojure.set", "set"),
    known_as("set", "set"),
    known_as("clojure.walk", "walk"),
    known_as("walk", "walk"),
    known_as("clojure.math", "math"),
    known_as("math", "math"),
    known_as("Math", "Math"),
    known_as("java.lang.Math", "Math"),
    known_as("regex", "regex"),
    known_as("json", "json"),
    known_as("Interop", "interop"),
    known_as("System", "System"),
    known_as("java.lang.System", "System"),
    known_as("Double", "Double"),
    known_as("java.lang.Double", "Double"),
    known_as("Integer", "Integer"),
    known_as("java.lang.Integer", "Integer"),
    known_as("Long", "Long"),
    known_as("java.lang.Long", "Long"),
    known_as("Boolean", "Boolean"),
    known_as("java.lang.Boolean", "Boolean"),
    known_as("LocalDate", "LocalDate"),
    known_as("java.time.LocalDate", "LocalDate"),
    known_as("Instant", "Instant"),
    known_as("java.time.Instant", "Instant"),
    known_as("Duration", "Duration"),
    known_as("java.time.Duration", "Duration"),
    known_as("java.util.Date", "Date"),
    known_as("Date", "Date"),
    known_as("Character", "Character"),
    known_as("UUID", "UUID"),
    known_as("java.util.UUID", "UUID"),
    known_as("String", "String"),
    known_as("java.lang.String", "String"),
];

/// The prefix, when it is one.
pub(super) fn known(prefix: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.prefix == prefix)
}

/// What messages call the functions of a prefix.
pub(super) fn title(prefix: &str) -> &'static str {
    known(prefix).map_or("core", |known| known.title)
}

/// The functions and constants of a namespace, sorted, for messages; empty for the core, which is too large to list.
pub(super) fn members(title: &str) -> Vec<&'static str> {
    let alias = match title {
        "core" => return Vec::new(),
        "string" => "str",
        "Math" => "math",
        title => title,
    };
    table().members(alias)
}

/// The short name of a constant: `math/PI` for `Math/PI`.
pub(super) fn constant_name(prefix: &str, name: &str) -> String {
    let title = match title(prefix) {
        "Math" => "math",
        title => title,
    };
    format!("{title}/{name}")
}

/// Whether this is the name of a class that `instance?` may ask for.
pub(super) fn is_class(name: &str) -> bool {
    let simple = match name.rsplit_once('.') {
        Some((package, simple)) if package.starts_with("java.") || package == "clojure.lang" => simple,
        Some(_) => return false,
        None => name,
    };
    matches!(
        simple,
        "String"
            | "Character"
            | "Number"
            | "Long"
            | "Integer"
            | "Short"
            | "Byte"
            | "Double"
            | "Float"
            | "BigInteger"
            | "BigDecimal"
            | "BigInt"
            | "Ratio"
            | "Boolean"
            | "Object"
            | "Keyword"
            | "Symbol"
            | "Var"
            | "Atom"
            | "Volatile"
            | "Delay"
            | "Fn"
            | "IFn"
            | "AFn"
            | "Map"
            | "List"
            | "Set"
            | "Collection"
            | "Iterable"
            | "IPersistentMap"
            | "IPersistentVector"
            | "IPersistentSet"
            | "IPersistentList"
            | "IPersistentCollection"
            | "PersistentVector"
            | "PersistentArrayMap"
            | "PersistentHashMap"
            | "PersistentHashSet"
            | "PersistentList"
            | "LazySeq"
            | "ISeq"
            | "Seqable"
            | "Sequential"
            | "Associative"
            | "MapEntry"
            | "Date"
            | "Instant"
            | "LocalDate"
            | "UUID"
            | "Pattern"
            | "Throwable"
            | "Exception"
            | "RuntimeException"
            | "ExceptionInfo"
            | "IllegalArgumentException"
            | "ArithmeticException"
            | "ClassCastException"
            | "NullPointerException"
            | "NumberFormatException"
            | "IndexOutOfBoundsException"
    )
}
