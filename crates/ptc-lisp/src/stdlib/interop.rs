//! Java-flavoured names that models write: string methods, parsing, constants.

mod class;
mod method;

use crate::stdlib::{Constant, Family, rows, text};
use crate::value::Value;

#[cfg(test)]
mod tests;

/// Names that are values, not functions.
pub(crate) fn constants() -> [Constant; 11] {
    [
        ("Double/POSITIVE_INFINITY", Value::Float(f64::INFINITY)),
        ("Double/NEGATIVE_INFINITY", Value::Float(f64::NEG_INFINITY)),
        ("Double/NaN", Value::Float(f64::NAN)),
        ("Double/MAX_VALUE", Value::Float(f64::MAX)),
        ("Double/MIN_VALUE", Value::Float(f64::from_bits(1))),
        ("Long/MAX_VALUE", Value::Int(i64::MAX)),
        ("Long/MIN_VALUE", Value::Int(i64::MIN)),
        ("Integer/MAX_VALUE", Value::Int(i32::MAX as i64)),
        ("Integer/MIN_VALUE", Value::Int(i32::MIN as i64)),
        ("math/PI", Value::Float(std::f64::consts::PI)),
        ("math/E", Value::Float(std::f64::consts::E)),
    ]
}

pub(crate) const FAMILY: Family = rows! {
    "Java-flavoured names";
    ".indexOf" "[s part]" "[s part from]" deep = |call| method::index_of(call, false),
        "The first position of a part of a string or an element of a vector, -1 if there is none."
        r#"(.indexOf "hello" "l")"# => "2", r#"(.indexOf ["a" "b"] "c")"# => "-1";
    ".lastIndexOf" "[s part]" "[s part from]" deep = |call| method::index_of(call, true),
        "The last position of a part of a string or an element of a vector, -1 if there is none."
        r#"(.lastIndexOf "hello" "l")"# => "3";
    ".contains" "[s part]" deep = method::contains,
        "Whether a string has this part, or a vector or set this element." r#"(.contains "hello" "ell")"# => "true";
    ".startsWith" "[s prefix]" lazy = |call| Ok(Value::Bool(call.text(0)?.starts_with(call.text(1)?.as_str()))),
        "Whether `s` starts with `prefix`." r#"(.startsWith "hello" "he")"# => "true";
    ".endsWith" "[s suffix]" lazy = |call| Ok(Value::Bool(call.text(0)?.ends_with(call.text(1)?.as_str()))),
        "Whether `s` ends with `suffix`." r#"(.endsWith "hello" "lo")"# => "true";
    ".length" "[s]" lazy = |call| call.text(0).map(|text| Value::from(text.chars())),
        "The number of characters." r#"(.length "hello")"# => "5";
    ".isEmpty" "[s]" shallow = method::is_empty,
        "Whether a string or collection has nothing in it." r#"(.isEmpty "")"# => "true";
    ".charAt" "[s n]" lazy = method::char_at,
        "The character at position `n`, an error outside." r#"(.charAt "abc" 1)"# => r#""b""#;
    ".substring" "[s start]" "[s start end]" lazy = method::substring,
        "The characters from `start` up to `end`, an error outside the string."
        r#"(.substring "hello" 1 3)"# => r#""el""#;
    ".replace" "[s match new]" lazy = method::replace,
        "`s` with every `match`, taken literally, replaced by `new`." r#"(.replace "a.b" "." "-")"# => r#""a-b""#;
    ".trim" "[s]" lazy = |call| text::trimmed(call, text::trim_both),
        "`s` without blanks at both ends." r#"(.trim " a ")"# => r#""a""#;
    ".toUpperCase" "[s]" lazy = |call| text::recased(call, text::push_upper),
        "`s` in upper case." r#"(.toUpperCase "ada")"# => r#""ADA""#;
    ".toLowerCase" "[s]" lazy = |call| text::recased(call, text::push_lower),
        "`s` in lower case." r#"(.toLowerCase "ADA")"# => r#""ada""#;
    ".toString" "[x]" deep = method::to_string,
        "The same text as `str` gives; of an exception its message." "(.toString :a)" => r#"":a""#;
    ".equals" "[a b]" deep = method::equals,
        "The same as `=`." r#"(.equals "a" "a")"# => "true";
    ".equalsIgnoreCase" "[a b]" lazy = method::equals_ignore_case,
        "Whether two strings are equal in lower case." r#"(.equalsIgnoreCase "Ada" "ADA")"# => "true";
    "Integer/parseInt" "[s]" "[s radix]" lazy = class::parse_integer,
        "The integer that `s` spells in base radix (10), an error if none."
        r#"(Integer/parseInt "12")"# => "12", r#"(Integer/parseInt "101" 2)"# => "5";
    "Long/parseLong" "[s]" "[s radix]" lazy = class::parse_integer,
        "The integer that `s` spells in base radix (10), an error if none."
        r#"(Long/parseLong "-9")"# => "-9", r#"(Long/parseLong "ff" 16)"# => "255";
    "Integer/toString" "[n]" "[n radix]" lazy = class::digits,
        "The digits of an integer in base radix (10)." "(Integer/toString 255 16)" => r#""ff""#;
    "Integer/toBinaryString" "[n]" lazy = |call| class::bit_digits(call, |bits| format!("{bits:b}")),
        "The binary digits of an integer of 32 bits; a negative one as its two's complement."
        "(Integer/toBinaryString 5)" => r#""101""#;
    "Integer/toOctalString" "[n]" lazy = |call| class::bit_digits(call, |bits| format!("{bits:o}")),
        "The octal digits of an integer of 32 bits; a negative one as its two's complement."
        "(Integer/toOctalString 8)" => r#""10""#;
    "Integer/toHexString" "[n]" lazy = |call| class::bit_digits(call, |bits| format!("{bits:x}")),
        "The hexadecimal digits of an integer of 32 bits; a negative one as its two's complement."
        "(Integer/toHexString 255)" => r#""ff""#;
    "Long/toString" "[n]" "[n radix]" lazy = class::digits,
        "The digits of an integer in base radix (10)." "(Long/toString 255 16)" => r#""ff""#;
    "Long/toBinaryString" "[n]" lazy = |call| class::bit_digits(call, |bits| format!("{bits:b}")),
        "The binary digits of an integer of 64 bits; a negative one as its two's complement."
        "(Long/toBinaryString 5)" => r#""101""#;
    "Long/toOctalString" "[n]" lazy = |call| class::bit_digits(call, |bits| format!("{bits:o}")),
        "The octal digits of an integer of 64 bits; a negative one as its two's complement."
        "(Long/toOctalString 8)" => r#""10""#;
    "Long/toHexString" "[n]" lazy = |call| class::bit_digits(call, |bits| format!("{bits:x}")),
        "The hexadecimal digits of an integer of 64 bits; a negative one as its two's complement."
        "(Long/toHexString 255)" => r#""ff""#;
    "Double/parseDouble" "[s]" lazy = class::parse_double,
        "The float that `s` spells, an error if none." r#"(Double/parseDouble "2.5")"# => "2.5";
    "Boolean/parseBoolean" "[s]" lazy = class::parse_boolean,
        "The boolean that `s` spells, an error if none." r#"(Boolean/parseBoolean "true")"# => "true";
    "Character/isDigit" "[c]" lazy = |call| class::asked(call, |c| c.is_ascii_digit()),
        "Whether the character is a decimal digit." r#"(Character/isDigit \7)"# => "true";
    "Character/isLetter" "[c]" lazy = |call| class::asked(call, char::is_alphabetic),
        "Whether the character is a letter." r#"(Character/isLetter \a)"# => "true";
    "Character/isLetterOrDigit" "[c]" lazy = |call| class::asked(call, |c| c.is_alphabetic() || c.is_ascii_digit()),
        "Whether the character is a letter or decimal digit." r#"(Character/isLetterOrDigit \-)"# => "false";
    "Character/isUpperCase" "[c]" lazy = |call| class::asked(call, char::is_uppercase),
        "Whether the character is an upper case letter." r#"(Character/isUpperCase \A)"# => "true";
    "Character/isLowerCase" "[c]" lazy = |call| class::asked(call, char::is_lowercase),
        "Whether the character is a lower case letter." r#"(Character/isLowerCase \A)"# => "false";
    "Character/isWhitespace" "[c]" lazy = |call| class::asked(call, char::is_whitespace),
        "Whether the character is a blank." r#"(Character/isWhitespace \space)"# => "true";
};
