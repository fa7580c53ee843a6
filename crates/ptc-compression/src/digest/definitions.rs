//! Definitions as a digest lists them: small values whole, others by their shape.

use crate::changed::changed;
use crate::words::{definitions_section, docstring, hidden_note};
use indexmap::IndexSet;
use ptc_lisp::text::{FormatOptions, format_within_with};
use ptc_lisp::values::{key_name, type_of};
use ptc_lisp::{Memory, MemoryEntry, ShownNames, Value};

/// Characters of a value that is listed whole.
const VALUE_CHARS: usize = 60;

/// Characters of the keys of a record.
const KEYS_CHARS: usize = 200;

/// Records of a list that are examined for keys.
const RECORDS: usize = 100;

/// `over-25 = 14`, `birds ; "one per nest" = list[344] of {season species}`, `(weigh [row]) -> map`.
pub(crate) fn definition_text(entry: &MemoryEntry, shown: &ShownNames) -> String {
    let MemoryEntry { name, params, returns, .. } = entry;
    let doc = docstring(entry).map(|doc| format!(" ; {doc}")).unwrap_or_default();
    match params {
        Some(params) => {
            let returns = returns.as_deref().map(|label| format!(" -> {}", kind(label))).unwrap_or_default();
            format!("({name} [{params}]){doc}{returns}")
        }
        None if entry.is_hidden() => format!("{name}{doc} = {}, [Hidden]", entry.label),
        None => format!("{name}{doc} = {}{}", content(entry, shown), hidden_note(&entry.value, shown)),
    }
}

/// These definitions below a header; their memory knows which names are shown.
pub(super) fn defined_section<'m>(
    header: &str,
    entries: impl IntoIterator<Item = &'m MemoryEntry>,
    memory: &Memory,
) -> Option<String> {
    definitions_section(header, entries, |entry| definition_text(entry, memory.shown_names()))
}

/// The definitions whose texts differ from those known before.
pub(super) fn changed_definitions<'m>(now: &'m Memory, known: &'m Memory) -> impl Iterator<Item = &'m MemoryEntry> {
    changed(now, known, |entry| definition_text(entry, now.shown_names()))
}

/// A label without sizes, which differ from call to call.
fn kind(label: &str) -> &str {
    match label.find('[') {
        Some(end) if end > 0 && !label.starts_with('#') => label.get(..end).unwrap_or(label),
        _ => label,
    }
}

/// The value of a name; the kind precedes the content of an atom. For a removed value only the kind is left.
fn content(entry: &MemoryEntry, shown: &ShownNames) -> String {
    if matches!(entry.value, Value::Nil) {
        return entry.label.clone();
    }
    let held = held(&entry.value, shown);
    if entry.label == type_of(&entry.value) { held } else { format!("{} {held}", entry.label) }
}

fn held(value: &Value, shown: &ShownNames) -> String {
    let printed = format_within_with(value, &FormatOptions::printed(), shown, VALUE_CHARS);
    if !printed.truncated {
        return printed.text;
    }
    match value {
        Value::Str(text) => format!("string, {} characters", text.as_str().chars().count()),
        Value::Map(_) => type_of(value) + &keys([value], shown).map(|keys| format!(" {keys}")).unwrap_or_default(),
        Value::Vector(items) => {
            type_of(value)
                + &keys(items.iter().take(RECORDS), shown).map(|keys| format!(" of {keys}")).unwrap_or_default()
        }
        _ => type_of(value),
    }
}

/// `{season species … 3 more}`: the names of all keys of these records; `None` when one is not a record.
fn keys<'v>(records: impl IntoIterator<Item = &'v Value>, shown: &ShownNames) -> Option<String> {
    let mut names: IndexSet<&str> = IndexSet::new();
    for record in records {
        for (key, _) in record.as_map()?.iter() {
            names.insert(key_name(key)?);
        }
    }
    names.retain(|name| !shown.hides(name));
    let mut length = 0;
    let fits = |name: &&&str| {
        length += name.chars().count() + 1;
        length <= KEYS_CHARS
    };
    let listed: Vec<&str> = names.iter().take_while(fits).copied().collect();
    let more = names.len() - listed.len();
    let more = if more > 0 { format!(" … {more} more") } else { String::new() };
    (!names.is_empty()).then(|| format!("{{{}{more}}}", listed.join(" ")))
}
