//! Ending, failing, catching and keeping: `return`, `throw`, exceptions, tasks.

use std::sync::Arc;

use super::call::TEXT;
use super::{Builtin, Call, Force, Run};
use crate::error::{CatchClass, Error, Reason, Res, Signal, argument_error, err, type_error};
use crate::value::{Exception, Map, Text, Value, exception_bytes, shown};

fn return_value(call: &mut Call<'_>) -> Res {
    Err(Box::new(Signal::Return(call.take(0))))
}

fn fail(call: &mut Call<'_>) -> Res {
    Err(Box::new(Signal::Fail(call.take(0))))
}

fn throw(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Exception(exception) => Err(Box::new(Signal::Error(exception.error.clone()))),
        other => Err(type_error(format!(
            "throw: expected an exception such as (ex-info \"message\" {{}}), got {}",
            other.kind()
        ))),
    }
}

fn ex_info(call: &mut Call<'_>) -> Res {
    let message = call.text(0)?;
    match call.arg(1) {
        Value::Map(_) | Value::Nil => {}
        other => return Err(call.wrong("a map", other)),
    }
    call.allocate(message.len())?;
    let mut error = Error::new(Reason::Exception, message.as_str());
    call.allocate(exception_bytes(&error))?;
    error.data = Some(call.take(1));
    error.cause = (call.len() == 3).then(|| call.take(2));
    Ok(Value::Exception(Arc::new(Exception::new(error))))
}

/// `(Exception. "message")` and its kin, which remember their class for `catch`.
fn exception(call: &mut Call<'_>) -> Res {
    let message = match call.arg(0) {
        Value::Str(text) => text.clone(),
        Value::Nil => Text::from(""),
        other => return Err(call.wrong("a string", other)),
    };
    call.allocate(message.len())?;
    let mut error = Error::new(Reason::Exception, message.as_str());
    call.allocate(exception_bytes(&error))?;
    error.class = match call.name {
        "ArithmeticException." => Some(CatchClass::Arithmetic),
        "IllegalArgumentException." => Some(CatchClass::Argument),
        "IllegalStateException." | "UnsupportedOperationException." => Some(CatchClass::State),
        _ => None,
    };
    error.cause = (call.len() == 2).then(|| call.take(1));
    Ok(Value::Exception(Arc::new(Exception::new(error))))
}

fn ex_message(call: &mut Call<'_>) -> Res {
    Ok(match call.arg(0) {
        Value::Exception(exception) => {
            let exception = exception.clone();
            let message = exception.error.message.as_str();
            call.allocate(TEXT + message.len())?;
            Value::string(message)
        }
        _ => Value::Nil,
    })
}

fn ex_data(call: &mut Call<'_>) -> Res {
    let Value::Exception(exception) = call.arg(0).clone() else { return Ok(Value::Nil) };
    if let Some(data) = &exception.error.data {
        return Ok(data.clone());
    }
    let error = &exception.error;
    Ok(Value::Map(error.known_as(error.reason, call.meter())?))
}

fn ex_cause(call: &mut Call<'_>) -> Res {
    Ok(match call.arg(0) {
        Value::Exception(exception) => exception.error.cause.clone().unwrap_or_default(),
        _ => Value::Nil,
    })
}

fn case_miss(call: &mut Call<'_>) -> Res {
    Err(argument_error(format!("no matching case clause: {}", shown(call.arg(0)))))
}

fn condp_miss(call: &mut Call<'_>) -> Res {
    Err(argument_error(format!("no matching condp clause: {}", shown(call.arg(0)))))
}

fn assert_failed(call: &mut Call<'_>) -> Res {
    let form = call.text(0)?;
    let message = match call.arg(1) {
        Value::Nil => String::new(),
        Value::Str(message) => format!("{message}: "),
        other => format!("{}: ", shown(other)),
    };
    Err(err(Reason::AssertionError, format!("Assert failed: {message}{form}")))
}

fn mark(_: &mut Call<'_>) -> Res {
    Ok(Value::Nil)
}

/// A task id as text: strings and scalars.
fn id_text(call: &Call<'_>, index: usize, name: &str) -> Res<String> {
    match call.arg(index) {
        Value::Str(text) => Ok(text.as_str().to_owned()),
        value @ (Value::Int(_)
        | Value::Float(_)
        | Value::Big(_)
        | Value::Bool(_)
        | Value::Keyword(_)
        | Value::Symbol(_)) => Ok(crate::value::display_text(value)),
        other => Err(type_error(format!("{name}: expected a string, got {}", other.kind()))),
    }
}

fn task_id(call: &mut Call<'_>) -> Res {
    Ok(Value::string(id_text(call, 0, "task")?))
}

fn task_done(call: &mut Call<'_>) -> Res {
    let id = call.text(0)?;
    Ok(Value::Bool(call.cx.keeps_tasks && call.cx.tasks.contains_key(id.as_str())))
}

fn task_get(call: &mut Call<'_>) -> Res {
    let id = call.text(0)?;
    Ok(call.cx.tasks.get(id.as_str()).cloned().unwrap_or_default())
}

fn task_store(call: &mut Call<'_>) -> Res {
    let id = call.text(0)?;
    let value = call.take(1);
    if call.cx.keeps_tasks {
        call.cx.tasks.insert(id.as_str().to_owned(), value.clone());
    }
    Ok(value)
}

fn task_reset(call: &mut Call<'_>) -> Res {
    let id = id_text(call, 0, "task-reset")?;
    call.cx.tasks.shift_remove(&id);
    Ok(Value::Nil)
}

fn step_done(call: &mut Call<'_>) -> Res {
    let id = id_text(call, 0, "step-done")?;
    let summary = id_text(call, 1, "step-done")?;
    call.cx.summaries.insert(id, summary.clone());
    Ok(Value::string(summary))
}

fn budget(call: &mut Call<'_>) -> Res {
    Ok(match &call.cx.budget {
        Value::Nil => Value::Map(Map::new()),
        budget => budget.clone(),
    })
}

const fn hidden(name: &'static str, params: &'static [&'static str], run: fn(&mut Call<'_>) -> Res) -> Builtin {
    Builtin { name, params, doc: "", examples: &[], force: Force::Lazy, run: Run::Plain(run), ..Builtin::ROW }
}

const EXCEPTION: &[&str] = &["[]", "[message]", "[message cause]"];

/// The rows of this file.
pub(crate) const ROWS: &[Builtin] = &[
    Builtin::lazy("return", &["[value]"], "End the mission with this value.", &[], return_value),
    Builtin::lazy(
        "fail",
        &["[reason]"],
        "End the mission as failed; `reason` is usually `{:reason … :message …}`.",
        &[],
        fail,
    ),
    Builtin::lazy(
        "ex-info",
        &["[message data]", "[message data cause]"],
        "An exception with a message and a map, for `throw`.",
        &[("(ex-data (ex-info \"bad\" {:n 1}))", "{:n 1}")],
        ex_info,
    ),
    Builtin::lazy(
        "ex-message",
        &["[ex]"],
        "The message of an exception; nil for anything else.",
        &[("(ex-message (ex-info \"bad\" {}))", "\"bad\"")],
        ex_message,
    ),
    Builtin::lazy(
        ".getMessage",
        &["[ex]"],
        "The same as `ex-message`.",
        &[("(try (/ 1 0) (catch Exception e (.getMessage e)))", "\"Divide by zero\"")],
        ex_message,
    ),
    Builtin::lazy(
        "ex-data",
        &["[ex]"],
        "The map of an `ex-info`, `{:reason …}` of other errors.",
        &[("(try (/ 1 0) (catch Exception e (ex-data e)))", "{:reason :arithmetic_error}")],
        ex_data,
    ),
    Builtin::lazy(
        "ex-cause",
        &["[ex]"],
        "The third argument of `ex-info`, else nil.",
        &[("(ex-cause (ex-info \"bad\" {}))", "nil")],
        ex_cause,
    ),
    Builtin::lazy(
        "Exception.",
        EXCEPTION,
        "An exception with a message.",
        &[("(ex-message (Exception. \"no\"))", "\"no\"")],
        exception,
    ),
    Builtin::lazy(
        "RuntimeException.",
        EXCEPTION,
        "An exception with a message.",
        &[("(ex-message (RuntimeException. \"no\"))", "\"no\"")],
        exception,
    ),
    Builtin::lazy(
        "IllegalArgumentException.",
        EXCEPTION,
        "An exception with a message.",
        &[("(ex-message (IllegalArgumentException. \"no\"))", "\"no\"")],
        exception,
    ),
    Builtin::lazy(
        "IllegalStateException.",
        EXCEPTION,
        "An exception with a message.",
        &[("(ex-message (IllegalStateException. \"no\"))", "\"no\"")],
        exception,
    ),
    Builtin::lazy(
        "ArithmeticException.",
        EXCEPTION,
        "An exception with a message.",
        &[("(ex-message (ArithmeticException. \"no\"))", "\"no\"")],
        exception,
    ),
    Builtin::lazy(
        "UnsupportedOperationException.",
        EXCEPTION,
        "An exception with a message.",
        &[("(ex-message (UnsupportedOperationException. \"no\"))", "\"no\"")],
        exception,
    ),
    Builtin::lazy(
        "Throwable.",
        EXCEPTION,
        "An exception with a message.",
        &[("(ex-message (Throwable. \"no\"))", "\"no\"")],
        exception,
    ),
    Builtin::lazy(
        "task-reset",
        &["[id]"],
        "Forget the result of a task; nil.",
        &[("(task-reset \"t\")", "nil")],
        task_reset,
    ),
    Builtin::lazy(
        "step-done",
        &["[id summary]"],
        "Report that a step of the plan is done; the summary.",
        &[("(step-done \"1\" \"counted\")", "\"counted\"")],
        step_done,
    ),
    Builtin::lazy(
        "budget/remaining",
        &["[]"],
        "What is left of turns and tokens, as a map.",
        &[("(budget/remaining)", "{}")],
        budget,
    ),
    hidden("%throw", &["[ex]"], throw),
    hidden("%case-miss", &["[v]"], case_miss),
    hidden("%condp-miss", &["[v]"], condp_miss),
    hidden("%assert", &["[form]", "[form message]"], assert_failed),
    hidden("%skip", &["[]"], mark),
    hidden("%stop", &["[]"], mark),
    hidden("%task-id", &["[id]"], task_id),
    hidden("%task-done?", &["[id]"], task_done),
    hidden("%task-get", &["[id]"], task_get),
    hidden("%task-store", &["[id value]"], task_store),
];
