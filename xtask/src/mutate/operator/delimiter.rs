//! Mistakes in brackets and quotes.

use std::ops::Range;

use super::Change;
use crate::mutate::site::Sites;
use crate::mutate::syntax::{Form, Kind};
use ptc_tests::random::Random;

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
