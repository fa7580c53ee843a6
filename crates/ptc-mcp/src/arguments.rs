//! Arguments as the server names them.

use ptc_lisp::signature::{Field, Type};
use serde_json::{Map, Value as Json};

/// The arguments with the names of the schema: programs send `dry-run` as `dry_run`, as for all tools.
pub(crate) fn as_declared(args: Map<String, Json>, fields: &[Field]) -> Map<String, Json> {
    let named = |(name, value): (String, Json)| match fields.iter().find(|field| is_for(field, &name)) {
        Some(field) => (field.name.clone(), value_of(value, &field.ty)),
        None => (name, value),
    };
    args.into_iter().map(named).collect()
}

fn is_for(field: &Field, name: &str) -> bool {
    field.name == name || field.name.replace('-', "_") == name
}

fn value_of(value: Json, ty: &Type) -> Json {
    match (value, ty.required()) {
        (Json::Object(args), Type::Record(fields)) => Json::Object(as_declared(args, fields)),
        (Json::Object(args), Type::MapOf(_, item)) => {
            Json::Object(args.into_iter().map(|(key, value)| (key, value_of(value, item))).collect())
        }
        (Json::Array(items), Type::List(element)) => {
            Json::Array(items.into_iter().map(|item| value_of(item, element)).collect())
        }
        (other, _) => other,
    }
}

#[cfg(test)]
mod tests {
    use ptc_lisp::signature::Signature;
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_those_of_the_schema_at_every_level() {
        let signature = Signature::parse_tool(
            "(dry-run :bool, lines [{item-id :int}], by {:string -> {n-1 :int}}, rest :map) -> :any",
        )
        .unwrap();
        let args = json!({"dry_run": true, "lines": [{"item_id": 1}], "by": {"a_b": {"n_1": 2}}, "rest": {"x_y": 3}, "more_of": 4});
        let Json::Object(args) = args else { unreachable!() };
        let named = Json::Object(as_declared(args, signature.params()));
        assert_eq!(
            named.to_string(),
            r#"{"dry-run":true,"lines":[{"item-id":1}],"by":{"a_b":{"n-1":2}},"rest":{"x_y":3},"more_of":4}"#
        );
    }
}
