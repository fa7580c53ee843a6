//! From failed calls to our errors: the kind, the provider's message, what to do.

mod retry_after;

use genai::webc;
use ptc_chat::{LlmError, LlmErrorKind, shown_address};
use serde_json::Value;

const MESSAGE_CHARS: usize = 500;
/// Seconds from which the error says how long the provider asks to wait.
const LONG_WAIT: u64 = 120;

/// Classifies a failed call of the model at `place`.
pub(crate) fn explain(error: genai::Error, place: &str) -> LlmError {
    if let Some(status) = error.status() {
        let body = body(&error);
        let retry_after = retry_after::retry_after(error.headers(), body);
        let message = match error.headers().and_then(|headers| headers.get("location")) {
            Some(address) if status.is_redirection() => {
                let address = String::from_utf8_lossy(address.as_bytes());
                return LlmError {
                    status: Some(status.as_u16()),
                    ..LlmError::new(LlmErrorKind::ClientError, moved(place, &address))
                };
            }
            _ => said(body, place),
        };
        let message = match retry_after.map(|wait| wait.as_secs()) {
            Some(seconds) if seconds >= LONG_WAIT => format!("{message} (it asks to wait {} minutes)", seconds / 60),
            _ => message,
        };
        let failure = LlmError { retry_after, ..LlmError::from_status(status.as_u16(), message) };
        // Asking again does not fill an account.
        let is_final =
            serde_json::from_str(body).is_ok_and(|body: Value| body.get("error").is_some_and(is_out_of_credit));
        return if is_final { LlmError { kind: LlmErrorKind::ClientError, ..failure } } else { failure };
    }
    match error {
        genai::Error::WebModelCall { webc_error, .. } | genai::Error::WebAdapterCall { webc_error, .. } => {
            web_failure(webc_error, place)
        }
        genai::Error::WebStream { cause, error, .. } => stream_failure(error, cause, place),
        genai::Error::ChatResponse { body, .. } => in_answer(&body, place),
        genai::Error::ChatResponseGeneration { cause, response_body, .. } => {
            reported(&response_body, place).unwrap_or_else(|| unreadable(&cause, place))
        }
        genai::Error::StreamParse { serde_error, .. } => unreadable(&serde_error.to_string(), place),
        other if is_configuration(&other) => LlmError::new(LlmErrorKind::ConfigError, other.to_string()),
        other => LlmError::new(LlmErrorKind::Unknown, cut(&other.to_string())),
    }
}

/// An error inside an answer with a good status: under `error`, in the choice that it ended, or as the reason why the
/// question was blocked. `None` when there is none.
pub(crate) fn reported(body: &Value, place: &str) -> Option<LlmError> {
    let places = ["/error", "/choices/0/error"];
    let error = places.iter().find_map(|place| body.pointer(place).filter(|error| !error.is_null()));
    let blocked = || body.pointer("/promptFeedback/blockReason").and_then(Value::as_str);
    match error {
        Some(error) => Some(in_answer(error, place)),
        None => blocked()
            .map(|reason| LlmError::new(LlmErrorKind::Refused, format!("{place} blocked the request: {reason}"))),
    }
}

/// An error in the middle of an answer: its code is an HTTP status, or its type says the same in words.
fn in_answer(body: &Value, place: &str) -> LlmError {
    let error = body.get("error").unwrap_or(body);
    if error.get("finishReason").is_some() && error.get("message").is_none() {
        // The adapter's text for an answer without candidates, whose reason a stream does not keep.
        return LlmError::new(LlmErrorKind::Refused, format!("{place} blocked the request and gave no answer"));
    }
    let message = said(&body.to_string(), place);
    if let Some(status) = error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok()) {
        return LlmError::from_status(status, message);
    }
    let kind = match error.get("type").and_then(Value::as_str).unwrap_or_default() {
        "rate_limit_error" | "rate_limit_exceeded" => LlmErrorKind::RateLimit,
        "timeout_error" => LlmErrorKind::Timeout,
        "invalid_request_error" | "authentication_error" | "permission_error" | "not_found_error" => {
            LlmErrorKind::ClientError
        }
        _ if is_out_of_credit(error) => LlmErrorKind::ClientError,
        _ => LlmErrorKind::ServerError,
    };
    LlmError::new(kind, message)
}

/// Whether the provider says that the account has nothing left, which it does under the status of a rate limit.
fn is_out_of_credit(error: &Value) -> bool {
    ["type", "code"]
        .iter()
        .any(|key| matches!(error.get(*key).and_then(Value::as_str), Some("insufficient_quota" | "billing_error")))
}

fn is_configuration(error: &genai::Error) -> bool {
    matches!(
        error,
        genai::Error::RequiresApiKey { .. }
            | genai::Error::NoAuthResolver { .. }
            | genai::Error::NoAuthData { .. }
            | genai::Error::Resolver { .. }
            | genai::Error::AdapterNotSupported { .. }
    )
}

fn web_failure(error: webc::Error, place: &str) -> LlmError {
    match error {
        webc::Error::Reqwest(error) => transport(&error.without_url(), place),
        webc::Error::ResponseFailedNotJson { content_type, .. } => {
            unreadable(&format!("it is `{content_type}`, not JSON"), place)
        }
        webc::Error::ResponseFailedInvalidJson { cause, .. } => unreadable(&cause, place),
        other => LlmError::new(LlmErrorKind::Unknown, cut(&other.to_string())),
    }
}

fn stream_failure(error: genai::BoxError, cause: String, place: &str) -> LlmError {
    let error = match error.downcast::<genai::Error>() {
        Ok(inner) => return explain(*inner, place),
        Err(error) => error,
    };
    let error = match error.downcast::<webc::Error>() {
        Ok(inner) => return web_failure(*inner, place),
        Err(error) => error,
    };
    match error.downcast::<reqwest::Error>() {
        Ok(inner) => transport(&inner.without_url(), place),
        Err(_) => LlmError::new(LlmErrorKind::Unknown, cut(&cause)),
    }
}

fn transport(error: &reqwest::Error, place: &str) -> LlmError {
    let why = root_cause(error);
    if error.is_connect() {
        let message =
            format!("cannot connect to {place} ({why}): start the server, or check the address and the network");
        return LlmError::new(LlmErrorKind::Unreachable, message);
    }
    if error.is_timeout() {
        return LlmError::new(LlmErrorKind::Timeout, format!("{place} did not answer in time"));
    }
    LlmError::new(LlmErrorKind::ServerError, format!("the connection to {place} broke: {why}"))
}

fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

fn moved(place: &str, address: &str) -> String {
    format!(
        "{place} redirects to {}, but the request has the key and is not sent on: use that address instead",
        cut(&shown_address(address))
    )
}

pub(crate) fn unreadable(why: &str, place: &str) -> LlmError {
    let message = format!("the answer of {place} cannot be read: {}; is this the address of a chat API?", cut(why));
    LlmError::new(LlmErrorKind::Unknown, message)
}

fn body(error: &genai::Error) -> &str {
    match error {
        genai::Error::HttpError { body, .. } => body,
        genai::Error::WebModelCall { webc_error, .. } | genai::Error::WebAdapterCall { webc_error, .. } => {
            match webc_error {
                webc::Error::ResponseFailedStatus { body, .. } => body,
                _ => "",
            }
        }
        _ => "",
    }
}

/// The message inside an error body; providers put it under `error.message`, `error` or `message`.
fn said(body: &str, place: &str) -> String {
    let json: Option<Value> = serde_json::from_str(body).ok();
    let places = ["/error/message", "/error", "/message", "/detail", "/0/error/message"];
    let inside =
        json.as_ref().and_then(|json| places.iter().find_map(|place| json.pointer(place)?.as_str()).or(json.as_str()));
    match inside.unwrap_or(body).trim() {
        "" => format!("{place} gave no reason"),
        message => cut(message),
    }
}

fn cut(message: &str) -> String {
    let mut shown: String = message.chars().take(MESSAGE_CHARS).collect();
    if shown.len() < message.len() {
        shown.push_str("...");
    }
    shown
}
