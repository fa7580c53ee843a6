//! Shortening printed text.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

fn check(text: &str, most: usize) -> String {
    fitted(text, most).map_or_else(|| text.to_owned(), |Fitted { text, missing }| format!("{text} | {missing}"))
}

#[test]
fn short_texts_stay() {
    assert_eq!(fitted("abc", 3), None);
    assert_eq!(fitted("", 0), None);
}

#[test]
fn what_follows_a_long_text_stays() {
    let long = "abcdefghi ".repeat(30);
    let printed = format!("43.85 {{:a \"{long}\"}} {{:error \"needs brake\"}}");
    assert_snapshot!(check(&printed, 100), @r#"43.85 {:a "abcdefghi abcdefghi abcdefghi abcdefghi abcdefghi abcdefghi a..."} {:error "needs brake"} | 239"#);
    // Even where the texts alone are too long.
    assert_snapshot!(check(&printed, 60), @r#"43.85 {:a "abcdefghi abcdefghi abcdefghi abcdefghi ..."} {:e... | 279"#);
}

#[test]
fn the_longest_texts_are_shortened_most() {
    let printed = format!("[\"{}\" \"{}\" \"{}\"]", "a".repeat(90), "b".repeat(50), "c".repeat(10));
    assert_snapshot!(check(&printed, 130), @r#"["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..." "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" "cccccccccc"] | 36"#);
}

#[test]
fn marks_that_are_cut_off_are_not_missing() {
    let printed = format!("\"{}\"", "a".repeat(50));
    assert_snapshot!(check(&printed, 0), @"... | 52");
    assert_snapshot!(check(&printed, 43), @r#""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..... | 11"#);
}

#[test]
fn an_escape_is_not_split_and_ends_nothing() {
    let printed = format!("{{:a \"{}\"}}", r#"\""#.repeat(100));
    assert_snapshot!(check(&printed, 51), @r#"{:a "\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"..."} | 160"#);
}

#[test]
fn running_text_is_cut_at_its_end() {
    assert_snapshot!(check("He said it was 5\" long, and so on.", 20), @r#"He said it was 5" lo... | 14"#);
}

proptest! {
    #[test]
    fn nothing_is_lost_uncounted(text in "([a-zß ]{0,60}|\"[a-z\\\\\"]{0,90}\"|[\\[\\]{} ]){0,9}", most in 0..200_usize) {
        let total = text.chars().count();
        match fitted(&text, most) {
            None => prop_assert!(total <= most),
            Some(Fitted { text: shown, missing }) => {
                let marks = shown.matches(MARK).count() * MARK.len();
                prop_assert!(total > most && shown.chars().count() <= most + MARK.len());
                prop_assert!(missing <= total && shown.chars().count() <= total - missing + marks);
            }
        }
    }

    #[test]
    fn shares_are_fair(lengths in prop::collection::vec(0..50_usize, 0..9), most in 0..200_usize) {
        let share = fair_share(lengths.iter().copied(), most);
        let cut = |share: usize| lengths.iter().map(|length| (*length).min(share)).sum::<usize>();
        prop_assert!(cut(share) <= most);
        prop_assert!(share == most || cut(share + 1) > most);
    }
}
