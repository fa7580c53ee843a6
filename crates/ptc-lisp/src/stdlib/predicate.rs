//! Questions about the kind of a scalar value.

mod class;

use crate::error::Res;
use crate::stdlib::argument::Test;
use crate::stdlib::{Call, Family, Sequences, rows};
use crate::value::{CellKind, Name, Value, number};

pub(crate) use class::is_callable;
pub(crate) use class::is_class;
pub(super) use class::{is_collection, is_function, is_sequence};

pub(crate) const FAMILY: Family = rows! {
    "Type and number predicates";
    "nil?" "[x]" lazy callback(Callback::Never) size(Size::Scalar) presence(false)
        prefix(Sequences::First) test(Test::IsNil) = |call| is(call.arg(0).is_nil()),
        "Whether `x` is nil." "(nil? nil)" => "true";
    "some?" "[x]" lazy callback(Callback::Never) size(Size::Scalar) presence(true)
        prefix(Sequences::First) test(Test::IsSome) = |call| is(!call.arg(0).is_nil()),
        "Whether `x` is not nil." "(some? false)" => "true";
    "any?" "[x]" lazy prefix(Sequences::First) = |_| is(true),
        "true, whatever `x` is." "(any? nil)" => "true";
    "boolean?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Bool(_))),
        "Whether `x` is true or false." "(boolean? nil)" => "false";
    "string?" "[x]" lazy callback(Callback::Never) size(Size::Scalar)
        test(Test::IsString) = |call| is(matches!(call.arg(0), Value::Str(_))),
        "Whether `x` is a string." r#"(string? "a")"# => "true";
    "char?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Str(text) if text.chars() == 1)),
        "Whether `x` is a string of one character." r#"(char? "ab")"# => "false";
    "keyword?" "[x]" lazy callback(Callback::Never) size(Size::Scalar)
        test(Test::IsKeyword) = |call| is(matches!(call.arg(0), Value::Keyword(_))),
        "Whether `x` is a keyword." "(keyword? :a)" => "true";
    "symbol?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Symbol(_))),
        "Whether `x` is a symbol." "(symbol? 'a)" => "true";
    "ident?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Keyword(_) | Value::Symbol(_))),
        "Whether `x` is a keyword or symbol." "(ident? :a)" => "true";
    "simple-ident?" "[x]" lazy
        = |call| is(matches!(call.arg(0), Value::Keyword(name) | Value::Symbol(name) if !has_namespace(name))),
        "Whether `x` is a keyword or symbol without a namespace." "(simple-ident? :a/b)" => "false";
    "simple-keyword?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Keyword(name) if !has_namespace(name))),
        "Whether `x` is a keyword without a namespace." "(simple-keyword? :a)" => "true";
    "simple-symbol?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Symbol(name) if !has_namespace(name))),
        "Whether `x` is a symbol without a namespace." "(simple-symbol? 'a/b)" => "false";
    "qualified-ident?" "[x]" lazy
        = |call| is(matches!(call.arg(0), Value::Keyword(name) | Value::Symbol(name) if has_namespace(name))),
        "Whether `x` is a keyword or symbol with a namespace." "(qualified-ident? 'a/b)" => "true";
    "qualified-keyword?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Keyword(name) if has_namespace(name))),
        "Whether `x` is a keyword with a namespace." "(qualified-keyword? :a/b)" => "true";
    "qualified-symbol?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Symbol(name) if has_namespace(name))),
        "Whether `x` is a symbol with a namespace." "(qualified-symbol? 'a)" => "false";
    "number?" "[x]" lazy callback(Callback::Never) size(Size::Scalar) test(Test::IsNumber)
        = |call| is(matches!(call.arg(0), Value::Int(_) | Value::Float(_) | Value::Big(_))),
        "Whether `x` is an integer or float, special floats included." "(number? ##NaN)" => "true";
    "int?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Int(_))),
        "Whether `x` is a 64-bit integer." "(int? 1.0)" => "false";
    "integer?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Int(_) | Value::Big(_))),
        "Whether `x` is an integer of any size." "(integer? 5)" => "true";
    "rational?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Int(_) | Value::Big(_))),
        "Whether `x` is an integer." "(rational? 1.5)" => "false";
    "ratio?" "[x]" lazy = |_| is(false),
        "false: there are no ratios." "(ratio? 0.5)" => "false";
    "decimal?" "[x]" lazy = |_| is(false),
        "false: there are no decimals." "(decimal? 0.5)" => "false";
    "float?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Float(_))),
        "Whether `x` is a float." "(float? 1.5)" => "true";
    "double?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Float(_))),
        "Whether `x` is a float." "(double? 1)" => "false";
    "pos-int?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Int(1..))),
        "Whether `x` is a 64-bit integer above 0." "(pos-int? 1)" => "true";
    "neg-int?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Int(..=-1))),
        "Whether `x` is a 64-bit integer below 0." "(neg-int? -1)" => "true";
    "nat-int?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Int(0..))),
        "Whether `x` is a 64-bit integer, 0 or above." "(nat-int? 0)" => "true";
    "NaN?" "[x]" lazy = |call| is(float(call)?.is_some_and(f64::is_nan)),
        "Whether the number `x` is NaN." "(NaN? ##NaN)" => "true";
    "infinite?" "[x]" lazy = |call| is(float(call)?.is_some_and(f64::is_infinite)),
        "Whether the number `x` is infinite." "(infinite? ##-Inf)" => "true";
    "zero?" "[x]" lazy size(Size::Scalar) uses(Uses::Computes)
        test(Test::IsZero) = |call| is(number::sign(call.arg(0)) == Some(0)),
        "Whether `x` is a number equal to 0." "(zero? 0.0)" => "true", r#"(zero? "x")"# => "false";
    "pos?" "[x]" lazy size(Size::Scalar) uses(Uses::Computes)
        test(Test::IsPositive) = |call| is(number::sign(call.arg(0)) == Some(1)),
        "Whether `x` is a number above 0." "(pos? 1)" => "true";
    "neg?" "[x]" lazy size(Size::Scalar) uses(Uses::Computes)
        test(Test::IsNegative) = |call| is(number::sign(call.arg(0)) == Some(-1)),
        "Whether `x` is a number below 0." "(neg? -0.1)" => "true";
    "even?" "[n]" lazy size(Size::Scalar) uses(Uses::Computes) test(Test::IsEven) = |call| is(!is_odd(call)?),
        "Whether the integer `n` is even; floats without a fraction count as integers." "(even? 4.0)" => "true";
    "odd?" "[n]" lazy size(Size::Scalar) uses(Uses::Computes) test(Test::IsOdd) = |call| is(is_odd(call)?),
        "Whether the integer `n` is odd; floats without a fraction count as integers." "(odd? -3)" => "true";
    "regex?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Regex(_))),
        "Whether `x` is a regular expression." r#"(regex? #"a")"# => "true";
    "instance?" "[class x]" lazy = class::is_instance,
        "Whether `x` is what the Java or Clojure class stands for here: `String Number Long Double Boolean Keyword \
         Map …`."
        r#"(instance? String "a")"# => "true", "(map #(instance? Number %) [1 :a])" => "[true false]";
    "uuid?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Uuid(_))),
        "Whether `x` is a UUID." r#"(uuid? "a")"# => "false";
    "inst?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Instant(_))),
        "Whether `x` is a point in time." "(inst? (java.util.Date. 0))" => "true";
    "var?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Var(_))),
        "Whether `x` is a var." "(var? 1)" => "false";
    "delay?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Cell(cell) if cell.kind() == CellKind::Delay)),
        "Whether `x` is a delay." "(delay? 1)" => "false";
    "volatile?" "[x]" lazy = |call| is(matches!(call.arg(0), Value::Cell(cell) if cell.kind() == CellKind::Volatile)),
        "Whether `x` is a volatile." "(volatile? 1)" => "false";
};

pub(super) fn is(holds: bool) -> Res {
    Ok(Value::Bool(holds))
}

fn has_namespace(name: &Name) -> bool {
    crate::stdlib::convert::parts(name.as_str()).0.is_some()
}

/// The float in argument 0; `None` when it is another number.
fn float(call: &Call<'_>) -> Res<Option<f64>> {
    match call.arg(0) {
        Value::Float(x) => Ok(Some(*x)),
        other if other.is_number() => Ok(None),
        other => Err(call.wrong("a number", other)),
    }
}

fn is_odd(call: &Call<'_>) -> Res<bool> {
    match call.arg(0) {
        Value::Int(n) => Ok(n & 1 == 1),
        Value::Big(n) => Ok(n.bit(0)),
        Value::Float(x) if x.fract() == 0.0 => Ok(x % 2.0 != 0.0),
        other => Err(call.wrong("an integer", other)),
    }
}

#[cfg(test)]
mod tests {
    //! Predicates of kinds and numbers.

    use insta::assert_snapshot;

    use crate::stdlib::show::tests::check;

    #[test]
    fn numbers() {
        assert_snapshot!(check("(map int? [1 1.0 nil \"1\" 9223372036854775808])"), @"[true false false false false]");
        assert_snapshot!(check("(map integer? [1 1.0 9223372036854775808])"), @"[true false true]");
        assert_snapshot!(check("(map zero? [0 0.0 -0.0 1 nil \"0\" ##NaN])"), @"[true true true false false false false]");
        assert_snapshot!(check("(map pos? [1 0 -1 ##Inf nil 9223372036854775808])"), @"[true false false true false true]");
        assert_snapshot!(check("(map even? [0 4.0 -2 9223372036854775808 1e300])"), @"[true true true true true]");
        assert_snapshot!(check("(even? 1.5)"), @"! type_error even?: expected an integer, got the float 1.5; (int x), (round x) or quot gives an integer");
        assert_snapshot!(check("(odd? ##Inf)"), @"! type_error odd?: expected an integer, got the float ##Inf; (int x), (round x) or quot gives an integer");
        assert_snapshot!(check("(NaN? nil)"), @"! type_error NaN?: expected a number, got nil");
    }

    #[test]
    fn names() {
        assert_snapshot!(check("(map qualified-keyword? [:a :a/b 'c/d])"), @"[false true false]");
        assert_snapshot!(check("(map simple-ident? [:a :a/b 'c \"d\"])"), @"[true false true false]");
        assert_snapshot!(check("(map char? [\\a \"ab\" nil \"\"])"), @"[true false false false]");
    }

    /// Asking for the kind of an endless sequence must not realise it.
    #[test]
    fn endless_sequences() {
        assert_snapshot!(check("[(nil? (range)) (some? (range)) (number? (iterate inc 0)) (string? (cycle [1]))]"), @"[false true false false]");
    }
}
