//! Redirects of servers: followed only where keys stay with the server that they were given to.

use std::error::Error;
use std::fmt;

use ptc_chat::{Destination, RefusedRedirect, check_redirect};
use reqwest::Url;
use reqwest::redirect::{Action, Attempt, Policy};
use rmcp::transport::streamable_http_client::StreamableHttpError;

/// A redirect that is not followed, and why.
#[derive(Debug)]
struct Refused {
    /// Host and port.
    from: String,
    /// The same.
    to: String,
    status: u16,
    why: RefusedRedirect,
}

/// Follow redirects within a server; any other one is an error that names both hosts.
pub(crate) fn policy() -> Policy {
    Policy::custom(redirected)
}

/// What a failed connection says about a redirect that was not followed.
pub(crate) fn refusal(error: &(dyn Error + Send + Sync + 'static)) -> Option<String> {
    // It holds the error of the HTTP client, but does not name it as its source.
    let Some(StreamableHttpError::Client(client)) = error.downcast_ref::<StreamableHttpError<reqwest::Error>>() else {
        return None;
    };
    let mut cause: &dyn Error = client;
    loop {
        if let Some(refused) = cause.downcast_ref::<Refused>() {
            return Some(refused.to_string());
        }
        cause = cause.source()?;
    }
}

fn redirected(attempt: Attempt<'_>) -> Action {
    let Some(from) = attempt.previous().last() else { return attempt.stop() };
    let (status, followed) = (attempt.status().as_u16(), attempt.previous().len() - 1);
    match check_redirect(status, followed, destination(from), destination(attempt.url())) {
        Ok(()) => attempt.follow(),
        Err(why) => {
            let (from, to) = (host(from), host(attempt.url()));
            attempt.error(Refused { from, to, status, why })
        }
    }
}

fn destination(url: &Url) -> Destination<'_> {
    Destination { scheme: url.scheme(), host: url.host_str().unwrap_or_default(), port: url.port_or_known_default() }
}

/// Where a request to this address goes: nothing else of an address is shown, as it may hold keys.
fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused { from, to, status, .. } = self;
        match self.why {
            RefusedRedirect::LosesRequest => write!(
                f,
                "{from} redirects with HTTP {status}, after which the request is not repeated as it was: write the \
                 address that it redirects to"
            ),
            RefusedRedirect::TooMany => write!(f, "{from} redirects too often"),
            // Scheme and port distinguish servers, too.
            _ => write!(
                f,
                "{from} redirects to {to}, but the keys of a request are not sent to another server: if {to} is the \
                 right one, write its address as `url`"
            ),
        }
    }
}

impl Error for Refused {}

#[cfg(test)]
mod tests;
