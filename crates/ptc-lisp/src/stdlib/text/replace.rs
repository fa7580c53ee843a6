//! Replacing text with text. The prelude calls functions as replacements, and asks here for the spans of the matches.

use super::literal::each_match;
use crate::error::Res;
use crate::index::addressable;
use crate::limits::meter::Meter;
use crate::stdlib::Call;
use crate::stdlib::call::{Begin, TEXT, is_lazy};
use crate::stdlib::known::known;
use crate::stdlib::predicate::is_callable;
use crate::stdlib::regex::{Matches, is_pattern, pattern};
use crate::value::{Text, Value, push, push_text, text_for};

/// `replace`: of text, or of the elements of a collection.
pub(super) fn start_all(call: &mut Call<'_>) -> Res<Begin> {
    match call.len() {
        1 => Ok(Begin::Delegate("%replace-xf")),
        2 if is_lazy(call, 1) => Ok(Begin::Delegate("%lazy-replace")),
        2 => Ok(Begin::Invoke(Value::Builtin(known().inner_replace), call.taken(0)?)),
        _ if replaces(call.arg(2)) => Ok(Begin::Delegate("%replace-with")),
        _ => replaced(call, usize::MAX).map(Begin::Value),
    }
}

/// `replace-first`
pub(super) fn start_first(call: &mut Call<'_>) -> Res<Begin> {
    if replaces(call.arg(2)) { Ok(Begin::Delegate("%replace-first-with")) } else { replaced(call, 1).map(Begin::Value) }
}

/// Whether a value is a function that returns the new text of each match.
fn replaces(value: &Value) -> bool {
    is_callable(value) && !matches!(value, Value::Var(_) | Value::Vector(_))
}

fn replaced(call: &mut Call<'_>, most: usize) -> Res {
    let text = call.text(0)?;
    let new = call.text_of(2, "a string or function as replacement")?;
    if is_pattern(call.arg(1)) {
        return by_pattern(call, &text, &new, most);
    }
    let old = call.text_of(1, "a string or regex to replace")?;
    literal(call, &text, &old, &new, most)
}

/// Replace up to `most` occurrences of `old`; the size of the result is announced before it is built.
pub(in crate::stdlib) fn literal(call: &mut Call<'_>, text: &Text, old: &str, new: &str, most: usize) -> Res {
    call.charge(text.len() / 8)?;
    let count = each_match(text, old, most, call.meter(), |_, _| Ok(()))?;
    if count == 0 {
        return Ok(Value::Str(text.clone()));
    }
    let grown = count.saturating_mul(new.len()).saturating_add(text.len());
    call.charge(count + grown / 16)?;
    call.allocate(TEXT)?;
    let mut out = text_for(grown - count * old.len(), call.meter())?;
    let mut start = 0;
    each_match(text, old, count, call.meter(), |at, meter| {
        push_text(&mut out, text.get(start..at).unwrap_or_default(), meter)?;
        push_text(&mut out, new, meter)?;
        start = at + old.len();
        Ok(())
    })?;
    push_text(&mut out, text.get(start..).unwrap_or_default(), call.meter())?;
    Ok(Value::string(out))
}

fn by_pattern(call: &mut Call<'_>, text: &Text, new: &str, most: usize) -> Res {
    let regex = pattern(call, 1)?;
    let template = Template::read(call, new, &regex)?;
    call.charge(text.len() / 8)?;
    let mut out = String::new();
    let mut matches = Matches::new(&regex, text);
    let (mut start, mut done) = (0, 0);
    while done < most {
        let Some((from, to)) = matches.next_groups(call)? else { break };
        let between = text.get(start..from).unwrap_or_default();
        push_text(&mut out, between, call.meter())?;
        for part in &template.parts {
            match part {
                Part::Text(piece) => push_text(&mut out, piece, call.meter())?,
                Part::Group(index) => push_text(&mut out, matches.group(*index).unwrap_or_default(), call.meter())?,
            }
        }
        (start, done) = (to, done + 1);
    }
    if done == 0 {
        return Ok(Value::Str(text.clone()));
    }
    let rest = text.get(start..).unwrap_or_default();
    push_text(&mut out, rest, call.meter())?;
    call.allocate(TEXT)?;
    Ok(Value::string(out))
}

/// A replacement with its groups found: `$1`, `${name}`, `\$`.
struct Template {
    parts: Vec<Part>,
}

enum Part {
    Text(String),
    Group(usize),
}

impl Template {
    fn read(call: &mut Call<'_>, new: &str, regex: &regex::Regex) -> Res<Template> {
        let mut template = Template { parts: Vec::new() };
        let mut rest = new;
        while let Some(at) = rest.find(['\\', '$']) {
            let (plain, mark) = rest.split_at(at);
            template.text(plain, call.meter())?;
            rest = match mark.strip_prefix('\\') {
                Some(escaped) => {
                    let flaw = "the replacement ends in a single \\; write \\\\ for a backslash";
                    let c = escaped.chars().next().ok_or_else(|| call.invalid(flaw))?;
                    let (taken, after) = escaped.split_at(c.len_utf8());
                    template.text(taken, call.meter())?;
                    after
                }
                None => template.group(call, mark.strip_prefix('$').unwrap_or(mark), regex)?,
            };
        }
        template.text(rest, call.meter())?;
        Ok(template)
    }

    fn text(&mut self, plain: &str, meter: &mut Meter) -> Res<()> {
        match self.parts.last_mut() {
            Some(Part::Text(text)) => push_text(text, plain, meter)?,
            _ if plain.is_empty() => {}
            _ => {
                let mut text = String::new();
                push_text(&mut text, plain, meter)?;
                push(&mut self.parts, Part::Text(text), meter)?;
            }
        }
        Ok(())
    }

    /// Read a group after `$`: as many digits as name a group, or `{name}`. Returns what follows.
    fn group<'t>(&mut self, call: &mut Call<'_>, rest: &'t str, regex: &regex::Regex) -> Res<&'t str> {
        if let Some((group, after)) = rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            let index = regex.capture_names().position(|known| known == Some(group));
            let index = index.ok_or_else(|| call.invalid(format_args!("the pattern has no group named {group}")))?;
            push(&mut self.parts, Part::Group(index), call.meter())?;
            return Ok(after);
        }
        let groups = regex.captures_len();
        let digits = rest.bytes().take(4).take_while(u8::is_ascii_digit).count();
        let number = |length: &usize| rest.get(..*length).and_then(|digits| digits.parse::<usize>().ok());
        let fitting = (2..=digits).rev().find(|length| number(length).is_some_and(|index| index < groups));
        let length = fitting.unwrap_or(1);
        match number(&length) {
            Some(index) if index < groups => {
                push(&mut self.parts, Part::Group(index), call.meter())?;
                Ok(rest.get(length..).unwrap_or_default())
            }
            Some(index) => Err(call.invalid(format_args!("the pattern has no group {index}; it has {}", groups - 1))),
            None => Err(call.invalid("$ in a replacement names a group ($1, ${name}); write \\$ for a dollar sign")),
        }
    }
}

pub(super) fn spans(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    let most = if call.len() == 3 { addressable(call.int(2)?) } else { usize::MAX };
    let (mut found, mut place) = (Vec::new(), Place::default());
    let mut add = |call: &mut Call<'_>, from: usize, to: usize, value: Value| {
        let span = call.vector(vec![place.reach(&text, from), place.reach(&text, to), value])?;
        call.push(&mut found, span)
    };
    if let Value::Str(old) = call.arg(1).clone() {
        call.charge(text.len() / 8)?;
        let mut places = Vec::new();
        each_match(&text, &old, most, call.meter(), |at, meter| {
            meter.charge(1)?;
            Ok(push(&mut places, at, meter)?)
        })?;
        for from in places {
            add(call, from, from + old.len(), Value::Str(old.clone()))?;
        }
        return call.paid_vector(found);
    }
    let regex = pattern(call, 1)?;
    call.charge(text.len() / 8)?;
    let (mut matches, mut left) = (Matches::new(&regex, &text), most);
    while left > 0
        && let Some((from, to)) = matches.next_groups(call)?
    {
        let value = matches.value(call)?;
        add(call, from, to, value)?;
        left -= 1;
    }
    call.paid_vector(found)
}

/// Turns rising byte offsets into character positions in one pass over the text.
#[derive(Default)]
struct Place {
    byte: usize,
    char: usize,
}

impl Place {
    fn reach(&mut self, text: &Text, byte: usize) -> Value {
        self.char += if text.is_ascii() {
            byte - self.byte
        } else {
            // Bounded: between two matches, and the search between them looked at the clock.
            text.get(self.byte..byte).map_or(0, |passed| passed.chars().count())
        };
        self.byte = byte;
        Value::from(self.char)
    }
}
