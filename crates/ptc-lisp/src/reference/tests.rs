use std::collections::HashSet;

use super::*;

/// What a look-up says, on one line.
fn check(name: &str) -> String {
    match look_up(name) {
        Ok(entry) => format!("{} {} {} {:?}", entry.kind.as_str(), entry.name, entry.calls.join(" "), entry.namespaces),
        Err(unknown) => unknown.to_string(),
    }
}

#[test]
fn names_are_found_bare_and_behind_their_namespaces() {
    for name in ["blank?", "str/blank?", "clojure.string/blank?", "core/blank?"] {
        assert_eq!(check(name), r#"function blank? (blank? s) ["core", "str"]"#);
    }
    assert_eq!(check("clojure.string/reverse"), r#"function str/reverse (str/reverse s) ["str"]"#);
    assert_eq!(check("reverse"), r#"function reverse (reverse coll) ["core"]"#);
    assert_eq!(check("/"), r#"function / (/ x) (/ x & ys) ["core"]"#);
    assert_eq!(check("java.lang.Math/PI"), r#"constant math/PI math/PI ["math"]"#);
}

#[test]
fn special_forms_are_told_from_macros() {
    assert_eq!(check("if"), r#"special form if (if test then else?) ["core"]"#);
    assert_eq!(check("clojure.core/def"), r#"special form def (def name value) (def name "doc" value) ["core"]"#);
    assert_eq!(check("when"), r#"macro when (when test body...) ["core"]"#);
    assert_eq!(look_up("def").unwrap().params, ["[name value]", "[name \"doc\" value]"]);
    assert_eq!(look_up("let").unwrap().params, ["[[name value ...] body...]"]);
}

#[test]
fn an_unknown_name_names_the_nearest() {
    assert_eq!(check("gruop-by"), "there is no function or special form named gruop-by; did you mean group-by?");
    assert_eq!(check("str/jion"), "there is no function or special form named str/jion; did you mean str/join?");
    assert_eq!(check("nope/joins"), "there is no function or special form named nope/joins; did you mean join?");
    assert_eq!(check("%assert"), "there is no function or special form named %assert; did you mean assert?");
    assert_eq!(check("average"), "there is no function or special form named average; write (avg coll)");
    assert_eq!(check("xyzzyxyzzy"), "there is no function or special form named xyzzyxyzzy");
    assert_eq!(check(""), "there is no function or special form named ");
}

#[test]
fn each_entry_is_found_by_its_name_and_says_what_it_does() {
    let entries = reference();
    let names: HashSet<&str> = entries.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), entries.len(), "a name stands once");
    for entry in &entries {
        assert_eq!(look_up(entry.name).unwrap().name, entry.name);
        assert!(entry.doc.ends_with('.'), "{}: {}", entry.name, entry.doc);
        assert!(!entry.calls.is_empty(), "{}", entry.name);
        for alias in entry.namespaces.iter().filter(|alias| **alias != "core") {
            let bare = entry.name.rsplit_once('/').map_or(entry.name, |(_, bare)| bare);
            assert_eq!(look_up(&format!("{alias}/{bare}")).unwrap().name, entry.name, "{alias}/{bare}");
        }
    }
}
