//! Whether the placeholders of a mission are covered by the parameters of the signature.

use ptc_lisp::signature::{Signature, Type};
use ptc_mission::{Placeholder, PlaceholderKind, Template};

/// Dotted names that no parameter covers, each once; empty without declared parameters or when the text is not a
/// template.
pub(super) fn uncovered(mission: &str, signature: Option<&Signature>) -> Vec<String> {
    let Some(signature) = signature.filter(|signature| signature.declares_params()) else { return Vec::new() };
    let Ok(template) = Template::parse(mission) else { return Vec::new() };
    let params = Type::Record(signature.params().to_vec());
    let mut missing = Vec::new();
    for placeholder in template.placeholders() {
        collect(placeholder, &mut vec![&params], &mut missing);
    }
    missing
}

/// `scopes`: what names may mean here, innermost last.
fn collect(placeholder: &Placeholder, scopes: &mut Vec<&Type>, missing: &mut Vec<String>) {
    let Some(found) = scopes.iter().rev().find_map(|scope| resolve(scope, &placeholder.path)) else {
        let name = placeholder.path.join(".");
        if !missing.contains(&name) {
            missing.push(name);
        }
        return;
    };
    let inner = match found.shape() {
        _ if placeholder.kind == PlaceholderKind::Simple => None,
        Type::List(element) => Some(element.shape()),
        inner @ (Type::Record(_) | Type::MapOf(..) | Type::Map | Type::Any | Type::JsonOrText | Type::Union(_)) => {
            Some(inner)
        }
        _ => None,
    };
    scopes.extend(inner);
    for field in &placeholder.fields {
        collect(field, scopes, missing);
    }
    if inner.is_some() {
        scopes.pop();
    }
}

/// The type at the end of a path, as far as the declared type says.
fn resolve<'t>(ty: &'t Type, path: &[String]) -> Option<&'t Type> {
    let Some((key, rest)) = path.split_first() else { return Some(ty) };
    match ty.shape() {
        Type::Record(fields) => resolve(&fields.iter().find(|field| field.name == *key)?.ty, rest),
        Type::MapOf(_, value) => resolve(value, rest),
        Type::Union(types) => types.iter().find_map(|ty| resolve(ty, path)),
        open @ (Type::Map | Type::Any | Type::JsonOrText) => Some(open),
        _ => None,
    }
}
