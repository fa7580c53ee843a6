use super::Words;

#[test]
fn options_are_taken_in_any_order() {
    let mut words = Words::of(&["--all", "--most", "3", "--list", "--list"], "usage");
    assert_eq!(words.value::<u64>("--most").unwrap(), Some(3));
    assert_eq!(words.value::<u64>("--most").unwrap(), None);
    assert!(words.flag("--list") && !words.flag("--list") && words.flag("--all"));
    words.end().unwrap();
}

#[test]
fn what_is_wrong_is_answered_with_the_usage() {
    let refused = |words: &[&str]| {
        let mut words = Words::of(words, "usage");
        words.value::<u64>("--most").and_then(|_| words.end()).unwrap_err().to_string()
    };
    for words in [&["--most"][..], &["--most", "x"], &["--most", "3", "more"], &["--least"]] {
        assert_eq!(refused(words), "usage", "{words:?}");
    }
}
