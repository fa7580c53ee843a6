//! The names that make a case a core case: the forms of the language reference and its core functions.

/// Special forms and macros, core and extension.
pub(super) const FORMS: &str = "def defn let fn loop recur for doseq if if-not if-let when when-not when-let cond do and or -> ->> where all-of \
    any-of none-of task step-done task-reset return fail defonce defn- declare if-some when-some when-first case condp as-> cond-> cond->> some-> \
    some->> dotimes comment";

/// Core functions.
pub(super) const FUNCTIONS: &str = "* + - / < <= = > >= abs apply assoc assoc-in avg avg-by boolean boolean? butlast ceil char? coll? combinations \
    compare concat conj contains? count dec difference dissoc distinct distinct-by double downcase drop drop-last drop-while empty? ends-with? \
    entries even? every? extract extract-int ffirst filter find first flatten float floor fnext fnil frequencies get get-in group-by identity inc \
    includes? index-of int interleave interpose intersection into join juxt key keys keyword? last last-index-of lower-case map map-indexed map? \
    mapcat mapv max max-by max-key merge min min-by min-key mod neg? next nfirst nil? nnext not not-any? not-empty not= nth number? odd? \
    parse-double parse-int parse-long partition partition-all pcalls pluck pmap pos? postwalk pow prewalk println quot range re-find re-matches \
    re-pattern re-seq re-split reduce regex? rem remove replace rest reverse round second select-keys seq seq? sequential? set set? some some? sort \
    sort-by split split-lines sqrt starts-with? str string? subs sum sum-by take take-last take-while tree-seq trim trunc type union upcase update \
    update-in update-vals upper-case val vals vec vector vector? walk zero? zip .getTime .indexOf .lastIndexOf java.util.Date. \
    System/currentTimeMillis LocalDate/parse Double/POSITIVE_INFINITY Double/NEGATIVE_INFINITY Double/NaN";

/// Clojure forms outside the reference's list, which no function table names.
pub(super) const OTHER_FORMS: &str =
    "quote try catch finally throw letfn lazy-seq lazy-cat delay doto .. while with-out-str time assert ns require";

/// The symbols in a program's text, except in strings, comments and characters.
pub(super) fn symbols(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut chars = source.chars().peekable();
    let mut word = String::new();
    let mut flush = |word: &mut String| {
        let starts = word.chars().next();
        if starts.is_some_and(|c| !c.is_ascii_digit() && c != ':' && c != '#') {
            found.push(std::mem::take(word));
        }
        word.clear();
    };
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                flush(&mut word);
                while let Some(inner) = chars.next() {
                    match inner {
                        '\\' => {
                            chars.next();
                        }
                        '"' => break,
                        _ => {}
                    }
                }
            }
            ';' => {
                flush(&mut word);
                while chars.peek().is_some_and(|next| *next != '\n') {
                    chars.next();
                }
            }
            '\\' => {
                flush(&mut word);
                chars.next();
                while chars.peek().is_some_and(|next| next.is_alphanumeric()) {
                    chars.next();
                }
            }
            c if c.is_whitespace() || "()[]{},".contains(c) => flush(&mut word),
            '\'' | '@' | '`' | '~' | '^' if word.is_empty() => found_reader_macro(&mut word, c, &mut flush),
            c => word.push(c),
        }
    }
    flush(&mut word);
    found
}

/// Quote and deref are separate forms.
fn found_reader_macro(word: &mut String, c: char, flush: &mut impl FnMut(&mut String)) {
    word.push_str(match c {
        '\'' => "quote",
        '@' => "deref",
        _ => "reader-macro",
    });
    flush(word);
}
