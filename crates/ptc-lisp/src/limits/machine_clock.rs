//! The clocks of the machine: those of the standard library, except in a browser, where it has none and the ones of
//! JavaScript are read.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use web_time::Instant;

/// Microseconds since 1970 UTC; 0 before.
#[allow(clippy::disallowed_types, reason = "the host's clock where it gives none")]
pub(crate) fn now_micros() -> i64 {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    use std::time::SystemTime;
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    use web_time::SystemTime;

    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}
