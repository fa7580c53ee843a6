//! What can be looked up: functions, special forms and constants, each described by its row.

pub(crate) mod entry;
#[cfg(test)]
mod tests;

use crate::analyze::{SpecialForm, special_forms};
use crate::error::advice::foreign::BARE;
use crate::error::advice::{instead_of, nearest};
use crate::stdlib::look_up::call_text;
use crate::stdlib::registry::Language;
use crate::stdlib::table::{short_alias, table};
use crate::stdlib::{Builtin, Family, families};
use crate::value::{Value, shown};

pub use entry::{ReferenceEntry, ReferenceKind, UnknownName};

/// What running programs may look up.
pub(crate) fn language() -> Language {
    Language { builtins: table(), look_up, reference }
}

/// Heading of the special forms.
const FORMS: &str = "Special forms and macros";
/// Heading of the constants.
const CONSTANTS: &str = "Constants";

/// Every name available to programs: functions by family, then special forms and macros, then constants.
#[must_use]
pub fn reference() -> Vec<ReferenceEntry> {
    let functions =
        families().iter().flat_map(|family| family.rows.iter().filter_map(move |row| function(family, row)));
    let mut constants: Vec<_> = table().constants().map(|(name, value)| constant(name, value)).collect();
    constants.sort_by_key(|entry| entry.name);
    functions.chain(special_forms().iter().map(form)).chain(constants).collect()
}

/// The entry of a name, bare or with a namespace: `join`, `str/join`, `clojure.string/join`.
///
/// Errors with the nearest known name.
pub fn look_up(name: &str) -> Result<ReferenceEntry, UnknownName> {
    let entries = reference();
    let known = canonical(name);
    let found = known.and_then(|known| entries.iter().find(|entry| entry.name == known).cloned());
    found.ok_or_else(|| UnknownName {
        name: name.to_owned(),
        instead: instead_of(BARE, name),
        nearest: meant(name, &entries),
    })
}

/// The known name that `name` was probably meant to be: first among those of its namespace.
fn meant(name: &str, entries: &[ReferenceEntry]) -> Option<String> {
    let all = |name| nearest(name, entries.iter().map(|entry| entry.name)).map(str::to_owned);
    let Some((namespace, bare)) = name.rsplit_once('/') else { return all(name) };
    let members = short_alias(namespace).map(|alias| (alias, table().members(alias)));
    let member = members.and_then(|(alias, members)| nearest(bare, members).map(|member| format!("{alias}/{member}")));
    member.or_else(|| all(bare)).or_else(|| all(name))
}

/// The name under which the reference lists `name`.
fn canonical(name: &str) -> Option<&'static str> {
    let (namespace, bare) = match name.rsplit_once('/') {
        Some((namespace, bare)) if !namespace.is_empty() && !bare.is_empty() => (Some(namespace), bare),
        _ => (None, name),
    };
    let alias = namespace.map_or(Some("core"), short_alias)?;
    if let Some(form) = special_forms().iter().find(|form| alias == "core" && form.name == bare) {
        return Some(form.name);
    }
    let long = format!("{}/{bare}", if alias == "Math" { "math" } else { alias });
    let constant = table().constants().map(|(name, _)| name).find(|known| *known == long);
    constant.or_else(|| table().resolve(namespace, bare).map(|id| table().entry(id).row.name))
}

fn function(family: &Family, row: &'static Builtin) -> Option<ReferenceEntry> {
    if row.name.starts_with('%') {
        return None;
    }
    let calls =
        row.params.iter().map(|params| call_text(row.name, params.trim_start_matches('[').trim_end_matches(']')));
    Some(ReferenceEntry {
        name: row.name,
        kind: ReferenceKind::Function,
        family: family.title,
        namespaces: namespaces(row.name).chain(row.namespaces.iter().copied()).collect(),
        params: row.params.iter().map(|params| (*params).to_owned()).collect(),
        calls: calls.collect(),
        doc: row.doc.to_owned(),
        examples: row.examples,
    })
}

fn form(row: &'static SpecialForm) -> ReferenceEntry {
    let calls: Vec<String> =
        row.template.split(" or (").map(|call| format!("({}", call.trim_start_matches('('))).collect();
    let params = calls.iter().map(|call| {
        let inner = call.strip_prefix('(').and_then(|call| call.strip_suffix(')')).unwrap_or(call);
        format!("[{}]", inner.split_once(' ').map_or("", |(_, params)| params))
    });
    ReferenceEntry {
        name: row.name,
        kind: if row.is_macro() { ReferenceKind::Macro } else { ReferenceKind::SpecialForm },
        family: FORMS,
        namespaces: vec!["core"],
        params: params.collect(),
        calls,
        doc: row.doc.to_owned(),
        examples: &[],
    }
}

fn constant(name: &'static str, value: &Value) -> ReferenceEntry {
    ReferenceEntry {
        name,
        kind: ReferenceKind::Constant,
        family: CONSTANTS,
        namespaces: namespaces(name).collect(),
        params: Vec::new(),
        calls: vec![name.to_owned()],
        doc: format!("The value `{}`.", shown(value)),
        examples: &[],
    }
}

/// The alias in front of a name, `core` when there is none.
fn namespaces(name: &'static str) -> impl Iterator<Item = &'static str> {
    let alias = name.split_once('/').map(|(alias, _)| alias).filter(|alias| !alias.is_empty());
    std::iter::once(alias.unwrap_or("core"))
}
