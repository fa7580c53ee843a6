//! Requests as journals have them: what differs from the request before.

use std::collections::HashMap;
use std::sync::Arc;

use ptc_chat::{Message, Part, Request, Role, ToolUse};
use serde::{Deserialize, Serialize};

use super::recorded::each_line;
use super::{JournalError, JournalRecord};
use crate::turn::TurnKind;

/// A request that is about to be sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequestRecord {
    /// Name of the model.
    pub model: String,
    /// The turn it is for, from 1.
    pub turn: u32,
    /// The attempt, from 1.
    pub attempt: u32,
    /// The budget that pays for the turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: TurnKind,
    /// The request without its messages; absent where it is the same as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request: Option<Box<Request>>,
    /// So many of its messages are the first of the request before.
    #[serde(default, skip_serializing_if = "is_default")]
    pub keep: usize,
    /// The messages after them.
    pub add: Vec<MessageRecord>,
    /// Microseconds since the run started, without times between a crash and its resume.
    pub at_us: u64,
}

/// A message, as it differs from the one in the same place of the request before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageRecord {
    role: Role,
    /// So many of its parts are the first of the other one.
    #[serde(default, skip_serializing_if = "is_default")]
    keep: usize,
    /// The parts after them.
    parts: Vec<PartRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_calls: Option<Arc<[ToolUse]>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_id: Option<Arc<str>>,
}

/// A part of a message, as it differs from the one in the same place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct PartRecord {
    /// Bytes at its beginning that are those of the other one.
    #[serde(default, skip_serializing_if = "is_default")]
    head: usize,
    /// Bytes at its end.
    #[serde(default, skip_serializing_if = "is_default")]
    tail: usize,
    /// The text between them.
    #[serde(flatten)]
    part: Part,
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Do this with the requests of a journal as they were sent, in order, with those of the agents that were called; journals of
/// version 1 have none.
///
/// Errors like [`Recorded::read`](super::Recorded::read), and when one was not written after the one before it.
pub fn journal_requests(bytes: &[u8], each: &mut dyn FnMut(&Request)) -> Result<(), JournalError> {
    let mut before: HashMap<Option<String>, Request> = HashMap::new();
    let mut take = |below, record| match record {
        JournalRecord::Header(_) => {
            before.remove(&below);
            Ok(())
        }
        JournalRecord::Resumed {} => {
            before.clear();
            Ok(())
        }
        JournalRecord::Request(record) => {
            let request = record.after(before.get(&below)).map_err(JournalError::Value)?;
            each(&request);
            before.insert(below, request);
            Ok(())
        }
        _ => Ok(()),
    };
    each_line(bytes, &mut |_, below, record| take(below, record)).map(drop)
}

impl RequestRecord {
    /// The record of a request to `model` after the request `last`.
    pub(super) fn new(
        model: &str,
        kind: TurnKind,
        request: &Request,
        last: Option<&Request>,
        at_us: u64,
    ) -> RequestRecord {
        let (before, now) = (last.map(|last| last.messages.as_slice()).unwrap_or_default(), &request.messages);
        let keep = before.iter().zip(now).take_while(|(one, other)| one == other).count();
        let add = now.iter().enumerate().skip(keep);
        let add = add.map(|(place, message)| MessageRecord::new(before.get(place), message)).collect();
        let about = |request: &Request| Request { messages: Vec::new(), turn: 0, attempt: 0, ..request.clone() };
        let is_same = last.is_some_and(|last| about(last) == about(request));
        RequestRecord {
            model: model.to_owned(),
            turn: request.turn,
            attempt: request.attempt,
            kind,
            request: (!is_same).then(|| Box::new(about(request))),
            keep,
            add,
            at_us,
        }
    }

    /// The request after the request `last`. Errors when it was not recorded after that one.
    pub(super) fn after(&self, last: Option<&Request>) -> Result<Request, String> {
        let about =
            self.request.as_deref().or(last).ok_or("it is said to be as the one before it, and there is none")?;
        let messages = self.messages(last.map(|last| last.messages.as_slice()).unwrap_or_default())?;
        Ok(Request { messages, turn: self.turn, attempt: self.attempt, ..about.clone() })
    }

    /// The agent that asks, as far as this record says.
    pub(super) fn agent(&self) -> Option<Option<&str>> {
        self.request.as_ref().map(|request| request.agent.as_deref())
    }

    /// Its messages after one with the messages `before`.
    fn messages(&self, before: &[Message]) -> Result<Vec<Message>, String> {
        let kept = before
            .get(..self.keep)
            .ok_or_else(|| format!("it keeps {} messages of a request that has {}", self.keep, before.len()))?;
        let added = self.add.iter().enumerate().map(|(place, added)| added.message(before.get(self.keep + place)));
        kept.iter().map(|message| Ok(message.clone())).chain(added).collect()
    }
}

impl MessageRecord {
    fn new(before: Option<&Message>, message: &Message) -> MessageRecord {
        let old = before.map(|before| &*before.parts).unwrap_or_default();
        let keep = old.iter().zip(&*message.parts).take_while(|(one, other)| one == other).count();
        let known = |place: usize| old.get(place).map_or("", |part| &part.text);
        let parts =
            message.parts.iter().enumerate().skip(keep).map(|(place, part)| PartRecord::new(known(place), part));
        MessageRecord {
            role: message.role,
            keep,
            parts: parts.collect(),
            tool_calls: message.tool_calls.clone(),
            call_id: message.call_id.clone(),
        }
    }

    fn message(&self, before: Option<&Message>) -> Result<Message, String> {
        let old = before.map(|before| &*before.parts).unwrap_or_default();
        let kept = old
            .get(..self.keep)
            .ok_or_else(|| format!("it keeps {} parts of a message that has {}", self.keep, old.len()))?;
        let known = |place: usize| old.get(self.keep + place).map_or("", |part| &part.text);
        let added = self.parts.iter().enumerate().map(|(place, part)| part.part(known(place)));
        let parts = kept.iter().map(|part| Ok(part.clone())).chain(added).collect::<Result<Vec<_>, String>>()?;
        Ok(Message {
            tool_calls: self.tool_calls.clone(),
            call_id: self.call_id.clone(),
            ..Message::new(self.role, parts)
        })
    }
}

impl PartRecord {
    fn new(known: &str, part: &Part) -> PartRecord {
        let text = part.text.as_str();
        let same = |(one, other): &(char, char)| one == other;
        let head: usize = known.chars().zip(text.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
        let (old, new) = (known.get(head..).unwrap_or_default(), text.get(head..).unwrap_or_default());
        let tail: usize = old.chars().rev().zip(new.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
        let between = new.get(..new.len() - tail).unwrap_or_default().to_owned();
        PartRecord { head, tail, part: Part { text: between, repeats: part.repeats } }
    }

    fn part(&self, known: &str) -> Result<Part, String> {
        let tail = known.len().checked_sub(self.tail).filter(|from| *from >= self.head);
        let ends = known.get(..self.head).zip(tail.and_then(|from| known.get(from..)));
        let (head, tail) = ends.ok_or_else(|| {
            format!("it repeats {} and {} bytes of a text that has {}", self.head, self.tail, known.len())
        })?;
        Ok(Part { text: [head, &self.part.text, tail].concat(), repeats: self.part.repeats })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn messages() -> impl Strategy<Value = Vec<Message>> {
        let part = ("[aé]{0,3}x?[aé]{0,3}", 0..3).prop_map(|(text, repeats)| match repeats {
            0 => Part::stable(text),
            1 => Part::repeated(text),
            _ => Part::changing(text),
        });
        let message = (any::<bool>(), prop::collection::vec(part, 0..3))
            .prop_map(|(asks, parts)| Message::new(if asks { Role::User } else { Role::Assistant }, parts));
        prop::collection::vec(message, 0..4)
    }

    proptest! {
        #[test]
        fn a_request_is_what_was_sent_before_it_with_what_differs(before in messages(), now in messages()) {
            let request = Request { messages: now, ..Request::default() };
            let last = Request { messages: before, turn: 2, ..Request::default() };
            for last in [None, Some(&last)] {
                let record = RequestRecord::new("m", TurnKind::Normal, &request, last, 0);
                let text = serde_json::to_string(&record).unwrap();
                let read: RequestRecord = serde_json::from_str(&text).unwrap();
                prop_assert_eq!(read.after(last).unwrap(), request.clone());
            }
        }

        #[test]
        fn a_request_after_another_one_is_refused_or_another_one(before in messages(), now in messages(), other in messages()) {
            let request = Request { messages: now, ..Request::default() };
            // It may not panic, nor stand for more than both together.
            let last = Request { messages: before, ..Request::default() };
            if let Ok(read) = RequestRecord::new("m", TurnKind::Normal, &request, Some(&last), 0).messages(&other) {
                let bytes = |messages: &[Message]| messages.iter().map(|message| message.content().len()).sum::<usize>();
                prop_assert!(bytes(&read) <= bytes(&other) + bytes(&request.messages));
            }
        }
    }
}
