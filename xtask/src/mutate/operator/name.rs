//! Mistakes in names: misspelled ones, keywords for strings, tools that do not exist.

use super::Change;
use crate::mutate::site::{Role, Sites};
use crate::mutate::syntax::{Form, Kind};
use ptc_tests::random::Random;

/// Shorter names are not misspelled: too little would be left of them.
const MIN_LETTERS: usize = 3;
/// Words that are not names.
const LITERALS: &[&str] = &["nil", "true", "false"];

/// A letter dropped, doubled or swapped with its neighbour, where a name is used. A misspelled name in a binding is
/// left out: it is just another valid name.
pub(super) fn misspelled(sites: &Sites<'_>, random: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for form in sites.of_role(Role::Code).filter(|form| form.kind == Kind::Word) {
        let name = form.text;
        let letters = name.chars().filter(|c| c.is_alphabetic()).count();
        let is_number = name.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit());
        if letters >= MIN_LETTERS && !is_number && !LITERALS.contains(&name) && !name.starts_with('%') {
            changes.push(Change::at(form.span.clone(), misspell(name, random)).meaning(name));
        }
    }
    changes
}

/// The name with one mistake in its letters.
fn misspell(name: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = name.chars().collect();
    let letters: Vec<usize> = chars.iter().enumerate().filter(|(_, c)| c.is_alphabetic()).map(|(at, _)| at).collect();
    let pick = usize::try_from(random.below(letters.len() as u64)).unwrap_or(0);
    let Some(at) = letters.get(pick).copied() else { return name.to_owned() };
    let next = chars.get(at + 1).copied().filter(|next| next.is_alphabetic() && chars.get(at) != Some(next));
    match (random.below(3), next) {
        (0, Some(_)) => chars.swap(at, at + 1),
        (1, _) => chars.splice(at..at, chars.get(at).copied()).for_each(drop),
        _ => drop(chars.remove(at)),
    }
    chars.into_iter().collect()
}

/// `:paid` for `"paid"` or the other way round.
pub(super) fn keyword_or_string(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    sites.unquoted().filter_map(|form| Some(Change::at(form.span.clone(), other_kind(form)?))).collect()
}

fn other_kind(form: &Form<'_>) -> Option<String> {
    let name = form.text.trim_matches('"');
    let fits = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    match form.kind {
        Kind::Keyword => Some(format!("\"{}\"", form.text.trim_start_matches(':'))),
        Kind::Text => fits.then(|| format!(":{name}")),
        _ => None,
    }
}

/// A tool under a plausible but wrong name.
pub(super) fn unknown_tool(sites: &Sites<'_>, random: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for form in sites.of_role(Role::Code).filter(|form| form.kind == Kind::Word) {
        let Some(name) = form.text.strip_prefix("tool/") else { continue };
        let guess = match random.below(4) {
            0 => format!("get-{name}"),
            1 => format!("{name}s"),
            2 => name.replace('-', "_").to_uppercase(),
            _ => name.split('-').rev().collect::<Vec<_>>().join("-") + "-v2",
        };
        changes.push(Change::at(form.span.clone(), format!("tool/{guess}")).meaning(form.text));
    }
    changes
}
