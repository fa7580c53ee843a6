//! Which redirects keep a request, with its keys, at the server that it was sent to.

/// Redirects that are followed for one request.
const MOST: usize = 5;

/// Who receives what is sent to an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Destination<'a> {
    /// `http` or `https`.
    pub scheme: &'a str,
    /// The host as the client resolves it.
    pub host: &'a str,
    /// The port, that of the scheme by default.
    pub port: Option<u16>,
}

/// Why a redirect is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusedRedirect {
    /// It leads to a server that was not named.
    OtherServer,
    /// Clients repeat a request without its method or content after this status.
    LosesRequest,
    /// Too many of them led here.
    TooMany,
}

/// Whether a redirect with this HTTP status may be followed: only to the same host and port, or from `http` to `https` on
/// the same host, and only where the request is repeated as it was. `followed` counts the redirects before it.
///
/// The headers and the address of a request hold keys, which HTTP clients would send on to any host.
pub fn check_redirect(
    status: u16,
    followed: usize,
    from: Destination<'_>,
    to: Destination<'_>,
) -> Result<(), RefusedRedirect> {
    let is_secured = from.scheme == "http" && to.scheme == "https";
    if from.host != to.host || !(is_secured || (from.scheme, from.port) == (to.scheme, to.port)) {
        return Err(RefusedRedirect::OtherServer);
    }
    if !matches!(status, 307 | 308) {
        return Err(RefusedRedirect::LosesRequest);
    }
    if followed >= MOST { Err(RefusedRedirect::TooMany) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn destination() -> impl Strategy<Value = (&'static str, &'static str, Option<u16>)> {
        let host = prop::sample::select(vec!["a.example", "b.a.example", "a.example.b", "127.0.0.1", "localhost"]);
        (prop::sample::select(vec!["http", "https"]), host, prop::sample::select(vec![Some(80), Some(443), Some(8080)]))
    }

    fn of((scheme, host, port): (&'static str, &'static str, Option<u16>)) -> Destination<'static> {
        Destination { scheme, host, port }
    }

    proptest! {
        #[test]
        fn no_redirect_leads_to_another_host_or_out_of_tls(
            from in destination(), to in destination(), status in 300_u16..309, followed in 0_usize..8
        ) {
            let (from, to) = (of(from), of(to));
            if check_redirect(status, followed, from, to).is_ok() {
                prop_assert_eq!(from.host, to.host);
                prop_assert!(from == to || (from.scheme, to.scheme) == ("http", "https"));
                prop_assert!(matches!(status, 307 | 308) && followed < MOST);
            }
            prop_assert_eq!(check_redirect(307, 0, from, from), Ok(()));
        }
    }
}
