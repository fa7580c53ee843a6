#![allow(clippy::expect_used, reason = "a test fails where it stands")]

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
