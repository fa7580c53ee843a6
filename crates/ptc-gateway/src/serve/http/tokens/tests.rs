use hyper::header::HeaderValue;
use proptest::prelude::*;

use super::*;

fn tokens(text: &str) -> Tokens {
    Tokens::from_text("t", text).unwrap()
}

fn client(tokens: &Tokens, given: &[&str]) -> Option<String> {
    let mut headers = HeaderMap::new();
    for value in given {
        headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
    }
    tokens.client(&headers).map(str::to_owned)
}

const ONE: &str = "aaaaaaaaaaaaaaaa";
const TWO: &str = "bbbbbbbbbbbbbbbb";

#[test]
fn a_client_is_who_has_its_token() {
    let tokens = tokens(&format!("# of us\n\n ci : {ONE}\r\nann:{TWO}\n"));
    assert_eq!(client(&tokens, &[&format!("Bearer {ONE}")]).as_deref(), Some("ci"));
    assert_eq!(client(&tokens, &[&format!("bEARER  {TWO} ")]).as_deref(), Some("ann"));
    let longer = format!("Bearer {ONE}a");
    let (first, second) = (format!("Bearer {ONE}"), format!("Bearer {TWO}"));
    for wrong in [
        &[][..],
        &["Bearer"],
        &["Bearer "],
        &[ONE],
        &[&longer],
        &[&first[..22]],
        &["Basic aaaaaaaaaaaaaaaa"],
        &["Bearer ci"],
        // Which one would count is not clear.
        &[&first, &second],
        &[&first, &first],
    ] {
        assert_eq!(client(&tokens, wrong), None, "{wrong:?}");
    }
    assert!(!format!("{tokens:?}").contains("aaaa"), "{tokens:?}");
}

#[test]
fn mistakes_say_where_and_show_no_token() {
    for (text, expected) in [
        ("", "t has no token: write a line"),
        ("# nothing\n", "t has no token"),
        ("ci: short-canary", "t:1: a token has at least 16 characters: write `NAME: TOKEN`"),
        (&format!("ci: {ONE}\n: {TWO}"), "t:2: there is no name before the colon"),
        (&format!("ci {ONE}"), "t:1: a token has letters, digits and -._~+/= only"),
        (&format!("ci: {ONE}\nann: {ONE}"), "t:2: this token is in an earlier line, too"),
    ] {
        let error = Tokens::from_text("t", text).unwrap_err().to_string();
        let shows_one = [ONE, TWO, "short-canary"].iter().any(|token| error.contains(token));
        assert!(error.starts_with(expected) && !shows_one, "{text}: {error}");
    }
}

#[test]
fn only_this_machine_is_served_without_tokens() {
    for (address, is_local) in [
        ("127.0.0.1:80", true),
        ("127.9.9.9:80", true),
        ("[::1]:80", true),
        ("[::ffff:127.0.0.1]:80", true),
        ("0.0.0.0:80", false),
        ("[::]:80", false),
        ("192.168.1.2:80", false),
        ("[::ffff:10.0.0.1]:80", false),
    ] {
        let address: SocketAddr = address.parse().unwrap();
        assert_eq!(check_http_address(address, false).is_ok(), is_local, "{address}");
        assert!(check_http_address(address, true).is_ok());
    }
}

proptest! {
    /// Each token is its own client's and no other text is anyone's.
    #[test]
    fn nothing_but_a_token_is_a_client(
        known in prop::collection::btree_set("[a-z0-9]{16,20}", 1..6), other in "[ -~]{0,40}"
    ) {
        let lines: Vec<String> = known.iter().enumerate().map(|(at, token)| format!("c{at}: {token}")).collect();
        let tokens = tokens(&lines.join("\n"));
        for (at, token) in known.iter().enumerate() {
            prop_assert_eq!(client(&tokens, &[&format!("Bearer {token}")]), Some(format!("c{at}")));
        }
        let is_known = known.contains(other.trim());
        prop_assert_eq!(client(&tokens, &[&format!("Bearer {other}")]).is_some(), is_known);
    }
}
