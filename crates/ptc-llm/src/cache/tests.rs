use proptest::prelude::*;
use ptc_chat::{Message, Part, Role, ToolUse};
use ptc_compression::testkit::SampleRun;
use ptc_compression::{AppendOnly, Compression, SingleUserCoalesced};

use super::blocks;

fn user(parts: impl Into<Vec<Part>>) -> Message {
    Message::new(Role::User, parts.into())
}

/// Messages between slashes, their blocks between bars, marks as stars.
fn shown(messages: &[Message]) -> String {
    let block = |block: &super::Block<'_>| format!("{}{}", block.text, if block.marked { "*" } else { "" });
    let message = |blocks: &Vec<super::Block<'_>>| blocks.iter().map(block).collect::<Vec<_>>().join("|");
    blocks(messages, true).iter().map(message).collect::<Vec<_>>().join(" / ")
}

#[test]
fn the_stable_beginning_ends_before_the_first_change() {
    let stable = |text: &str| user([Part::stable(text)]);
    let half = || user([Part::stable("a"), Part::changing("b"), Part::stable("c"), Part::repeated("d")]);
    assert_eq!(shown(&[]), "");
    assert_eq!(shown(&[user([])]), "");
    assert_eq!(shown(&[Message::user("x"), stable("late")]), "x / late");
    assert_eq!(shown(&[half(), stable("late")]), "a*|bcd / late");
    assert_eq!(shown(&[stable("a"), half(), half()]), "a / a*|bcd / abcd");
    assert_eq!(shown(&[stable("a"), Message::user("x")]), "a* / x");
    assert_eq!(shown(&[stable("a"), user([Part::stable("b"), Part::stable("c")])]), "a / bc*");
    assert_eq!(shown(&[user([Part::stable(""), Part::changing("x")])]), "x");
}

#[test]
fn the_end_of_what_is_repeated_is_marked_and_the_end_before_it() {
    let asked = || user([Part::stable("a"), Part::repeated("b")]);
    let answered = |answer: &str, said: &str| [Message::assistant(answer).repeated(), Message::user(said).repeated()];
    assert_eq!(shown(&[asked()]), "a*|b*");
    let once = || [asked()].into_iter().chain(answered("p", "c"));
    assert_eq!(shown(&once().collect::<Vec<_>>()), "a*|b* / p / c*");
    let twice = || once().chain(answered("q", "d"));
    assert_eq!(shown(&twice().collect::<Vec<_>>()), "a*|b / p / c* / q / d*");
    let closing =
        [Message::assistant("r").repeated(), user([Part::repeated("e"), Part::repeated("f"), Part::changing("g")])];
    assert_eq!(shown(&twice().chain(closing).collect::<Vec<_>>()), "a*|b / p / c / q / d / r / e*|f*|g");
}

#[test]
fn what_was_said_behind_a_change_is_not_marked() {
    let said = [user([Part::repeated("a")]), Message::assistant("p"), user([Part::repeated("b"), Part::repeated("c")])];
    assert_eq!(shown(&said), "a* / p / bc");
    let stable_again = [user([Part::repeated("a"), Part::stable("b"), Part::stable("c")])];
    assert_eq!(shown(&stable_again), "a|b*|c*");
}

#[test]
fn answers_to_calls_bear_one_mark_together() {
    let calls = ["c1", "c2"].map(|id| ToolUse::new(id, "rate", serde_json::json!({})));
    let asked = || [user([Part::stable("a")]), Message::assistant("p").repeated().with_tool_calls(calls.clone())];
    let answers = || ["c1", "c2"].map(|id| Message::tool(id, id).repeated());
    let said: Vec<Message> = asked().into_iter().chain(answers()).collect();
    assert_eq!(shown(&said), "a* / p / c1 / c2*");
    let more = said.into_iter().chain(asked().into_iter().skip(1)).chain(answers());
    assert_eq!(shown(&more.collect::<Vec<_>>()), "a* / p / c1 / c2* / p / c1 / c2*");
}

fn any_part() -> impl Strategy<Value = Part> {
    prop_oneof![3 => Just(Part::stable as fn(String) -> Part), 3 => Just(Part::repeated as fn(String) -> Part), 1 => Just(Part::changing as fn(String) -> Part)]
        .prop_flat_map(|part| "[a-c]{0,3}".prop_map(part))
}

fn any_message() -> impl Strategy<Value = Message> {
    let role = prop::sample::select(vec![Role::User, Role::Assistant, Role::Tool]);
    (role, prop::collection::vec(any_part(), 0..4)).prop_map(|(role, parts)| Message::new(role, parts))
}

fn repeated_message() -> impl Strategy<Value = Message> {
    any_message().prop_map(Message::repeated)
}

proptest! {
    #[test]
    fn blocks_say_what_the_messages_say(messages in prop::collection::vec(any_message(), 0..6), marks: bool) {
        let blocks = blocks(&messages, marks);
        let texts: Vec<String> = blocks.iter().map(|blocks| blocks.iter().map(|block| &*block.text).collect()).collect();
        prop_assert_eq!(texts, messages.iter().map(|message| message.content().into_owned()).collect::<Vec<_>>());
        let marked: Vec<_> = blocks.iter().flatten().filter(|block| block.marked).collect();
        prop_assert!(marked.len() <= 3 && (marks || marked.is_empty()));
        prop_assert!(marked.iter().all(|block| !block.text.is_empty()));
    }

    /// However much a history grows, it is cut where it was cut before.
    #[test]
    fn a_history_that_is_appended_to_keeps_its_blocks(
        before in prop::collection::vec(repeated_message(), 0..6),
        more in prop::collection::vec(any_message(), 0..4),
    ) {
        let texts = |messages: &[Message]| -> Vec<Vec<String>> {
            blocks(messages, true).iter().map(|blocks| blocks.iter().map(|block| block.text.to_string()).collect()).collect()
        };
        let after: Vec<Message> = before.iter().chain(&more).cloned().collect();
        prop_assert_eq!(&texts(&after)[..before.len()], &texts(&before)[..]);
    }
}
/// The texts of all blocks up to each mark.
fn beginnings(messages: &[Message]) -> Vec<Vec<String>> {
    let blocks: Vec<_> = blocks(messages, true).into_iter().flatten().collect();
    let texts: Vec<String> = blocks.iter().map(|block| block.text.clone().into_owned()).collect();
    let marks = (1..).zip(&blocks).filter(|(_, block)| block.marked);
    marks.map(|(end, _)| texts[..end].to_vec()).collect()
}

proptest! {
    /// Text that a request wrote to the cache is marked in the next one; if everything was merged, the mission is.
    #[test]
    fn the_next_request_of_a_strategy_finds_what_was_written(seed: u64) {
        let history = SampleRun::random(seed);
        let strategies: [&dyn Compression; 2] = [&SingleUserCoalesced::default(), &AppendOnly::default()];
        for strategy in strategies {
            let mut written: Vec<Vec<String>> = Vec::new();
            for seen in 0..=history.turns().len() {
                let messages = strategy.to_messages(history.after(seen), &history.memory(seen), &history.input(seen)).messages;
                let sent: Vec<String> = blocks(&messages, true).into_iter().flatten().map(|block| block.text.into_owned()).collect();
                let marked = beginnings(&messages);
                prop_assert!(marked.len() <= 3 && !marked.is_empty());
                let last = written.iter().rev().find(|beginning| sent.starts_with(beginning));
                prop_assert!(seen == 0 || last.is_some_and(|beginning| marked.contains(beginning)), "{}: {sent:?}", strategy.name());
                written = marked;
            }
        }
    }
}
