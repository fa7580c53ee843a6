//! From failed calls to our errors: the kind, the provider's message, what to do.

mod retry_after;
mod transport;

use std::str::Utf8Error;
use std::string::FromUtf8Error;

use genai::webc;
use ptc_chat::{LlmError, LlmErrorKind, shown_address};
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::Value;

const MESSAGE_CHARS: usize = 500;
/// Of an event that cannot be read.
const EVENT_CHARS: usize = 80;
/// What is said about a stream without its end.
pub(crate) const BROKE_OFF: &str = "it broke off before its end";
/// Seconds from which the error says how long the provider asks to wait.
const LONG_WAIT: u64 = 120;

/// What a provider says in the `type` or `code` of an error, and the kind of failure that it is. Some say it under another status, so
/// that out of credit comes first.
const SAID: [(&str, LlmErrorKind); 17] = {
    use LlmErrorKind::{ClientError, NoCredit, RateLimit, Timeout};
    [
        ("insufficient_quota", NoCredit),
        ("billing_error", NoCredit),
        ("billing_hard_limit_reached", NoCredit),
        ("billing_not_active", NoCredit),
        ("insufficient_balance", NoCredit),
        ("insufficient_credits", NoCredit),
        ("payment_required", NoCredit),
        ("rate_limit_error", RateLimit),
        ("rate_limit_exceeded", RateLimit),
        ("timeout_error", Timeout),
        ("timeout", Timeout),
        ("invalid_request_error", ClientError),
        ("authentication_error", ClientError),
        ("permission_error", ClientError),
        ("not_found_error", ClientError),
        ("context_length_exceeded", ClientError),
        ("exceed_context_size_error", ClientError),
    ]
};

/// Words of a message that says so without a code.
const OUT_OF_CREDIT: [&str; 8] = [
    "credit balance is too low",
    "insufficient balance",
    "insufficient credits",
    "insufficient funds",
    "no credit left",
    "no credits left",
    "out of credits",
    "credits are depleted",
];

/// Classifies a failed call of the model at `place`.
pub(crate) fn explain(error: genai::Error, place: &str) -> LlmError {
    if let Some(status) = error.status() {
        return of_status(status, error.headers(), body(&error), place);
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
        // It was an answer as a stream up to here.
        genai::Error::StreamParse { serde_error, .. } => {
            broken(&format!("an event of it is not JSON: {serde_error}"), place)
        }
        other if is_configuration(&other) => LlmError::new(LlmErrorKind::ConfigError, other.to_string()),
        other => LlmError::new(LlmErrorKind::Unknown, cut(&other.to_string())),
    }
}

fn of_status(status: StatusCode, headers: Option<&HeaderMap>, body: &str, place: &str) -> LlmError {
    if let Some(address) = headers.and_then(|headers| headers.get("location")).filter(|_| status.is_redirection()) {
        let message = moved(place, &String::from_utf8_lossy(address.as_bytes()));
        return LlmError { status: Some(status.as_u16()), ..LlmError::new(LlmErrorKind::ClientError, message) };
    }
    let retry_after = retry_after::retry_after(headers, body);
    let message = said(body, place);
    let message = match retry_after.map(|wait| wait.as_secs()) {
        Some(seconds) if seconds >= LONG_WAIT => format!("{message} (it asks to wait {} minutes)", seconds / 60),
        _ => message,
    };
    let failure = LlmError { retry_after, ..LlmError::from_status(status.as_u16(), message) };
    let json = serde_json::from_str::<Value>(body).unwrap_or_default();
    let error = json.get("error").or_else(|| json.pointer("/0/error")).unwrap_or(&json);
    // Waiting does not fill an account; other codes say less than the status.
    let is_final = kind_said(error) == Some(LlmErrorKind::NoCredit);
    if is_final { LlmError { kind: LlmErrorKind::NoCredit, ..failure } } else { failure }
}

/// The kind that an error names in a field or, for an empty account, in words.
fn kind_said(error: &Value) -> Option<LlmErrorKind> {
    let text = |key: &str| error.get(key).and_then(Value::as_str);
    let (kind, code) = (text("type"), text("code"));
    let named = SAID.iter().find(|(name, _)| kind == Some(name) || code == Some(name)).map(|(_, kind)| *kind);
    let message = text("message").or_else(|| error.as_str()).unwrap_or_default().to_lowercase();
    let is_empty = OUT_OF_CREDIT.iter().any(|words| message.contains(words));
    if is_empty { Some(LlmErrorKind::NoCredit) } else { named }
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
pub(crate) fn in_answer(body: &Value, place: &str) -> LlmError {
    let error = body.get("error").unwrap_or(body);
    if error.get("finishReason").is_some() && error.get("message").is_none() {
        // The adapter's text for an answer without candidates, whose reason a stream does not keep.
        return LlmError::new(LlmErrorKind::Refused, format!("{place} blocked the request and gave no answer"));
    }
    let message = said(&body.to_string(), place);
    let code = error.get("code");
    let status = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
    if let Some(status) = status.and_then(|code| u16::try_from(code).ok()).filter(|code| *code >= 400) {
        return LlmError::from_status(status, message);
    }
    LlmError::new(kind_said(error).unwrap_or(LlmErrorKind::ServerError), message)
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
        webc::Error::Reqwest(error) => transport::failure(&error.without_url(), place),
        webc::Error::ResponseFailedNotJson { body, .. } | webc::Error::ResponseFailedInvalidJson { body, .. }
            if body.trim().is_empty() =>
        {
            broken("it is empty", place)
        }
        webc::Error::ResponseFailedNotJson { content_type, body } => match page_title(&body) {
            Some(title) => unreadable(&format!("it is a web page{title}"), place),
            None => unreadable(&format!("it is `{content_type}`, not JSON"), place),
        },
        webc::Error::ResponseFailedInvalidJson { cause, .. } if cause.starts_with("EOF") => {
            broken("it ends in the middle", place)
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
    let error = match error.downcast::<reqwest::Error>() {
        Ok(inner) => return transport::failure(&inner.without_url(), place),
        Err(error) => error,
    };
    match not_text(&error).map(|fault| fault.error_len()) {
        Some(Some(_)) => broken("its bytes are not UTF-8", place),
        Some(None) => broken("it ends within a character", place),
        None => LlmError::new(LlmErrorKind::Unknown, cut(&cause)),
    }
}

/// Where a stream has bytes that are not UTF-8, if that is its failure.
fn not_text(error: &genai::BoxError) -> Option<Utf8Error> {
    let whole = error.downcast_ref::<FromUtf8Error>().map(FromUtf8Error::utf8_error);
    whole.or_else(|| error.downcast_ref::<Utf8Error>().copied())
}

/// Whether a stream failed because of its encoding, and not because it ended within a character.
pub(crate) fn is_other_encoding(error: &genai::Error) -> bool {
    let fault = match error {
        genai::Error::WebStream { error, .. } => not_text(error),
        _ => None,
    };
    fault.is_some_and(|fault| fault.error_len().is_some())
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

/// An answer that another attempt may give whole.
pub(crate) fn broken(why: &str, place: &str) -> LlmError {
    LlmError::new(LlmErrorKind::ServerError, format!("the answer of {place} is broken: {}", cut(why)))
}

/// An event of a stream that is not one of chat completions: another attempt may have a better one.
pub(crate) fn odd_event(data: &str, place: &str) -> LlmError {
    if let Some(title) = page_title(data) {
        return broken(&format!("an event of it is a web page{title}"), place);
    }
    let is_cut = serde_json::from_str::<Value>(data).is_err_and(|error| error.is_eof());
    let what = if is_cut { "ends in the middle" } else { "is not JSON" };
    let shown: String = data.chars().take(EVENT_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let more = if shown.len() < data.len() { "..." } else { "" };
    broken(&format!("an event of it {what}: `{shown}{more}`"), place)
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

/// Where the message of an error is, in the order in which they count.
const PLACES: [&str; 12] = [
    "/error/message",
    "/error",
    "/message",
    "/detail",
    "/0/error/message",
    "/0/error",
    "/errors/0/message",
    "/errors/0",
    "/error/reason",
    "/detail/0/msg",
    "/msg",
    "/title",
];

/// The message inside an error body, or the body.
fn said(body: &str, place: &str) -> String {
    let json: Option<Value> = serde_json::from_str(body).ok();
    let inside =
        json.as_ref().and_then(|json| PLACES.iter().find_map(|place| json.pointer(place)?.as_str()).or(json.as_str()));
    match inside.unwrap_or(body).trim() {
        "" => format!("{place} gave no reason"),
        page if page_title(page).is_some() => {
            format!("{place} answers with a web page{}", page_title(page).unwrap_or_default())
        }
        message => cut(message),
    }
}

/// The title of a web page in quotation marks after a space, or nothing when it has none; `None` for other texts.
fn page_title(text: &str) -> Option<String> {
    let start = text.trim_start().get(..14).unwrap_or(text).to_ascii_lowercase();
    if !start.starts_with("<!doctype html") && !start.starts_with("<html") && !start.starts_with("<head") {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let title = lower.find("<title").and_then(|at| Some((at, at + lower.get(at..)?.find('>')? + 1)));
    let title = title.and_then(|(_, from)| text.get(from..from + lower.get(from..)?.find("</title")?));
    let words: Vec<&str> = title.unwrap_or_default().split_whitespace().collect();
    Some(if words.is_empty() { String::new() } else { format!(" \"{}\"", cut(&words.join(" "))) })
}

fn cut(message: &str) -> String {
    let mut shown: String = message.chars().take(MESSAGE_CHARS).collect();
    if shown.len() < message.len() {
        shown.push_str("...");
    }
    shown
}
