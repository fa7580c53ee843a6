//! Questions about the kind of a scalar value.

mod class;
mod kinds;

use crate::stdlib::{Family, rows};

pub(crate) use class::is_class;

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Type and number predicates";
    "nil?" "[x]" lazy kinds::is_nil
        "Whether `x` is nil." "(nil? nil)" => "true";
    "some?" "[x]" lazy kinds::is_some
        "Whether `x` is not nil." "(some? false)" => "true";
    "any?" "[x]" lazy kinds::is_any
        "true, whatever `x` is." "(any? nil)" => "true";
    "boolean?" "[x]" lazy kinds::is_boolean
        "Whether `x` is true or false." "(boolean? nil)" => "false";
    "string?" "[x]" lazy kinds::is_string
        "Whether `x` is a string." r#"(string? "a")"# => "true";
    "char?" "[x]" lazy kinds::is_char
        "Whether `x` is a string of one character." r#"(char? "ab")"# => "false";
    "keyword?" "[x]" lazy kinds::is_keyword
        "Whether `x` is a keyword." "(keyword? :a)" => "true";
    "symbol?" "[x]" lazy kinds::is_symbol
        "Whether `x` is a symbol." "(symbol? 'a)" => "true";
    "ident?" "[x]" lazy kinds::is_ident
        "Whether `x` is a keyword or symbol." "(ident? :a)" => "true";
    "simple-ident?" "[x]" lazy kinds::is_simple_ident
        "Whether `x` is a keyword or symbol without a namespace." "(simple-ident? :a/b)" => "false";
    "simple-keyword?" "[x]" lazy kinds::is_simple_keyword
        "Whether `x` is a keyword without a namespace." "(simple-keyword? :a)" => "true";
    "simple-symbol?" "[x]" lazy kinds::is_simple_symbol
        "Whether `x` is a symbol without a namespace." "(simple-symbol? 'a/b)" => "false";
    "qualified-ident?" "[x]" lazy kinds::is_qualified_ident
        "Whether `x` is a keyword or symbol with a namespace." "(qualified-ident? 'a/b)" => "true";
    "qualified-keyword?" "[x]" lazy kinds::is_qualified_keyword
        "Whether `x` is a keyword with a namespace." "(qualified-keyword? :a/b)" => "true";
    "qualified-symbol?" "[x]" lazy kinds::is_qualified_symbol
        "Whether `x` is a symbol with a namespace." "(qualified-symbol? 'a)" => "false";
    "number?" "[x]" lazy kinds::is_number
        "Whether `x` is an integer or float, special floats included." "(number? ##NaN)" => "true";
    "int?" "[x]" lazy kinds::is_int
        "Whether `x` is a 64-bit integer." "(int? 1.0)" => "false";
    "integer?" "[x]" lazy kinds::is_integer
        "Whether `x` is an integer of any size." "(integer? 5)" => "true";
    "rational?" "[x]" lazy kinds::is_integer
        "Whether `x` is an integer." "(rational? 1.5)" => "false";
    "ratio?" "[x]" lazy kinds::is_nothing
        "false: there are no ratios." "(ratio? 0.5)" => "false";
    "decimal?" "[x]" lazy kinds::is_nothing
        "false: there are no decimals." "(decimal? 0.5)" => "false";
    "float?" "[x]" lazy kinds::is_float
        "Whether `x` is a float." "(float? 1.5)" => "true";
    "double?" "[x]" lazy kinds::is_float
        "Whether `x` is a float." "(double? 1)" => "false";
    "pos-int?" "[x]" lazy kinds::is_pos_int
        "Whether `x` is a 64-bit integer above 0." "(pos-int? 1)" => "true";
    "neg-int?" "[x]" lazy kinds::is_neg_int
        "Whether `x` is a 64-bit integer below 0." "(neg-int? -1)" => "true";
    "nat-int?" "[x]" lazy kinds::is_nat_int
        "Whether `x` is a 64-bit integer, 0 or above." "(nat-int? 0)" => "true";
    "NaN?" "[x]" lazy kinds::is_nan
        "Whether the number `x` is NaN." "(NaN? ##NaN)" => "true";
    "infinite?" "[x]" lazy kinds::is_infinite
        "Whether the number `x` is infinite." "(infinite? ##-Inf)" => "true";
    "zero?" "[x]" lazy kinds::is_zero
        "Whether `x` is a number equal to 0." "(zero? 0.0)" => "true", r#"(zero? "x")"# => "false";
    "pos?" "[x]" lazy kinds::is_pos
        "Whether `x` is a number above 0." "(pos? 1)" => "true";
    "neg?" "[x]" lazy kinds::is_neg
        "Whether `x` is a number below 0." "(neg? -0.1)" => "true";
    "even?" "[n]" lazy kinds::is_even
        "Whether the integer `n` is even; floats without a fraction count as integers." "(even? 4.0)" => "true";
    "odd?" "[n]" lazy kinds::is_odd
        "Whether the integer `n` is odd; floats without a fraction count as integers." "(odd? -3)" => "true";
    "regex?" "[x]" lazy kinds::is_regex
        "Whether `x` is a regular expression." r#"(regex? #"a")"# => "true";
    "instance?" "[class x]" lazy class::is_instance
        "Whether `x` is what the Java or Clojure class stands for here: `String Number Long Double Boolean Keyword \
         Map …`."
        r#"(instance? String "a")"# => "true", "(map #(instance? Number %) [1 :a])" => "[true false]";
    "uuid?" "[x]" lazy kinds::is_uuid
        "Whether `x` is a UUID." r#"(uuid? "a")"# => "false";
    "inst?" "[x]" lazy kinds::is_inst
        "Whether `x` is a point in time." "(inst? (java.util.Date. 0))" => "true";
    "var?" "[x]" lazy kinds::is_var
        "Whether `x` is a var." "(var? 1)" => "false";
    "delay?" "[x]" lazy kinds::is_delay
        "Whether `x` is a delay." "(delay? 1)" => "false";
    "volatile?" "[x]" lazy kinds::is_volatile
        "Whether `x` is a volatile." "(volatile? 1)" => "false";
};
