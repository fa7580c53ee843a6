//! Java-flavoured names that models write: string methods, parsing, constants.

mod class;
mod method;

use crate::stdlib::{Builtin, Constant, Family, Force, Run};
use crate::value::Value;

#[cfg(test)]
mod tests;

/// Arguments are looked at as they are.
const SCALAR: Builtin = Builtin { force: Force::Lazy, ..Builtin::ROW };
/// Arguments are shown or compared with all that is in them.
const DEEP: Builtin = Builtin { force: Force::Deep, ..Builtin::ROW };

/// Names that are values, not functions.
pub(crate) const CONSTANTS: &[Constant] = &[
    ("Double/POSITIVE_INFINITY", || Value::Float(f64::INFINITY)),
    ("Double/NEGATIVE_INFINITY", || Value::Float(f64::NEG_INFINITY)),
    ("Double/NaN", || Value::Float(f64::NAN)),
    ("Double/MAX_VALUE", || Value::Float(f64::MAX)),
    ("Double/MIN_VALUE", || Value::Float(f64::from_bits(1))),
    ("Long/MAX_VALUE", || Value::Int(i64::MAX)),
    ("Long/MIN_VALUE", || Value::Int(i64::MIN)),
    ("Integer/MAX_VALUE", || Value::Int(i32::MAX as i64)),
    ("Integer/MIN_VALUE", || Value::Int(i32::MIN as i64)),
    ("math/PI", || Value::Float(std::f64::consts::PI)),
    ("math/E", || Value::Float(std::f64::consts::E)),
];

pub(crate) const FAMILY: Family = Family {
    title: "Java-flavoured names",
    rows: &[
        Builtin {
            name: ".indexOf",
            params: &["[s part]", "[s part from]"],
            doc: "The first position of a part of a string or an element of a vector, -1 if there is none.",
            examples: &[(r#"(.indexOf "hello" "l")"#, "2"), (r#"(.indexOf ["a" "b"] "c")"#, "-1")],
            run: Run::Plain(method::index_of),
            ..DEEP
        },
        Builtin {
            name: ".lastIndexOf",
            params: &["[s part]", "[s part from]"],
            doc: "The last position of a part of a string or an element of a vector, -1 if there is none.",
            examples: &[(r#"(.lastIndexOf "hello" "l")"#, "3")],
            run: Run::Plain(method::last_index_of),
            ..DEEP
        },
        Builtin {
            name: ".contains",
            params: &["[s part]"],
            doc: "Whether a string has this part, or a vector or set this element.",
            examples: &[(r#"(.contains "hello" "ell")"#, "true")],
            run: Run::Plain(method::contains),
            ..DEEP
        },
        Builtin {
            name: ".startsWith",
            params: &["[s prefix]"],
            doc: "Whether `s` starts with `prefix`.",
            examples: &[(r#"(.startsWith "hello" "he")"#, "true")],
            run: Run::Plain(method::starts_with),
            ..SCALAR
        },
        Builtin {
            name: ".endsWith",
            params: &["[s suffix]"],
            doc: "Whether `s` ends with `suffix`.",
            examples: &[(r#"(.endsWith "hello" "lo")"#, "true")],
            run: Run::Plain(method::ends_with),
            ..SCALAR
        },
        Builtin {
            name: ".length",
            params: &["[s]"],
            doc: "The number of characters.",
            examples: &[(r#"(.length "hello")"#, "5")],
            run: Run::Plain(method::length),
            ..SCALAR
        },
        Builtin {
            name: ".isEmpty",
            params: &["[s]"],
            doc: "Whether a string or collection has nothing in it.",
            examples: &[(r#"(.isEmpty "")"#, "true")],
            run: Run::Plain(method::is_empty),
            ..Builtin::ROW
        },
        Builtin {
            name: ".charAt",
            params: &["[s n]"],
            doc: "The character at position `n`, an error outside.",
            examples: &[(r#"(.charAt "abc" 1)"#, r#""b""#)],
            run: Run::Plain(method::char_at),
            ..SCALAR
        },
        Builtin {
            name: ".substring",
            params: &["[s start]", "[s start end]"],
            doc: "The characters from `start` up to `end`, an error outside the string.",
            examples: &[(r#"(.substring "hello" 1 3)"#, r#""el""#)],
            run: Run::Plain(method::substring),
            ..SCALAR
        },
        Builtin {
            name: ".replace",
            params: &["[s match new]"],
            doc: "`s` with every `match`, taken literally, replaced by `new`.",
            examples: &[(r#"(.replace "a.b" "." "-")"#, r#""a-b""#)],
            run: Run::Plain(method::replace),
            ..SCALAR
        },
        Builtin {
            name: ".trim",
            params: &["[s]"],
            doc: "`s` without blanks at both ends.",
            examples: &[(r#"(.trim " a ")"#, r#""a""#)],
            run: Run::Plain(method::trim),
            ..SCALAR
        },
        Builtin {
            name: ".toUpperCase",
            params: &["[s]"],
            doc: "`s` in upper case.",
            examples: &[(r#"(.toUpperCase "ada")"#, r#""ADA""#)],
            run: Run::Plain(method::to_upper_case),
            ..SCALAR
        },
        Builtin {
            name: ".toLowerCase",
            params: &["[s]"],
            doc: "`s` in lower case.",
            examples: &[(r#"(.toLowerCase "ADA")"#, r#""ada""#)],
            run: Run::Plain(method::to_lower_case),
            ..SCALAR
        },
        Builtin {
            name: ".toString",
            params: &["[x]"],
            doc: "The same text as `str` gives; of an exception its message.",
            examples: &[("(.toString :a)", r#"":a""#)],
            run: Run::Plain(method::to_string),
            ..DEEP
        },
        Builtin {
            name: ".equals",
            params: &["[a b]"],
            doc: "The same as `=`.",
            examples: &[(r#"(.equals "a" "a")"#, "true")],
            run: Run::Plain(method::equals),
            ..DEEP
        },
        Builtin {
            name: ".equalsIgnoreCase",
            params: &["[a b]"],
            doc: "Whether two strings are equal in lower case.",
            examples: &[(r#"(.equalsIgnoreCase "Ada" "ADA")"#, "true")],
            run: Run::Plain(method::equals_ignore_case),
            ..SCALAR
        },
        Builtin {
            name: "Integer/parseInt",
            params: &["[s]", "[s radix]"],
            doc: "The integer that `s` spells in base radix (10), an error if none.",
            examples: &[(r#"(Integer/parseInt "12")"#, "12"), (r#"(Integer/parseInt "101" 2)"#, "5")],
            run: Run::Plain(class::parse_integer),
            ..SCALAR
        },
        Builtin {
            name: "Long/parseLong",
            params: &["[s]", "[s radix]"],
            doc: "The integer that `s` spells in base radix (10), an error if none.",
            examples: &[(r#"(Long/parseLong "-9")"#, "-9"), (r#"(Long/parseLong "ff" 16)"#, "255")],
            run: Run::Plain(class::parse_integer),
            ..SCALAR
        },
        Builtin {
            name: "Integer/toString",
            params: &["[n]", "[n radix]"],
            doc: "The digits of an integer in base radix (10).",
            examples: &[("(Integer/toString 255 16)", r#""ff""#)],
            run: Run::Plain(class::digits),
            ..SCALAR
        },
        Builtin {
            name: "Integer/toBinaryString",
            params: &["[n]"],
            doc: "The binary digits of an integer of 32 bits; a negative one as its two's complement.",
            examples: &[("(Integer/toBinaryString 5)", r#""101""#)],
            run: Run::Plain(class::binary_digits),
            ..SCALAR
        },
        Builtin {
            name: "Integer/toOctalString",
            params: &["[n]"],
            doc: "The octal digits of an integer of 32 bits; a negative one as its two's complement.",
            examples: &[("(Integer/toOctalString 8)", r#""10""#)],
            run: Run::Plain(class::octal_digits),
            ..SCALAR
        },
        Builtin {
            name: "Integer/toHexString",
            params: &["[n]"],
            doc: "The hexadecimal digits of an integer of 32 bits; a negative one as its two's complement.",
            examples: &[("(Integer/toHexString 255)", r#""ff""#)],
            run: Run::Plain(class::hex_digits),
            ..SCALAR
        },
        Builtin {
            name: "Long/toString",
            params: &["[n]", "[n radix]"],
            doc: "The digits of an integer in base radix (10).",
            examples: &[("(Long/toString 255 16)", r#""ff""#)],
            run: Run::Plain(class::digits),
            ..SCALAR
        },
        Builtin {
            name: "Long/toBinaryString",
            params: &["[n]"],
            doc: "The binary digits of an integer of 64 bits; a negative one as its two's complement.",
            examples: &[("(Long/toBinaryString 5)", r#""101""#)],
            run: Run::Plain(class::binary_digits),
            ..SCALAR
        },
        Builtin {
            name: "Long/toOctalString",
            params: &["[n]"],
            doc: "The octal digits of an integer of 64 bits; a negative one as its two's complement.",
            examples: &[("(Long/toOctalString 8)", r#""10""#)],
            run: Run::Plain(class::octal_digits),
            ..SCALAR
        },
        Builtin {
            name: "Long/toHexString",
            params: &["[n]"],
            doc: "The hexadecimal digits of an integer of 64 bits; a negative one as its two's complement.",
            examples: &[("(Long/toHexString 255)", r#""ff""#)],
            run: Run::Plain(class::hex_digits),
            ..SCALAR
        },
        Builtin {
            name: "Double/parseDouble",
            params: &["[s]"],
            doc: "The float that `s` spells, an error if none.",
            examples: &[(r#"(Double/parseDouble "2.5")"#, "2.5")],
            run: Run::Plain(class::parse_double),
            ..SCALAR
        },
        Builtin {
            name: "Boolean/parseBoolean",
            params: &["[s]"],
            doc: "The boolean that `s` spells, an error if none.",
            examples: &[(r#"(Boolean/parseBoolean "true")"#, "true")],
            run: Run::Plain(class::parse_boolean),
            ..SCALAR
        },
        Builtin {
            name: "Character/isDigit",
            params: &["[c]"],
            doc: "Whether the character is a decimal digit.",
            examples: &[(r#"(Character/isDigit \7)"#, "true")],
            run: Run::Plain(class::is_digit),
            ..SCALAR
        },
        Builtin {
            name: "Character/isLetter",
            params: &["[c]"],
            doc: "Whether the character is a letter.",
            examples: &[(r#"(Character/isLetter \a)"#, "true")],
            run: Run::Plain(class::is_letter),
            ..SCALAR
        },
        Builtin {
            name: "Character/isLetterOrDigit",
            params: &["[c]"],
            doc: "Whether the character is a letter or decimal digit.",
            examples: &[(r#"(Character/isLetterOrDigit \-)"#, "false")],
            run: Run::Plain(class::is_letter_or_digit),
            ..SCALAR
        },
        Builtin {
            name: "Character/isUpperCase",
            params: &["[c]"],
            doc: "Whether the character is an upper case letter.",
            examples: &[(r#"(Character/isUpperCase \A)"#, "true")],
            run: Run::Plain(class::is_upper_case),
            ..SCALAR
        },
        Builtin {
            name: "Character/isLowerCase",
            params: &["[c]"],
            doc: "Whether the character is a lower case letter.",
            examples: &[(r#"(Character/isLowerCase \A)"#, "false")],
            run: Run::Plain(class::is_lower_case),
            ..SCALAR
        },
        Builtin {
            name: "Character/isWhitespace",
            params: &["[c]"],
            doc: "Whether the character is a blank.",
            examples: &[(r#"(Character/isWhitespace \space)"#, "true")],
            run: Run::Plain(class::is_whitespace),
            ..SCALAR
        },
    ],
};
