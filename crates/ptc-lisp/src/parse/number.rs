//! Number literals: decimal, hexadecimal and radix integers of any size, floats, decimals.

use nom::branch::alt;
use nom::bytes::complete::take_while1;
use nom::character::complete::{alphanumeric1, char, digit1, hex_digit1, one_of};
use nom::combinator::{all_consuming, opt, recognize};
use nom::sequence::{pair, preceded, separated_pair};
use nom::{IResult, Parser};
use num_bigint::BigInt;

use super::alphabet::{excerpt, is_invisible};
use super::form::FormKind;

/// The longest integer literal: the cost of converting digits is quadratic.
const MAX_DIGITS: usize = 10_000;

/// A literal that was understood.
pub(super) struct Number {
    pub(super) kind: FormKind,
    /// Written with an `M`, so not exactly the number that it is in Clojure.
    pub(super) decimal: bool,
}

/// Whether a number starts here: a digit, or a sign directly before one.
pub(super) fn starts_number(input: &str) -> bool {
    let unsigned = input.strip_prefix(['+', '-']).unwrap_or(input);
    unsigned.trim_start_matches(is_invisible).starts_with(|c: char| c.is_ascii_digit())
}

/// The number written `token`, which starts as one; the error is a message.
pub(super) fn number(token: &str) -> Result<Number, String> {
    let (negative, unsigned) = match token.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, token.strip_prefix('+').unwrap_or(token)),
    };
    if let Some(small) = small_integer(unsigned) {
        return Ok(Number { kind: FormKind::Int(if negative { -small } else { small }), decimal: false });
    }
    if let Ok((_, (radix, digits))) = all_consuming(integer).parse(unsigned) {
        return integer_of(negative, radix, digits, token);
    }
    let Ok((_, (text, suffix))) = all_consuming(float).parse(unsigned) else { return Err(invalid(token)) };
    let magnitude: f64 = text.parse().map_err(|_| invalid(token))?;
    let value = if negative { -magnitude } else { magnitude };
    Ok(Number { kind: FormKind::Float(value), decimal: suffix.is_some() })
}

/// The common case: a few decimal digits and nothing else.
fn small_integer(digits: &str) -> Option<i64> {
    if !(1..=18).contains(&digits.len()) || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    digits.bytes().try_fold(0, |value, digit| digit.is_ascii_digit().then(|| value * 10 + i64::from(digit - b'0')))
}

/// The value of a special float, by the text after `##`; the error is a message.
pub(super) fn special_float(name: &str) -> Result<FormKind, String> {
    Ok(FormKind::Float(match name {
        "Inf" => f64::INFINITY,
        "-Inf" => f64::NEG_INFINITY,
        "NaN" => f64::NAN,
        _ => {
            return Err(format!("unknown number '##{}' (write ##Inf, ##-Inf or ##NaN)", excerpt(name)));
        }
    }))
}

type Parse<'a, T> = IResult<&'a str, T>;

/// Radix and digits of an unsigned integer.
fn integer(input: &str) -> Parse<'_, (u32, &str)> {
    let hexadecimal = preceded(pair(char('0'), one_of("xX")), hex_digit1).map(|digits| (16, digits));
    let other = separated_pair(digit1, one_of("rR"), alphanumeric1)
        .map_opt(|(radix, digits): (&str, &str)| Some((radix.parse().ok()?, digits)));
    let octal = preceded(char('0'), digit1).map(|digits| (8, digits));
    let decimal = digit1.map(|digits| (10, digits));
    let exact = alt((hexadecimal, octal, decimal));
    alt((other, (exact, opt(char('N'))).map(|(number, _)| number))).parse(input)
}

/// Text and suffix of an unsigned float; digits alone only with the suffix.
fn float(input: &str) -> Parse<'_, (&str, Option<char>)> {
    let digits = || take_while1(|c: char| c.is_ascii_digit());
    let fraction = pair(char('.'), digits());
    let exponent = (one_of("eE"), opt(one_of("+-")), digits());
    pair(recognize((digits(), opt(fraction), opt(exponent))), opt(char('M'))).parse(input)
}

fn integer_of(negative: bool, radix: u32, digits: &str, token: &str) -> Result<Number, String> {
    if !(2..=36).contains(&radix) {
        return Err(format!("invalid number '{}' (the radix is 2 to 36)", excerpt(token)));
    }
    if digits.len() > MAX_DIGITS {
        let count = digits.len();
        return Err(format!("integer literal of {count} digits, the limit is {MAX_DIGITS}"));
    }
    let kind = match i64::from_str_radix(&format!("{}{digits}", if negative { "-" } else { "" }), radix) {
        Ok(small) => FormKind::Int(small),
        Err(_) => {
            let big = BigInt::parse_bytes(digits.as_bytes(), radix)
                .ok_or_else(|| format!("invalid number '{}' ({})", excerpt(token), no_such_digit(radix, token)))?;
            FormKind::BigInt(if negative { -big } else { big })
        }
    };
    Ok(Number { kind, decimal: false })
}

fn no_such_digit(radix: u32, token: &str) -> String {
    let decimal = token.trim_start_matches(['+', '-', '0']);
    if token.contains(['r', 'R']) {
        format!("radix {radix} has no such digit")
    } else {
        format!("a leading 0 makes it octal: write {}", excerpt(decimal))
    }
}

fn invalid(token: &str) -> String {
    format!("invalid number '{}' ({})", excerpt(token), remedy(token))
}

/// What the writer probably meant.
fn remedy(token: &str) -> String {
    let all_digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let unsigned = token.strip_prefix(['+', '-']).unwrap_or(token);
    if let Some((over, under)) = unsigned.split_once('/')
        && all_digits(over)
        && all_digits(under)
    {
        let sign = if token.starts_with('-') { "-" } else { "" };
        let ratio = format!("(/ {sign}{over} {under})");
        return format!("ratios are not supported; write {}", excerpt(&ratio));
    }
    if unsigned.strip_suffix('.').is_some_and(all_digits) {
        return format!("write {}0", excerpt(token));
    }
    if all_digits(&unsigned.replace('_', "")) {
        return format!("write {}, without underscores", excerpt(&token.replace('_', "")));
    }
    if unsigned.strip_suffix('%').is_some() {
        return "write a percentage as a fraction: 0.05 for 5%".to_owned();
    }
    if unsigned.chars().all(|c| c.is_ascii_digit() || ".:-/TZ+".contains(c)) {
        return "write dates, times and versions as strings: \"2024-05-01\"".to_owned();
    }
    "a blank or a bracket must follow a number, and names do not start with a digit".to_owned()
}
