use super::*;

#[test]
fn classes_are_found_by_name() {
    assert!(CLASSES.is_sorted_by(|one, other| one.0 < other.0));
    assert!(is_class("String") && is_class("java.lang.String") && is_class("clojure.lang.Keyword"));
    assert!(!is_class("my.String") && !is_class("Strin"));
}
