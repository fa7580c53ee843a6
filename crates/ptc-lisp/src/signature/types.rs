//! The types that a signature can name.

use serde_json::{Number, Value as Json};

use crate::signature::parse;
use crate::signature::{Rule, SignatureError};

/// How deep lists, maps and `?` may be nested in a parsed or imported type.
pub const MAX_NESTING: usize = 64;

/// The shape of one value, written `:int`, `[:string]`, `{total :float, note :string?}`, `{:string -> :int}`.
///
/// Not `#[non_exhaustive]`: the list is closed by the signature language, and a match over it must be complete.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// `:string`; also dates and times, as ISO 8601 text.
    String,
    /// `:int`, of any size.
    Int,
    /// `:float`; integers are accepted where a float is expected.
    Float,
    /// `:bool`.
    Bool,
    /// `:keyword`.
    Keyword,
    /// `:any`: every value, nil included.
    Any,
    /// `:json-or-text`: every value, as its source sent it: data where a text was a JSON object or array, else the text.
    JsonOrText,
    /// `:map` or `{}`: a map with any keys.
    Map,
    /// A type with `?`: nil, absent, or the inner type. Build it with [`Type::optional`], which never doubles it.
    Optional(Box<Type>),
    /// `[T]`: a list of any length.
    List(Box<Type>),
    /// `[:int, :string]`: a list of exactly these in this order, at least two. Build it with [`Type::tuple`].
    Tuple(Vec<Type>),
    /// `{K -> V}`: a map from keys to values of these types, such as `{:string -> :int}`. `K` is one of the types
    /// without parts, or a set of values, and may have rules.
    MapOf(Box<Type>, Box<Type>),
    /// `#{"todo" "done"}`: one of these values, at least one.
    OneOf(Vec<Literal>),
    /// `{name T, …}`: a map with these fields, in declared order. Empty is written `{}`, which reads back as
    /// [`Type::Map`].
    Record(Vec<Field>),
    /// `:int | [:int]`: a value of one of these types, at least two. Build it with [`Type::union`].
    Union(Vec<Type>),
    /// `:int (1 to 50)`: a value of the type for which these rules hold, too, at least one. Build it with [`Type::ruled`].
    Ruled(Box<Type>, Vec<Rule>),
}

/// A named type: a parameter of a signature or a field of a map.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// Letters, digits, `-` and `_`, not starting with a digit or `-`; other names are written in quotes.
    pub name: String,
    /// The type of the field; optional means that it may be left out.
    pub ty: Type,
    /// What the tool takes where the field is left out, written `limit :int = 10`; for readers: nothing fills it in.
    pub default: Option<Json>,
    /// What it is, written `city :string "A zip code, not a name"`.
    pub description: Option<String>,
}

/// A value of [`Type::OneOf`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Literal {
    /// `"done"`
    String(String),
    /// `:done`
    Keyword(String),
    /// `3`, `0.5`
    Number(Number),
    /// `true`
    Bool(bool),
    /// `nil`, which is alone in its set: with other values, `?` says it.
    Nil,
}

impl Literal {
    /// The type of all values of which this is one.
    fn kind(&self) -> Type {
        match self {
            Literal::Nil => Type::Any,
            Literal::String(_) => Type::String,
            Literal::Keyword(_) => Type::Keyword,
            Literal::Number(number) if number.is_f64() => Type::Float,
            Literal::Number(_) => Type::Int,
            Literal::Bool(_) => Type::Bool,
        }
    }
}

/// The type of all values of a closed set.
pub(crate) fn kind_of(values: &[Literal]) -> Type {
    let mut kinds = values.iter().map(Literal::kind);
    let first = kinds.next().unwrap_or(Type::Any);
    kinds.fold(first, |known, kind| match (known, kind) {
        (known, kind) if known == kind => kind,
        (Type::Int | Type::Float, Type::Int | Type::Float) => Type::Float,
        _ => Type::Any,
    })
}

impl Field {
    /// A field named `name` that holds a `ty`.
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        Field { name: name.into(), ty, default: None, description: None }
    }

    /// The same field, which may be left out and is this then.
    #[must_use]
    pub fn with_default(self, default: Json) -> Self {
        Field { ty: self.ty.optional(), default: Some(default), ..self }
    }

    /// Whether it has a description, or a field of it.
    pub(super) fn is_described(&self) -> bool {
        self.description.is_some() || self.ty.fields().iter().any(Field::is_described)
    }
}

/// Say what a field is, or one inside it: `filter.size`. False when there is no such field.
pub(super) fn describe(fields: &mut [Field], path: &str, about: &str) -> bool {
    let Some(name) = first_step(path, fields.iter().map(|field| field.name.as_str())).map(str::to_owned) else {
        return false;
    };
    let Some(field) = fields.iter_mut().find(|field| field.name == name) else { return false };
    match path.get(name.len()..).and_then(|rest| rest.strip_prefix('.')) {
        None => {
            field.description = Some(about.to_owned());
            true
        }
        Some(rest) => describe(field.ty.fields_mut(), rest, about),
    }
}

/// The longest of these names that a path begins with: names may have dots.
pub(super) fn first_step<'n>(path: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let begins = |name: &&str| path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    names.filter(begins).max_by_key(|name| name.len())
}

impl Type {
    /// The fields of the map that this type is, or that its elements or values are.
    pub(super) fn fields(&self) -> &[Field] {
        match self {
            Type::Record(fields) => fields,
            Type::Optional(inner) | Type::Ruled(inner, _) | Type::List(inner) | Type::MapOf(_, inner) => inner.fields(),
            _ => &[],
        }
    }

    /// Like [`Type::fields`].
    fn fields_mut(&mut self) -> &mut [Field] {
        match self {
            Type::Record(fields) => fields,
            Type::Optional(inner) | Type::Ruled(inner, _) | Type::List(inner) | Type::MapOf(_, inner) => {
                inner.fields_mut()
            }
            _ => &mut [],
        }
    }

    /// Reads one type, such as `[{id :int, tags [:string]}]`.
    ///
    /// - errors: position, what was found and what to write instead
    /// - cost: linear in the length of `text`; nesting is bounded by [`MAX_NESTING`]
    pub fn parse(text: &str) -> Result<Type, SignatureError> {
        parse::type_only(text)
    }

    /// This type with `?`; the same when it already has one.
    pub fn optional(self) -> Type {
        match self {
            Type::Optional(_) => self,
            other => Type::Optional(Box::new(other)),
        }
    }

    /// The values of this type for which these rules hold, too: `:int (1 to 50)`.
    ///
    /// - of alternatives, those have a rule that it is about; words for readers stand at the texts, else at the last one
    /// - a rule that is about no value of the type is left out: `:int (at most 3 items)` is `:int`
    ///
    /// ```
    /// use ptc_lisp::signature::{Rule, Type};
    ///
    /// let read = |text: &str| Type::parse(text).unwrap();
    /// let date = Rule::Hint("date".to_owned());
    /// assert_eq!(read(":int | :string?").ruled([date]), read(":int | :string? (date)"));
    /// assert_eq!(read("[:int] (each 1 to 5; at most 3 items)").to_string(), "[:int (1 to 5)] (at most 3 items)");
    /// ```
    #[must_use]
    pub fn ruled(self, rules: impl IntoIterator<Item = Rule>) -> Type {
        rules.into_iter().fold(self, Type::with_rule)
    }

    fn with_rule(self, rule: Rule) -> Type {
        match self {
            Type::Optional(inner) => inner.with_rule(rule).optional(),
            Type::Ruled(inner, mut rules) => {
                if rule.is_about(&inner) && !rules.contains(&rule) {
                    rules.push(rule);
                }
                Type::Ruled(inner, rules)
            }
            Type::Union(types) => {
                let is_told = types.iter().any(|ty| rule.is_about(ty.shape()));
                let last = types.len().saturating_sub(1);
                let chosen = |at: usize, ty: &Type| match &rule {
                    Rule::Hint(_) if !types.iter().any(is_text) => at == last,
                    Rule::Hint(_) => is_text(ty),
                    rule => is_told && rule.is_about(ty.shape()),
                };
                let chosen: Vec<bool> = types.iter().enumerate().map(|(at, ty)| chosen(at, ty)).collect();
                let with = |(ty, is_chosen): (Type, bool)| if is_chosen { ty.with_rule(rule.clone()) } else { ty };
                Type::union(types.into_iter().zip(chosen).map(with))
            }
            ty if rule.is_about(&ty) => Type::Ruled(Box::new(ty), vec![rule]),
            ty => ty,
        }
    }

    /// A list of exactly these, in this order: `[:int, :string]`. Of fewer than two: a list of that length.
    #[must_use]
    pub fn tuple(parts: Vec<Type>) -> Type {
        match <[Type; 1]>::try_from(parts) {
            Ok([only]) => Type::List(Box::new(only)).ruled([Rule::items(1)]),
            Err(parts) if parts.is_empty() => Type::List(Box::new(Type::Any)).ruled([Rule::items(0)]),
            Err(parts) => Type::Tuple(parts),
        }
    }

    /// The type of the values of all these types: `:int | #{:all}`.
    ///
    /// - a type twice, and those that `:any` has anyway, are left out; sets of values are one set
    /// - records that differ in one set of values only are one record
    /// - a type with `?` among them makes the whole one optional
    /// - of no types: `:any`
    ///
    /// ```
    /// use ptc_lisp::signature::Type;
    ///
    /// let read = |text: &str| Type::parse(text).unwrap();
    /// let shape = Type::union([read("{kind #{:dot}}"), read("{kind #{:circle}, radius :float}?")]);
    /// assert_eq!(shape, read("{kind #{:dot}} | {kind #{:circle}, radius :float}?"));
    /// assert_eq!(Type::union([read("{kind #{:dot}}"), read("{kind #{:line}}")]).to_string(), "{kind #{:dot :line}}");
    /// ```
    pub fn union(types: impl IntoIterator<Item = Type>) -> Type {
        let (mut all, mut is_optional) = (Vec::new(), false);
        for ty in types {
            is_optional |= ty.accepts_absent();
            for ty in ty.required().alternatives() {
                add_alternative(&mut all, ty.clone(), usize::MAX);
            }
        }
        let nil = Type::OneOf(vec![Literal::Nil]);
        if all.len() > 1 && all.contains(&nil) {
            all.retain(|ty| *ty != nil);
            is_optional = true;
        }
        let ty = match all.as_slice() {
            [only] => only.clone(),
            [] => Type::Any,
            _ if all.contains(&Type::Any) => Type::Any,
            _ => Type::Union(all),
        };
        if is_optional { ty.optional() } else { ty }
    }

    /// The types of a union, else the type alone.
    pub fn alternatives(&self) -> &[Type] {
        match self {
            Type::Union(types) => types,
            other => std::slice::from_ref(other),
        }
    }

    /// The record with the fields of all alternatives, if these are records: a field that one of them lacks is optional.
    pub fn as_record(&self) -> Option<Type> {
        let types = self.required().alternatives();
        let fields_of = |ty: &'_ Type| if let Type::Record(fields) = ty.shape() { Some(fields.clone()) } else { None };
        let records = types.iter().map(fields_of).collect::<Option<Vec<Vec<Field>>>>()?;
        let mut all: Vec<Field> = Vec::new();
        for new in records.iter().flatten() {
            match all.iter_mut().find(|known| known.name == new.name) {
                None => all.push(new.clone()),
                Some(known) => known.ty = Type::union([known.ty.clone(), new.ty.clone()]),
            }
        }
        let has = |fields: &[Field], name: &str| fields.iter().any(|field| field.name == name);
        for field in &mut all {
            if !records.iter().all(|fields| has(fields, &field.name)) {
                field.ty = field.ty.clone().optional();
            }
        }
        Some(Type::Record(all))
    }

    /// The type without its `?`.
    pub fn required(&self) -> &Type {
        match self {
            Type::Optional(inner) => inner.required(),
            other => other,
        }
    }

    /// The type without its `?` and its rules.
    pub fn shape(&self) -> &Type {
        match self {
            Type::Optional(inner) | Type::Ruled(inner, _) => inner.shape(),
            other => other,
        }
    }

    /// What else holds for its values, besides their shape; alternatives have rules each.
    pub fn rules(&self) -> &[Rule] {
        match self {
            Type::Optional(inner) => inner.rules(),
            Type::Ruled(_, rules) => rules,
            _ => &[],
        }
    }

    /// Whether a field of this type may be left out or nil.
    pub fn accepts_absent(&self) -> bool {
        matches!(self, Type::Optional(_))
    }
}

/// Whether it is a text of any kind.
fn is_text(ty: &Type) -> bool {
    *ty.shape() == Type::String
}

/// Add a type to those of a union, at a place if it is not joined to another.
fn add_alternative(all: &mut Vec<Type>, new: Type, place: usize) {
    let joined = all.iter().enumerate().find_map(|(at, known)| Some((at, joined(known, &new)?)));
    match joined {
        None => all.insert(place.min(all.len()), new),
        Some((at, both)) => {
            all.remove(at);
            add_alternative(all, both, at);
        }
    }
}

/// The one type that has exactly the values of both, as far as there is a simple one.
fn joined(one: &Type, other: &Type) -> Option<Type> {
    match (one, other) {
        (one, other) if one == other => Some(one.clone()),
        (Type::OneOf(values), Type::OneOf(others))
            if ![values, others].iter().any(|set| set.contains(&Literal::Nil)) =>
        {
            let new = others.iter().filter(|value| !values.contains(value));
            Some(Type::OneOf(values.iter().chain(new).cloned().collect()))
        }
        (Type::Record(fields), Type::Record(others)) if fields.len() == others.len() => {
            let mut differing = fields.iter().zip(others).enumerate().filter(|(_, (one, other))| one != other);
            let (at, (field, other)) = differing.next().filter(|_| differing.next().is_none())?;
            let ty = match (&field.ty, &other.ty) {
                (Type::OneOf(_), Type::OneOf(_)) => joined(&field.ty, &other.ty)?,
                _ => return None,
            };
            let both = Field { ty, ..field.clone() };
            let is_same = Field { ty: other.ty.clone(), ..both.clone() } == *other;
            let with_both = |(place, field): (usize, &Field)| if place == at { both.clone() } else { field.clone() };
            is_same.then(|| Type::Record(fields.iter().enumerate().map(with_both).collect()))
        }
        _ => None,
    }
}

/// Whether `name` can be a parameter or field name in the text form.
pub(crate) fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(starts_name) && chars.all(continues_name)
}

pub(crate) fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub(crate) fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || c == '_'
}
