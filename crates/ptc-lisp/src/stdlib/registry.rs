//! Rows of builtins, found by name or by number.
//!
//! Bounded: by the rows, which are ours.

use std::collections::HashMap;

use super::row::{Builtin, Family};
use crate::error::advice::arity::Counts;
use crate::reference::entry::{ReferenceEntry, UnknownName};
use crate::value::{BuiltinId, Value};

/// A row as the machine uses it.
pub(crate) struct Entry {
    pub row: &'static Builtin,
    pub counts: Counts,
    /// The same as bits, for up to 31 arguments.
    accepted: u32,
    /// The number of its quick call.
    pub quick: Option<u8>,
}

impl Entry {
    /// Whether the row takes this many arguments.
    #[inline]
    pub fn accepts(&self, count: usize) -> bool {
        if count < 32 { self.accepted >> count & 1 == 1 } else { self.counts.accepts(count) }
    }
}

/// Names under which `Math/` means the bare functions; its other names are those of `clojure.math`, in camelCase.
const JAVA_MATH: [&str; 7] = ["abs", "sqrt", "pow", "floor", "ceil", "max", "min"];

/// A name without its hyphens, in lower case: `toRadians` and `to-radians` become the same.
fn fold(name: &str) -> String {
    name.chars().filter(|c| *c != '-').flat_map(char::to_lowercase).collect()
}

/// All rows.
pub(crate) struct Table {
    entries: Vec<Entry>,
    /// The rows of quick calls.
    quick: Vec<BuiltinId>,
    /// The functions of `clojure.math` by folded names.
    by_java_name: ByName<String, BuiltinId>,
    by_name: ByName<&'static str, BuiltinId>,
    constants: ByName<&'static str, Value>,
}

/// The language as running programs see it: all rows, and what is known about each name.
#[derive(Copy, Clone)]
pub(crate) struct Language {
    pub builtins: &'static Table,
    pub look_up: fn(&str) -> Result<ReferenceEntry, UnknownName>,
    pub reference: fn() -> Vec<ReferenceEntry>,
}

/// The keys are our own, and every name of every program is looked up: no need for a hash that resists attacks.
type ByName<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

impl Table {
    /// The rows of `families`, whose quick calls are numbered in their order: first those of the names in `known`, in
    /// that order; then the others, as listed.
    #[allow(clippy::indexing_slicing, reason = "there is a place for each quick call")]
    pub fn new(
        families: &[Family],
        known: &[&str],
        constants: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Table {
        let mut quick_calls = 0..;
        let with_number = |row: &'static Builtin| (row, row.quick.and_then(|_| quick_calls.next()));
        let mut rows: Vec<_> = families.iter().flat_map(|family| family.rows).map(with_number).collect();
        // Stable: the first row of a name counts; a test forbids a second one.
        let known: ByName<&str, usize> = known.iter().enumerate().map(|(at, name)| (*name, at)).collect();
        rows.sort_by_cached_key(|(row, _)| known.get(row.name).copied().unwrap_or(known.len()));
        let mut table = Table {
            entries: Vec::with_capacity(rows.len()),
            quick: Vec::new(),
            by_java_name: ByName::default(),
            by_name: ByName::default(),
            constants: constants.into_iter().collect(),
        };
        for (row, quick) in rows {
            let id = BuiltinId(table.entries.len() as u16);
            let counts = Counts::of_texts(row.params);
            let accepted = (0..32).filter(|count| counts.accepts(*count)).fold(0, |bits, count| bits | 1 << count);
            if let Some(at) = quick.map(usize::from) {
                table.quick.resize(table.quick.len().max(at + 1), id);
                table.quick[at] = id;
            }
            table.entries.push(Entry { row, counts, accepted, quick });
            table.by_name.entry(row.name).or_insert(id);
            if let Some(name) = row.name.strip_prefix("math/") {
                table.by_java_name.insert(fold(name), id);
            }
        }
        table
    }

    #[inline]
    #[allow(clippy::indexing_slicing, reason = "numbers are only made by this table")]
    pub fn entry(&self, id: BuiltinId) -> &Entry {
        &self.entries[usize::from(id.0)]
    }

    /// The row of a quick call.
    #[allow(clippy::indexing_slicing, reason = "numbers are only made by this table")]
    pub fn of_quick(&self, number: u8) -> BuiltinId {
        self.quick[usize::from(number)]
    }

    /// The number of a row by its exact name.
    pub fn find(&self, name: &str) -> Option<BuiltinId> {
        self.by_name.get(name).copied()
    }

    /// The value of a constant such as `Double/NaN`.
    pub fn constant(&self, name: &str) -> Option<&Value> {
        self.constants.get(name)
    }

    /// The constants by short name.
    pub fn constants(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.constants.iter().map(|(name, value)| (*name, value))
    }

    /// What a namespace has, by its short alias, sorted and without the alias.
    pub fn members(&self, alias: &str) -> Vec<&'static str> {
        let own = |name: &'static str| name.strip_prefix(alias).and_then(|name| name.strip_prefix('/'));
        let shared = |row: &'static Builtin| row.namespaces.contains(&alias).then_some(row.name);
        let rows = self.entries.iter().filter_map(|entry| own(entry.row.name).or_else(|| shared(entry.row)));
        let mut names: Vec<&'static str> = rows.chain(self.constants.keys().filter_map(|name| own(name))).collect();
        names.sort_unstable();
        names
    }

    /// Resolve a name as programs write it, bare or with a namespace alias.
    pub fn resolve(&self, namespace: Option<&str>, name: &str) -> Option<BuiltinId> {
        let Some(namespace) = namespace else { return self.find(name).filter(|_| !name.contains('/') || name == "/") };
        let short = short_alias(namespace)?;
        if short == "Math" && !JAVA_MATH.contains(&name) {
            return self.by_java_name.get(&fold(name)).copied();
        }
        // What a class of Java does not have must not be found elsewhere.
        let has_bare = short == "Math" || is_clojure(short) && !name.starts_with('%');
        self.find(&format!("{short}/{name}")).or_else(|| self.find(name).filter(|_| has_bare))
    }

    /// All entries with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (BuiltinId, &Entry)> {
        self.entries.iter().enumerate().map(|(at, entry)| (BuiltinId(at as u16), entry))
    }
}

/// Classes of Java, which programs may write alone or after their packages.
const CLASSES: &str = "
    java.lang.Boolean java.lang.Character java.lang.Double java.lang.Integer java.lang.Long java.lang.Math
    java.lang.String java.lang.System
    java.time.DayOfWeek java.time.Duration java.time.Instant java.time.LocalDate java.time.LocalDateTime
    java.time.LocalTime java.time.Month java.time.OffsetDateTime java.time.Period java.time.Year java.time.YearMonth
    java.time.ZoneId java.time.ZoneOffset java.time.ZonedDateTime
    java.time.format.DateTimeFormatter java.time.format.TextStyle
    java.time.temporal.ChronoUnit java.time.temporal.IsoFields
    java.util.Date java.util.Locale java.util.UUID java.util.regex.Pattern";

/// The other namespaces of builtins (6.5): the short alias, the title of their functions in messages, and the prefixes
/// that programs may write.
const NAMESPACES: &[(&str, &str, &[&str])] = &[
    ("core", "core", &["clojure.core", "core"]),
    ("str", "string", &["clojure.string", "string", "str"]),
    ("set", "set", &["clojure.set", "set"]),
    ("walk", "walk", &["clojure.walk", "walk"]),
    ("math", "math", &["clojure.math", "math"]),
    ("pprint", "pprint", &["clojure.pprint", "pprint", "pp"]),
    ("regex", "regex", &["regex"]),
    ("json", "json", &["json"]),
    ("Interop", "interop", &["Interop"]),
];

/// Whether an alias is that of a namespace, not of a class.
fn is_clojure(alias: &str) -> bool {
    NAMESPACES.iter().any(|(known, ..)| *known == alias)
}

/// A namespace and one of its prefixes.
pub(crate) struct Namespace {
    pub prefix: &'static str,
    pub alias: &'static str,
    pub title: &'static str,
}

/// All prefixes that programs may write.
pub(crate) fn namespaces() -> impl Iterator<Item = Namespace> {
    let known = NAMESPACES
        .iter()
        .flat_map(|(alias, title, prefixes)| prefixes.iter().map(|prefix| Namespace { prefix, alias, title }));
    let class = |full: &'static str| {
        let alias = full.rsplit('.').next().unwrap_or(full);
        [alias, full].map(|prefix| Namespace { prefix, alias, title: alias })
    };
    known.chain(CLASSES.split_whitespace().flat_map(class))
}

/// The namespace that a prefix means.
pub(crate) fn namespace(prefix: &str) -> Option<Namespace> {
    namespaces().find(|namespace| namespace.prefix == prefix)
}

/// The short alias of a namespace of builtins, or `None` for an unknown one.
pub(crate) fn short_alias(prefix: &str) -> Option<&'static str> {
    if prefix == "budget" { Some("budget") } else { namespace(prefix).map(|namespace| namespace.alias) }
}
