use insta::assert_snapshot;

use super::LlmErrorKind;

#[test]
fn the_status_decides_the_kind() {
    let statuses =
        [200, 302, 400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 429, 499, 500, 501, 502, 503, 504, 505, 520, 529];
    let told = statuses.map(|status| {
        let kind = LlmErrorKind::of_status(status);
        format!("{status} {kind}{}\n", if kind.is_retryable() { ", again" } else { "" })
    });
    assert_snapshot!(told.concat(), @r"
    200 unknown
    302 unknown
    400 client_error
    401 client_error
    402 no_credit
    403 client_error
    404 client_error
    408 timeout, again
    409 server_error, again
    413 client_error
    422 client_error
    425 server_error, again
    429 rate_limit, again
    499 server_error, again
    500 server_error, again
    501 client_error
    502 server_error, again
    503 server_error, again
    504 server_error, again
    505 client_error
    520 server_error, again
    529 server_error, again
    ");
}

#[test]
fn every_kind_is_found_by_its_name() {
    for kind in LlmErrorKind::recorded() {
        assert_eq!(LlmErrorKind::from_name(kind.as_str()), Some(kind));
    }
    assert_eq!(LlmErrorKind::from_name("out_of_answers"), None);
    let again: Vec<&str> =
        LlmErrorKind::recorded().filter(|kind| kind.is_retryable()).map(LlmErrorKind::as_str).collect();
    assert_eq!(again, ["rate_limit", "timeout", "server_error", "unreachable"]);
}
