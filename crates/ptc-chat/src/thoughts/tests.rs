use proptest::prelude::*;

use super::{SplitAnswer, ThoughtMarks, ThoughtSplitter, split_thoughts};

fn check(content: &str) -> (String, Option<String>) {
    let SplitAnswer { answer, thoughts } = split_thoughts(content);
    (answer, thoughts)
}

fn parts(answer: &str, thoughts: &str) -> (String, Option<String>) {
    (answer.to_owned(), Some(thoughts.to_owned()))
}

#[test]
fn thoughts_come_first() {
    assert_eq!(check("<think>hm</think>(return 1)"), parts("(return 1)", "hm"));
    assert_eq!(check("\n<think>\n a < b \n</think>\n\n(return 1)\n"), parts("(return 1)\n", "a < b"));
    assert_eq!(check("<think></think>(f)"), ("(f)".to_owned(), None));
}

#[test]
fn an_answer_without_thoughts_stays_as_it_is() {
    for answer in ["", "  ", "<", "<thin", "<thinkers>x", "<analysis>x</analysis>(f)", " (return \"<think>a</think>\")"]
    {
        assert_eq!(check(answer), (answer.to_owned(), None));
    }
}

#[test]
fn every_family_of_models_has_its_marks() {
    for ThoughtMarks { opening, closing, in_any_answer } in ThoughtMarks::ALL {
        let content = format!("{}hm{}\n(f)", opening.to_uppercase(), closing.to_uppercase());
        let expected = if in_any_answer { parts("(f)", "hm") } else { (content.clone(), None) };
        assert_eq!(check(&content), expected);
    }
}

#[test]
fn thoughts_that_never_end_leave_no_answer() {
    assert_eq!(check("<think>so first I"), parts("", "so first I"));
    assert_eq!(check("<think>a</think> \n"), parts("", "a"));
}

proptest! {
    #[test]
    fn pieces_do_not_matter(pieces in prop::collection::vec(prop_oneof![
        Just("<think>"), Just("</think>"), Just("<"), Just("/"), Just("thi"), Just("nk>"), Just(" "), Just("ä"), Just("x"),
    ], 0..12), cut in 1usize..4) {
        let content = pieces.concat();
        let characters: Vec<char> = content.chars().collect();
        let mut splitter = ThoughtSplitter::default();
        let mut answer: String = characters.chunks(cut).map(|piece| splitter.push(&piece.iter().collect::<String>())).collect();
        let last = splitter.finish();
        answer.push_str(&last.answer);
        prop_assert_eq!(SplitAnswer { answer, thoughts: last.thoughts }, split_thoughts(&content));
    }
}
