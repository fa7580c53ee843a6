//! Padding of sections.

use super::{DATA_HEADER, pad, section};

#[test]
fn short_names_fill_the_column() {
    assert_eq!(pad("data/bookings") + "; int", "data/bookings                 ; int");
    assert_eq!(pad("").len(), 30);
    assert_eq!(pad(&"x".repeat(29)).len(), 30);
}

#[test]
fn long_names_get_one_blank() {
    assert_eq!(pad(&"x".repeat(30)).len(), 31);
    assert_eq!(pad(&"x".repeat(44)).len(), 45);
}

#[test]
fn width_counts_characters_not_bytes() {
    assert_eq!(pad("größe").chars().count(), 30);
}

#[test]
fn sections_without_entries_vanish() {
    assert_eq!(section(DATA_HEADER, Vec::<String>::new()), None);
    assert_eq!(section(DATA_HEADER, ["data/a", "data/b"]).unwrap(), ";; === data/ ===\ndata/a\ndata/b");
}
