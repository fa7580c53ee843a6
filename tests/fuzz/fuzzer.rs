//! The program that the fuzzer drives: `PTC_FUZZ_TARGET` says which target.

#![no_main]

#[expect(dead_code, reason = "the test of the inputs that are kept reads the rest of a row")]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    match std::env::var("PTC_FUZZ_TARGET") {
        Ok(name) => targets::look(&name, bytes),
        Err(_) => panic!("PTC_FUZZ_TARGET does not name a target: use tests/fuzz/run"),
    }
});
