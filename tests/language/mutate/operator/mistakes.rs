//! The mistakes that operators make: in names, brackets and quotes, the arguments of calls, and the shape of forms.

use std::ops::Range;

use super::Change;
use crate::mutate::forms::{Form, Kind, Role, Sites};
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

/// A bracket left out.
pub(super) fn dropped(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    brackets(sites).map(|(span, _)| Change::at(span, "")).collect()
}

/// A bracket typed twice: more often a closing one.
pub(super) fn doubled(sites: &Sites<'_>, random: &mut Random) -> Vec<Change> {
    brackets(sites)
        .filter(|(_, text)| is_closer(text) || random.chance(50))
        .map(|(span, text)| Change::at(span, text.repeat(2)))
        .collect()
}

/// A closing bracket of another kind.
pub(super) fn of_another_kind(sites: &Sites<'_>, random: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for (span, text) in brackets(sites).filter(|(_, text)| is_closer(text)) {
        let others: Vec<&str> = [")", "]", "}"].into_iter().filter(|other| *other != text).collect();
        let pick = usize::from(random.chance(50));
        changes.extend(others.get(pick).map(|other| Change::at(span, *other)));
    }
    changes
}

/// The closing quote of a string left out.
pub(super) fn unclosed_text(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    let texts = sites.all.iter().map(|site| site.form).filter(|form| matches!(form.kind, Kind::Text | Kind::Regex));
    texts.map(|form| Change::at(form.span.end - 1..form.span.end, "")).collect()
}

fn is_closer(text: &str) -> bool {
    matches!(text, ")" | "]" | "}")
}

/// Every bracket with its place, in order of the forms.
fn brackets<'s>(sites: &'s Sites<'_>) -> impl Iterator<Item = (Range<usize>, &'static str)> + 's {
    let ends = |form: &Form<'_>| {
        let (opener, closer) = form.kind.brackets();
        let (start, end) = (form.span.start, form.span.end);
        [(start..start + opener.len(), opener), (end - closer.len()..end, closer)]
    };
    sites.unquoted().flat_map(ends).filter(|(_, text)| !text.is_empty())
}

/// Two neighbouring arguments in the wrong order.
pub(super) fn swapped(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for call in sites.calls() {
        for pair in call.arguments().windows(2) {
            // Lines must stay where they are.
            if let [one, other] = pair
                && !one.text.contains('\n')
                && !other.text.contains('\n')
            {
                changes.push(Change::swap(one, other).or_at(other.span.start).or_at(call.span.start));
            }
        }
    }
    changes
}

/// An argument left out or typed twice.
pub(super) fn wrong_count(sites: &Sites<'_>, random: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for call in sites.calls() {
        for argument in call.arguments() {
            let lines = lines(argument.text);
            let twice = random.chance(50) && lines.is_empty();
            let replacement = if twice { format!("{0} {0}", argument.text) } else { lines };
            changes.push(Change::at(argument.span.clone(), replacement).or_at(call.span.start));
        }
    }
    changes
}

/// A key of a tool's arguments left out, with its value.
pub(super) fn missing_argument(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for call in sites.calls().filter(|call| call.head().is_some_and(|head| head.starts_with("tool/"))) {
        for arguments in call.arguments().iter().filter(|form| form.kind == Kind::Map) {
            for pair in arguments.items.chunks(2) {
                let [key, value] = pair else { continue };
                let span = key.span.start..value.span.end;
                let lines = lines(sites.source.get(span.clone()).unwrap_or_default());
                changes.push(Change::at(span, lines).or_at(call.span.start));
            }
        }
    }
    changes
}

/// The line ends of a text that is left out.
fn lines(text: &str) -> String {
    "\n".repeat(text.matches('\n').count())
}

/// Something done with the result of `recur`.
pub(super) fn recur_not_tail(sites: &Sites<'_>, random: &mut Random) -> Vec<Change> {
    let wraps = [("(inc ", ")"), ("(do ", " nil)"), ("(str ", ")"), ("(not ", ")")];
    let wrapped = |form: &Form<'_>| {
        let (before, after) = random.pick(&wraps);
        Change::of([(form.span.start..form.span.start, before), (form.span.end..form.span.end, after)])
    };
    sites.lists("recur").map(wrapped).collect()
}

/// A pattern in the wrong brackets, with a wrong key or with the parts of `&` mixed up.
pub(super) fn wrong_pattern(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for site in sites.all.iter().filter(|site| matches!(site.role, Role::Pattern | Role::Binder)) {
        match site.form.kind {
            Kind::Vector => vector_pattern(site.form, &mut changes),
            Kind::Map => map_pattern(site.form, &mut changes),
            _ => {}
        }
    }
    changes
}

fn vector_pattern(form: &Form<'_>, changes: &mut Vec<Change>) {
    changes.push(in_brackets(form, Kind::List));
    if form.items.len() % 2 == 1 {
        changes.push(in_brackets(form, Kind::Map));
    }
    let marks = form.items.windows(2).find(|pair| pair.first().is_some_and(|item| item.text == "&"));
    if let Some([mark, rest]) = marks {
        changes.push(Change::swap(mark, rest));
        changes.push(Change::at(rest.span.clone(), ""));
    }
}

fn map_pattern(form: &Form<'_>, changes: &mut Vec<Change>) {
    changes.push(in_brackets(form, Kind::Vector));
    for pair in form.items.chunks(2) {
        let [key, value] = pair else { continue };
        match (key.kind, key.text) {
            (Kind::Keyword, ":keys") => {
                changes.push(Change::at(key.span.clone(), ":key"));
                changes.push(Change::at(key.span.clone(), "keys"));
                changes.push(in_brackets(value, Kind::List));
            }
            (Kind::Keyword, _) => changes.push(Change::at(value.span.clone(), "")),
            _ => changes.push(Change::swap(key, value)),
        }
    }
}

/// The form in another kind of brackets.
fn in_brackets(form: &Form<'_>, kind: Kind) -> Change {
    let ((opener, closer), (new_opener, new_closer)) = (form.kind.brackets(), kind.brackets());
    let (start, end) = (form.span.start, form.span.end);
    Change::of([(start..start + opener.len(), new_opener), (end - closer.len()..end, new_closer)])
}

/// `(a b)` for `'(a b)`.
pub(super) fn missing_quote(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    let quotes = sites.of_role(Role::Code).filter(|form| form.kind == Kind::Quote);
    quotes.map(|form| Change::at(form.span.start..form.span.start + 1, "")).collect()
}
