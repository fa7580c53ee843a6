use proptest::prelude::*;
use ptc_chat::Role;

use super::*;
use crate::ByteBound;

/// Every byte is a token; remembers what was counted.
#[derive(Clone, Default)]
struct Counting(Arc<Mutex<Vec<String>>>);

impl Counting {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl TokenCounter for Counting {
    fn name(&self) -> &str {
        "counting"
    }

    fn count(&self, text: &str) -> usize {
        self.0.lock().unwrap().push(text.to_owned());
        text.len()
    }
}

fn opening(rest: &str) -> Message {
    Message::new(Role::User, [Part::stable("mission"), Part::changing(rest)])
}

#[test]
fn a_request_is_more_than_its_texts() {
    let requests = RequestCounter::new(ByteBound, "system");
    let messages = [opening("rest"), Message::assistant("(go)")];
    assert_eq!(requests.tokens(&messages), 3 + (4 + 6) + (4 + 7 + 4) + (4 + 4));
    assert_eq!(requests.tokens(&[]), 3 + (4 + 6));
    assert_eq!(requests.bound(&messages), requests.tokens(&messages));
}

#[test]
fn an_estimate_keeps_the_stable_beginning_apart() {
    let requests = RequestCounter::new(ByteBound, "system");
    let estimate = |messages: &[Message]| {
        let RequestEstimate { turn, prefix, history } = requests.estimate(2, messages);
        (turn, prefix, history)
    };
    assert_eq!(estimate(&[opening("rest"), Message::assistant("(go)")]), (2, 3 + (4 + 6) + (4 + 7), 4 + (4 + 4)));
    // Only the leading parts of the first message are a beginning.
    let late = Message::new(Role::User, [Part::changing("a"), Part::stable("bc")]);
    assert_eq!(estimate(&[late]), (2, 3 + (4 + 6) + 4, 3));
    assert_eq!(estimate(&[]), (2, 3 + (4 + 6), 0));
}

#[test]
fn nothing_is_counted_that_the_request_before_had() {
    let counter = Counting::default();
    let requests = RequestCounter::new(counter.clone(), "system");
    assert!(counter.take().is_empty());
    let request = |rest: &str, more: &[&str]| -> Vec<Message> {
        std::iter::once(opening(rest)).chain(more.iter().map(|text| Message::assistant(*text))).collect()
    };
    let of = |messages: &[Message]| {
        let tokens = requests.tokens(messages);
        assert_eq!(requests.estimate(1, messages).total() as usize, tokens);
        counter.take()
    };
    assert_eq!(of(&request("one", &["a", "b"])), ["system", "mission", "one", "a", "b"]);
    assert_eq!(of(&request("one", &["a", "b", "c"])), ["c"]);
    assert_eq!(of(&request("two", &["b", "c", "d", "d"])), ["two", "d"]);
    // Only the newest request is kept.
    assert_eq!(of(&request("one", &["a"])), ["one", "a"]);
}

proptest! {
    /// The memory of earlier requests does not change any number.
    #[test]
    fn remembering_changes_nothing(requests in prop::collection::vec(prop::collection::vec(prop::collection::vec(("[ab]{0,2}", any::<bool>()), 0..3), 0..4), 1..5)) {
        let remembering = RequestCounter::new(ByteBound, "system");
        for parts in requests {
            let message = |parts: Vec<(String, bool)>| {
                Message::new(Role::User, parts.into_iter().map(|(text, stable)| if stable { Part::stable(text) } else { Part::changing(text) }).collect::<Vec<_>>())
            };
            let messages: Vec<Message> = parts.into_iter().map(message).collect();
            let fresh = RequestCounter::new(ByteBound, "system");
            prop_assert_eq!(remembering.estimate(1, &messages), fresh.estimate(1, &messages));
            prop_assert_eq!(remembering.tokens(&messages), remembering.bound(&messages));
        }
    }
}
