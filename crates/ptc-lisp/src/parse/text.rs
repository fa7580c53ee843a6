//! String, regex and character literals.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while_m_n};
use nom::character::complete::{anychar, char};
use nom::combinator::value;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::alphabet::{excerpt, is_name_char, run_of};

/// Why a quoted text is invalid. A rest of the input says where.
pub(super) enum Flaw<'a> {
    /// The input ended first.
    Unclosed,
    /// The text that starts here is wrong.
    At(&'a str, String),
}

/// Reads the content of a text whose opening quote is before the input; also returns what follows its closing quote.
pub(super) type Quoted = for<'a> fn(&'a str, fn(char) -> bool) -> Result<(String, &'a str), Flaw<'a>>;

/// The string whose opening quote precedes `input`: its content and what follows it.
pub(super) fn string(input: &str, closes: fn(char) -> bool) -> Result<(String, &str), Flaw<'_>> {
    quoted(input, closes, escape)
}

/// The regex whose opening quote precedes `input`: a backslash stays unless it precedes a quote.
pub(super) fn regex(input: &str, closes: fn(char) -> bool) -> Result<(String, &str), Flaw<'_>> {
    quoted(input, closes, |input, closes, out| {
        let Ok((rest, c)) = behind_backslash(input) else { return Err(Flaw::Unclosed) };
        if !closes(c) {
            out.push('\\');
        }
        out.push(c);
        Ok(rest)
    })
}

type Escape = for<'a> fn(&'a str, fn(char) -> bool, &mut String) -> Result<&'a str, Flaw<'a>>;

fn quoted(input: &str, closes: fn(char) -> bool, escape: Escape) -> Result<(String, &str), Flaw<'_>> {
    let mut content = String::new();
    let mut rest = input;
    loop {
        let (plain, tail) = run_of(rest, |c| c != '\\' && !closes(c));
        content.push_str(plain);
        if tail.starts_with('\\') {
            rest = escape(tail, closes, &mut content)?;
        } else if let Some(end) = tail.chars().next() {
            return Ok((content, tail.get(end.len_utf8()..).unwrap_or_default()));
        } else {
            return Err(Flaw::Unclosed);
        }
    }
}

/// One backslash pair of a string; unknown ones are kept unchanged, so that regex text survives.
fn escape<'a>(input: &'a str, closes: fn(char) -> bool, out: &mut String) -> Result<&'a str, Flaw<'a>> {
    let Ok((rest, c)) = behind_backslash(input) else { return Err(Flaw::Unclosed) };
    match c {
        'n' => out.push('\n'),
        't' => out.push('\t'),
        'r' => out.push('\r'),
        '\\' => out.push('\\'),
        'u' if four_hex(rest).is_ok() => {
            let (rest, scalar) = scalar(input)?;
            out.push(scalar);
            return Ok(rest);
        }
        '\n' | '\r' => {
            let message = "a backslash before a line break in a string (write \\n, or leave it out)";
            return Err(Flaw::At(input, message.to_owned()));
        }
        // A repaired string starts with another quote than the one escaped in it.
        '"' => out.push('"'),
        c if closes(c) => out.push(c),
        c => out.extend(['\\', c]),
    }
    Ok(rest)
}

/// The scalar that `\uXXXX` denotes; two surrogates in a row denote one.
fn scalar(input: &str) -> Result<(&str, char), Flaw<'_>> {
    let lone = || {
        let shown = input.get(..6).unwrap_or(input);
        Flaw::At(input, format!("'{shown}' is half of a surrogate pair (write the character itself)"))
    };
    let unit = |input| preceded(tag("\\u"), four_hex).parse(input);
    let Ok((rest, first)) = unit(input) else { return Err(lone()) };
    if let Some(scalar) = char::from_u32(first) {
        return Ok((rest, scalar));
    }
    let Ok((rest, second)) = unit(rest) else { return Err(lone()) };
    let pair = [first, second].map(|unit| u16::try_from(unit).unwrap_or(0));
    match char::decode_utf16(pair).next() {
        Some(Ok(scalar)) => Ok((rest, scalar)),
        _ => Err(lone()),
    }
}

fn four_hex(input: &str) -> IResult<&str, u32> {
    take_while_m_n(4, 4, |c: char| c.is_ascii_hexdigit()).map_res(|digits| u32::from_str_radix(digits, 16)).parse(input)
}

fn behind_backslash(input: &str) -> IResult<&str, char> {
    preceded(char('\\'), anychar).parse(input)
}

/// The character literal at `input`, which starts with its backslash, and what follows it.
pub(super) fn character(input: &str) -> Result<(char, &str), Flaw<'_>> {
    let named: IResult<&str, char> = preceded(char('\\'), alt(NAMED.map(|(name, c)| value(c, tag(name))))).parse(input);
    let (rest, c) = match (named, behind_backslash(input)) {
        (Ok(named), _) => named,
        (_, Ok((rest, 'u'))) if four_hex(rest).is_ok() => scalar(input)?,
        (_, Ok(single)) => single,
        _ => {
            let message = "'\\' without a character (\\a is the string \"a\")";
            return Err(Flaw::At(input, message.to_owned()));
        }
    };
    let consumed = input.get(..input.len() - rest.len()).unwrap_or(input);
    if consumed.ends_with(char::is_alphanumeric) && rest.starts_with(char::is_alphanumeric) {
        let (token, _) = run_of(input, |c| c == '\\' || is_name_char(c));
        let message = format!(
            "unsupported character '{}' (one character, or \\newline \\space \\tab \\return \\backspace \\formfeed \\uXXXX)",
            excerpt(token)
        );
        return Err(Flaw::At(input, message));
    }
    Ok((c, rest))
}

const NAMED: [(&str, char); 6] =
    [("newline", '\n'), ("space", ' '), ("tab", '\t'), ("return", '\r'), ("backspace", '\u{8}'), ("formfeed", '\u{C}')];
