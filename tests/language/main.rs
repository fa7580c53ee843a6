//! What the language must do with whole programs: known answers, cases that notice a wrong builtin, messages that teach, and the
//! answers of real Clojure.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails where it stands"
)]

mod clojure;
mod conformance;
mod coverage;
mod mutate;
