//! How times and arguments of calls are written for people who watch.

#[cfg(test)]
mod tests;

use std::time::Duration;

use ptc_runner::lisp::Value;

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
