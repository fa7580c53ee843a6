//! Failures that say nothing about a mission, only about the service of its model.

use ptc_chat::{LlmError, LlmErrorKind};

/// HTTP statuses of a provider that does not let this key ask this model, whatever it is asked.
const NO_ACCESS: [u16; 3] = [401, 403, 404];

/// Whether every other request would fail in the same way.
pub(crate) fn is_without_access(error: &LlmError) -> bool {
    match error.kind() {
        LlmErrorKind::ConfigError | LlmErrorKind::NoCredit => true,
        LlmErrorKind::ClientError => error.status.is_some_and(|status| NO_ACCESS.contains(&status)),
        _ => false,
    }
}

/// Whether the request may be answered another time.
pub(crate) fn is_at_fault(error: &LlmError) -> bool {
    matches!(
        error.kind(),
        LlmErrorKind::RateLimit
            | LlmErrorKind::ServerError
            | LlmErrorKind::Timeout
            | LlmErrorKind::Unreachable
            | LlmErrorKind::OutOfAnswers { .. }
    )
}
