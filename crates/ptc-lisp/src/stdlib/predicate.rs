//! Questions about the kind of a scalar value.

mod class;
mod kinds;

use crate::stdlib::{Builtin, Family, Force, Run};

pub(crate) use class::is_class;

#[cfg(test)]
mod tests;

/// Arguments are looked at as they are: asking for the kind of an endless sequence must end.
const SCALAR: Builtin = Builtin { force: Force::Lazy, ..Builtin::ROW };

pub(crate) const FAMILY: Family = Family {
    title: "Type and number predicates",
    rows: &[
        Builtin {
            name: "nil?",
            params: &["[x]"],
            doc: "Whether `x` is nil.",
            examples: &[("(nil? nil)", "true")],
            run: Run::Plain(kinds::is_nil),
            ..SCALAR
        },
        Builtin {
            name: "some?",
            params: &["[x]"],
            doc: "Whether `x` is not nil.",
            examples: &[("(some? false)", "true")],
            run: Run::Plain(kinds::is_some),
            ..SCALAR
        },
        Builtin {
            name: "any?",
            params: &["[x]"],
            doc: "true, whatever `x` is.",
            examples: &[("(any? nil)", "true")],
            run: Run::Plain(kinds::is_any),
            ..SCALAR
        },
        Builtin {
            name: "boolean?",
            params: &["[x]"],
            doc: "Whether `x` is true or false.",
            examples: &[("(boolean? nil)", "false")],
            run: Run::Plain(kinds::is_boolean),
            ..SCALAR
        },
        Builtin {
            name: "string?",
            params: &["[x]"],
            doc: "Whether `x` is a string.",
            examples: &[(r#"(string? "a")"#, "true")],
            run: Run::Plain(kinds::is_string),
            ..SCALAR
        },
        Builtin {
            name: "char?",
            params: &["[x]"],
            doc: "Whether `x` is a string of one character.",
            examples: &[(r#"(char? "ab")"#, "false")],
            run: Run::Plain(kinds::is_char),
            ..SCALAR
        },
        Builtin {
            name: "keyword?",
            params: &["[x]"],
            doc: "Whether `x` is a keyword.",
            examples: &[("(keyword? :a)", "true")],
            run: Run::Plain(kinds::is_keyword),
            ..SCALAR
        },
        Builtin {
            name: "symbol?",
            params: &["[x]"],
            doc: "Whether `x` is a symbol.",
            examples: &[("(symbol? 'a)", "true")],
            run: Run::Plain(kinds::is_symbol),
            ..SCALAR
        },
        Builtin {
            name: "ident?",
            params: &["[x]"],
            doc: "Whether `x` is a keyword or symbol.",
            examples: &[("(ident? :a)", "true")],
            run: Run::Plain(kinds::is_ident),
            ..SCALAR
        },
        Builtin {
            name: "simple-ident?",
            params: &["[x]"],
            doc: "Whether `x` is a keyword or symbol without a namespace.",
            examples: &[("(simple-ident? :a/b)", "false")],
            run: Run::Plain(kinds::is_simple_ident),
            ..SCALAR
        },
        Builtin {
            name: "simple-keyword?",
            params: &["[x]"],
            doc: "Whether `x` is a keyword without a namespace.",
            examples: &[("(simple-keyword? :a)", "true")],
            run: Run::Plain(kinds::is_simple_keyword),
            ..SCALAR
        },
        Builtin {
            name: "simple-symbol?",
            params: &["[x]"],
            doc: "Whether `x` is a symbol without a namespace.",
            examples: &[("(simple-symbol? 'a/b)", "false")],
            run: Run::Plain(kinds::is_simple_symbol),
            ..SCALAR
        },
        Builtin {
            name: "qualified-ident?",
            params: &["[x]"],
            doc: "Whether `x` is a keyword or symbol with a namespace.",
            examples: &[("(qualified-ident? 'a/b)", "true")],
            run: Run::Plain(kinds::is_qualified_ident),
            ..SCALAR
        },
        Builtin {
            name: "qualified-keyword?",
            params: &["[x]"],
            doc: "Whether `x` is a keyword with a namespace.",
            examples: &[("(qualified-keyword? :a/b)", "true")],
            run: Run::Plain(kinds::is_qualified_keyword),
            ..SCALAR
        },
        Builtin {
            name: "qualified-symbol?",
            params: &["[x]"],
            doc: "Whether `x` is a symbol with a namespace.",
            examples: &[("(qualified-symbol? 'a)", "false")],
            run: Run::Plain(kinds::is_qualified_symbol),
            ..SCALAR
        },
        Builtin {
            name: "number?",
            params: &["[x]"],
            doc: "Whether `x` is an integer or float, special floats included.",
            examples: &[("(number? ##NaN)", "true")],
            run: Run::Plain(kinds::is_number),
            ..SCALAR
        },
        Builtin {
            name: "int?",
            params: &["[x]"],
            doc: "Whether `x` is a 64-bit integer.",
            examples: &[("(int? 1.0)", "false")],
            run: Run::Plain(kinds::is_int),
            ..SCALAR
        },
        Builtin {
            name: "integer?",
            params: &["[x]"],
            doc: "Whether `x` is an integer of any size.",
            examples: &[("(integer? 5)", "true")],
            run: Run::Plain(kinds::is_integer),
            ..SCALAR
        },
        Builtin {
            name: "rational?",
            params: &["[x]"],
            doc: "Whether `x` is an integer.",
            examples: &[("(rational? 1.5)", "false")],
            run: Run::Plain(kinds::is_integer),
            ..SCALAR
        },
        Builtin {
            name: "ratio?",
            params: &["[x]"],
            doc: "false: there are no ratios.",
            examples: &[("(ratio? 0.5)", "false")],
            run: Run::Plain(kinds::is_nothing),
            ..SCALAR
        },
        Builtin {
            name: "decimal?",
            params: &["[x]"],
            doc: "false: there are no decimals.",
            examples: &[("(decimal? 0.5)", "false")],
            run: Run::Plain(kinds::is_nothing),
            ..SCALAR
        },
        Builtin {
            name: "float?",
            params: &["[x]"],
            doc: "Whether `x` is a float.",
            examples: &[("(float? 1.5)", "true")],
            run: Run::Plain(kinds::is_float),
            ..SCALAR
        },
        Builtin {
            name: "double?",
            params: &["[x]"],
            doc: "Whether `x` is a float.",
            examples: &[("(double? 1)", "false")],
            run: Run::Plain(kinds::is_float),
            ..SCALAR
        },
        Builtin {
            name: "pos-int?",
            params: &["[x]"],
            doc: "Whether `x` is a 64-bit integer above 0.",
            examples: &[("(pos-int? 1)", "true")],
            run: Run::Plain(kinds::is_pos_int),
            ..SCALAR
        },
        Builtin {
            name: "neg-int?",
            params: &["[x]"],
            doc: "Whether `x` is a 64-bit integer below 0.",
            examples: &[("(neg-int? -1)", "true")],
            run: Run::Plain(kinds::is_neg_int),
            ..SCALAR
        },
        Builtin {
            name: "nat-int?",
            params: &["[x]"],
            doc: "Whether `x` is a 64-bit integer, 0 or above.",
            examples: &[("(nat-int? 0)", "true")],
            run: Run::Plain(kinds::is_nat_int),
            ..SCALAR
        },
        Builtin {
            name: "NaN?",
            params: &["[x]"],
            doc: "Whether the number `x` is NaN.",
            examples: &[("(NaN? ##NaN)", "true")],
            run: Run::Plain(kinds::is_nan),
            ..SCALAR
        },
        Builtin {
            name: "infinite?",
            params: &["[x]"],
            doc: "Whether the number `x` is infinite.",
            examples: &[("(infinite? ##-Inf)", "true")],
            run: Run::Plain(kinds::is_infinite),
            ..SCALAR
        },
        Builtin {
            name: "zero?",
            params: &["[x]"],
            doc: "Whether `x` is a number equal to 0.",
            examples: &[("(zero? 0.0)", "true"), (r#"(zero? "x")"#, "false")],
            run: Run::Plain(kinds::is_zero),
            ..SCALAR
        },
        Builtin {
            name: "pos?",
            params: &["[x]"],
            doc: "Whether `x` is a number above 0.",
            examples: &[("(pos? 1)", "true")],
            run: Run::Plain(kinds::is_pos),
            ..SCALAR
        },
        Builtin {
            name: "neg?",
            params: &["[x]"],
            doc: "Whether `x` is a number below 0.",
            examples: &[("(neg? -0.1)", "true")],
            run: Run::Plain(kinds::is_neg),
            ..SCALAR
        },
        Builtin {
            name: "even?",
            params: &["[n]"],
            doc: "Whether the integer `n` is even; floats without a fraction count as integers.",
            examples: &[("(even? 4.0)", "true")],
            run: Run::Plain(kinds::is_even),
            ..SCALAR
        },
        Builtin {
            name: "odd?",
            params: &["[n]"],
            doc: "Whether the integer `n` is odd; floats without a fraction count as integers.",
            examples: &[("(odd? -3)", "true")],
            run: Run::Plain(kinds::is_odd),
            ..SCALAR
        },
        Builtin {
            name: "regex?",
            params: &["[x]"],
            doc: "Whether `x` is a regular expression.",
            examples: &[(r#"(regex? #"a")"#, "true")],
            run: Run::Plain(kinds::is_regex),
            ..SCALAR
        },
        Builtin {
            name: "instance?",
            params: &["[class x]"],
            doc: "Whether `x` is what the Java or Clojure class stands for here: `String Number Long Double Boolean Keyword Map …`.",
            examples: &[("(instance? String \"a\")", "true"), ("(map #(instance? Number %) [1 :a])", "[true false]")],
            run: Run::Plain(class::is_instance),
            ..SCALAR
        },
        Builtin {
            name: "uuid?",
            params: &["[x]"],
            doc: "Whether `x` is a UUID.",
            examples: &[(r#"(uuid? "a")"#, "false")],
            run: Run::Plain(kinds::is_uuid),
            ..SCALAR
        },
        Builtin {
            name: "inst?",
            params: &["[x]"],
            doc: "Whether `x` is a point in time.",
            examples: &[("(inst? (java.util.Date. 0))", "true")],
            run: Run::Plain(kinds::is_inst),
            ..SCALAR
        },
        Builtin {
            name: "var?",
            params: &["[x]"],
            doc: "Whether `x` is a var.",
            examples: &[("(var? 1)", "false")],
            run: Run::Plain(kinds::is_var),
            ..SCALAR
        },
        Builtin {
            name: "delay?",
            params: &["[x]"],
            doc: "Whether `x` is a delay.",
            examples: &[("(delay? 1)", "false")],
            run: Run::Plain(kinds::is_delay),
            ..SCALAR
        },
        Builtin {
            name: "volatile?",
            params: &["[x]"],
            doc: "Whether `x` is a volatile.",
            examples: &[("(volatile? 1)", "false")],
            run: Run::Plain(kinds::is_volatile),
            ..SCALAR
        },
    ],
};
