//! Signatures and types as text: the form that parses back, and the plain form without colons.

#[cfg(test)]
mod tests;

use std::fmt;

use serde_json::Value as Json;

use crate::signature::schema::written_as;
use crate::signature::types::is_name;
use crate::signature::{Field, Literal, Rule, Signature, Type, kind_of};

impl fmt::Display for Signature {
    /// The text form: `(a :int, b :string?) -> {c [:float]}`, or the type alone when no parameters are declared.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.declares_params() {
            write!(f, "({}) -> ", Params(self, Form::Whole))?;
        }
        write!(f, "{}", self.result())
    }
}

impl fmt::Display for Type {
    /// The text form: `{c [:float], d :string?}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(f, self, Form::Whole)
    }
}

impl fmt::Display for Field {
    /// The text form: `nights :int?`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_field(f, self, Form::Whole)
    }
}

/// Displays a type, a field or a parameter list without colons: `{total float}`, `nights int?`.
#[derive(Debug, Clone, Copy)]
pub struct Plain<'a>(Part<'a>);

#[derive(Debug, Clone, Copy)]
enum Part<'a> {
    Type(&'a Type),
    Field(&'a Field),
    Params(&'a Signature),
    Signature(&'a Signature),
}

impl Type {
    /// The type as namespace lines show it: `{total float}`, `int?`, `[string]`.
    pub fn plain(&self) -> Plain<'_> {
        Plain(Part::Type(self))
    }
}

impl Field {
    /// The field as namespace lines show it: `nights int?`.
    pub fn plain(&self) -> Plain<'_> {
        Plain(Part::Field(self))
    }

    /// The name as programs write it as a key: `:page`, `"page[size]"`.
    pub fn key(&self) -> String {
        if is_name(&self.name) { format!(":{}", self.name) } else { Json::from(self.name.as_str()).to_string() }
    }
}

impl Signature {
    /// The signature as tool lines show it: `(room int, nights int) -> {total float}`.
    ///
    /// A signature without a parameter list shows an empty one, since a tool line always has parentheses.
    pub fn plain(&self) -> Plain<'_> {
        Plain(Part::Signature(self))
    }

    /// The parameters alone, without parentheses, as they are read: `room :int, nights :int?, …`.
    pub(crate) fn written_params(&self) -> impl fmt::Display + '_ {
        Params(self, Form::Types)
    }

    /// The parameters alone, without parentheses: `room int, nights int`.
    pub fn plain_params(&self) -> Plain<'_> {
        Plain(Part::Params(self))
    }
}

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Part::Type(ty) => write_type(f, ty, Form::Plain),
            Part::Field(field) => write_field(f, field, Form::Plain),
            Part::Params(signature) => write!(f, "{}", Params(signature, Form::Plain)),
            Part::Signature(signature) => {
                write!(f, "({}) -> {}", signature.plain_params(), signature.result().plain())
            }
        }
    }
}

/// How much is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// All of it: reads back.
    Whole,
    /// Without descriptions.
    Types,
    /// Without colons, descriptions, and what every caller expects.
    Plain,
}

struct Fields<'a>(&'a [Field], Form);

impl fmt::Display for Fields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, field) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write_field(f, field, self.1)?;
        }
        Ok(())
    }
}

/// Parameters, and whether there may be more.
struct Params<'a>(&'a Signature, Form);

impl fmt::Display for Params<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Params(signature, form) = self;
        write!(f, "{}", Fields(signature.params(), *form))?;
        match (signature.is_open(), signature.params()) {
            (false, _) => Ok(()),
            (true, []) => f.write_str(OPEN),
            (true, _) => write!(f, ", {OPEN}"),
        }
    }
}

/// The end of parameters to which others may be added.
pub(super) const OPEN: &str = "…";

/// Values of a closed set that lines show.
const MAX_SHOWN: usize = 8;

fn write_field(f: &mut fmt::Formatter<'_>, field: &Field, form: Form) -> fmt::Result {
    match is_name(&field.name) {
        true => write!(f, "{} ", field.name)?,
        false => write!(f, "{} ", Json::from(field.name.as_str()))?,
    }
    let (shape, rules) = match field.ty.required() {
        Type::Ruled(shape, rules) => (&**shape, rules.as_slice()),
        other => (other, [].as_slice()),
    };
    match &field.default {
        None if field.ty.accepts_absent() => write_optional(f, shape, form)?,
        _ => write_type(f, shape, form)?,
    }
    match &field.default {
        None => {}
        Some(default) => match default.as_str().map(|name| Literal::Keyword(name.to_owned())) {
            Some(keyword) if has_value(&field.ty, &keyword) => write!(f, " = {keyword}")?,
            _ => write!(f, " = {default}")?,
        },
    }
    // Where the description is not shown, what it says of how values are written.
    let told = field.description.as_deref().filter(|_| form == Form::Plain).and_then(written_as);
    write_rules(f, rules, told.map(Rule::Hint), form)?;
    match &field.description {
        Some(text) if form == Form::Whole => write!(f, " {}", Json::from(text.as_str())),
        _ => Ok(()),
    }
}

/// Whether a value is listed among those of a type.
fn has_value(ty: &Type, value: &Literal) -> bool {
    let has = |ty: &Type| matches!(ty.shape(), Type::OneOf(values) if values.contains(value));
    ty.required().alternatives().iter().any(has)
}

/// ` (1 to 50; distinct items)`
fn write_rules(f: &mut fmt::Formatter<'_>, rules: &[Rule], told: Option<Rule>, form: Form) -> fmt::Result {
    let told = told.filter(|rule| !rules.contains(rule));
    let is_shown = |rule: &&Rule| form != Form::Plain || !rule.is_unlisted();
    let mut shown = rules.iter().chain(&told).filter(is_shown).peekable();
    if shown.peek().is_none() {
        return Ok(());
    }
    for (at, rule) in shown.enumerate() {
        write!(f, "{}{rule}", if at == 0 { " (" } else { "; " })?;
    }
    f.write_str(")")
}

impl fmt::Display for Literal {
    /// As in a program: `"done"`, `:done`, `3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::String(text) => write!(f, "{}", Json::from(text.as_str())),
            Literal::Keyword(name) => write!(f, ":{name}"),
            Literal::Number(number) => write!(f, "{number}"),
            Literal::Bool(flag) => write!(f, "{flag}"),
            Literal::Nil => f.write_str("nil"),
        }
    }
}

fn write_set(f: &mut fmt::Formatter<'_>, values: &[Literal]) -> fmt::Result {
    f.write_str("#{")?;
    for (at, value) in values.iter().enumerate() {
        write!(f, "{}{value}", if at > 0 { " " } else { "" })?;
    }
    f.write_str("}")
}

/// A type with `?`, which is before rules and at the last of several types.
fn write_optional(f: &mut fmt::Formatter<'_>, ty: &Type, form: Form) -> fmt::Result {
    match ty.required() {
        Type::Ruled(inner, rules) => {
            write_optional(f, inner, form)?;
            write_rules(f, rules, None, form)
        }
        Type::Union(types) => {
            let (last, others) =
                types.split_last().map_or((&Type::Any, [].as_slice()), |(last, others)| (last, others));
            for ty in others {
                write_type(f, ty, form)?;
                f.write_str(" | ")?;
            }
            write_optional(f, last, form)
        }
        other => {
            write_type(f, other, form)?;
            f.write_str("?")
        }
    }
}

fn write_type(f: &mut fmt::Formatter<'_>, ty: &Type, form: Form) -> fmt::Result {
    let word = match ty {
        Type::String => "string",
        Type::Int => "int",
        Type::Float => "float",
        Type::Bool => "bool",
        Type::Keyword => "keyword",
        Type::Any => "any",
        Type::JsonOrText => {
            return f.write_str(if form == Form::Plain { "json or text" } else { ":json-or-text" });
        }
        Type::Map => "map",
        Type::Optional(inner) => return write_optional(f, inner, form),
        Type::Ruled(inner, rules) => {
            write_type(f, inner, form)?;
            return write_rules(f, rules, None, form);
        }
        Type::List(element) => {
            f.write_str("[")?;
            write_type(f, element, form)?;
            return f.write_str("]");
        }
        Type::Tuple(parts) => {
            for (at, part) in parts.iter().enumerate() {
                f.write_str(if at > 0 { ", " } else { "[" })?;
                write_type(f, part, form)?;
            }
            return f.write_str("]");
        }
        Type::MapOf(key, value) => {
            f.write_str("{")?;
            write_type(f, key, form)?;
            f.write_str(" -> ")?;
            write_type(f, value, form)?;
            return f.write_str("}");
        }
        Type::OneOf(values) if form == Form::Plain && values == &[Literal::Nil] => return f.write_str("nil"),
        Type::OneOf(values) => {
            return match values.len() > MAX_SHOWN && form == Form::Plain {
                true => write_type(f, &kind_of(values), form),
                false => write_set(f, values),
            };
        }
        Type::Record(fields) => return write!(f, "{{{}}}", Fields(fields, form)),
        Type::Union(types) => {
            for (at, ty) in types.iter().enumerate() {
                f.write_str(if at > 0 { " | " } else { "" })?;
                write_type(f, ty, form)?;
            }
            return Ok(());
        }
    };
    match form {
        Form::Plain => f.write_str(word),
        Form::Whole | Form::Types => write!(f, ":{word}"),
    }
}
