//! Mistakes in the shape of forms: `recur` where it cannot jump, invalid patterns, a quote left out.

use super::Change;
use crate::mutate::site::{Role, Sites};
use crate::mutate::syntax::{Form, Kind};
use ptc_tests::random::Random;

/// Something done with the result of `recur`.
pub(super) fn recur_not_tail(sites: &Sites<'_>, random: &mut Random) -> Vec<Change> {
    let wraps = [("(inc ", ")"), ("(do ", " nil)"), ("(str ", ")"), ("(not ", ")")];
    let mut changes = Vec::new();
    for form in sites.lists("recur") {
        let (before, behind) = random.pick(&wraps);
        let (start, end) = (form.span.start, form.span.end);
        let edits = vec![(start..start, (*before).to_owned()), (end..end, (*behind).to_owned())];
        changes.push(Change { edits, places: vec![start], meant: None });
    }
    changes
}

/// A pattern in the wrong brackets, with a wrong key or with the parts of `&` mixed up.
pub(super) fn wrong_pattern(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    for site in sites.all.iter().filter(|site| matches!(site.role, Role::Pattern | Role::Binder)) {
        match site.form.kind {
            Kind::Vector => vector_pattern(site.form, sites.source, &mut changes),
            Kind::Map => map_pattern(site.form, sites.source, &mut changes),
            _ => {}
        }
    }
    changes
}

fn vector_pattern(form: &Form, source: &str, changes: &mut Vec<Change>) {
    changes.push(brackets(form, Kind::List));
    if form.items.len() % 2 == 1 {
        changes.push(brackets(form, Kind::Map));
    }
    let mark = form.items.iter().position(|item| item.text(source) == "&");
    if let Some((mark, rest)) = mark.and_then(|at| Some((form.items.get(at)?, form.items.get(at + 1)?))) {
        let swapped = vec![(mark.span.clone(), rest.text(source).to_owned()), (rest.span.clone(), "&".to_owned())];
        changes.push(Change { edits: swapped, places: vec![mark.span.start], meant: None });
        changes.push(Change::at(rest.span.clone(), ""));
    }
}

fn map_pattern(form: &Form, source: &str, changes: &mut Vec<Change>) {
    changes.push(brackets(form, Kind::Vector));
    for pair in form.items.chunks(2) {
        let [key, value] = pair else { continue };
        match (key.kind, key.text(source)) {
            (Kind::Keyword, ":keys") => {
                changes.push(Change::at(key.span.clone(), ":key"));
                changes.push(Change::at(key.span.clone(), "keys"));
                changes.push(brackets(value, Kind::List));
            }
            (Kind::Keyword, _) => changes.push(Change::at(value.span.clone(), "")),
            (_, name) => {
                let edits =
                    vec![(key.span.clone(), value.text(source).to_owned()), (value.span.clone(), name.to_owned())];
                changes.push(Change { edits, places: vec![key.span.start], meant: None });
            }
        }
    }
}

/// The form in another kind of brackets.
fn brackets(form: &Form, kind: Kind) -> Change {
    let (opener, closer) = form.kind.brackets();
    let (new_opener, new_closer) = kind.brackets();
    let (start, end) = (form.span.start, form.span.end);
    let edits =
        vec![(start..start + opener.len(), new_opener.to_owned()), (end - closer.len()..end, new_closer.to_owned())];
    Change { edits, places: vec![start], meant: None }
}

/// `(a b)` for `'(a b)`.
pub(super) fn missing_quote(sites: &Sites<'_>, _: &mut Random) -> Vec<Change> {
    let quotes = sites.of_role(Role::Code).filter(|site| site.form.kind == Kind::Quote);
    quotes.map(|site| Change::at(site.form.span.start..site.form.span.start + 1, "")).collect()
}
