//! Mistakes in the shape of forms: `recur` where it cannot jump, invalid patterns, a quote left out.

use super::Change;
use crate::mutate::site::{Role, Sites};
use crate::mutate::syntax::{Form, Kind};
use ptc_tests::random::Random;

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
    changes.push(brackets(form, Kind::List));
    if form.items.len() % 2 == 1 {
        changes.push(brackets(form, Kind::Map));
    }
    let marks = form.items.windows(2).find(|pair| pair.first().is_some_and(|item| item.text == "&"));
    if let Some([mark, rest]) = marks {
        changes.push(Change::swap(mark, rest));
        changes.push(Change::at(rest.span.clone(), ""));
    }
}

fn map_pattern(form: &Form<'_>, changes: &mut Vec<Change>) {
    changes.push(brackets(form, Kind::Vector));
    for pair in form.items.chunks(2) {
        let [key, value] = pair else { continue };
        match (key.kind, key.text) {
            (Kind::Keyword, ":keys") => {
                changes.push(Change::at(key.span.clone(), ":key"));
                changes.push(Change::at(key.span.clone(), "keys"));
                changes.push(brackets(value, Kind::List));
            }
            (Kind::Keyword, _) => changes.push(Change::at(value.span.clone(), "")),
            _ => changes.push(Change::swap(key, value)),
        }
    }
}

/// The form in another kind of brackets.
fn brackets(form: &Form<'_>, kind: Kind) -> Change {
    let ((opener, closer), (new_opener, new_closer)) = (form.kind.brackets(), kind.brackets());
    let (start, end) = (form.span.start, form.span.end);
    Change::of([(start..start + opener.len(), new_opener), (end - closer.len()..end, new_closer)])
}

/// `(a b)` for `'(a b)`.
pub(super) fn missing_quote(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    let quotes = sites.of_role(Role::Code).filter(|form| form.kind == Kind::Quote);
    quotes.map(|form| Change::at(form.span.start..form.span.start + 1, "")).collect()
}
