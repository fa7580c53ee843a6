//! JSON text and values.

use crate::error::{Res, type_error};
use crate::limits::meter::Meter;
use crate::limits::pace::next_piece;
use crate::limits::release::Unfinished;
use crate::stdlib::text::{next_line, trim_start};
use crate::stdlib::{Call, Family, rows};
use crate::value::{Import, MAX_NESTING, Value, write_json};

#[cfg(test)]
mod tests;

/// Strings or blanks longer than this many bytes make JSON be read in pieces.
const LONG_TOKEN: usize = 2 << 20;
/// A piece of text with fewer marks is usually inside something long.
const FEW_MARKS: usize = 16;

pub(crate) const FAMILY: Family = rows! {
    "JSON";
    "json/parse-string" "[s]" "[s keywords]" lazy = parse_string,
        "The value of a JSON text, nil when it is not JSON; keys that can be keywords become keywords anyway, so \
         `keywords` changes nothing."
        r#"(json/parse-string "{\"a\": [1, null]}")"# => "{:a [1 nil]}", r#"(json/parse-string "{")"# => "nil";
    "json/parse-lines" "[s]" lazy = parse_lines,
        "A vector with the value of each line that is not blank, nil for a line that is not JSON."
        r#"(json/parse-lines "1\n{\"a\":2}\n")"# => "[1 {:a 2}]";
    "json/generate-string" "[v]" deep uses(Uses::Shows) = generate_string,
        "The JSON text of a value; keywords become strings without their colon, special floats null."
        r#"(json/generate-string {:a [1 nil "x"]})"# => r#""{\"a\":[1,null,\"x\"]}""#;
};

fn parse_string(call: &mut Call<'_>) -> Res {
    let Value::Str(text) = call.arg(0).clone() else { return Ok(Value::Nil) };
    parsed(call, &text)
}

fn parse_lines(call: &mut Call<'_>) -> Res {
    let Value::Str(text) = call.arg(0).clone() else { return Ok(Value::Nil) };
    call.charge(text.len() / 8)?;
    let mut values = Unfinished::default();
    let mut rest = Some(text.as_str());
    while let Some(line) = next_line(&mut rest, call.meter())? {
        call.tick()?;
        if trim_start(line, call.meter())?.is_empty() {
            continue;
        }
        let value = parsed(call, line)?;
        call.push(&mut values, value)?;
    }
    call.paid_vector(values.finish())
}

/// The marks in the text give the memory of the value, which is announced before the value is built.
fn parsed(call: &mut Call<'_>, text: &str) -> Res {
    let (mut marks, mut rest) = (0, text);
    let (mut plain, mut most_plain) = (0, 0);
    while let Some(piece) = next_piece(&mut rest, call.meter())? {
        let here = piece.bytes().filter(|byte| matches!(byte, b',' | b':' | b'{' | b'[')).count();
        plain = if here < FEW_MARKS { plain + piece.len() } else { 0 };
        most_plain = plain.max(most_plain);
        marks += here;
    }
    call.charge(1 + marks + text.len() / 8)?;
    call.allocate(marks.saturating_mul(64).saturating_add(text.len()))?;
    // Where this much text has so few marks, there are long strings or blanks, which the fast reader reads in one go.
    let long_tokens = most_plain > LONG_TOKEN;
    if long_tokens {
        call.meter().allocate_briefly(2 * most_plain)?;
    }
    Ok(Import::within(call.meter(), text, long_tokens)?.unwrap_or_default())
}

fn generate_string(call: &mut Call<'_>) -> Res {
    let Call { name, args, cx } = call;
    let [value] = &**args else { return Ok(Value::Nil) };
    refuse_functions(name, value, &mut cx.meter, 0)?;
    cx.with_cells(|cells, meter| write_json(value, cells, meter)).map(Value::string)
}

/// Data that leaves the program may hold functions by mistake; a program that writes JSON itself gets an error.
fn refuse_functions(name: &str, value: &Value, meter: &mut Meter, depth: usize) -> Res<()> {
    meter.charge(1)?;
    // Deeper levels make writing fail anyway.
    if depth > MAX_NESTING {
        return Ok(());
    }
    match value {
        Value::Function(_) | Value::Builtin(_) | Value::Tool(_) => {
            Err(type_error(format!("{name}: expected data, got a function")))
        }
        Value::Vector(items) => items.iter().try_for_each(|item| refuse_functions(name, item, meter, depth + 1)),
        Value::Set(items) => items.iter().try_for_each(|item| refuse_functions(name, item, meter, depth + 1)),
        Value::Map(map) => map.iter().try_for_each(|(_, item)| refuse_functions(name, item, meter, depth + 1)),
        _ => Ok(()),
    }
}
