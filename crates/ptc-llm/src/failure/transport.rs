//! Calls that got no answer: at which stage, and why.

use std::error::Error;
use std::io;

use ptc_chat::{LlmError, LlmErrorKind};

/// One error of a chain of them.
type Reason = dyn Error + 'static;

/// What is seen of a failed call.
struct Seen {
    /// Before the request was sent.
    connecting: bool,
    timed_out: bool,
    /// After the head of the answer.
    in_body: bool,
    refused: bool,
    dns: bool,
    tls: bool,
}

/// A cause, its kind, and what is said about it between the place and the reason.
struct Cause {
    is: fn(&Seen) -> bool,
    kind: LlmErrorKind,
    words: fn(&str, &str) -> String,
}

/// The first that applies is the cause.
const CAUSES: [Cause; 8] = [
    Cause {
        is: |seen| seen.dns,
        kind: LlmErrorKind::Unreachable,
        words: |place, why| format!("the host of {place} is not found ({why}): check the address and the network"),
    },
    Cause {
        is: |seen| seen.tls,
        kind: LlmErrorKind::ConfigError,
        words: |place, why| {
            format!("no TLS connection to {place} ({why}): check its certificate, or write http:// if it has no TLS")
        },
    },
    Cause {
        is: |seen| seen.refused,
        kind: LlmErrorKind::Unreachable,
        words: |place, _| format!("{place} refuses connections: start the server, or check the address"),
    },
    Cause {
        is: |seen| seen.connecting && seen.timed_out,
        kind: LlmErrorKind::Unreachable,
        words: |place, _| format!("{place} accepted no connection in time: check the address and the network"),
    },
    Cause {
        is: |seen| seen.connecting,
        kind: LlmErrorKind::Unreachable,
        words: |place, why| format!("cannot connect to {place} ({why}): check the address and the network"),
    },
    Cause {
        is: |seen| seen.timed_out && seen.in_body,
        kind: LlmErrorKind::Timeout,
        words: |place, _| format!("{place} fell silent in the middle of its answer"),
    },
    Cause {
        is: |seen| seen.timed_out,
        kind: LlmErrorKind::Timeout,
        words: |place, _| format!("{place} took the request, but did not answer in time"),
    },
    Cause {
        is: |_| true,
        kind: LlmErrorKind::ServerError,
        words: |place, why| format!("the connection to {place} broke: {why}"),
    },
];

/// The failure of a call that ended before its answer did.
pub(super) fn failure(error: &reqwest::Error, place: &str) -> LlmError {
    let mut causes: Vec<&Reason> = Vec::new();
    let mut deeper = error.source();
    while let Some(cause) = deeper {
        causes.push(cause);
        deeper = cause.source();
    }
    let why = causes.last().map_or_else(|| error.to_string(), ToString::to_string);
    let refused = |cause: &&Reason| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
    };
    let seen = Seen {
        connecting: error.is_connect(),
        timed_out: error.is_timeout(),
        in_body: error.is_body() || error.is_decode(),
        refused: causes.iter().any(refused),
        dns: causes.iter().any(|cause| cause.to_string().starts_with("dns error")),
        tls: causes.iter().any(|cause| is_tls(*cause)),
    };
    match CAUSES.iter().find(|cause| (cause.is)(&seen)) {
        Some(cause) => LlmError::new(cause.kind, (cause.words)(place, &why)),
        None => LlmError::new(LlmErrorKind::Unknown, why),
    }
}

/// Errors of TLS are inside of errors of reading and writing, which do not name them as their source.
fn is_tls(cause: &Reason) -> bool {
    if cause.is::<rustls::Error>() {
        return true;
    }
    let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    inner.is_some_and(|inner| is_tls(inner))
}
