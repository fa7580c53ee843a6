use proptest::prelude::*;

use super::*;

#[test]
fn an_address_is_shown_without_what_may_be_a_key() {
    for (given, shown) in [
        ("http://127.0.0.1:8080/v1#qwen3", "http://127.0.0.1:8080/v1#qwen3"),
        ("https://me:canary@h.example:1/v1?key=canary&a=1#@cf/m", "https://[hidden]@h.example:1/v1?[hidden]#@cf/m"),
        ("http://canary@[::1]:80", "http://[hidden]@[::1]:80"),
        ("http://[::1]/?#m", "http://[::1]/?#m"),
        ("http://@h/?a", "http://@h/?[hidden]"),
        ("me:canary@h/v1", "[hidden]@h/v1"),
        ("h:80?canary", "h:80?[hidden]"),
        // A password with a slash, as the address parser reads it.
        ("http://me:cana/ry@h/v1#m", "http://[hidden]@h/v1#m"),
        ("http://me:123/canary@h", "http://[hidden]@h"),
        ("http://canary/x@h:80/v1?canary", "http://[hidden]@h:80/v1?[hidden]"),
        ("me:canary/x@h/v1", "[hidden]@h/v1"),
        ("me:canary/?x@h/v1", "[hidden]"),
        ("http://me:123?canary@h/v1", "http://[hidden]"),
        ("http://me:canary", "http://[hidden]"),
        ("http://u:canary@h/@org/m", "http://[hidden]@h/@org/m"),
        // A segment of a path may begin with `@`.
        ("https://mcp.example/@org/name/mcp", "https://mcp.example/@org/name/mcp"),
        ("http://localhost:123/@canary", "http://[hidden]@canary"),
        ("http://a@b:canary@h", "http://[hidden]@h"),
        ("unix:/run/x", "unix:/run/x"),
        ("", ""),
    ] {
        assert_eq!(shown_address(given), shown);
    }
}

#[test]
fn addresses_in_texts_are_found() {
    for (given, shown) in [
        ("error for url (https://h/mcp?key=canary)", "error for url (https://h/mcp?[hidden])"),
        ("`http://u:canary@h`, then (s3://k:canary@b/p): no", "`http://[hidden]@h`, then (s3://[hidden]@b/p): no"),
        ("write http:// or https://, not ://x", "write http:// or https://, not ://x"),
        ("a ? b, c@d and openai:gpt@5", "a ? b, c@d and openai:gpt@5"),
    ] {
        assert_eq!(shown_addresses(given), shown);
    }
    let secrets = AddressSecrets::of("http://u:canary-1@h/v1?canary-2=1&key=canary-3").and("canary-4").and("short");
    let told = "Cannot POST /v1?canary-2=1&key=canary-3 of u:canary-1 with canary-1, canary-3, canary-4; short";
    assert_eq!(
        secrets.hidden_in(told),
        "Cannot POST /v1?[hidden] of [hidden] with [hidden], [hidden], [hidden]; short"
    );
}

#[test]
fn what_is_percent_encoded_is_found_as_servers_read_it() {
    let secrets =
        AddressSecrets::of("http://n%C3%A4me-long:can%41ry%2Fword@h/v1?key=a+b%20c%26canary&odd=%zz%4canary%");
    for told in [
        "n%C3%A4me-long:can%41ry%2Fword",
        "näme-long:canAry/word",
        "näme-long",
        "can%41ry%2Fword",
        "canAry/word",
        "a+b%20c%26canary",
        "a b c&canary",
        "a+b c&canary",
        "%zzLanary%",
    ] {
        assert_eq!(secrets.hidden_in(told), HIDDEN);
    }
    // A user with a key and no password.
    assert_eq!(AddressSecrets::of("http://canary-word:@h").hidden_in("no canary-word"), "no [hidden]");
}

proptest! {
    #[test]
    fn no_text_makes_it_panic_or_show_more(text in "[a-z:/?#@\\[\\] ().é]{0,40}") {
        let shown = shown_addresses(&text);
        prop_assert_eq!(&shown_addresses(&shown), &shown);
        let _whole = shown_address(&text);
        let masked = masked_addresses(&text);
        prop_assert_eq!(masked.chars().count(), text.chars().count());
        prop_assert!(masked.chars().zip(text.chars()).all(|(masked, c)| masked == c || masked == '*'));
    }

    #[test]
    fn a_user_and_a_query_are_never_shown(
        user in "[a-z!$*%.:@-]{0,9}", host in "[a-z]{1,5}(:[0-9]{1,4})?", path in "(/[a-z]{0,3}){0,2}",
        query in "[a-z=&%/?@:]{0,9}", around in "[ (\"]?",
    ) {
        let address = format!("https://{user}CANARY{user}@{host}{path}?{query}CANARY#m");
        let shown = format!("https://[hidden]@{host}{path}?[hidden]#m");
        prop_assert_eq!(&shown_address(&address), &shown);
        prop_assert_eq!(shown_addresses(&format!("{around}{address}{around}")), format!("{around}{shown}{around}"));
    }
}
