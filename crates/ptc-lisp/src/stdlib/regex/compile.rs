//! Compiling patterns, within limits; a session keeps some, because programs often pass patterns as text.

use std::borrow::Cow;
use std::sync::Arc;

use super::check::{last_line, why_wrong};
use crate::error::{Res, Signal, argument_error};
use crate::eval::context::Context;
use crate::stdlib::Call;
use crate::value::{Pattern, Value};

/// The most bytes of a pattern.
const LONGEST: usize = 4_096;
/// Compiled patterns kept per session.
const KEPT: usize = 64;

/// Whether `value` is a compiled pattern.
pub(in crate::stdlib) fn is_pattern(value: &Value) -> bool {
    matches!(value, Value::Regex(_))
}

/// Argument `index` as a pattern; a string is compiled.
pub(in crate::stdlib) fn pattern(call: &mut Call<'_>, index: usize) -> Res<Arc<Pattern>> {
    let Call { args, cx, .. } = &mut *call;
    match args.get(index) {
        Some(Value::Regex(regex)) => Ok(regex.clone()),
        Some(Value::Str(text)) => cached(text, cx),
        _ => Err(call.wrong("a regex", call.arg(index))),
    }
}

/// Argument 0 as a pattern that matches only a whole text.
pub(super) fn whole(call: &mut Call<'_>) -> Res<Arc<Pattern>> {
    let part = pattern(call, 0)?;
    if let Some(whole) = part.whole() {
        charge(whole.as_str(), call.cx)?;
        return Ok(whole.clone());
    }
    // A comment at the end of a pattern in `x` mode would swallow the bracket.
    let whole = match compiled(&format!(r"\A(?:{part})\z"), call.cx) {
        Ok(whole) => whole,
        Err(_) => compiled(&format!("\\A(?:{part}\n)\\z"), call.cx)?,
    };
    part.keep_whole(whole.clone());
    Ok(whole)
}

/// Errors with `argument_error` when `text` is too long for a pattern.
pub(super) fn check_length(text: &str) -> Res<()> {
    too_long(text).map_or(Ok(()), |why| Err(argument_error(format!("invalid regex: {why}"))))
}

/// The error for a pattern that is too long.
pub(super) fn too_long(text: &str) -> Option<String> {
    (text.len() > LONGEST).then(|| format!("{} bytes long, at most {LONGEST} are allowed", text.len()))
}

/// Charge the same for a known pattern, so that fuel does not depend on what ran before.
fn charge(text: &str, cx: &mut Context) -> Res<()> {
    Ok(cx.meter.charge(8 + text.len() / 4)?)
}

fn compiled(text: &str, cx: &mut Context) -> Res<Arc<Pattern>> {
    charge(text, cx)?;
    cx.meter.allocate_briefly(Pattern::BRIEFLY)?;
    let regex = Arc::new(Pattern::within(&translated(text), &mut cx.meter)?.map_err(|error| refused(&error, text))?);
    cx.meter.allocate(regex.bytes())?;
    Ok(regex)
}

/// Compile `text`.
///
/// Errors with `argument_error` when it is too long, invalid, or needs a backtracking engine.
fn cached(text: &str, cx: &mut Context) -> Res<Arc<Pattern>> {
    check_length(text)?;
    if let Some(regex) = cx.patterns.get(text).cloned() {
        charge(text, cx)?;
        return Ok(regex);
    }
    let regex = compiled(text, cx)?;
    // Kept patterns count as live: they may not take much of the memory.
    let kept: usize = cx.patterns.values().map(|known| known.bytes()).sum();
    let most = usize::try_from(cx.meter.limits().memory / 16).unwrap_or(usize::MAX);
    if regex.bytes() > most {
        return Ok(regex);
    }
    if cx.patterns.len() >= KEPT || kept + regex.bytes() > most {
        cx.patterns.clear();
    }
    cx.patterns.insert(text.to_owned(), regex.clone());
    Ok(regex)
}

/// Java's own syntax, translated for this engine: names of ASCII classes (`\\p{Punct}`), quoted text (`\\Q…\\E`),
/// blanks on a line (`\\h`) and line ends (`\\R`).
// Bounded: by the length of a pattern, which is checked before.
pub(super) fn translated(text: &str) -> Cow<'_, str> {
    const CLASSES: [&str; 12] =
        ["Punct", "Alpha", "Digit", "Alnum", "Upper", "Lower", "Space", "Blank", "XDigit", "Graph", "Print", "ASCII"];
    const ESCAPES: [(&str, &str); 3] =
        [(r"\h", r"[\t\p{Zs}]"), (r"\H", r"[^\t\p{Zs}]"), (r"\R", r"(?:\r\n|[\n\x0B\x0C\r\x{85}\x{2028}\x{2029}])")];
    if ![r"\p{", r"\P{", r"\Q", r"\h", r"\H", r"\R"].iter().any(|escape| text.contains(escape)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        if let Some(quoted) = escape.strip_prefix(r"\Q") {
            let (literal, after) = quoted.split_once(r"\E").unwrap_or((quoted, ""));
            out.push_str(&regex::escape(literal));
            rest = after;
            continue;
        }
        let negation = [(r"\p{", ""), (r"\P{", "^")];
        let class = negation.iter().find_map(|(start, not)| {
            let (java, after) = escape.strip_prefix(start)?.split_once('}')?;
            CLASSES.contains(&java).then(|| (format!("[{not}[:{}:]]", java.to_lowercase()), after))
        });
        let found = class
            .or_else(|| ESCAPES.iter().find_map(|(java, ours)| Some(((*ours).to_owned(), escape.strip_prefix(java)?))));
        match found {
            Some((ours, after)) => {
                out.push_str(&ours);
                rest = after;
            }
            None => {
                let length = 1 + escape.chars().nth(1).map_or(0, char::len_utf8);
                let (pair, after) = escape.split_at(length);
                out.push_str(pair);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn refused(error: &regex::Error, text: &str) -> Box<Signal> {
    let why = match error {
        regex::Error::CompiledTooBig(_) => "it repeats too much; lower the counts in {}".to_owned(),
        other => why_wrong(text).unwrap_or_else(|| last_line(&other.to_string())),
    };
    argument_error(format!("invalid regex: {why}"))
}
