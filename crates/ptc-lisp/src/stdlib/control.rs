//! Ending, failing, catching and keeping: `return`, `throw`, exceptions, tasks.

use std::sync::Arc;

use super::call::TEXT;
use super::{Call, Family, rows, show};
use crate::error::{Error, ErrorClass, Exception, Reason, Res, Signal, argument_error, err, type_error};
use crate::eval::local::ENTRY;
use crate::value::{Map, Text, Value, push_text, shown, text_for};

fn throw(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Exception(exception) => Err(Box::new(Signal::Error(Exception::clone(exception)))),
        other => {
            let kind = other.kind();
            Err(type_error(format!("throw: expected an exception such as (ex-info \"message\" {{}}), got {kind}")))
        }
    }
}

fn ex_info(call: &mut Call<'_>) -> Res {
    let message = call.text(0)?;
    call.want(1, "a map", |value| matches!(value, Value::Map(_) | Value::Nil).then_some(()))?;
    let mut exception = with_message(call, &message)?;
    exception.attached.data = Some(call.take(1));
    exception.attached.cause = (call.len() == 3).then(|| call.take(2));
    Ok(Value::Exception(Arc::new(exception)))
}

fn with_message(call: &mut Call<'_>, message: &str) -> Res<Exception> {
    call.allocate(message.len())?;
    let exception = Exception::new(Error::new(Reason::Exception, message));
    call.allocate(exception.bytes())?;
    Ok(exception)
}

/// `(Exception. "message")` and its variants, which remember their class for `catch`.
fn exception(call: &mut Call<'_>) -> Res {
    let message = match call.arg(0) {
        Value::Str(text) => text.clone(),
        Value::Nil => Text::from(""),
        other => return Err(call.wrong("a string", other)),
    };
    let mut exception = with_message(call, &message)?;
    exception.class = call.name.strip_suffix('.').and_then(ErrorClass::named);
    exception.attached.cause = (call.len() == 2).then(|| call.take(1));
    Ok(Value::Exception(Arc::new(exception)))
}

fn ex_message(call: &mut Call<'_>) -> Res {
    let Value::Exception(exception) = call.arg(0).clone() else { return Ok(Value::Nil) };
    call.allocate(TEXT + exception.message.len())?;
    Ok(Value::string(exception.message.as_str()))
}

fn ex_data(call: &mut Call<'_>) -> Res {
    let Value::Exception(exception) = call.arg(0).clone() else { return Ok(Value::Nil) };
    match exception.data() {
        Some(data) => Ok(data.clone()),
        None => Ok(Value::Map(exception.known_as(exception.reason, call.meter())?)),
    }
}

fn ex_cause(call: &mut Call<'_>) -> Res {
    let Value::Exception(exception) = call.arg(0) else { return Ok(Value::Nil) };
    Ok(exception.cause().cloned().unwrap_or_default())
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

/// A task id as text: strings and scalars.
fn id_text(call: &mut Call<'_>, index: usize, name: &str) -> Res<String> {
    match call.arg(index).clone() {
        Value::Str(text) => copied(call, &text),
        value @ (Value::Int(_)
        | Value::Float(_)
        | Value::Big(_)
        | Value::Bool(_)
        | Value::Keyword(_)
        | Value::Symbol(_)) => {
            let mut text = String::new();
            show::printed(call.cx, &mut text, &value)?;
            Ok(text)
        }
        other => Err(type_error(format!("{name}: expected a string, got {}", other.kind())).about_value(&other)),
    }
}

/// A copy of the text for a table that keeps it.
fn copied(call: &mut Call<'_>, text: &Text) -> Res<String> {
    call.meter().allocate(ENTRY)?;
    let mut copy = text_for(text.as_str().len(), call.meter())?;
    push_text(&mut copy, text.as_str(), call.meter())?;
    Ok(copy)
}

fn task_store(call: &mut Call<'_>) -> Res {
    let id = call.text(0)?;
    if call.cx.keeps_tasks {
        let id = copied(call, &id)?;
        let value = call.arg(1).clone();
        call.cx.local.tasks.insert(id, value);
    }
    Ok(call.take(1))
}

fn task_reset(call: &mut Call<'_>) -> Res {
    let id = id_text(call, 0, "task-reset")?;
    call.cx.local.tasks.shift_remove(&id);
    Ok(Value::Nil)
}

fn step_done(call: &mut Call<'_>) -> Res {
    let id = id_text(call, 0, "step-done")?;
    let summary = id_text(call, 1, "step-done")?;
    let given = match call.take(1) {
        text @ Value::Str(_) => text,
        _ => Value::string(summary.as_str()),
    };
    call.cx.local.summaries.insert(id, summary);
    Ok(given)
}

fn budget(call: &mut Call<'_>) -> Res {
    Ok(match &call.cx.budget {
        Value::Nil => Value::Map(Map::new()),
        budget => budget.clone(),
    })
}

pub(crate) const FAMILY: Family = rows! {
    "Ending, exceptions, tasks";
    "return" "[value]" lazy uses(Uses::Shows) effect = |call| Err(Box::new(Signal::Return(call.take(0)))),
        "End the mission with this value.";
    "fail" "[reason]" lazy effect = |call| Err(Box::new(Signal::Fail(call.take(0)))),
        "End the mission as failed; `reason` is usually `{:reason … :message …}`.";
    "ex-info" "[message data]" "[message data cause]" lazy uses(Uses::Shows) = ex_info,
        "An exception with a message and a map, for `throw`." r#"(ex-data (ex-info "bad" {:n 1}))"# => "{:n 1}";
    "ex-message" "[ex]" lazy = ex_message,
        "The message of an exception; nil for anything else." r#"(ex-message (ex-info "bad" {}))"# => r#""bad""#;
    ".getMessage" "[ex]" lazy = ex_message,
        "The same as `ex-message`." "(try (/ 1 0) (catch Exception e (.getMessage e)))" => r#""Divide by zero""#;
    "ex-data" "[ex]" lazy = ex_data,
        "The map of an `ex-info`, `{:reason …}` of other errors."
        "(try (/ 1 0) (catch Exception e (ex-data e)))" => "{:reason :arithmetic_error}";
    "ex-cause" "[ex]" lazy = ex_cause,
        "The third argument of `ex-info`, else nil." r#"(ex-cause (ex-info "bad" {}))"# => "nil";
    "Exception." "[]" "[message]" "[message cause]" lazy = exception,
        "An exception with a message." r#"(ex-message (Exception. "no"))"# => r#""no""#;
    "RuntimeException." "[]" "[message]" "[message cause]" lazy = exception,
        "An exception with a message." r#"(ex-message (RuntimeException. "no"))"# => r#""no""#;
    "IllegalArgumentException." "[]" "[message]" "[message cause]" lazy = exception,
        "An exception with a message." r#"(ex-message (IllegalArgumentException. "no"))"# => r#""no""#;
    "IllegalStateException." "[]" "[message]" "[message cause]" lazy = exception,
        "An exception with a message." r#"(ex-message (IllegalStateException. "no"))"# => r#""no""#;
    "ArithmeticException." "[]" "[message]" "[message cause]" lazy = exception,
        "An exception with a message." r#"(ex-message (ArithmeticException. "no"))"# => r#""no""#;
    "UnsupportedOperationException." "[]" "[message]" "[message cause]" lazy = exception,
        "An exception with a message." r#"(ex-message (UnsupportedOperationException. "no"))"# => r#""no""#;
    "Throwable." "[]" "[message]" "[message cause]" lazy = exception,
        "An exception with a message." r#"(ex-message (Throwable. "no"))"# => r#""no""#;
    "task-reset" "[id]" lazy effect = task_reset,
        "Forget the result of a task; nil." r#"(task-reset "t")"# => "nil";
    "step-done" "[id summary]" lazy uses(Uses::Shows) effect = step_done,
        "Report that a step of the plan is done; the summary." r#"(step-done "1" "counted")"# => r#""counted""#;
    "budget/remaining" "[]" lazy kept effect = budget,
        "What is left of turns and tokens, as a map." "(budget/remaining)" => "{}";
    "%throw" "[ex]" lazy effect = throw;
    "%case-miss" "[v]" lazy effect = |call| Err(argument_error(format!("no matching case clause: {}", shown(call.arg(0)))));
    "%condp-miss" "[v]" lazy effect = |call| Err(argument_error(format!("no matching condp clause: {}", shown(call.arg(0)))));
    "%assert" "[form]" "[form message]" lazy effect = assert_failed;
    "%skip" "[]" lazy size(Size::Marker) = |_| Ok(Value::Nil);
    "%stop" "[]" lazy size(Size::Marker) = |_| Ok(Value::Nil);
    "%task-id" "[id]" lazy effect = |call| Ok(Value::string(id_text(call, 0, "task")?));
    "%task-done?" "[id]" lazy effect = |call| {
        call.text(0).map(|id| Value::Bool(call.cx.keeps_tasks && call.cx.local.tasks.contains_key(id.as_str())))
    };
    "%task-get" "[id]" lazy kept effect
        = |call| call.text(0).map(|id| call.cx.local.tasks.get(id.as_str()).cloned().unwrap_or_default());
    "%task-store" "[id value]" deep effect = task_store;
};
