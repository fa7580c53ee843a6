//! Printing, and the same texts as strings.

use crate::error::Res;
use crate::eval::context::Context;
use crate::stdlib::text::format::formatted;
use crate::stdlib::{Builtin, Call, Family, Force, Run, show};
use crate::value::{Value, room_for_text};

#[cfg(test)]
mod tests;

/// Arguments are shown with all that is in them.
const DEEP: Builtin = Builtin { force: Force::Deep, ..Builtin::ROW };

pub(crate) const FAMILY: Family = Family {
    title: "Output",
    rows: &[
        Builtin {
            name: "println",
            params: &["[& xs]"],
            doc: "Print `xs` with blanks between and end the line; strings as they are.",
            examples: &[(r#"(println "n =" 3 [:a "b"])"#, "nil")],
            run: Run::Plain(println),
            ..DEEP
        },
        Builtin {
            name: "print",
            params: &["[& xs]"],
            doc: "The same as `println` without ending the line.",
            examples: &[(r#"(print "a")"#, "nil")],
            run: Run::Plain(print),
            ..DEEP
        },
        Builtin {
            name: "prn",
            params: &["[& xs]"],
            doc: "Print `xs` as a program would write them and end the line: strings in quotes.",
            examples: &[(r#"(prn "a" :b)"#, "nil")],
            run: Run::Plain(prn),
            ..DEEP
        },
        Builtin {
            name: "pr",
            params: &["[& xs]"],
            doc: "The same as `prn` without ending the line.",
            examples: &[(r#"(pr "a")"#, "nil")],
            run: Run::Plain(pr),
            ..DEEP
        },
        Builtin {
            name: "printf",
            params: &["[fmt & args]"],
            doc: "Print what `format` gives, without ending the line.",
            examples: &[(r#"(printf "%d%n" 1)"#, "nil")],
            run: Run::Plain(printf),
            ..DEEP
        },
        Builtin {
            name: "newline",
            params: &["[]"],
            doc: "Print a line break.",
            examples: &[("(newline)", "nil")],
            run: Run::Plain(newline),
            ..DEEP
        },
        Builtin {
            name: "tap>",
            params: &["[x]"],
            doc: "Print `x` as `prn` does; gives true.",
            examples: &[("(tap> {:a 1})", "true")],
            run: Run::Plain(tap),
            ..DEEP
        },
        Builtin {
            name: "print-str",
            params: &["[& xs]"],
            doc: "The text that `print` prints.",
            examples: &[(r#"(print-str "a" :b)"#, r#""a :b""#)],
            run: Run::Plain(print_str),
            ..DEEP
        },
        Builtin {
            name: "println-str",
            params: &["[& xs]"],
            doc: "The text that `println` prints.",
            examples: &[(r#"(println-str "a" 1)"#, r#""a 1\n""#)],
            run: Run::Plain(println_str),
            ..DEEP
        },
        Builtin {
            name: "pr-str",
            params: &["[& xs]"],
            doc: "The text that `pr` prints: what a program would write for the values.",
            examples: &[(r#"(pr-str "a" [1 nil])"#, r#""\"a\" [1 nil]""#)],
            run: Run::Plain(pr_str),
            ..DEEP
        },
        Builtin {
            name: "prn-str",
            params: &["[& xs]"],
            doc: "The text that `prn` prints.",
            examples: &[("(prn-str :a)", r#"":a\n""#)],
            run: Run::Plain(prn_str),
            ..DEEP
        },
        Builtin {
            name: "%out-push",
            params: &["[]"],
            doc: "Begin to collect what is printed: `with-out-str`.",
            run: Run::Plain(push),
            ..DEEP
        },
        Builtin {
            name: "%clock",
            params: &["[]"],
            doc: "Microseconds since 1970: `time`.",
            run: Run::Plain(clock),
            ..Builtin::ROW
        },
        Builtin {
            name: "%elapsed",
            params: &["[started value]"],
            doc: "The value; prints the time since `started`.",
            force: Force::Lazy,
            run: Run::Plain(elapsed),
            ..Builtin::ROW
        },
        Builtin {
            name: "%out-pop",
            params: &["[]"],
            doc: "End the innermost collection and give its text.",
            run: Run::Plain(pop),
            ..DEEP
        },
        Builtin {
            name: "%out-drop",
            params: &["[depth]"],
            doc: "Forget the collections that an error left open.",
            run: Run::Plain(drop_to),
            ..DEEP
        },
    ],
};

/// Print `text`, then a line end if `newline`; into the innermost `with-out-str` when one is running.
///
/// A line keeps `Limits::print_chars` characters and `...`; of the lines the last `Limits::prints` are kept
/// (up to twice as many until [`close`]). Charges the memory that is kept.
pub(crate) fn emit(cx: &mut Context, text: &str, newline: bool) -> Res<()> {
    if let Some(mut capture) = cx.captures.pop() {
        let fits = room_for_text(&mut capture, text.len() + 1, &mut cx.meter);
        if fits.is_ok() {
            capture.push_str(text);
            if newline {
                capture.push('\n');
            }
        }
        cx.captures.push(capture);
        return fits;
    }
    // One character more than is kept shows that the line was cut.
    let room = cx.meter.limits().print_chars.saturating_add(1).saturating_sub(cx.open_line.chars().count());
    let end = text.char_indices().nth(room).map_or(text.len(), |(at, _)| at);
    let kept = text.get(..end).unwrap_or(text);
    cx.meter.allocate(32)?;
    let mut line = std::mem::take(&mut cx.open_line);
    let fits = room_for_text(&mut line, kept.len(), &mut cx.meter);
    if fits.is_ok() {
        line.push_str(kept);
    }
    cx.open_line = line;
    fits?;
    if newline {
        end_line(cx);
    }
    Ok(())
}

/// End an open line and keep only the last lines: what a finished run shows.
pub(crate) fn close(cx: &mut Context) {
    if !cx.open_line.is_empty() {
        end_line(cx);
    }
    let surplus = cx.prints.len().saturating_sub(cx.meter.limits().prints);
    cx.prints.drain(..surplus);
}

/// Lines that a branch printed and paid for, as if they were printed now.
pub(crate) fn append(cx: &mut Context, lines: Vec<String>) {
    for line in lines {
        match cx.captures.last_mut() {
            Some(capture) => {
                capture.push_str(&line);
                capture.push('\n');
            }
            None => {
                cx.open_line.push_str(&line);
                end_line(cx);
            }
        }
    }
}

fn end_line(cx: &mut Context) {
    let (chars, lines) = (cx.meter.limits().print_chars, cx.meter.limits().prints);
    let mut line = std::mem::take(&mut cx.open_line);
    if let Some((at, _)) = line.char_indices().nth(chars) {
        line.truncate(at);
        line.push_str("...");
    }
    cx.prints.push(line);
    // Dropping half at a time keeps a flood of lines linear.
    if cx.prints.len() > lines.saturating_mul(2) {
        let surplus = cx.prints.len() - lines;
        cx.prints.drain(..surplus);
    }
}

type Show = fn(&mut Context, &mut String, &Value) -> Res<()>;

/// The arguments as text with blanks between.
fn line(call: &mut Call<'_>, show: Show) -> Res<String> {
    let Call { args, cx, .. } = call;
    cx.meter.charge(args.len())?;
    let mut text = String::new();
    for (index, value) in args.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        show(cx, &mut text, value)?;
    }
    Ok(text)
}

fn shown(call: &mut Call<'_>, show: Show, newline: bool) -> Res {
    let text = line(call, show)?;
    emit(call.cx, &text, newline)?;
    Ok(Value::Nil)
}

fn println(call: &mut Call<'_>) -> Res {
    shown(call, show::printed, true)
}

fn print(call: &mut Call<'_>) -> Res {
    shown(call, show::printed, false)
}

fn prn(call: &mut Call<'_>) -> Res {
    shown(call, show::readable, true)
}

fn pr(call: &mut Call<'_>) -> Res {
    shown(call, show::readable, false)
}

fn printf(call: &mut Call<'_>) -> Res {
    let text = formatted(call)?;
    emit(call.cx, &text, false)?;
    Ok(Value::Nil)
}

fn newline(call: &mut Call<'_>) -> Res {
    emit(call.cx, "\n", false)?;
    Ok(Value::Nil)
}

fn tap(call: &mut Call<'_>) -> Res {
    shown(call, show::readable, true)?;
    Ok(Value::Bool(true))
}

fn print_str(call: &mut Call<'_>) -> Res {
    line(call, show::printed).map(Value::string)
}

fn println_str(call: &mut Call<'_>) -> Res {
    line(call, show::printed).map(|text| Value::string(text + "\n"))
}

fn pr_str(call: &mut Call<'_>) -> Res {
    line(call, show::readable).map(Value::string)
}

fn prn_str(call: &mut Call<'_>) -> Res {
    line(call, show::readable).map(|text| Value::string(text + "\n"))
}

fn clock(call: &mut Call<'_>) -> Res {
    Ok(Value::Int(call.cx.clock.now_micros()))
}

fn elapsed(call: &mut Call<'_>) -> Res {
    let micros = call.cx.clock.now_micros().saturating_sub(call.int(0)?).max(0);
    let text = format!("\"Elapsed time: {:?} msecs\"", micros as f64 / 1_000.0);
    emit(call.cx, &text, true)?;
    Ok(call.take(1))
}

fn push(call: &mut Call<'_>) -> Res {
    let depth = Value::from(call.cx.captures.len());
    call.cx.captures.push(String::new());
    Ok(depth)
}

fn drop_to(call: &mut Call<'_>) -> Res {
    let depth = usize::try_from(call.int(0)?).unwrap_or(0);
    call.cx.captures.truncate(depth);
    Ok(Value::Nil)
}

fn pop(call: &mut Call<'_>) -> Res {
    Ok(call.cx.captures.pop().map_or(Value::Nil, Value::string))
}
