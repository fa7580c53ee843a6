//! The responses to requests.

use std::sync::Arc;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    status: StatusCode,
    kind: &'static str,
    body: Bytes,
    tag: Option<String>,
}

impl Answer {
    pub(super) fn page(html: String) -> Answer {
        Answer { status: StatusCode::OK, kind: "text/html; charset=utf-8", body: html.into(), tag: None }
    }

    /// JSON with an `ETag`; not sent to a client that already has it.
    pub(super) fn json(text: &Arc<str>, tag: String, known: Option<&str>) -> Answer {
        let is_known = known == Some(tag.as_str());
        let (status, body) = match is_known {
            true => (StatusCode::NOT_MODIFIED, Bytes::new()),
            false => (StatusCode::OK, Bytes::copy_from_slice(text.as_bytes())),
        };
        Answer { status, kind: "application/json", body, tag: Some(tag) }
    }

    pub(super) fn refusal(status: StatusCode, text: impl Into<String>) -> Answer {
        Answer { status, kind: "text/plain; charset=utf-8", body: text.into().into(), tag: None }
    }

    /// The response with headers that say what pages of other sites may not do with it.
    pub(super) fn send(self, method: &Method) -> Response<Full<Bytes>> {
        let body = if *method == Method::HEAD { Bytes::new() } else { self.body };
        let mut response = Response::new(Full::new(body));
        *response.status_mut() = self.status;
        let fixed = [
            (header::CONTENT_TYPE, self.kind),
            (header::CACHE_CONTROL, "no-store"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
        ];
        let headers = response.headers_mut();
        headers.extend(fixed.map(|(name, value)| (name, HeaderValue::from_static(value))));
        if let Some(tag) = self.tag.and_then(|tag| HeaderValue::from_str(&tag).ok()) {
            headers.insert(header::ETAG, tag);
        }
        response
    }
}

/// A header as text.
pub(super) fn said<B>(request: &Request<B>, name: header::HeaderName) -> Option<&str> {
    request.headers().get(name).and_then(|value| value.to_str().ok())
}
