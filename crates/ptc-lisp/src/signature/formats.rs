//! Formats of texts: what `:string (date)` has in brackets.

/// Texts of a format, by the names of JSON Schema; `#` is a digit from 1 on.
pub(super) const FORMATS: [(&str, &str); 15] = [
    ("date", "2024-03-0#"),
    ("date-time", "2024-03-09T10:30:0#Z"),
    ("time", "10:30:0#"),
    ("duration", "PT#H30M"),
    ("uuid", "810f5868-02e7-4a33-8e40-dd2247a9748#"),
    ("email", "name#@example.com"),
    ("hostname", "host#.example.com"),
    ("ipv4", "192.0.2.#"),
    ("ipv6", "2001:db8::#"),
    ("uri", "https://example.com/#"),
    ("url", "https://example.com/#"),
    ("uri-reference", "/page/#"),
    ("json-pointer", "/items/#"),
    ("path", "folder/file#.txt"),
    ("decimal", "12.3#"),
];

/// Whether this is the name of a format, which `:string (date)` has in brackets.
pub(super) fn is_format(word: &str) -> bool {
    FORMATS.iter().any(|(known, _)| *known == word)
}
