use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

fn shape(line: &str) -> String {
    let mut shape = String::new();
    push_shape(&mut shape, line);
    shape
}

fn log(count: usize, line: impl Fn(usize) -> String) -> Value {
    Value::string((0..count).map(line).collect::<Vec<_>>().join("\n"))
}

#[test]
fn what_differs_from_line_to_line_is_a_mark() {
    assert_snapshot!(shape("2024-03-01T10:00:00.123Z INFO took 31 ms, -2.5%"), @"#-#-#T#:#:#Z INFO took # ms, -#%");
    assert_snapshot!(shape(r#"10.0.0.7 - - [01/Mar/2024:10:00:00 +0000] "GET /a?b=1 HTTP/1.1" 200 512"#), @r#"<ip> - - [#/Mar/#:#:#:# +#] "…" # #"#);
    assert_snapshot!(shape("from 10.0.0.7:8080, fe80::1 and [::1]:80."), @"from <ip>, <ip> and [<ip>]:#.");
    assert_snapshot!(shape("job 123e4567-e89b-12d3-a456-426614174000: commit 9fceb02, at 0x7f3a deadbeef"), @"job <uuid>: commit <hex>, at <hex> deadbeef");
    assert_snapshot!(shape("user 'ann' isn't in \"staff"), @"user '…' isn't in \"staff");
    assert_snapshot!(shape(r#"{"level":"info","ms":31}"#), @r#"{"level":"…","ms":#}"#);
    assert_snapshot!(shape("v1.2.3 worker-7 naïve 漢字42"), @"v#.# worker-# naïve 漢字#");
}

#[test]
fn the_most_frequent_shapes_have_a_number_and_an_example() {
    let text = log(1_000, |n| match n % 10 {
        0 => format!("10:{:02} ERROR \"disk {n}\" is full", n % 60),
        1 if n < 30 => format!("something else: {}", ["alpha", "beta", "gamma"][n / 10]),
        _ => format!("10:{:02} INFO request {n} took {} ms", n % 60, n * 7 % 31),
    });
    assert_snapshot!(shapes(&text).unwrap(), @r##""#:# INFO request # took # ms" 897 as in "10:02 INFO request 2 took 14 ms" | "#:# ERROR \"…\" is full" 100 as in "10:00 ERROR \"disk 0\" is full" | 3 of other shapes"##);
    let list = Value::vector(text.as_str().unwrap().lines().map(Value::string).collect());
    assert_eq!(shapes(&list), shapes(&text));
}

#[test]
fn prose_and_short_texts_have_no_shapes() {
    let words = ["one", "two", "three", "four", "five", "six", "seven"];
    let prose =
        log(500, |n| format!("{} and {} with {} {}", words[n % 7], words[n / 7 % 7], words[n / 49 % 7], "x".repeat(n)));
    assert_eq!(shapes(&prose), None);
    assert_eq!(shapes(&log(99, |n| format!("took {n} ms"))), None);
    assert!(shapes(&log(100, |n| format!("took {n} ms"))).is_some());
    assert_eq!(shapes(&log(200, |_| String::new())), None);
    assert_eq!(shapes(&Value::vector((0..200).map(|n| Value::string(format!("c{n}"))).collect())), None);
    assert_eq!(shapes(&Value::vector((0..200).map(Value::Int).collect())), None);
}

#[test]
fn what_is_said_of_lines_is_bounded() {
    let wide = log(25_000, |n| format!("{} {} {n}", "wide ".repeat(n % 4), "x".repeat(400 + n % 4)));
    let text = shapes(&wide).unwrap();
    assert!(text.chars().count() < 1_000 && text.ends_with("(from 8,334 lines)"), "{text}");
}

proptest! {
    /// Nothing but digits, quotes and identifiers is changed, whatever the line is.
    #[test]
    fn a_line_without_digits_and_quotes_is_its_shape(line in "[^0-9'\"]{0,40}") {
        prop_assert_eq!(shape(&line), line);
    }

    /// Lines that differ in a number have one shape.
    #[test]
    fn numbers_do_not_matter(before in "[a-z \"'()=-]{0,20}", one: u32, other: u32) {
        prop_assert_eq!(shape(&format!("{before} {one}")), shape(&format!("{before} {other}")));
    }
}
