//! The names of the steps on a record. The machine of the protocol only says whether the next step has the name that is
//! expected.

use bytes::{Buf, Bytes, BytesMut};
use prost::Message;

/// Bytes of the header of a frame: its type, flags and the length of its message.
const HEADER: usize = 8;

/// The type of frames that begin a step.
const RUN: u16 = 0x0411;

/// Such a frame, as far as it is read.
#[derive(Clone, PartialEq, Message)]
struct Run {
    #[prost(string, tag = "12")]
    name: String,
}

/// Reads frames as they arrive, in pieces of any length.
#[derive(Default)]
pub(super) struct StepNames {
    /// The names, in the order of the record.
    pub names: Vec<String>,
    /// The incomplete frame: its header, and its message when that is needed.
    frame: BytesMut,
    /// Bytes of a message that is not needed.
    skipped: usize,
}

impl StepNames {
    /// Read the next bytes of the record.
    pub fn read(&mut self, mut bytes: Bytes) {
        loop {
            let skipped = self.skipped.min(bytes.len());
            bytes.advance(skipped);
            self.skipped -= skipped;
            if bytes.is_empty() {
                return;
            }
            let missing = self.wanted().saturating_sub(self.frame.len());
            self.frame.extend_from_slice(&bytes.split_to(missing.min(bytes.len())));
            // Also with its header the length of the message becomes known.
            if self.frame.len() >= HEADER && self.frame.len() == self.wanted() {
                self.take();
            }
        }
    }

    /// Bytes of the frame, as far as its length is known.
    fn wanted(&self) -> usize {
        match self.header() {
            Some((RUN, length)) => HEADER.saturating_add(length),
            _ => HEADER,
        }
    }

    fn header(&self) -> Option<(u16, usize)> {
        let mut header = self.frame.get(..HEADER)?;
        let (ty, _flags, length) = (header.get_u16(), header.get_u16(), header.get_u32());
        Some((ty, usize::try_from(length).unwrap_or(usize::MAX)))
    }

    fn take(&mut self) {
        match self.header() {
            Some((RUN, _)) => {
                let message = self.frame.split().split_off(HEADER);
                self.names.extend(Run::decode(message).ok().map(|run| run.name));
            }
            Some((_, length)) => self.skipped = length,
            None => {}
        }
        self.frame.clear();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "a test fails where it is")]

    use proptest::prelude::*;

    use super::*;

    /// A frame of this type.
    fn frame(ty: u16, message: &[u8]) -> Vec<u8> {
        let length = u32::try_from(message.len()).expect("a short message");
        [&ty.to_be_bytes()[..], &[0, 0], &length.to_be_bytes(), message].concat()
    }

    /// A step, with a field that is not read.
    fn run(name: &str) -> Vec<u8> {
        let message = Run { name: name.to_owned() }.encode_to_vec();
        frame(RUN, &[&[11 << 3, 7], message.as_slice()].concat())
    }

    proptest! {
        #[test]
        fn names_are_found_however_the_bytes_arrive(
            frames in prop::collection::vec((any::<bool>(), "[a-z/ é]{0,20}"), 0..12),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let whole: Vec<u8> = frames.iter().flat_map(|(is_run, text)| match is_run {
                true => run(text),
                // Other messages may look like anything.
                false => frame(0x0403, &run(text)),
            }).collect();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(whole.len() + 1)).chain([0, whole.len()]).collect();
            cuts.sort_unstable();
            let mut names = StepNames::default();
            for pair in cuts.windows(2) {
                names.read(Bytes::copy_from_slice(&whole[pair[0]..pair[1]]));
            }
            let wanted: Vec<&str> = frames.iter().filter(|(is_run, _)| *is_run).map(|(_, name)| name.as_str()).collect();
            prop_assert_eq!(names.names, wanted);
        }
    }
}
