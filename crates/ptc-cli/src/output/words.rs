//! How times, arguments of calls and words of proposed commands are written for people.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::time::Duration;

use ptc_runner::lisp::{Value, escaped};

/// `0.3 ms`, `80 ms`, `1.2 s`, `2 min 5 s`
pub(crate) fn duration(time: Duration) -> String {
    match (time.as_secs(), time.as_millis()) {
        (0, ms @ 0..10) => format!("{ms}.{} ms", time.as_micros() % 1_000 / 100),
        (0, ms) => format!("{ms} ms"),
        (seconds @ 1..60, _) => format!("{seconds}.{} s", time.subsec_millis() / 100),
        (seconds, _) => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// Arguments as programs write them: `{:nights 2}`.
pub(crate) fn named(args: &Value) -> Value {
    let Some(map) = args.as_map() else { return args.clone() };
    let keyword = |key: &Value| key.as_str().map_or_else(|| key.clone(), Value::keyword);
    Value::map_from(map.iter().map(|(key, value)| (keyword(key), value.clone())))
}

/// The text as one word of a shell. Unprintable characters are written as bash and zsh read them: `$'a\nb'`.
pub(crate) fn shell(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,@+%#".contains(c);
    if !text.is_empty() && !text.starts_with('#') && text.chars().all(is_plain) {
        return text.to_owned();
    }
    if escaped(text) == text {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let mut word = String::from("$'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => word.extend(['\\', c]),
            '\n' => word.push_str("\\n"),
            c if escaped(c.encode_utf8(&mut [0; 4])) != *c.encode_utf8(&mut [0; 4]) => {
                // Writing to a string cannot fail.
                let _ = write!(word, "\\U{:08x}", u32::from(c));
            }
            c => word.push(c),
        }
    }
    word + "'"
}
