//! Where two sequences of requests diverge.

use ptc_chat::Message;
use ptc_lisp::text::{escaped, shortened};
use serde::Serialize;

use super::rendition::Rendition;

/// Characters quoted from the first differing byte on.
const QUOTED: usize = 60;

/// The first difference between the requests of two renditions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The turn whose request differs first, from 1.
    pub turn: usize,
    /// The first message of it that differs, from 1.
    pub message: usize,
    /// The first byte of that message that differs, from 0.
    pub byte: usize,
    /// The text of the first rendition there; `None` if it has no such message.
    pub reference: Option<String>,
    /// The text of the other one there.
    pub found: Option<String>,
}

impl Difference {
    /// The first difference; `None` when all requests are equal. The division into parts does not count, only the text.
    pub fn between(reference: &Rendition, other: &Rendition) -> Option<Difference> {
        let pairs = reference.requests.iter().zip(&other.requests);
        pairs.zip(1..).find_map(|((one, two), turn)| between(one, two, turn))
    }
}

fn between(reference: &[Message], other: &[Message], turn: usize) -> Option<Difference> {
    let (same, byte) = common(reference, other);
    if same == reference.len() && same == other.len() {
        return None;
    }
    let quoted = |messages: &[Message]| messages.get(same).map(|message| quote(message, byte));
    Some(Difference { turn, message: same + 1, byte, reference: quoted(reference), found: quoted(other) })
}

/// How many messages are equal from the start, and how many bytes of the next one.
pub(super) fn common(before: &[Message], now: &[Message]) -> (usize, usize) {
    let is_same = |(one, two): &(&Message, &Message)| one.role == two.role && one.content() == two.content();
    let same = before.iter().zip(now).take_while(is_same).count();
    let next = before.get(same).zip(now.get(same)).filter(|(one, two)| one.role == two.role);
    (same, next.map_or(0, |(one, two)| common_bytes(&one.content(), &two.content())))
}

/// Bytes from the start that are equal, whole characters only.
fn common_bytes(one: &str, two: &str) -> usize {
    one.chars().zip(two.chars()).take_while(|(left, right)| left == right).map(|(left, _)| left.len_utf8()).sum()
}

/// `user: …` from this byte, in one line.
fn quote(message: &Message, byte: usize) -> String {
    let content = message.content();
    let rest = content.get(byte..).unwrap_or_default();
    let role = message.role.as_str();
    match rest {
        "" => format!("{role}: (its end)"),
        _ => format!("{role}: {}", escaped(&shortened(rest, QUOTED))),
    }
}
