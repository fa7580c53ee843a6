//! The request of each turn, as the difference from the previous turn.

use std::time::Duration;

use ptc_chat::Message;
use ptc_transcript::{JournalError, Recorded, Step, Turn};
use serde::Serialize;

use crate::replay::Rendition;

/// The messages of a request. The first `keep` are those of the previous turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RequestView {
    /// The number of messages shared with the previous turn.
    pub keep: usize,
    /// The messages after them.
    pub add: Vec<MessageView>,
}

/// A message. One that replaces a message of the previous turn is written as the difference.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MessageView {
    /// `user`, `assistant` or `tool`.
    pub role: &'static str,
    /// UTF-16 code units at its start, shared with the message at the same place of the previous turn.
    #[serde(skip_serializing_if = "is_zero")]
    pub head: usize,
    /// The text after them.
    pub text: String,
    /// UTF-16 code units at its end, shared with the same message.
    #[serde(skip_serializing_if = "is_zero")]
    pub tail: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// What the record of a run says and its step does not: which model was asked for what, and the same of the runs below.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sent {
    /// The model that was asked last.
    pub model: Option<String>,
    /// The request of each turn, the last one where it was repeated.
    pub requests: Vec<RequestView>,
    /// How long the model took for each turn, all attempts together.
    pub model_times: Vec<Option<Duration>>,
    /// Those of the runs below, in the order of their calls.
    pub below: Vec<Sent>,
}

impl Sent {
    /// What was sent by the run of this record and those below it. Errors when its requests do not follow from each other.
    pub fn of(record: &Recorded) -> Result<Sent, JournalError> {
        Sent::of_run(record, record)
    }

    fn of_run(top: &Recorded, run: &Recorded) -> Result<Sent, JournalError> {
        let (mut requests, mut before): (Vec<RequestView>, Vec<Message>) = (Vec::new(), Vec::new());
        let (times, mut model_times) = (run.model_times(), Vec::new());
        let mut open: Option<(u32, Vec<Message>)> = None;
        for sent in run.requests() {
            let (_, request) = sent?;
            if let Some((turn, ended)) = open.take_if(|(turn, _)| *turn != request.turn) {
                requests.push(RequestView::between(&before, &ended));
                model_times.push(times.get(&turn).copied());
                before = ended;
            }
            open = Some((request.turn, request.messages));
        }
        if let Some((turn, last)) = open {
            requests.push(RequestView::between(&before, &last));
            model_times.push(times.get(&turn).copied());
        }
        let below = run.own_calls(0).filter_map(|call| top.below(&call.start.id));
        Ok(Sent {
            model: run.model().map(str::to_owned),
            requests,
            model_times,
            below: below.map(|below| Sent::of_run(top, below)).collect::<Result<_, _>>()?,
        })
    }
}

/// The request of each turn, as the run collected it, or else rendered again from its step. `None` if the step lacks
/// the data for that: steps with plain values, and steps of called agents.
pub(super) fn requests(step: &Step) -> Vec<Option<RequestView>> {
    let rendered = || Rendition::recorded(step, "").ok().filter(|_| step.system.is_some());
    let is_collected = step.turns().iter().all(|turn| turn.messages().is_some());
    let rendered = (!is_collected).then(rendered).flatten().map(|rendition| rendition.requests).unwrap_or_default();
    let mut before: &[Message] = &[];
    let mut view = |(place, turn)| {
        let turn: &Turn = turn;
        let messages = turn.messages().or_else(|| rendered.get(place).map(Vec::as_slice));
        let view = messages.map(|messages| RequestView::between(before, messages));
        before = messages.unwrap_or_default();
        view
    };
    step.turns().iter().enumerate().map(&mut view).collect()
}

impl RequestView {
    fn between(before: &[Message], now: &[Message]) -> RequestView {
        let keep = before.iter().zip(now).take_while(|(one, other)| one == other).count();
        let rest = now.iter().enumerate().skip(keep);
        RequestView { keep, add: rest.map(|(place, message)| MessageView::of(before.get(place), message)).collect() }
    }
}

impl MessageView {
    fn of(before: Option<&Message>, message: &Message) -> MessageView {
        let role = message.role.as_str();
        let text = message.content();
        let before = before.filter(|before| before.role == message.role).map(Message::content).unwrap_or_default();
        let head = common_head(&before, &text);
        let (old, new) = (before.get(head..).unwrap_or_default(), text.get(head..).unwrap_or_default());
        let tail = common_tail(old, new);
        let middle = new.get(..new.len() - tail).unwrap_or_default();
        let units = |text: Option<&str>| text.unwrap_or_default().encode_utf16().count();
        MessageView {
            role,
            head: units(text.get(..head)),
            text: middle.to_owned(),
            tail: units(new.get(new.len() - tail..)),
        }
    }
}

/// Bytes of whole characters that both begin with.
fn common_head(one: &str, other: &str) -> usize {
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other);
    same.map(|(c, _)| c.len_utf8()).sum()
}

/// Bytes of whole characters that both end with.
fn common_tail(one: &str, other: &str) -> usize {
    let same = one.chars().rev().zip(other.chars().rev()).take_while(|(one, other)| one == other);
    same.map(|(c, _)| c.len_utf8()).sum()
}
