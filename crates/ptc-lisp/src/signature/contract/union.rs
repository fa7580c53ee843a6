//! Values of one of several types.

use std::cmp::Reverse;

use super::{ExtraFields, Finding, PathStep, field_of, not_one_of, validate};
use crate::error::advice::nearest;
use crate::signature::{Field, Literal, Type};
use crate::value::{Map, Value, shown};

/// The first of these types that the value has.
pub(super) fn fitting<'t>(value: &Value, types: &'t [Type], extra: ExtraFields) -> Option<&'t Type> {
    types.iter().find(|ty| validate(value, ty, extra).is_empty())
}

/// What keeps the value from the type that it was probably meant to have.
pub(super) fn closest(value: &Value, types: &[Type], extra: ExtraFields) -> Vec<Finding> {
    meant(value, types).map_or_else(|finding| vec![finding], |ty| validate(value, ty, extra))
}

/// The type that a value without any of these was probably meant to have: for a map, the one that its tag names, else the one
/// that has most of its fields.
///
/// Errors with what was found instead where that is unclear.
pub(super) fn meant<'t>(value: &Value, types: &'t [Type]) -> Result<&'t Type, Finding> {
    let unclear = || {
        let (all, written) = (Type::Union(types.to_vec()), shown(value));
        let sets = types.iter().filter_map(|ty| if let Type::OneOf(values) = ty.shape() { Some(values) } else { None });
        let texts: Vec<String> = sets.flatten().map(ToString::to_string).collect();
        let close = nearest(&written, texts.iter().map(String::as_str));
        let hint = close.map(|close| format!("; did you mean {close}?")).unwrap_or_default();
        Finding { path: Vec::new(), message: format!("expected {}, got {written}{hint}", all.plain()) }
    };
    let Value::Map(map) = value else {
        let is_list = |ty: &Type| matches!(ty.shape(), Type::List(_) | Type::Tuple(_));
        let mut lists = types.iter().filter(|ty| is_list(ty) && value.as_vector().is_some());
        return lists.next().filter(|_| lists.next().is_none()).ok_or_else(unclear);
    };
    let shared = |fields: &[Field]| fields.iter().filter(|field| field_of(map, &field.name).is_some()).count();
    let records =
        || types.iter().filter_map(|ty| if let Type::Record(fields) = ty.shape() { Some((ty, fields)) } else { None });
    let all: Vec<&[Field]> = records().map(|(_, fields)| fields.as_slice()).collect();
    let tagged = tag(&all).map(|name| tagged(map, name, &all)).transpose()?;
    let is_tagged = |fields: &[Field]| tagged.as_ref().is_none_or(|(name, value)| has_tag(fields, name, value));
    let candidates = records().filter(|(_, fields)| is_tagged(fields) && shared(fields) > 0);
    let closest = candidates
        .min_by_key(|(ty, fields)| (Reverse(shared(fields)), validate(value, ty, ExtraFields::Allowed).len()));
    let other = || types.iter().find(|ty| matches!(ty.shape(), Type::MapOf(..)));
    closest.map(|(ty, _)| ty).or_else(other).ok_or_else(unclear)
}

/// The field that says which of several records a map is: a set of values in each.
fn tag<'t>(records: &[&'t [Field]]) -> Option<&'t str> {
    let values = |fields: &[Field], name: &str| {
        fields.iter().any(|field| field.name == name && matches!(field.ty.shape(), Type::OneOf(_)))
    };
    let (first, rest) = records.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let name = |field: &&Field| values(first, &field.name) && rest.iter().all(|fields| values(fields, &field.name));
    first.iter().find(name).map(|field| field.name.as_str())
}

/// The value of the tag, if one of the records has it.
fn tagged<'m, 't>(map: &'m Map, name: &'t str, records: &[&[Field]]) -> Result<(&'t str, &'m Value), Finding> {
    let finding = |message: String| Finding { path: vec![PathStep::Name(name.to_owned())], message };
    let Some((_, value)) = field_of(map, name) else { return Err(finding("required field is missing".to_owned())) };
    let all = Type::union(
        records
            .iter()
            .flat_map(|fields| fields.iter())
            .filter_map(|field| Some(field).filter(|field| field.name == name).map(|field| field.ty.shape().clone())),
    );
    match &all {
        Type::OneOf(values) => {
            not_one_of(&in_words_of(value, values), values).map_or(Ok((name, value)), |message| Err(finding(message)))
        }
        _ => Ok((name, value)),
    }
}

fn has_tag(fields: &[Field], name: &str, value: &Value) -> bool {
    let has = |field: &Field| match field.ty.shape() {
        Type::OneOf(values) => not_one_of(&in_words_of(value, values), values).is_none(),
        _ => false,
    };
    fields.iter().any(|field| field.name == name && has(field))
}

/// A text as the keyword of the same name, where the values are keywords.
fn in_words_of(value: &Value, values: &[Literal]) -> Value {
    match value {
        Value::Str(text) if values.contains(&Literal::Keyword(text.as_str().to_owned())) => {
            Value::keyword(text.as_str())
        }
        other => other.clone(),
    }
}
