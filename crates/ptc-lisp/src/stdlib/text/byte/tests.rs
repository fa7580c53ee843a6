use proptest::prelude::*;

proptest! {
    #[test]
    fn bytes_are_found_as_by_looking_at_each(bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0..3_u8, 0x7f..0x82_u8], 0..40), byte in prop_oneof![any::<u8>(), 0..3_u8, 0x7f..0x82_u8]) {
        prop_assert_eq!(super::find(&bytes, byte), bytes.iter().position(|other| *other == byte));
    }
}
