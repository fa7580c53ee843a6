//! Made-up input for agents that are tried out.

use ptc_lisp::signature::{Literal, Type};
use serde_json::{Value as Json, json};

/// A value of this type as JSON.
#[allow(clippy::approx_constant, reason = "an example, not the circle")]
pub(super) fn example(ty: &Type) -> Json {
    match ty.required() {
        Type::Int => json!(42),
        Type::Float => json!(3.14),
        Type::Bool => json!(true),
        Type::List(element) => json!([example(element)]),
        Type::Record(fields) => {
            let fields = fields.iter().map(|field| (field.name.clone(), example(&field.ty)));
            Json::Object(fields.collect())
        }
        Type::MapOf(_, value) => json!({ "key": example(value) }),
        Type::OneOf(values) => values.first().map_or(Json::Null, Literal::to_json),
        Type::Union(types) => types.first().map_or(Json::Null, example),
        Type::Map => json!({}),
        Type::Any | Type::JsonOrText => json!("value"),
        _ => json!("example"),
    }
}
