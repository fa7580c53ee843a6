//! Fields of an answer that its type does not have, and that were probably meant to be optional ones which it lacks.

use ptc_lisp::signature::{ExtraFields, Field, Finding, PathStep, Type, validate};
use ptc_lisp::text::nearest;
use ptc_lisp::values::{key_name, key_text};
use ptc_lisp::{Map, Value};

/// What keeps a value from being an answer of this type: what does not fit, else names that are spelt wrong.
pub(super) fn misfits(value: &Value, ty: &Type, extra: ExtraFields) -> Vec<Finding> {
    let findings = validate(value, ty, extra);
    if findings.is_empty() { misspelt(value, ty) } else { findings }
}

/// The misspelt names in a value that fits its type: what is under them would be lost.
fn misspelt(value: &Value, ty: &Type) -> Vec<Finding> {
    match (value, ty.shape()) {
        (Value::Map(map), Type::Record(fields)) => in_fields(map, fields),
        (Value::Map(map), Type::MapOf(_, item)) => {
            map.iter().flat_map(|(key, value)| below(PathStep::Name(key_text(key)), value, item)).collect()
        }
        (Value::Vector(items), Type::List(element)) => in_items(items.iter().map(|item| (item, &**element))),
        (Value::Vector(items), Type::Tuple(parts)) => in_items(items.iter().zip(parts)),
        (value, Type::Union(types)) => {
            let fitting = types.iter().filter(|ty| validate(value, ty, ExtraFields::Allowed).is_empty());
            fitting.map(|ty| misspelt(value, ty)).min_by_key(Vec::len).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn in_items<'v>(items: impl Iterator<Item = (&'v Value, &'v Type)>) -> Vec<Finding> {
    items.enumerate().flat_map(|(at, (item, ty))| below(PathStep::Index(at), item, ty)).collect()
}

fn in_fields(map: &Map, fields: &[Field]) -> Vec<Finding> {
    let names: Vec<&str> = map.iter().filter_map(|(key, _)| key_name(key)).collect();
    let is_for = |field: &Field, name: &str| field.name.replace('-', "_") == name.replace('-', "_");
    let missing = fields.iter().filter(|field| !names.iter().any(|name| is_for(field, name)));
    let missing: Vec<&str> = missing.map(|field| field.name.as_str()).collect();
    let unknown = names.iter().filter(|name| !fields.iter().any(|field| is_for(field, name)));
    let finding = |name: &&str| {
        let meant = nearest(name, missing.iter().copied())?;
        let message = format!("no such field; did you mean {meant}? If not, give {meant} as well");
        Some(Finding { path: vec![PathStep::Name((*name).to_owned())], message })
    };
    let here = unknown.filter_map(finding);
    let held = fields.iter().filter_map(|field| {
        let (key, value) = map.iter().find(|(key, _)| key_name(key).is_some_and(|name| is_for(field, name)))?;
        Some(below(PathStep::Name(key_text(key)), value, &field.ty))
    });
    here.chain(held.flatten()).collect()
}

fn below(step: PathStep, value: &Value, ty: &Type) -> Vec<Finding> {
    let mut findings = misspelt(value, ty);
    findings.iter_mut().for_each(|finding| finding.path.insert(0, step.clone()));
    findings
}
