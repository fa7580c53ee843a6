use proptest::prelude::*;

use super::*;
use crate::parse::parse;

/// `Open ( Name str Text "b`
fn shown(source: &str) -> String {
    let text = |span: Span| &source[span.start as usize..span.end as usize];
    tokens(source).iter().map(|token| format!("{:?} {}\n", token.kind, text(token.span))).collect()
}

#[test]
fn tokens_are_told_by_their_text() {
    insta::assert_snapshot!(shown("(defn área [x] #_no (str/join \", \" #{:a \\( 1.5M})) ; end)\n'x @y ^:k #(z %) #\"\\\"(\" #'v ##Inf #date \"2024-01-01\""), @r#"
    Open (
    Name defn
    Name área
    Open [
    Name x
    Close ]
    Mark #_
    Name no
    Open (
    Name str/join
    Text ", "
    Open #{
    Keyword :a
    Text \(
    Number 1.5M
    Close }
    Close )
    Close )
    Comment ; end)
    Mark '
    Name x
    Mark @
    Name y
    Mark ^
    Keyword :k
    Open #(
    Name z
    Name %
    Close )
    Text #"\"("
    Name #'v
    Name ##Inf
    Name #date
    Text "2024-01-01"
    "#);
    insta::assert_snapshot!(shown("(a \"unfinished ( ; \\\""), @r#"
    Open (
    Name a
    Text "unfinished ( ; \"
    "#);
    insta::assert_snapshot!(shown("# ~ 12abc \\newline\\"), @r"
    Unknown #
    Unknown ~
    Number 12abc
    Text \newline
    Text \
    ");
}

#[test]
fn a_text_is_unfinished_while_more_may_close_what_is_open() {
    for text in [
        "(", "(a", "[{:a #{1", "\"", "\"a\\", "#\"(", "#(", "'", "@", "^", "^:k", "#_", "#_ ; x", "(a ; )", "((a)",
        "“a",
    ] {
        assert!(is_unfinished(text), "{text}");
    }
    for text in
        ["", "a", "(a)", "(a))", ")", "(]", "{:a}", "(a #_b)", "; (", "#", "\"\\\n", "1x", "“a”", "(\\()", "(a) \"b\""]
    {
        assert!(!is_unfinished(text), "{text}");
    }
}

proptest! {
    /// Whatever the text, its tokens are in order, with only separators between them.
    #[test]
    fn any_text_has_tokens(source in "[\\PC\n\t]{0,40}|[()\\[\\]{}\"'#@^_:;\\\\a1 \n]{0,30}") {
        let mut at = 0;
        for token in tokens(&source) {
            let (start, end) = (token.span.start as usize, token.span.end as usize);
            prop_assert!(start < end);
            prop_assert!(source[at..start].chars().all(|c| is_blank(c) || is_invisible(c)));
            at = end;
        }
        prop_assert!(source[at..].chars().all(|c| is_blank(c) || is_invisible(c)));
    }

    /// A text that reads is not unfinished, and an unfinished text does not read.
    #[test]
    fn what_reads_is_finished(source in "[()\\[\\]{}\"'#@^_:;\\\\a1“ \n]{0,30}") {
        prop_assert!(!(is_unfinished(&source) && parse(&source).is_ok()));
    }
}
