//! Whole-system tests; everything is in `tests/`.
