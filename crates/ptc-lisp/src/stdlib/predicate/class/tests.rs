use super::*;

#[test]
fn classes_are_found_by_name() {
    assert!(["AFn", "Integer", "ZonedDateTime"].map(is_class) == [true; 3]);
    assert!(is_class("String") && is_class("java.lang.String") && is_class("clojure.lang.Keyword"));
    assert!(!is_class("my.String") && !is_class("Strin"));
}
