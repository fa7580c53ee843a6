//! Questions about kinds of collections, and the reduced box.

use std::sync::Arc;

use crate::error::advice::argument_order;
use crate::error::warning::WarningCode;
use crate::error::{Reason, Res, Signal, argument_error, err, type_error};
use crate::stdlib::argument::Test;
use crate::stdlib::predicate::{is, is_callable, is_collection, is_function, is_sequence};
use crate::stdlib::quick::calls;
use crate::stdlib::sorted::is_sorted;
use crate::stdlib::{Call, Family, Sequences, rows};
use crate::value::{Reduced, Value, Vector, quoted};

pub(crate) const FAMILY: Family = rows! {
    "Kinds of collections";
    "vector?" "[x]" lazy callback(Callback::Never) size(Size::Scalar)
        = |call| is(matches!(call.arg(0), Value::Vector(_))),
        "Whether x is a vector (every finished sequence is one)." "(vector? [1])" => "true";
    "sequential?" "[x]" lazy prefix(Sequences::First) = |call| is(is_sequence(call.arg(0))),
        "Whether x is a sequence." "(sequential? [1])" => "true", "(sequential? {})" => "false";
    "seq?" "[x]" lazy = |call| is(is_sequence(call.arg(0))),
        "Whether x is a sequence." "(seq? (map inc [1]))" => "true";
    "list?" "[x]" lazy = |call| is(is_sequence(call.arg(0))),
        "Whether x is a sequence: lists are vectors here." "(list? (list 1))" => "true";
    "map?" "[x]" lazy callback(Callback::Never) size(Size::Scalar)
        prefix(Sequences::First) test(Test::IsMap) = |call| is(matches!(call.arg(0), Value::Map(_))),
        "Whether x is a map." "(map? {})" => "true";
    "set?" "[x]" lazy callback(Callback::Never) size(Size::Scalar)
        prefix(Sequences::First) = |call| is(matches!(call.arg(0), Value::Set(_))),
        "Whether x is a set." "(set? #{1})" => "true";
    "coll?" "[x]" lazy callback(Callback::Never) size(Size::Scalar)
        prefix(Sequences::First) = |call| is(is_collection(call.arg(0))),
        "Whether x is a vector, map or set." "(coll? [])" => "true", r#"(coll? "ab")"# => "false";
    "associative?" "[x]" lazy quick(calls::IS_ASSOCIATIVE)
        = |call| is(matches!(call.arg(0), Value::Vector(_) | Value::Map(_))),
        "Whether x is a map or vector." "(associative? {})" => "true";
    "counted?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Vector(_) | Value::Map(_) | Value::Set(_))),
        "Whether x is a collection that knows its size." "(counted? #{1})" => "true";
    "indexed?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Vector(_))),
        "Whether x is a vector." "(indexed? [1])" => "true";
    "reversible?" "[x]" lazy
        = |call| is(matches!(call.arg(0), Value::Vector(_)) || is_sorted(call.arg(0))),
        "Whether x can be read in reverse order: a vector, a sorted map or set."
        "(reversible? [1])" => "true", "(reversible? {})" => "false";
    "seqable?" "[x]" lazy prefix(Sequences::First)
        = |call| is(call.arg(0).size().is_some() || matches!(call.arg(0), Value::LazySeq(_))),
        "Whether x has elements: nil, a collection or a string."
        r#"(seqable? "ab")"# => "true", "(seqable? 5)" => "false";
    "map-entry?" "[x]" lazy = |call| Ok(call.arg(0).as_vector().is_some_and(|items| items.len() == 2).into()),
        "Whether x is a vector of two elements." "(map-entry? (first {:a 1}))" => "true";
    "fn?" "[x]" lazy callback(Callback::Never) size(Size::Scalar)
        prefix(Sequences::First) = |call| is(is_function(call.arg(0))),
        "Whether x is a function." "(fn? inc)" => "true", "(fn? :a)" => "false";
    "ifn?" "[x]" lazy callback(Callback::Never) size(Size::Scalar) = |call| is(is_callable(call.arg(0))),
        "Whether x can be called: a function, keyword, map, set, vector, symbol or var." "(ifn? :a)" => "true";
    "identity" "[x]" lazy size(Size::Same(0))
        passes(Sequences::First) quick(calls::IDENTITY) = |call| Ok(call.take(0)),
        "x itself." "(identity 5)" => "5";
    "reduced" "[x]" lazy returns(Returns::TableOfFirst) = reduced,
        "x in a box that ends the enclosing reduce with x."
        "(reduce (fn [acc x] (if (> x 2) (reduced acc) (+ acc x))) 0 [1 2 3 4])" => "3";
    "reduced?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Reduced(_))),
        "Whether x is such a box." "(reduced? (reduced 1))" => "true";
    "unreduced" "[x]" lazy = unreduced,
        "What is in the box; x itself when it is none." "(unreduced (reduced 5))" => "5";
    "ensure-reduced" "[x]" lazy
        = |call| if matches!(call.arg(0), Value::Reduced(_)) { Ok(call.take(0)) } else { reduced(call) },
        "x in a box, unless it is one." "(reduced? (ensure-reduced 3))" => "true";
    "%type-error" "[name what got]" shallow = raise_type_error,
        "Raises the type_error: name: expected what, got the kind of got.";
    "%wrong-map" "[name got]" shallow = raise_wrong_map,
        "Raises the type_error of a function (name map f) that got something other than a map.";
    "%argument-error" "[name text]" shallow = raise_argument_error,
        "Raises the argument_error: name: text.";
    "%arity-error" "[name expected got]" shallow = raise_arity_error,
        "Raises the arity_error: name: expected, got a number of arguments.";
    "meta" "[x]" lazy prefix(Sequences::First) = |_| Ok(Value::Nil),
        "nil: values carry no metadata here." "(meta [1])" => "nil";
    "with-meta" "[x m]" lazy = |call| Ok(call.take(0)),
        "x itself: values carry no metadata here." "(with-meta [1 2] {:a 1})" => "[1 2]";
    "vary-meta" "[x f & args]" lazy callback(Callback::Any) = |call| Ok(call.take(0)),
        "x itself: values carry no metadata here." "(vary-meta [1 2] assoc :a 1)" => "[1 2]";
    "%number" "[name x]" shallow size(Size::Second) = number,
        "x, which must be a number; errors name the function.";
    "%coll" "[name coll]" lazy size(Size::Same(1)) passes(Sequences::From(1)) = collection,
        "The collection itself; errors name the form that wants one.";
    "%elements" "[name f coll]" shallow = elements_to_call_with,
        "The elements of coll, each of which f is to be called with; errors name the function.";
    "%items" "[name & args]" shallow = items,
        "The elements of the last of args as a vector; errors name the function that was called with them.";
};

fn reduced(call: &mut Call<'_>) -> Res {
    call.allocate(32)?;
    Ok(Value::Reduced(Arc::new(Reduced::new(call.take(0)))))
}

fn unreduced(call: &mut Call<'_>) -> Res {
    Ok(match call.take(0) {
        Value::Reduced(boxed) => boxed.get().clone(),
        other => other,
    })
}

fn raise_type_error(call: &mut Call<'_>) -> Res {
    let (name, what) = (call.text(0)?, call.text(1)?);
    let got = call.arg(2);
    let usage = argument_order::for_function(call.cx.language.builtins, name.as_str(), got);
    Err(type_error(format!("{name}: expected {what}, got {}{usage}", got.kind())).about_value(got))
}

fn raise_wrong_map(call: &mut Call<'_>) -> Res {
    let name = call.text(0)?;
    let name = name.as_str();
    Err(type_error(match call.arg(1) {
        Value::Function(_) | Value::Builtin(_) => format!("{name}: expected ({name} map f); use -> instead of ->>"),
        other => format!("{name}: expected a map, got {}", other.kind()),
    }))
}

fn raise_argument_error(call: &mut Call<'_>) -> Res {
    let (name, text) = (call.text(0)?, call.text(1)?);
    Err(argument_error(format!("{name}: {text}")))
}

fn raise_arity_error(call: &mut Call<'_>) -> Res {
    let (name, expected, got) = (call.text(0)?, call.text(1)?, call.int(2)?);
    Err(err(Reason::ArityError, format!("{name}: expected {expected}, got {got}")))
}

fn number(call: &mut Call<'_>) -> Res {
    let name = call.text(0)?;
    if call.arg(1).is_number() { Ok(call.take(1)) } else { Err(expected(&name, "numbers", call.arg(1))) }
}

fn expected(name: &str, what: &str, got: &Value) -> Box<Signal> {
    type_error(format!("{name}: expected {what}, got {}", got.kind())).about_value(got)
}

/// Functions and forms that do something with each element: with letters, rarely on purpose.
const BY_ELEMENT: [&str; 5] = ["map", "mapv", "for", "doseq", "run!"];

/// Characters of a text that a warning quotes.
const MAX_QUOTED: usize = 30;

/// Whether a text is of several lines, and so probably not one whose letters are meant: a list as a tool writes it.
pub(crate) fn has_lines(text: &str) -> bool {
    text.contains('\n')
}

/// The elements of argument `index`, for a prelude function: its name is the first argument, its own arguments follow.
fn elements_for(call: &mut Call<'_>, index: usize) -> Res<Vector> {
    let name = call.text(0)?;
    let value = call.arg(index).clone();
    if let Value::Str(text) = &value
        && BY_ELEMENT.contains(&name.as_str())
        && has_lines(text.as_str())
    {
        let message = format!(
            "{name} goes over each letter of the text {}; its lines are (str/split-lines text)",
            quoted(text.as_str(), Some(MAX_QUOTED))
        );
        call.cx.warn(WarningCode::LetterByLetter, message);
    }
    if let Some(items) = value.elements(call.meter())? {
        return Ok(items);
    }
    let usage = match call.args.get(1..) {
        Some([_]) | None => argument_order::for_function(call.cx.language.builtins, name.as_str(), &value),
        Some(args) => argument_order::reordered(call.cx.language.builtins, name.as_str(), args),
    };
    Err(type_error(format!("{name}: expected a collection, got {}{usage}", value.kind())).about_value(&value))
}

fn items(call: &mut Call<'_>) -> Res {
    Ok(elements_for(call, call.len() - 1)?.into())
}

/// The same for a function that is called with each element: a keyword over a single map is a mistake, as it needs
/// many.
fn elements_to_call_with(call: &mut Call<'_>) -> Res {
    if matches!(call.arg(1), Value::Keyword(_)) {
        crate::stdlib::map::check_many(call)?;
    }
    items(call)
}

fn collection(call: &mut Call<'_>) -> Res {
    let name = call.text(0)?;
    let value = call.take(1);
    if matches!(value, Value::LazySeq(_)) || value.size().is_some() {
        return Ok(value);
    }
    Err(expected(&name, "a collection", &value))
}
