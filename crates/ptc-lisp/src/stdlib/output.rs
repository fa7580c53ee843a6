//! Printing, and the same texts as strings.

use crate::error::{Fallible, Res};
use crate::eval::context::Context;
use crate::index::addressable;
use crate::meter::Meter;
use crate::pace::next_piece;
use crate::stdlib::text::format::formatted;
use crate::stdlib::{Call, Family, rows, show};
use crate::value::{Value, push, push_char, push_text, reserve_text};

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Output";
    "println" "[& xs]" deep = |call| shown(call, show::printed, true),
        "Print `xs` with spaces between and end the line; strings as they are."
        r#"(println "n =" 3 [:a "b"])"# => "nil";
    "print" "[& xs]" deep = |call| shown(call, show::printed, false),
        "The same as `println` without ending the line." r#"(print "a")"# => "nil";
    "prn" "[& xs]" deep = |call| shown(call, show::readable, true),
        "Print `xs` as a program would write them and end the line: strings in quotes." r#"(prn "a" :b)"# => "nil";
    "pr" "[& xs]" deep = |call| shown(call, show::readable, false),
        "The same as `prn` without ending the line." r#"(pr "a")"# => "nil";
    "printf" "[fmt & args]" deep = |call| formatted(call).and_then(|text| printed(call, &text, false)),
        "Print what `format` gives, without ending the line." r#"(printf "%d%n" 1)"# => "nil";
    "newline" "[]" deep = |call| printed(call, "\n", false),
        "Print a line break." "(newline)" => "nil";
    "tap>" "[x]" deep = |call| shown(call, show::readable, true).map(|_| Value::Bool(true)),
        "Print `x` as `prn` does; gives true." "(tap> {:a 1})" => "true";
    "print-str" "[& xs]" deep = |call| line(call, show::printed).map(Value::string),
        "The text that `print` prints." r#"(print-str "a" :b)"# => r#""a :b""#;
    "println-str" "[& xs]" deep = |call| line(call, show::printed).and_then(|text| ended(call, text)),
        "The text that `println` prints." r#"(println-str "a" 1)"# => r#""a 1\n""#;
    "pr-str" "[& xs]" deep pure = |call| line(call, show::readable).map(Value::string),
        "The text that `pr` prints: what a program would write for the values."
        r#"(pr-str "a" [1 nil])"# => r#""\"a\" [1 nil]""#;
    "prn-str" "[& xs]" deep = |call| line(call, show::readable).and_then(|text| ended(call, text)),
        "The text that `prn` prints." "(prn-str :a)" => r#"":a\n""#;
    "%out-push" "[]" deep = capture,
        "Begin to collect what is printed: `with-out-str`.";
    "%clock" "[]" shallow = |call| Ok(Value::Int(call.cx.clock.now_micros())),
        "Microseconds since 1970: `time`.";
    "%elapsed" "[started value]" lazy = elapsed,
        "The value; prints the time since `started`.";
    "%out-pop" "[]" deep = |call| Ok(call.cx.local.captures.pop().map_or(Value::Nil, Value::string)),
        "End the innermost collection and give its text.";
    "%out-drop" "[depth]" deep = drop_to,
        "Forget the collections that an error left open.";
};

/// Print `text`, then a line end if `newline`; into the innermost `with-out-str` when one is running.
///
/// A line keeps `Limits::print_chars` characters and `...`. The last `Limits::prints` lines are kept (up to twice as
/// many until [`close`]). Charges the memory that is kept.
pub(crate) fn emit(cx: &mut Context, text: &str, newline: bool) -> Res<()> {
    if let Some(mut capture) = cx.local.captures.pop() {
        let end = if newline { "\n" } else { "" };
        // Whole or not at all.
        let fits = reserve_text(&mut capture, text.len() + end.len(), &mut cx.meter)
            .and_then(|()| push_text(&mut capture, text, &mut cx.meter))
            .and_then(|()| push_text(&mut capture, end, &mut cx.meter));
        // Bounded: it was there before.
        cx.local.captures.push(capture);
        return Ok(fits?);
    }
    // One extra character shows that the line was cut.
    let most = cx.meter.limits().print_chars.saturating_add(1).saturating_sub(cx.local.open_chars);
    let (kept, chars) = first_chars(text, most, &mut cx.meter)?;
    cx.meter.allocate(32)?;
    let mut line = std::mem::take(&mut cx.local.open_line);
    let fits = push_text(&mut line, kept, &mut cx.meter);
    cx.local.open_line = line;
    fits?;
    cx.local.open_chars += chars;
    if newline {
        end_line(cx);
    }
    Ok(())
}

/// The first `most` characters of a text, or all of it, and how many these are.
fn first_chars<'t>(text: &'t str, most: usize, meter: &mut Meter) -> Fallible<(&'t str, usize)> {
    let (mut rest, mut chars) = (text, 0);
    while let Some(piece) = next_piece(&mut rest, meter)? {
        // Bounded: a piece of a text.
        let found = piece.chars().count();
        if chars + found > most {
            let within = piece.char_indices().nth(most - chars).map_or(piece.len(), |(at, _)| at);
            let end = text.len() - rest.len() - piece.len() + within;
            return Ok((text.get(..end).unwrap_or(text), most));
        }
        chars += found;
    }
    Ok((text, chars))
}

/// End an open line and keep only the last lines, below a line that counts the others: what a finished run shows.
pub(crate) fn close(cx: &mut Context) {
    if !cx.local.open_line.is_empty() {
        end_line(cx);
    }
    keep_last(cx, cx.meter.limits().prints);
    match std::mem::take(&mut cx.local.left.dropped) {
        0 => {}
        // Bounded: one line more than are kept.
        1 => cx.local.left.prints.insert(0, "(1 earlier line is not kept)".to_owned()),
        dropped => cx.local.left.prints.insert(0, format!("({dropped} earlier lines are not kept)")),
    }
}

/// Keep the last lines, and count the others.
fn keep_last(cx: &mut Context, lines: usize) {
    let surplus = cx.local.left.prints.len().saturating_sub(lines);
    cx.local.left.prints.drain(..surplus);
    cx.local.left.dropped += surplus;
}

/// Add lines that a branch printed and paid for, as if they were printed now.
pub(crate) fn append(cx: &mut Context, lines: Vec<String>) {
    for line in lines {
        match cx.local.captures.last_mut() {
            // Bounded: the branch paid for the line.
            Some(capture) => capture.extend([line.as_str(), "\n"]),
            None => {
                // Bounded: the branch paid for the line.
                cx.local.open_line.push_str(&line);
                end_line(cx);
            }
        }
    }
}

fn end_line(cx: &mut Context) {
    let (chars, lines) = (cx.meter.limits().print_chars, cx.meter.limits().prints);
    let mut line = std::mem::take(&mut cx.local.open_line);
    cx.local.open_chars = 0;
    if let Some((at, _)) = line.char_indices().nth(chars) {
        line.truncate(at);
        // Bounded: the mark of a cut.
        line.push_str("...");
    }
    // Bounded: at most twice as many lines as are kept.
    cx.local.left.prints.push(line);
    // Dropping half at a time keeps the cost of many lines linear.
    if cx.local.left.prints.len() > lines.saturating_mul(2) {
        keep_last(cx, lines);
    }
}

type Show = fn(&mut Context, &mut String, &Value) -> Res<()>;

/// The arguments as text, separated by blanks.
fn line(call: &mut Call<'_>, show: Show) -> Res<String> {
    let Call { args, cx, .. } = call;
    cx.meter.charge(args.len())?;
    let mut text = String::new();
    for (index, value) in args.iter().enumerate() {
        if index > 0 {
            push_char(&mut text, ' ', &mut cx.meter)?;
        }
        show(cx, &mut text, value)?;
    }
    Ok(text)
}

/// The text with a line end.
fn ended(call: &mut Call<'_>, mut text: String) -> Res {
    push_char(&mut text, '\n', call.meter())?;
    Ok(Value::string(text))
}

fn shown(call: &mut Call<'_>, show: Show, newline: bool) -> Res {
    let text = line(call, show)?;
    printed(call, &text, newline)
}

fn printed(call: &mut Call<'_>, text: &str, newline: bool) -> Res {
    emit(call.cx, text, newline)?;
    Ok(Value::Nil)
}

fn elapsed(call: &mut Call<'_>) -> Res {
    let micros = call.cx.clock.now_micros().saturating_sub(call.int(0)?).max(0);
    let text = format!("\"Elapsed time: {:?} msecs\"", micros as f64 / 1_000.0);
    emit(call.cx, &text, true)?;
    Ok(call.take(1))
}

fn capture(call: &mut Call<'_>) -> Res {
    let depth = Value::from(call.cx.local.captures.len());
    let mut captures = std::mem::take(&mut call.cx.local.captures);
    let fits = push(&mut captures, String::new(), call.meter());
    call.cx.local.captures = captures;
    fits?;
    Ok(depth)
}

fn drop_to(call: &mut Call<'_>) -> Res {
    let depth = addressable(call.int(0)?);
    call.cx.local.captures.truncate(depth);
    Ok(Value::Nil)
}
