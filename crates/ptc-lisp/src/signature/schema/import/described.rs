//! What a schema says in words: of a property, of its type, and of each of its values.

use serde_json::Value;

use super::super::whole::MAX_DESCRIPTION;
use super::{Importer, is_null};
use crate::escape::{one_line, shortened_counted};
use crate::signature::{Field, Type};

impl<'a> Importer<'a> {
    /// What a property is, on one line: what it says itself or else its type does, and what that says of its values.
    ///
    /// Values have no marks, since models read this in programs and in JSON. Only the last part keeps its full stop.
    pub(super) fn description(&self, schema: &'a Value) -> Option<String> {
        let ty = self.described_type(schema);
        let cases = ["oneOf", "anyOf"].iter().find_map(|key| ty.get(*key)?.as_array()).into_iter().flatten();
        let of_case = |case: &'a Value| {
            let value = case.get("const").or_else(|| case.get("enum")?.as_array()?.first())?;
            let name = value.as_str().map(one_line).or_else(|| Some(self.literal(value)?.to_string()))?;
            Some(format!("{name}: {}", about(case)?))
        };
        let parts = about(schema).or_else(|| about(ty)).into_iter().chain(cases.filter_map(of_case));
        let text = parts.reduce(|mut text, part| {
            text.truncate(text.trim_end_matches('.').len());
            text + "; " + &part
        });
        let text = text.unwrap_or_default();
        (!text.is_empty()).then(|| shortened_counted(&text, MAX_DESCRIPTION).into_owned())
    }

    /// The schema that a reference names, also where null is another choice.
    fn described_type(&self, schema: &'a Value) -> &'a Value {
        let choices = schema.get("anyOf").and_then(Value::as_array);
        let mut others = choices.into_iter().flatten().filter(|choice| !is_null(choice));
        let only = match (others.next(), others.next()) {
            (Some(only), None) => only,
            _ => schema,
        };
        only.get("$ref").and_then(Value::as_str).and_then(|reference| self.target(reference)).unwrap_or(only)
    }

    /// A kind of object with what its schema says of it: at the field that names the kind, or at its only one.
    pub(super) fn with_description(&self, ty: Type, case: &Value) -> Type {
        let (Type::Record(mut fields), true) = (ty.clone(), self.keeps_descriptions) else { return ty };
        let names_kind = |field: &Field| matches!(&field.ty, Type::OneOf(values) if values.len() == 1);
        let place = fields.iter().position(names_kind).or((fields.len() == 1).then_some(0));
        if let Some(field) = place.and_then(|place| fields.get_mut(place)).filter(|field| field.description.is_none()) {
            field.description = about(case).map(|text| shortened_counted(&text, MAX_DESCRIPTION).into_owned());
        }
        Type::Record(fields)
    }
}

/// The description of a schema, on one line.
fn about(schema: &Value) -> Option<String> {
    schema.get("description").and_then(Value::as_str).map(one_line).filter(|text| !text.is_empty())
}
