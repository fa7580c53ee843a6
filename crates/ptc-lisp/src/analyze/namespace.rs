//! The namespaces of builtins: prefixes and members.

use std::sync::LazyLock;

use crate::stdlib::table::{CALENDAR, table};

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
    known_as("Pattern", "Pattern"),
    known_as("java.util.regex.Pattern", "Pattern"),
    known_as("String", "String"),
    known_as("java.lang.String", "String"),
];

/// Classes of the calendar, alone and behind their packages.
fn calendar() -> &'static [Known] {
    static ALL: LazyLock<Vec<Known>> = LazyLock::new(|| {
        CALENDAR.iter().flat_map(|(class, full)| [known_as(class, class), known_as(full, class)]).collect()
    });
    &ALL
}

/// All of them.
pub(super) fn prefixes() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().chain(calendar()).map(|known| known.prefix)
}

/// The prefix, when it is one.
pub(super) fn known(prefix: &str) -> Option<&'static Known> {
    KNOWN.iter().chain(calendar()).find(|known| known.prefix == prefix)
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
pub(crate) fn constant_name(prefix: &str, name: &str) -> String {
    let title = match title(prefix) {
        "Math" => "math",
        title => title,
    };
    format!("{title}/{name}")
}
