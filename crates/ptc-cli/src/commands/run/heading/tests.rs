use super::wrapped;

#[test]
fn words_are_kept_whole_where_they_fit() {
    assert_eq!(
        wrapped("Which of 日本 is the longest-of-all words?", 12),
        ["Which of", "日本 is the", "longest-of-all", "words?"]
    );
    assert_eq!(wrapped("one line", usize::MAX), ["one line"]);
    assert_eq!(wrapped("", 10), [""]);
}
