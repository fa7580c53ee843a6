//! From text to signatures: a linear, depth-bounded grammar on nom.

#[cfg(test)]
pub(crate) mod tests;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::char;
use nom::combinator::{opt, recognize, verify};
use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult, Parser};
use serde_json::Value as Json;

use crate::signature::error::{Expected, explain};
use crate::signature::render::OPEN;
use crate::signature::types::{MAX_NESTING, continues_name, starts_name};
use crate::signature::{Field, Literal, Rule, Signature, SignatureError, Type};

pub(crate) fn signature(text: &str) -> Result<Signature, SignatureError> {
    whole(text, |rest| full_or_type(rest))
}

pub(crate) fn tool_signature(text: &str) -> Result<Signature, SignatureError> {
    whole(text, |rest| match arrow(rest) {
        Ok((rest, ())) => bare_type(rest),
        Err(_) => full_or_type(rest),
    })
}

pub(crate) fn type_only(text: &str) -> Result<Type, SignatureError> {
    whole(text, |rest| type_at(rest, 0, Expected::Type))
}

/// Where reading stopped, and what was expected there.
#[derive(Debug, Clone, Copy)]
struct Stop<'a> {
    at: &'a str,
    expected: Expected,
}

impl<'a> ParseError<&'a str> for Stop<'a> {
    fn from_error_kind(at: &'a str, _: ErrorKind) -> Self {
        Stop { at, expected: Expected::Type }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

type Parsed<'a, T> = IResult<&'a str, T, Stop<'a>>;

fn stop<T>(at: &str, expected: Expected) -> Parsed<'_, T> {
    Err(Err::Error(Stop { at, expected }))
}

fn whole<'a, T>(text: &'a str, parser: impl Fn(&'a str) -> Parsed<'a, T>) -> Result<T, SignatureError> {
    let stopped = match parser(text) {
        Ok((rest, value)) => match blank(rest) {
            "" => return Ok(value),
            rest => Stop { at: rest, expected: Expected::End },
        },
        Err(Err::Error(stopped) | Err::Failure(stopped)) => stopped,
        Err(Err::Incomplete(_)) => Stop { at: "", expected: Expected::End },
    };
    let offset = if stopped.at.is_empty() { text.len() } else { stopped.at.as_ptr().addr() - text.as_ptr().addr() };
    Err(explain(text, offset, stopped.expected))
}

fn full_or_type(text: &str) -> Parsed<'_, Signature> {
    let rest = blank(text);
    if !rest.starts_with('(') {
        return bare_type(rest);
    }
    let (rest, (params, is_open)) = fields(rest, 0, PARAMS)?;
    let (rest, ()) = arrow(rest)?;
    let (rest, result) = type_at(rest, 0, Expected::Type)?;
    let signature = Signature::new(Some(params), result);
    Ok((rest, if is_open { signature.open() } else { signature }))
}

fn bare_type(text: &str) -> Parsed<'_, Signature> {
    let (rest, result) = type_at(text, 0, Expected::Signature)?;
    Ok((rest, Signature::new(None, result)))
}

fn arrow(text: &str) -> Parsed<'_, ()> {
    let rest = blank(text);
    match tag::<_, _, Stop>("->").parse(rest) {
        Ok((rest, _)) => Ok((rest, ())),
        Err(_) => stop(rest, Expected::Arrow),
    }
}

/// One type, or several with `|` between them.
fn type_at(text: &str, depth: usize, expected: Expected) -> Parsed<'_, Type> {
    let (mut rest, (first, mut last)) = with_rules(text, depth, expected)?;
    let mut types = vec![first];
    while let Ok((after, _)) = char::<_, Stop>('|').parse(blank(rest)) {
        let ty;
        (rest, (ty, last)) = with_rules(after, depth, Expected::Type)?;
        types.push(ty);
    }
    // What is not about the last type, before it, is about the others.
    last.retain(|written| written.levels == 0 && !types.last().is_some_and(|ty| written.rule.is_about(ty.shape())));
    Ok((rest, ruled(Type::union(types), last)))
}

/// One type with its rules, and these. `?` may also stand after them.
fn with_rules(text: &str, depth: usize, expected: Expected) -> Parsed<'_, (Type, Vec<Written>)> {
    let (rest, ty) = alternative(text, depth, expected)?;
    let (rest, rules) = rules(rest)?;
    let ty = ruled(ty, rules.clone());
    Ok(match opt(char::<_, Stop>('?')).parse(rest)? {
        (rest, Some(_)) => (rest, (ty.optional(), rules)),
        (rest, None) => (rest, (ty, rules)),
    })
}

fn alternative(text: &str, depth: usize, expected: Expected) -> Parsed<'_, Type> {
    let rest = blank(text);
    let (rest, ty) = match rest.chars().next() {
        Some('{' | '[') if depth >= MAX_NESTING => return stop(rest, Expected::Nesting),
        Some('{') => map(rest, depth)?,
        Some('[') => list(rest, depth)?,
        Some('#') => one_of(rest)?,
        _ => primitive(rest, expected)?,
    };
    let (rest, mark) = opt(char('?')).parse(rest)?;
    Ok((rest, if mark.is_some() { ty.optional() } else { ty }))
}

fn map(text: &str, depth: usize) -> Parsed<'_, Type> {
    if let Ok((rest, ())) = key_arrow(text) {
        return map_of(text, rest, depth);
    }
    let (rest, (fields, _)) = fields(text, depth, FIELDS)?;
    Ok((rest, if fields.is_empty() { Type::Map } else { Type::Record(fields) }))
}

/// `{:word ->`, `{:word (rules) ->`, `{#{values} ->`: the beginning of a map from keys to values.
fn key_arrow(text: &str) -> Parsed<'_, ()> {
    let (rest, _) = char('{').parse(text)?;
    let rest = match blank(rest) {
        set if set.starts_with('#') => one_of(set)?.0,
        rest => (char::<_, Stop>(':'), take_while(continues_name)).parse(rest)?.0,
    };
    arrow(rules(rest)?.0)
}

/// `{:string -> :int}`; `values` is the text after the arrow.
fn map_of<'a>(text: &'a str, values: &'a str, depth: usize) -> Parsed<'a, Type> {
    let (rest, _) = char('{').parse(text)?;
    let rest = blank(rest);
    let (rest, key) = if rest.starts_with('#') { one_of(rest)? } else { primitive(rest, Expected::Type)? };
    let key = ruled(key, rules(rest)?.1);
    let (rest, value) = type_at(values, depth + 1, Expected::Type)?;
    let (rest, ()) = closing(rest, '}', "`}`")?;
    Ok((rest, Type::MapOf(Box::new(key), Box::new(value))))
}

fn list(text: &str, depth: usize) -> Parsed<'_, Type> {
    let (rest, _) = char('[').parse(text)?;
    let (mut rest, element) = type_at(rest, depth + 1, Expected::Type)?;
    let mut parts = vec![element];
    while let Ok((after, _)) = char::<_, Stop>(',').parse(blank(rest)) {
        let (after, part) = type_at(after, depth + 1, Expected::Type)?;
        parts.push(part);
        rest = after;
    }
    let (rest, ()) = closing(rest, ']', if parts.len() > 1 { "`,` or `]`" } else { "`]`" })?;
    let ty = match <[Type; 1]>::try_from(parts) {
        Ok([only]) => Type::List(Box::new(only)),
        Err(parts) => Type::tuple(parts),
    };
    Ok((rest, ty))
}

/// `#{"todo" "done"}`
fn one_of(text: &str) -> Parsed<'_, Type> {
    let Ok((mut rest, _)) = tag::<_, _, Stop>("#{").parse(text) else { return stop(text, Expected::Type) };
    let mut values = Vec::new();
    loop {
        if let Ok((rest, ())) = closing(rest, '}', "`}`")
            .and_then(|done| if values.is_empty() { stop(rest, Expected::Literal) } else { Ok(done) })
        {
            let has_nil = values.len() > 1 && values.contains(&Literal::Nil);
            values.retain(|value| !has_nil || *value != Literal::Nil);
            let ty = Type::OneOf(values);
            return Ok((rest, if has_nil { ty.optional() } else { ty }));
        }
        let (after, value) = literal(blank(rest))?;
        if !values.contains(&value) {
            values.push(value);
        }
        rest = opt(char::<_, Stop>(',')).parse(blank(after))?.0;
    }
}

fn literal(text: &str) -> Parsed<'_, Literal> {
    if let Ok((rest, (_, name))) =
        (char::<_, Stop>(':'), take_while1(|c: char| !c.is_whitespace() && !",})".contains(c))).parse(text)
    {
        return Ok((rest, Literal::Keyword(str::to_owned(name))));
    }
    match json(text) {
        Some((rest, Json::String(text))) => Ok((rest, Literal::String(text))),
        Some((rest, Json::Number(number))) => Ok((rest, Literal::Number(number))),
        Some((rest, Json::Bool(flag))) => Ok((rest, Literal::Bool(flag))),
        _ => match text.strip_prefix("nil").filter(|rest| !rest.starts_with(continues_name)) {
            Some(rest) => Ok((rest, Literal::Nil)),
            None => stop(text, Expected::Literal),
        },
    }
}

/// The JSON value at the beginning of a text.
fn json(text: &str) -> Option<(&str, Json)> {
    if !text.starts_with(['"', '[', '{']) {
        // A stream of values wants a number to be followed by a space or a sign of JSON, not by `)`.
        let ends = |c: char| c.is_whitespace() || ",;()[]{}\"".contains(c);
        let (word, rest) = text.split_at_checked(text.find(ends).unwrap_or(text.len()))?;
        return Some((rest, serde_json::from_str(word).ok()?));
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    let value = values.next()?.ok()?;
    Some((text.get(values.byte_offset()..)?, value))
}

fn primitive(text: &str, expected: Expected) -> Parsed<'_, Type> {
    let word = (char::<_, Stop>(':'), take_while(continues_name)).parse(text);
    let Ok((rest, (_, word))) = word else {
        return stop(text, expected);
    };
    let ty = match word {
        "string" => Type::String,
        "int" => Type::Int,
        "float" => Type::Float,
        "bool" => Type::Bool,
        "keyword" => Type::Keyword,
        "map" => Type::Map,
        "any" => Type::Any,
        "json-or-text" => Type::JsonOrText,
        _ => return stop(text, expected),
    };
    Ok((rest, ty))
}

/// A bracketed list of `name type`; the commas between them may be left out, as in Clojure.
#[derive(Clone, Copy)]
struct Brackets {
    open: char,
    close: char,
    after_field: &'static str,
}

const PARAMS: Brackets = Brackets { open: '(', close: ')', after_field: "`,` or `)`" };
const FIELDS: Brackets = Brackets { open: '{', close: '}', after_field: "`,` or `}`" };

/// The fields, and whether `…` says that there may be more, which only parameters can say.
fn fields(text: &str, depth: usize, brackets: Brackets) -> Parsed<'_, (Vec<Field>, bool)> {
    let (mut rest, _) = char(brackets.open).parse(text)?;
    let mut fields: Vec<Field> = Vec::new();
    let mut taken = std::collections::HashSet::new();
    if let Ok((rest, ())) = closing(rest, brackets.close, brackets.after_field) {
        return Ok((rest, (fields, false)));
    }
    loop {
        if brackets.open == PARAMS.open
            && let Ok((rest, _)) = alt((tag::<_, _, Stop>(OPEN), tag("..."))).parse(blank(rest))
        {
            let (rest, ()) = closing(rest, brackets.close, "`)`")?;
            return Ok((rest, (fields, true)));
        }
        let (after_name, name) = name(rest)?;
        if !taken.insert(name.clone()) {
            return stop(blank(rest), Expected::OneName);
        }
        let (after_type, ty) = type_at(after_name, depth + 1, Expected::Type)?;
        let (after_type, field) = default(after_type, Field::new(name, ty))?;
        let (after_type, rules) = rules(after_type)?;
        let field = Field { ty: ruled(field.ty.clone(), rules), ..field };
        let (after_type, field) = description(after_type, field);
        fields.push(field);
        if let Ok((rest, ())) = closing(after_type, brackets.close, brackets.after_field) {
            return Ok((rest, (fields, false)));
        }
        rest = separator(after_type, brackets.after_field)?.0;
    }
}

/// ` = 10` after a type.
fn default(text: &str, field: Field) -> Parsed<'_, Field> {
    let Ok((rest, _)) = char::<_, Stop>('=').parse(blank(text)) else { return Ok((text, field)) };
    if let Ok((rest, Literal::Keyword(name))) = literal(blank(rest)) {
        return Ok((rest, field.with_default(Json::String(name))));
    }
    match json(blank(rest)) {
        Some((rest, value)) => Ok((rest, field.with_default(value))),
        None => stop(blank(rest), Expected::Default),
    }
}

/// A rule as it is written: `each` is before one that is about elements.
#[derive(Clone)]
struct Written {
    levels: usize,
    rule: Rule,
}

/// ` (1 to 50; distinct items)` after a type and its default.
fn rules(text: &str) -> Parsed<'_, Vec<Written>> {
    let Ok((mut rest, _)) = char::<_, Stop>('(').parse(blank(text)) else { return Ok((text, Vec::new())) };
    let mut rules = Vec::new();
    loop {
        let (after, rule) = rule(rest)?;
        rules.push(rule);
        if let Ok((rest, ())) = closing(after, ')', "`;` or `)`") {
            return Ok((rest, rules));
        }
        rest = closing(after, ';', "`;` or `)`")?.0;
    }
}

fn ruled(ty: Type, rules: Vec<Written>) -> Type {
    rules.into_iter().fold(ty, |ty, Written { levels, rule }| inside(ty, levels, rule))
}

/// The type with a rule this many levels below it; as words where it has no elements.
fn inside(ty: Type, levels: usize, rule: Rule) -> Type {
    match (levels, ty) {
        (0, ty) => ty.ruled([rule]),
        (_, Type::Optional(whole)) => inside(*whole, levels, rule).optional(),
        (_, Type::Ruled(whole, rules)) => inside(*whole, levels, rule).ruled(rules),
        (_, Type::List(element)) => Type::List(Box::new(inside(*element, levels - 1, rule))),
        (_, Type::MapOf(key, value)) => Type::MapOf(key, Box::new(inside(*value, levels - 1, rule))),
        (_, Type::Union(types)) => {
            let has_elements = |ty: &Type| matches!(ty.shape(), Type::List(_) | Type::MapOf(..));
            let with = |ty: Type| if has_elements(&ty) { inside(ty, levels, rule.clone()) } else { ty };
            Type::union(types.into_iter().map(with))
        }
        (_, ty) => ty.ruled([Rule::Hint(format!("{}{rule}", "each ".repeat(levels)))]),
    }
}

/// ` "How many"` at the end of a field. A text before a type is the name of the next field.
fn description(text: &str, field: Field) -> (&str, Field) {
    match json(blank(text)) {
        Some((rest, Json::String(about))) if !blank(rest).starts_with([':', '[', '{', '#']) => {
            (rest, Field { description: Some(about), ..field })
        }
        _ => (text, field),
    }
}

fn rule(text: &str) -> Parsed<'_, Written> {
    let mut rest = blank(text);
    let mut levels = 0;
    while let Some(inner) = word(rest, "each") {
        if levels == MAX_NESTING {
            return stop(rest, Expected::Nesting);
        }
        (rest, levels) = (inner, levels + 1);
    }
    let (rest, rule) = match word(rest, "matches") {
        Some(rest) => match json(rest) {
            Some((rest, Json::String(pattern))) => (rest, Rule::Matches(pattern)),
            _ => return stop(rest, Expected::Pattern),
        },
        None => {
            let ends = |c| matches!(c, '(' | ')' | ';');
            match verify(take_while::<_, _, Stop>(|c| !ends(c)), |words: &str| !words.trim().is_empty()).parse(rest) {
                Ok((rest, words)) => (rest, Rule::of_words(words)),
                Err(_) => return stop(rest, Expected::Rule),
            }
        }
    };
    Ok((rest, Written { levels, rule }))
}

/// The text after this word and the space that follows it.
fn word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    Some(blank(rest)).filter(|after| after.len() < rest.len())
}

fn separator<'a>(text: &'a str, expected: &'static str) -> Parsed<'a, ()> {
    let rest = blank(text);
    match rest.chars().next() {
        Some(',') => Ok((rest.strip_prefix(',').unwrap_or(rest), ())),
        Some(c) if (starts_name(c) || matches!(c, '"' | '…')) && rest.len() < text.len() => Ok((rest, ())),
        _ => stop(rest, Expected::Token(expected)),
    }
}

fn name(text: &str) -> Parsed<'_, String> {
    let rest = blank(text);
    if rest.starts_with('"')
        && let Some((rest, Json::String(name))) = json(rest)
    {
        return Ok((rest, name));
    }
    let shape = take_while1::<_, _, Stop>(continues_name);
    match verify(recognize(shape), |word: &str| word.starts_with(starts_name)).parse(rest) {
        Ok((rest, name)) => Ok((rest, name.to_owned())),
        Err(_) => stop(rest, Expected::Name),
    }
}

fn closing<'a>(text: &'a str, close: char, expected: &'static str) -> Parsed<'a, ()> {
    let rest = blank(text);
    match char::<_, Stop>(close).parse(rest) {
        Ok((rest, _)) => Ok((rest, ())),
        Err(_) => stop(rest, Expected::Token(expected)),
    }
}

fn blank(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r'])
}
