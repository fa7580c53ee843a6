//! Passes over one text: case, order, blanks at the ends. A long text is handled in pieces, with a look at the clock
//! between them.

use crate::error::Res;
use crate::limits::meter::Meter;
use crate::limits::pace::{STRETCH, last_piece, next_piece};
use crate::stdlib::call::TEXT;
use crate::stdlib::{Call, show};
use crate::value::{Value, push_char, push_text, text_for};

/// Appends a changed text.
pub(in crate::stdlib) type Change = fn(&mut String, &str, &mut Meter) -> Res<()>;

/// The part of argument 0 that `cut` keeps.
pub(in crate::stdlib) fn trimmed(call: &mut Call<'_>, cut: for<'t> fn(&'t str, &mut Meter) -> Res<&'t str>) -> Res {
    let text = call.text(0)?;
    let piece = cut(&text, call.meter())?;
    if piece.len() == text.len() { Ok(call.take(0)) } else { super::piece_of(call, piece) }
}

/// `text` without blanks at both ends.
pub(in crate::stdlib) fn trim_both<'t>(text: &'t str, meter: &mut Meter) -> Res<&'t str> {
    let piece = trim_start(text, meter)?;
    trim_end(piece, char::is_whitespace, meter)
}

/// `text` without blanks at its start.
pub(in crate::stdlib) fn trim_start<'t>(text: &'t str, meter: &mut Meter) -> Res<&'t str> {
    let mut rest = text;
    while let Some(piece) = next_piece(&mut rest, meter)? {
        let kept = piece.trim_start().len();
        if kept > 0 {
            return Ok(text.get(text.len() - rest.len() - kept..).unwrap_or_default());
        }
    }
    Ok("")
}

pub(super) fn trim_end<'t>(text: &'t str, is_blank: fn(char) -> bool, meter: &mut Meter) -> Res<&'t str> {
    let mut rest = text;
    while let Some(piece) = last_piece(&mut rest, meter)? {
        let kept = piece.trim_end_matches(is_blank).len();
        if kept > 0 {
            return Ok(text.get(..rest.len() + kept).unwrap_or_default());
        }
    }
    Ok("")
}

pub(super) fn blank(call: &mut Call<'_>) -> Res {
    match call.arg(0).clone() {
        Value::Nil => Ok(Value::Bool(true)),
        Value::Str(text) => Ok(Value::Bool(trim_start(&text, call.meter())?.is_empty())),
        other => Err(call.wrong("a string", &other)),
    }
}

/// Argument 0 in another case.
pub(in crate::stdlib) fn recased(call: &mut Call<'_>, change: Change) -> Res {
    rewritten(call, 4, change)
}

/// Argument 0 changed: a unit of fuel for every `bytes`.
pub(super) fn rewritten(call: &mut Call<'_>, bytes: usize, change: Change) -> Res {
    let text = call.text(0)?;
    call.charge(text.len() / bytes)?;
    call.allocate(TEXT)?;
    let mut out = text_for(text.len(), call.meter())?;
    change(&mut out, &text, call.meter())?;
    Ok(Value::string(out))
}

/// Append `text` with its first character in upper case, the rest in lower case.
pub(super) fn push_capitalized(out: &mut String, text: &str, meter: &mut Meter) -> Res<()> {
    let mut rest = text.chars();
    for c in rest.next().into_iter().flat_map(char::to_uppercase) {
        push_char(out, c, meter)?;
    }
    push_lower(out, rest.as_str(), meter)
}

/// Append each piece of `text` changed.
fn push_changed(out: &mut String, text: &str, meter: &mut Meter, change: impl Fn(&str) -> String) -> Res<()> {
    let mut rest = text;
    while let Some(piece) = next_piece(&mut rest, meter)? {
        push_text(out, &change(piece), meter)?;
    }
    Ok(())
}

/// Append `text` in upper case.
pub(in crate::stdlib) fn push_upper(out: &mut String, text: &str, meter: &mut Meter) -> Res<()> {
    push_changed(out, text, meter, str::to_uppercase)
}

/// Append `text` in lower case.
///
/// The form of a sigma depends on the letters around it. A text with a sigma is cut only before a blank or digit, which
/// separates the letters that matter; without any, it is one piece.
pub(in crate::stdlib) fn push_lower(out: &mut String, text: &str, meter: &mut Meter) -> Res<()> {
    let sigma = text.len() > STRETCH && super::literal::find(text, "Σ", meter)?.is_some();
    if !sigma {
        return push_changed(out, text, meter, str::to_lowercase);
    }
    let mut rest = text;
    while !rest.is_empty() {
        meter.look_at_clock()?;
        let (piece, after) = rest.split_at(border_of_words(rest));
        push_text(out, &piece.to_lowercase(), meter)?;
        rest = after;
    }
    Ok(())
}

/// A place to cut, after the first character and if possible within the first [`STRETCH`] bytes.
fn border_of_words(text: &str) -> usize {
    let ends_word = |c: char| c.is_ascii_whitespace() || c.is_ascii_digit();
    let (near, far) = text.split_at(text.floor_char_boundary(STRETCH));
    match near.rfind(ends_word) {
        _ if far.is_empty() => text.len(),
        Some(at) if at > 0 => at,
        _ => far.find(ends_word).map_or(text.len(), |at| near.len() + at),
    }
}

pub(super) fn push_reversed(out: &mut String, text: &str, meter: &mut Meter) -> Res<()> {
    let mut rest = text;
    while let Some(piece) = last_piece(&mut rest, meter)? {
        // Bounded: a piece of a text.
        push_text(out, &piece.chars().rev().collect::<String>(), meter)?;
    }
    Ok(())
}

pub(super) fn escape(call: &mut Call<'_>) -> Res {
    let (text, map) = (call.text(0)?, call.map(1)?);
    call.charge(text.chars())?;
    call.allocate(TEXT)?;
    let mut out = text_for(text.len(), call.meter())?;
    // The results for ASCII characters so far.
    let mut known: [Option<String>; 128] = [const { None }; 128];
    for c in text.as_str().chars() {
        call.tick()?;
        let place = known.get_mut(c as usize);
        if let Some(Some(new)) = &place {
            push_text(&mut out, new, call.meter())?;
            continue;
        }
        let mut new = String::new();
        match map.get(&Value::string(c), &mut call.cx.meter)? {
            None | Some(Value::Nil) => push_char(&mut new, c, call.meter())?,
            Some(found) => show::display(call.cx, &mut new, found)?,
        }
        push_text(&mut out, &new, call.meter())?;
        place.into_iter().for_each(|place| *place = Some(std::mem::take(&mut new)));
    }
    Ok(Value::string(out))
}

/// Append `text` with a backslash before each `\` and `$`.
pub(super) fn push_quoted(out: &mut String, text: &str, meter: &mut Meter) -> Res<()> {
    let escaped = |c| matches!(c, '\\' | '$').then_some('\\').into_iter().chain([c]);
    // Bounded: twice a piece of a text.
    push_changed(out, text, meter, |piece| piece.chars().flat_map(escaped).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{STRETCH, push_lower, push_upper, trim_both};
    use crate::limits::meter::Meter;

    /// Long texts whose pieces end anywhere between these characters.
    fn long() -> impl Strategy<Value = String> {
        ("[aΣß. 1é\u{301}\n]{1,12}", "[ aΣß1]{0,9}", STRETCH / 4..STRETCH)
            .prop_map(|(unit, end, times)| unit.repeat(times / unit.len() * 3) + &end)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn long_texts_change_as_short_ones_do(text in long()) {
            let mut meter = Meter::host();
            let (mut upper, mut lower) = (String::new(), String::new());
            push_upper(&mut upper, &text, &mut meter).unwrap();
            push_lower(&mut lower, &text, &mut meter).unwrap();
            prop_assert!(upper == text.to_uppercase());
            prop_assert!(lower == text.to_lowercase());
        }

        #[test]
        fn blanks_are_taken_from_long_texts(left in 0..3 * STRETCH, middle in "(a\u{2003}?b)?", right in 0..3 * STRETCH) {
            let text = "\u{2003}\n".repeat(left / 4) + &middle + &" ".repeat(right);
            prop_assert_eq!(trim_both(&text, &mut Meter::host()).unwrap(), middle);
        }
    }
}
