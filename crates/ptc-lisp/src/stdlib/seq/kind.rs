//! Questions about kinds of collections, and the reduced box.

use std::sync::Arc;

use crate::error::{Reason, Res, argument_error, err, type_error};
use crate::stdlib::usage;
use crate::stdlib::{Builtin, Call, Family, Force, Run};
use crate::value::{Reduced, Value};

pub(crate) const FAMILY: Family = Family { title: "Kinds of collections", rows: ROWS };

const ROWS: &[Builtin] = &[
    Builtin {
        name: "vector?",
        params: &["[x]"],
        doc: "Whether x is a vector (every finished sequence is one).",
        examples: &[("(vector? [1])", "true")],
        force: Force::Lazy,
        run: Run::Plain(is_vector),
        ..Builtin::ROW
    },
    Builtin {
        name: "sequential?",
        params: &["[x]"],
        doc: "Whether x is a sequence.",
        examples: &[("(sequential? [1])", "true"), ("(sequential? {})", "false")],
        force: Force::Lazy,
        run: Run::Plain(is_sequence),
        ..Builtin::ROW
    },
    Builtin {
        name: "seq?",
        params: &["[x]"],
        doc: "Whether x is a sequence.",
        examples: &[("(seq? (map inc [1]))", "true")],
        force: Force::Lazy,
        run: Run::Plain(is_sequence),
        ..Builtin::ROW
    },
    Builtin {
        name: "list?",
        params: &["[x]"],
        doc: "Whether x is a sequence: lists are vectors here.",
        examples: &[("(list? (list 1))", "true")],
        force: Force::Lazy,
        run: Run::Plain(is_sequence),
        ..Builtin::ROW
    },
    Builtin {
        name: "map?",
        params: &["[x]"],
        doc: "Whether x is a map.",
        examples: &[("(map? {})", "true")],
        force: Force::Lazy,
        run: Run::Plain(is_map),
        ..Builtin::ROW
    },
    Builtin {
        name: "set?",
        params: &["[x]"],
        doc: "Whether x is a set.",
        examples: &[("(set? #{1})", "true")],
        force: Force::Lazy,
        run: Run::Plain(is_set),
        ..Builtin::ROW
    },
    Builtin {
        name: "coll?",
        params: &["[x]"],
        doc: "Whether x is a vector, map or set.",
        examples: &[("(coll? [])", "true"), ("(coll? \"ab\")", "false")],
        force: Force::Lazy,
        run: Run::Plain(is_collection),
        ..Builtin::ROW
    },
    Builtin {
        name: "associative?",
        params: &["[x]"],
        doc: "Whether x is a map or vector.",
        examples: &[("(associative? {})", "true")],
        force: Force::Lazy,
        run: Run::Plain(is_associative),
        ..Builtin::ROW
    },
    Builtin {
        name: "counted?",
        params: &["[x]"],
        doc: "Whether x is a collection that knows its size.",
        examples: &[("(counted? #{1})", "true")],
        force: Force::Lazy,
        run: Run::Plain(is_counted),
        ..Builtin::ROW
    },
    Builtin {
        name: "indexed?",
        params: &["[x]"],
        doc: "Whether x is a vector.",
        examples: &[("(indexed? [1])", "true")],
        force: Force::Lazy,
        run: Run::Plain(is_vector),
        ..Builtin::ROW
    },
    Builtin {
        name: "reversible?",
        params: &["[x]"],
        doc: "Whether x has a reverse order of its own: a vector, a sorted map or set.",
        examples: &[("(reversible? [1])", "true"), ("(reversible? {})", "false")],
        force: Force::Lazy,
        run: Run::Plain(is_reversible),
        ..Builtin::ROW
    },
    Builtin {
        name: "seqable?",
        params: &["[x]"],
        doc: "Whether x has elements: nil, a collection or a string.",
        examples: &[("(seqable? \"ab\")", "true"), ("(seqable? 5)", "false")],
        force: Force::Lazy,
        run: Run::Plain(is_seqable),
        ..Builtin::ROW
    },
    Builtin {
        name: "map-entry?",
        params: &["[x]"],
        doc: "Whether x is a vector of two elements.",
        examples: &[("(map-entry? (first {:a 1}))", "true")],
        force: Force::Lazy,
        run: Run::Plain(is_entry),
        ..Builtin::ROW
    },
    Builtin {
        name: "fn?",
        params: &["[x]"],
        doc: "Whether x is a function.",
        examples: &[("(fn? inc)", "true"), ("(fn? :a)", "false")],
        force: Force::Lazy,
        run: Run::Plain(is_fn),
        ..Builtin::ROW
    },
    Builtin {
        name: "ifn?",
        params: &["[x]"],
        doc: "Whether x can be called: a function, keyword, map, set, vector, symbol or var.",
        examples: &[("(ifn? :a)", "true")],
        force: Force::Lazy,
        run: Run::Plain(is_callable),
        ..Builtin::ROW
    },
    Builtin {
        name: "identity",
        params: &["[x]"],
        doc: "x itself.",
        examples: &[("(identity 5)", "5")],
        force: Force::Lazy,
        run: Run::Plain(identity),
        ..Builtin::ROW
    },
    Builtin {
        name: "reduced",
        params: &["[x]"],
        doc: "x in a box that ends the enclosing reduce with x.",
        examples: &[("(reduce (fn [acc x] (if (> x 2) (reduced acc) (+ acc x))) 0 [1 2 3 4])", "3")],
        force: Force::Lazy,
        run: Run::Plain(reduced),
        ..Builtin::ROW
    },
    Builtin {
        name: "reduced?",
        params: &["[x]"],
        doc: "Whether x is such a box.",
        examples: &[("(reduced? (reduced 1))", "true")],
        force: Force::Lazy,
        run: Run::Plain(is_reduced),
        ..Builtin::ROW
    },
    Builtin {
        name: "unreduced",
        params: &["[x]"],
        doc: "What is in the box; x itself when it is none.",
        examples: &[("(unreduced (reduced 5))", "5")],
        force: Force::Lazy,
        run: Run::Plain(unreduced),
        ..Builtin::ROW
    },
    Builtin {
        name: "ensure-reduced",
        params: &["[x]"],
        doc: "x in a box, unless it is one.",
        examples: &[("(reduced? (ensure-reduced 3))", "true")],
        force: Force::Lazy,
        run: Run::Plain(ensure_reduced),
        ..Builtin::ROW
    },
    Builtin {
        name: "%type-error",
        params: &["[name what got]"],
        doc: "Raises the type_error: name: expected what, got the kind of got.",
        examples: &[],
        run: Run::Plain(raise_type_error),
        ..Builtin::ROW
    },
    Builtin {
        name: "%wrong-map",
        params: &["[name got]"],
        doc: "Raises the type_error of a function (name map f) that got something else than a map.",
        examples: &[],
        run: Run::Plain(raise_wrong_map),
        ..Builtin::ROW
    },
    Builtin {
        name: "%argument-error",
        params: &["[name text]"],
        doc: "Raises the argument_error: name: text.",
        examples: &[],
        run: Run::Plain(raise_argument_error),
        ..Builtin::ROW
    },
    Builtin {
        name: "%arity-error",
        params: &["[name expected got]"],
        doc: "Raises the arity_error: name: expected, got a number of arguments.",
        examples: &[],
        run: Run::Plain(raise_arity_error),
        ..Builtin::ROW
    },
    Builtin {
        name: "meta",
        params: &["[x]"],
        doc: "nil: values carry no metadata here.",
        examples: &[("(meta [1])", "nil")],
        force: Force::Lazy,
        run: Run::Plain(nothing),
        ..Builtin::ROW
    },
    Builtin {
        name: "with-meta",
        params: &["[x m]"],
        doc: "x itself: values carry no metadata here.",
        examples: &[("(with-meta [1 2] {:a 1})", "[1 2]")],
        force: Force::Lazy,
        run: Run::Plain(identity),
        ..Builtin::ROW
    },
    Builtin {
        name: "vary-meta",
        params: &["[x f & args]"],
        doc: "x itself: values carry no metadata here.",
        examples: &[("(vary-meta [1 2] assoc :a 1)", "[1 2]")],
        force: Force::Lazy,
        run: Run::Plain(identity),
        ..Builtin::ROW
    },
    Builtin {
        name: "%number",
        params: &["[name x]"],
        doc: "x, which must be a number; errors name the function.",
        examples: &[],
        run: Run::Plain(number),
        ..Builtin::ROW
    },
    Builtin {
        name: "%coll",
        params: &["[name coll]"],
        doc: "The collection itself; errors name the form that wants one.",
        examples: &[],
        force: Force::Lazy,
        run: Run::Plain(collection),
        ..Builtin::ROW
    },
    Builtin {
        name: "%items",
        params: &["[name coll]"],
        doc: "The elements of coll as a vector; errors name the function.",
        examples: &[],
        run: Run::Plain(items),
        ..Builtin::ROW
    },
];

fn is_vector(call: &mut Call<'_>) -> Res {
    Ok(matches!(call.arg(0), Value::Vector(_)).into())
}

fn is_reversible(call: &mut Call<'_>) -> Res {
    Ok(match call.arg(0) {
        Value::Vector(_) => true,
        Value::Map(map) => map.as_sorted().is_some(),
        Value::Set(set) => set.as_map().as_sorted().is_some(),
        _ => false,
    }
    .into())
}

fn is_sequence(call: &mut Call<'_>) -> Res {
    Ok(matches!(call.arg(0), Value::Vector(_) | Value::Generator(_)).into())
}

fn is_map(call: &mut Call<'_>) -> Res {
    Ok(matches!(call.arg(0), Value::Map(_)).into())
}

fn is_set(call: &mut Call<'_>) -> Res {
    Ok(matches!(call.arg(0), Value::Set(_)).into())
}

fn is_collection(call: &mut Call<'_>) -> Res {
    Ok(matches!(call.arg(0), Value::Vector(_) | Value::Generator(_) | Value::Map(_) | Value::Set(_)).into())
}

fn is_associative(call: &mut Call<'_>) -> Res {
    Ok(matches!(call.arg(0), Value::Vector(_) | Value::Map(_)).into())
}

fn is_counted(call: &mut Call<'_>) -> Res {
    Ok(matches!(call.arg(0), Value::Vector(_) | Value::Map(_) | Value::Set(_)).into())
}

fn is_seqable(call: &mut Call<'_>) -> Res {
    Ok((super::size(call.arg(0)).is_some() || matches!(call.arg(0), Value::Generator(_))).into())
}

fn is_entry(call: &mut Call<'_>) -> Res {
    Ok(call.arg(0).as_vector().is_some_and(|items| items.len() == 2).into())
}

fn is_fn(call: &mut Call<'_>) -> Res {
    Ok(matches!(call.arg(0), Value::Function(_) | Value::Builtin(_) | Value::Tool(_)).into())
}

fn is_callable(call: &mut Call<'_>) -> Res {
    let callable = matches!(
        call.arg(0),
        Value::Function(_)
            | Value::Builtin(_)
            | Value::Tool(_)
            | Value::Keyword(_)
            | Value::Symbol(_)
            | Value::Var(_)
            | Value::Map(_)
            | Value::Set(_)
            | Value::Vector(_)
    );
    Ok(callable.into())
}

fn identity(call: &mut Call<'_>) -> Res {
    Ok(call.take(0))
}

fn reduced(call: &mut Call<'_>) -> Res {
    call.allocate(32)?;
    Ok(Value::Reduced(Arc::new(Reduced::new(call.take(0)))))
}

fn is_reduced(call: &mut Call<'_>) -> Res {
    Ok(matches!(call.arg(0), Value::Reduced(_)).into())
}

fn unreduced(call: &mut Call<'_>) -> Res {
    Ok(match call.take(0) {
        Value::Reduced(boxed) => boxed.get().clone(),
        other => other,
    })
}

fn ensure_reduced(call: &mut Call<'_>) -> Res {
    if matches!(call.arg(0), Value::Reduced(_)) { Ok(call.take(0)) } else { reduced(call) }
}

fn raise_type_error(call: &mut Call<'_>) -> Res {
    let (name, what) = (call.text(0)?, call.text(1)?);
    let got = call.arg(2);
    let usage = usage::for_function(name.as_str(), got);
    Err(type_error(format!("{}: expected {}, got {}{usage}", name.as_str(), what.as_str(), got.kind())))
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
    Err(argument_error(format!("{}: {}", name.as_str(), text.as_str())))
}

fn raise_arity_error(call: &mut Call<'_>) -> Res {
    let (name, expected, got) = (call.text(0)?, call.text(1)?, call.int(2)?);
    Err(err(Reason::ArityError, format!("{}: expected {}, got {got}", name.as_str(), expected.as_str())))
}

fn nothing(_: &mut Call<'_>) -> Res {
    Ok(Value::Nil)
}

fn number(call: &mut Call<'_>) -> Res {
    let name = call.text(0)?;
    if call.arg(1).is_number() {
        return Ok(call.take(1));
    }
    Err(type_error(format!("{}: expected numbers, got {}", name.as_str(), call.arg(1).kind())))
}

fn items(call: &mut Call<'_>) -> Res {
    let name = call.text(0)?;
    let value = call.arg(1).clone();
    match crate::stdlib::call::elements(&value, call.meter())? {
        Some(items) => Ok(items.into()),
        None => {
            let usage = usage::for_function(name.as_str(), &value);
            Err(type_error(format!("{}: expected a collection, got {}{usage}", name.as_str(), value.kind())))
        }
    }
}

fn collection(call: &mut Call<'_>) -> Res {
    let name = call.text(0)?;
    let value = call.take(1);
    if matches!(value, Value::Generator(_)) || super::size(&value).is_some() {
        return Ok(value);
    }
    Err(type_error(format!("{}: expected a collection, got {}", name.as_str(), value.kind())))
}
