//! Printing, and the same texts as strings.

use std::time::Duration;

use crate::error::{Fallible, Res};
use crate::eval::context::Context;
use crate::index::addressable;
use crate::limits::meter::Meter;
use crate::limits::pace::next_piece;
use crate::stdlib::text::format::formatted;
use crate::stdlib::{Call, Family, rows, show};
use crate::value::{Fitted, Value, fair_share, fitted, push, push_char, push_text, reserve_text};

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Output";
    "println" "[& xs]" deep size(Size::Scalar) uses(Uses::Shows) alike
        effect = |call| shown(call, show::printed, true),
        "Print `xs` with spaces between and end the line; strings as they are."
        r#"(println "n =" 3 [:a "b"])"# => "nil";
    "print" "[& xs]" deep uses(Uses::Shows) effect = |call| shown(call, show::printed, false),
        "The same as `println` without ending the line." r#"(print "a")"# => "nil";
    "prn" "[& xs]" deep uses(Uses::Shows) effect = |call| shown(call, show::readable, true),
        "Print `xs` as a program would write them and end the line: strings in quotes." r#"(prn "a" :b)"# => "nil";
    "pr" "[& xs]" deep uses(Uses::Shows) effect = |call| shown(call, show::readable, false),
        "The same as `prn` without ending the line." r#"(pr "a")"# => "nil";
    "pprint" "[x]" deep uses(Uses::Shows) effect = |call| shown(call, show::over_lines, true),
        "Print `x` as `prn` does, over several lines where it is long." "(pprint {:a 1})" => "nil";
    "printf" "[fmt & args]" deep uses(Uses::Shows)
        effect = |call| formatted(call).and_then(|text| printed(call, &text, false)),
        "Print what `format` gives, without ending the line." r#"(printf "%d%n" 1)"# => "nil";
    "newline" "[]" deep effect = |call| printed(call, "\n", false),
        "Print a line break." "(newline)" => "nil";
    "tap>" "[x]" deep uses(Uses::Shows) effect = |call| shown(call, show::readable, true).map(|_| Value::Bool(true)),
        "Print `x` as `prn` does; gives true." "(tap> {:a 1})" => "true";
    "print-str" "[& xs]" deep uses(Uses::Shows) = |call| line(call, show::printed).map(Value::string),
        "The text that `print` prints." r#"(print-str "a" :b)"# => r#""a :b""#;
    "println-str" "[& xs]" deep uses(Uses::Shows)
        = |call| line(call, show::printed).and_then(|text| ended(call, text)),
        "The text that `println` prints." r#"(println-str "a" 1)"# => r#""a 1\n""#;
    "pr-str" "[& xs]" deep uses(Uses::Shows) = |call| line(call, show::readable).map(Value::string),
        "The text that `pr` prints: what a program would write for the values."
        r#"(pr-str "a" [1 nil])"# => r#""\"a\" [1 nil]""#;
    "prn-str" "[& xs]" deep uses(Uses::Shows) = |call| line(call, show::readable).and_then(|text| ended(call, text)),
        "The text that `prn` prints." "(prn-str :a)" => r#"":a\n""#;
    "%out-push" "[]" deep effect = capture,
        "Begin to collect what is printed: `with-out-str`.";
    "%clock" "[]" shallow effect = |call| Ok(Value::Int(call.cx.clock.now_micros())),
        "Microseconds since 1970: `time`.";
    "%elapsed" "[started value]" lazy effect = elapsed,
        "The value; prints the time since `started`.";
    "%out-pop" "[]" deep effect = |call| Ok(call.cx.local.captures.pop().map_or(Value::Nil, Value::string)),
        "End the innermost collection and give its text.";
    "%out-drop" "[depth]" deep effect = drop_to,
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
    let most = chars_left(cx);
    let (kept, chars) = first_chars(text, most, &mut cx.meter)?;
    let missing =
        if kept.len() < text.len() { count_chars(text.get(kept.len()..).unwrap_or_default(), cx)? } else { 0 };
    cx.meter.allocate(32)?;
    let mut line = std::mem::take(&mut cx.local.open_line);
    let fits = push_text(&mut line, kept, &mut cx.meter);
    cx.local.open_line = line;
    fits?;
    cx.local.open_chars = cx.local.open_chars.saturating_add(chars);
    cx.local.open_missing += missing;
    if newline {
        end_line(cx);
    }
    Ok(())
}

/// The characters that the open line may still get: one more than it keeps, which shows that it was cut.
fn chars_left(cx: &Context) -> usize {
    cx.meter.limits().print_chars.saturating_add(1).saturating_sub(cx.local.open_chars)
}

fn count_chars(text: &str, cx: &mut Context) -> Fallible<usize> {
    let (mut rest, mut chars) = (text, 0);
    while let Some(piece) = next_piece(&mut rest, &mut cx.meter)? {
        // Bounded: a piece of a text.
        chars += piece.chars().count();
    }
    Ok(chars)
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
    let lines = cx.meter.limits().prints;
    cx.local.left.keep_newest(lines);
    match std::mem::take(&mut cx.local.left.dropped) {
        0 => {}
        1 => cx.local.left.print_first("(1 earlier line is not kept)".to_owned()),
        dropped => cx.local.left.print_first(format!("({dropped} earlier lines are not kept)")),
    }
}

/// Add lines that a branch printed and paid for, as if they were printed now; `missing` are the characters that they
/// lack.
pub(crate) fn append(cx: &mut Context, lines: Vec<String>, missing: &[usize]) {
    for (line, missing) in lines.into_iter().zip(missing) {
        if let Some(capture) = cx.local.captures.last_mut() {
            // Bounded: the branch paid for the line.
            capture.extend([line.as_str(), "\n"]);
        } else if cx.local.open_line.is_empty() {
            // It was cut before.
            keep_line(cx, line, *missing);
        } else {
            // Bounded: the branch paid for the line.
            cx.local.open_line.push_str(&line);
            cx.local.open_missing += missing;
            end_line(cx);
        }
    }
}

fn end_line(cx: &mut Context) {
    let chars = cx.meter.limits().print_chars;
    let mut line = std::mem::take(&mut cx.local.open_line);
    let mut missing = std::mem::take(&mut cx.local.open_missing);
    cx.local.open_chars = 0;
    let over = line.char_indices().nth(chars).map(|(at, _)| at);
    if let Some(at) = over.filter(|at| line.get(*at..) != Some(MARK)) {
        // Bounded: by what is kept of an open line.
        missing += line.get(at..).map_or(0, |rest| rest.chars().count());
        line.truncate(at);
        // Bounded: the mark of a cut.
        line.push_str(MARK);
    }
    keep_line(cx, line, missing);
}

fn keep_line(cx: &mut Context, line: String, missing: usize) {
    let lines = cx.meter.limits().prints;
    // Bounded: at most twice as many lines as are kept.
    cx.local.left.print(line, missing);
    // Dropping half at a time keeps the cost of many lines linear.
    if cx.local.left.prints.len() > lines.saturating_mul(2) {
        cx.local.left.keep_newest(lines);
    }
}

type Show = fn(&mut Context, &mut String, &Value) -> Res<()>;

/// The arguments as text, separated by blanks.
fn line(call: &mut Call<'_>, show: Show) -> Res<String> {
    Ok(line_and_ends(call, show)?.0)
}

/// The arguments as text, separated by blanks, and where each of them but the last ends.
fn line_and_ends(call: &mut Call<'_>, show: Show) -> Res<(String, Vec<usize>)> {
    let Call { args, cx, .. } = call;
    cx.meter.charge(args.len())?;
    let (mut text, mut ends) = (String::new(), Vec::new());
    for (index, value) in args.iter().enumerate() {
        if index > 0 {
            push(&mut ends, text.len(), &mut cx.meter)?;
            push_char(&mut text, ' ', &mut cx.meter)?;
        }
        show(cx, &mut text, value)?;
    }
    Ok((text, ends))
}

/// The text with a line end.
fn ended(call: &mut Call<'_>, mut text: String) -> Res {
    push_char(&mut text, '\n', call.meter())?;
    Ok(Value::string(text))
}

fn shown(call: &mut Call<'_>, show: Show, newline: bool) -> Res {
    let (text, ends) = line_and_ends(call, show)?;
    let most = chars_left(call.cx).saturating_sub(1);
    if text.len() <= most || most == 0 || !call.cx.local.captures.is_empty() {
        return printed(call, &text, newline);
    }
    call.charge(text.len() / 8)?;
    call.meter().allocate_briefly(2 * text.len())?;
    call.meter().look_ahead(Duration::from_nanos(8 * text.len() as u64))?;
    let shown = fitted_parts(&text, &ends, most);
    if shown.missing == 0 {
        return printed(call, &text, newline);
    }
    let mut line = std::mem::take(&mut call.cx.local.open_line);
    let fits = push_text(&mut line, &shown.text, &mut call.cx.meter);
    call.cx.local.open_line = line;
    fits?;
    // Nothing more fits into the line.
    call.cx.local.open_chars = usize::MAX;
    call.cx.local.open_missing += shown.missing;
    printed(call, "", newline)
}

/// The mark of a cut.
const MARK: &str = "...";

/// Fewest characters that each argument gets when a line is too long; with more arguments than that allows, the line is
/// cut at its end.
const LEAST: usize = 40;

/// A line in at most `most` characters; each of its parts, which end at `ends`, gets its share.
// Bounded: by the line, for which the caller announces memory and time.
fn fitted_parts(text: &str, ends: &[usize], most: usize) -> Fitted {
    let whole = || Fitted { text: text.to_owned(), missing: 0 };
    if ends.is_empty() || ends.len() >= most / LEAST {
        return fitted(text, most).unwrap_or_else(whole);
    }
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    let parts = starts.zip(ends.iter().copied().chain([text.len()]));
    let parts: Vec<&str> = parts.map(|(start, end)| text.get(start..end).unwrap_or_default()).collect();
    let room = most.saturating_sub(ends.len());
    let share = fair_share(parts.iter().map(|part| part.chars().count()), room);
    if share >= room {
        return whole();
    }
    let mut missing = 0;
    let shown: Vec<String> = parts
        .iter()
        // The mark of a cut belongs to the share.
        .map(|part| match fitted(part, share).and_then(|_| fitted(part, share.saturating_sub(3))) {
            Some(fitted) => {
                missing += fitted.missing;
                fitted.text
            }
            None => (*part).to_owned(),
        })
        .collect();
    Fitted { text: shown.join(" "), missing }
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
