//! Splitting strings.

use crate::error::Res;
use crate::stdlib::Call;
use crate::stdlib::call::TEXT;
use crate::stdlib::regex::{Matches, is_pattern, pattern};
use crate::value::{Text, Value};

pub(super) fn split(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    let limit = if call.len() == 3 { call.int(2)? } else { 0 };
    call.charge(text.len() / 8)?;
    if is_pattern(call.arg(1)) {
        return by_pattern(call, &text, limit);
    }
    let separator = match call.arg(1) {
        Value::Str(separator) => separator.clone(),
        other => return Err(call.wrong("a string or regex to split by", other)),
    };
    let most = usize::try_from(limit).ok().filter(|most| *most > 0).unwrap_or(usize::MAX);
    let mut pieces = Pieces::default();
    if separator.is_empty() {
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next().filter(|_| pieces.found.len() + 1 < most) {
            let (piece, after) = rest.split_at(first.len_utf8());
            pieces.push(call, piece)?;
            rest = after;
        }
        if !rest.is_empty() || text.is_empty() {
            pieces.push(call, rest)?;
        }
    } else {
        for piece in text.splitn(most, separator.as_str()) {
            pieces.push(call, piece)?;
        }
    }
    call.paid_vector(pieces.found)
}

/// As Java splits: no empty piece before a match of nothing at the start; with `limit` 0 none at the end.
fn by_pattern(call: &mut Call<'_>, text: &Text, limit: i64) -> Res {
    let regex = pattern(call, 1)?;
    let mut pieces = Pieces::default();
    let mut matches = Matches::new(&regex, text);
    let mut start = 0;
    while limit <= 0 || i64::try_from(pieces.found.len()).is_ok_and(|found| found + 1 < limit) {
        let Some((from, to)) = matches.next(call)? else { break };
        if to == 0 {
            continue;
        }
        pieces.push(call, text.get(start..from).unwrap_or_default())?;
        start = to;
    }
    let none = pieces.found.is_empty() && start == 0;
    pieces.push(call, text.get(start..).unwrap_or_default())?;
    if limit == 0 && !none {
        pieces.drop_empty_end();
    }
    call.paid_vector(pieces.found)
}

/// `re-split`: every piece, empty ones too.
pub(in crate::stdlib) fn every_piece(call: &mut Call<'_>, regex: &regex::Regex, text: &Text) -> Res {
    let mut pieces = Pieces::default();
    let mut matches = Matches::new(regex, text);
    let mut start = 0;
    while let Some((from, to)) = matches.next(call)? {
        if from == to && (from == 0 || from == text.len()) {
            continue;
        }
        pieces.push(call, text.get(start..from).unwrap_or_default())?;
        start = to;
    }
    pieces.push(call, text.get(start..).unwrap_or_default())?;
    call.paid_vector(pieces.found)
}

pub(super) fn lines(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    call.charge(text.len() / 8)?;
    let mut pieces = Pieces::default();
    for line in text.split('\n') {
        pieces.push(call, line.strip_suffix('\r').unwrap_or(line))?;
    }
    if !text.is_empty() {
        pieces.drop_empty_end();
    }
    call.paid_vector(pieces.found)
}

/// The pieces found so far.
#[derive(Default)]
struct Pieces {
    found: Vec<Value>,
}

impl Pieces {
    fn push(&mut self, call: &mut Call<'_>, piece: &str) -> Res<()> {
        call.charge(1 + piece.len() / 16)?;
        call.allocate(TEXT + piece.len())?;
        call.push(&mut self.found, Value::string(piece))
    }

    fn drop_empty_end(&mut self) {
        while self.found.last().is_some_and(|piece| piece.as_str() == Some("")) {
            self.found.pop();
        }
    }
}
