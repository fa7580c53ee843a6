//! Parsing, checking and rendering of templates.

use insta::{assert_debug_snapshot, assert_snapshot};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    DEFAULT_MAX_DEPTH, PlaceholderKind, RenderError, Template, TemplateError, check_template, extract_placeholders,
    placeholder_names,
};

fn check(template: &str, context: Value, expected: &str) {
    let rendered = Template::parse(template).unwrap().render(&context).unwrap();
    assert_eq!(rendered, expected, "template {template:?}");
}

fn parse_error(template: &str) -> String {
    let error = Template::parse(template).unwrap_err();
    format!("{}: {error}", error.code())
}

fn render_error(template: &str, context: Value) -> String {
    let error = Template::parse(template).unwrap().render(&context).unwrap_err();
    format!("{}: {error}", error.code())
}

#[test]
fn variables() {
    check("Room {{room.no}} for {{guest}}", json!({"room": {"no": 12}, "guest": "Ines"}), "Room 12 for Ines");
    check("{{ guest }}|{{\tguest\n}}", json!({"guest": "Ines"}), "Ines|Ines");
    check("{{a}}{{b}}{{c}}{{d}}", json!({"a": null, "b": true, "c": false, "d": 2.5}), "truefalse2.5");
    check("{{html}}", json!({"html": "<a & \"b\">"}), "<a & \"b\">");
    check("{{{x}}}", json!({"{x": "odd"}), "odd}");
    check("no tags, } } { {", json!({}), "no tags, } } { {");
    check("", json!({}), "");
}

#[test]
fn sections_loop_enter_and_test() {
    check("{{#nights}}[{{.}}]{{/nights}}", json!({"nights": [1, 2]}), "[1][2]");
    check(
        "{{#guests}}\n* {{name}}\n{{/guests}}\nend",
        json!({"guests": [{"name": "A"}, {"name": "B"}]}),
        "* A\n* B\nend",
    );
    check("{{#vip}}!{{/vip}}", json!({"vip": true}), "!");
    check("{{#n}}{{.}}{{/n}}", json!({"n": 0}), "0");
    check("{{#m}}x{{/m}}", json!({"m": {}}), "x");
    check("{{# room }}{{no}}{{/ room }}", json!({"room": {"no": 1}}), "1");
    check("{{#a.b}}{{c}}{{/a.b}}", json!({"a": {"b": {"c": 3}}}), "3");
    check("{{#rows}}{{#.}}{{.}}{{/.}};{{/rows}}", json!({"rows": [[1, 2], [3]]}), "12;3;");
}

#[test]
fn falsy_and_missing_sections() {
    for falsy in [json!(null), json!(false), json!([]), json!("")] {
        check("{{#x}}yes{{/x}}{{^x}}no{{/x}}", json!({ "x": falsy }), "no");
    }
    for truthy in [json!(0), json!({}), json!("0"), json!([null]), json!(true)] {
        check("{{#x}}yes{{/x}}{{^x}}no{{/x}}", json!({ "x": truthy }), "yes");
    }
    check("{{^guests}}empty{{/guests}}", json!({"guests": []}), "empty");
    check("{{#gone}}a{{/gone}}{{^gone}}b{{/gone}}", json!({}), "b");
    check("{{^gone}}{{name}}{{/gone}}", json!({"name": "outer"}), "outer");
}

#[test]
fn lookup_takes_the_innermost_scope_with_the_whole_path() {
    check("{{#room}}{{no}}/{{hotel}}{{/room}}", json!({"hotel": "H", "room": {"no": 1}}), "1/H");
    let nested = json!({"a": {"b": "outer"}, "inner": {"a": {"c": 1}}});
    check("{{#inner}}{{a.b}}{{/inner}}", nested, "outer");
    check("{{#inner}}[{{x}}]{{/inner}}", json!({"x": "outer", "inner": {"x": null}}), "[]");
}

#[test]
fn comments_print_nothing() {
    check("a{{! note }}b", json!({}), "ab");
    check("a{{! with { and\nnewline }}b", json!({}), "ab");
}

#[test]
fn tags_alone_on_a_line_remove_the_line() {
    check("a\n  {{! note }}  \nb", json!({}), "a\nb");
    check("a\r\n{{#x}}\r\nb\r\n{{/x}}\r\nc", json!({"x": true}), "a\r\nb\r\nc");
    check("{{#x}}\nb\n{{/x}}", json!({"x": true}), "b\n");
    check("  {{^x}}\nb\n  {{/x}}\nc", json!({}), "b\nc");
    check("a {{! note }}\nb", json!({}), "a \nb");
    check("{{!a}}{{!b}}\nc", json!({}), "\nc");
    check("{{#x}}{{/x}}\nc", json!({"x": true}), "\nc");
    check("a\n{{x}}\nb", json!({"x": ""}), "a\n\nb");
}

#[test]
fn parse_errors_say_where() {
    assert_snapshot!(parse_error("a\n {{room"), @"unclosed_tag: tag opened at 2:2 is never closed");
    assert_snapshot!(parse_error("ä {{}}"), @"unnamed_tag: tag without a name at 1:3");
    assert_snapshot!(parse_error("{{ }}"), @"unnamed_tag: tag without a name at 1:1");
    assert_snapshot!(parse_error("{{#}}"), @"unnamed_section: section without a name at 1:1");
    assert_snapshot!(parse_error("{{^ }}"), @"unnamed_section: section without a name at 1:1");
    assert_snapshot!(parse_error("{{#n}}{{x}}"), @"unclosed_section: section 'n' opened at 1:1 is never closed");
    assert_snapshot!(parse_error("{{#a}}\n{{/b}}"), @"wrong_close: 2:1 closes 'b', but 'a' is open");
    assert_snapshot!(parse_error("x{{/n}}"), @"stray_close: 1:2 closes 'n', but no section is open");
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| "{{#a}}".repeat(depth) + &"{{/a}}".repeat(depth);
    assert!(Template::parse(&nested(DEFAULT_MAX_DEPTH)).is_ok());
    assert_snapshot!(
        parse_error(&nested(21)),
        @"max_depth_exceeded: section 'a' at 1:121 is nested deeper than the limit of 20; flatten the template"
    );
    assert!(matches!(Template::parse_nested(&nested(3), 2), Err(TemplateError::TooDeep { limit: 2, .. })));
    assert!(Template::parse_nested(&nested(200), 100_000).is_ok());
    assert!(Template::parse_nested(&nested(201), 100_000).is_err());
}

#[test]
fn render_errors_say_what_to_write_instead() {
    let data = json!({"list": [[1]], "map": {"m": {}}});
    assert_snapshot!(render_error("\n {{a.b}}", data.clone()), @"missing_key: variable 'a.b' at 2:2 has no value");
    assert_snapshot!(
        render_error("{{list}}", data.clone()),
        @"non_scalar_variable: variable 'list' at 1:1 is a list; use a section {{#list}}…{{/list}} or name a field of it, e.g. {{list.name}}"
    );
    assert_snapshot!(
        render_error("{{map.m}}", data.clone()),
        @"non_scalar_variable: variable 'map.m' at 1:1 is a map; use a section {{#map.m}}…{{/map.m}} or name a field of it, e.g. {{map.m.name}}"
    );
    assert_snapshot!(
        render_error("{{#map}}{{.}}{{/map}}", data.clone()),
        @"dot_on_map: {{.}} at 1:9 is a map; name one of its fields, e.g. {{name}}"
    );
    assert_snapshot!(
        render_error("{{#list}}{{.}}{{/list}}", data),
        @"dot_on_list: {{.}} at 1:10 is a list; use a section {{#.}}…{{/.}} or name a field"
    );
    let missing = Template::parse("{{#rows}}{{x}}{{/rows}}").unwrap().render(&json!({"rows": [1]}));
    assert!(matches!(missing, Err(RenderError::MissingKey { path, .. }) if path == "x"));
}

#[test]
fn placeholders_are_unique_and_in_order() {
    assert_eq!(placeholder_names("Room {{room.no}}, {{guest}}, {{guest}}"), ["room.no", "guest"]);
    assert_eq!(placeholder_names("{{.}} {{! x }} plain"), Vec::<String>::new());
    assert_eq!(placeholder_names("{{a}} {{#b}}"), Vec::<String>::new());
    assert_eq!(
        extract_placeholders("{{x}}{{^y}}{{z}}{{/y}}").iter().map(|p| p.kind).collect::<Vec<_>>(),
        [PlaceholderKind::Simple, PlaceholderKind::Inverted, PlaceholderKind::Simple,]
    );
}

#[test]
fn sections_keep_their_fields() {
    let template =
        Template::parse("{{#guests}}{{name}}{{#tags}}{{.}}{{/tags}}{{/guests}}{{#guests}}{{age}}{{/guests}}").unwrap();
    assert_debug_snapshot!(serde_json::to_string(template.placeholders()).unwrap(), @r#""[{\"path\":[\"guests\"],\"kind\":\"section\",\"fields\":[{\"path\":[\"name\"],\"kind\":\"simple\"},{\"path\":[\"tags\"],\"kind\":\"section\",\"dot\":{\"line\":1,\"column\":29}},{\"path\":[\"age\"],\"kind\":\"simple\"}]}]""#);
    assert_eq!(template.dot_outside_sections(), None);
    let dotted = Template::parse("ab {{.}}").unwrap();
    assert_eq!(dotted.dot_outside_sections().unwrap().to_string(), "1:4");
}

#[test]
fn compile_time_check_has_the_same_depth() {
    let nested = |depth: usize| "{{#a}}".repeat(depth) + &"{{/a}}".repeat(depth);
    check_template(&nested(DEFAULT_MAX_DEPTH));
    assert!(std::panic::catch_unwind(|| check_template(&nested(DEFAULT_MAX_DEPTH + 1))).is_err());
}

/// Proves: BRK-003, BRK-004.
#[test]
fn literals_are_checked_when_compiled() {
    let template = crate::t!("Room {{room.no}}{{#vip}}!{{/vip}}");
    assert_eq!(template, Template::parse(template.source()).unwrap());
    assert_eq!(template.placeholders()[0].path, ["room", "no"]);
    assert!(template.has_sections());
}

#[test]
fn serialises_as_its_text() {
    let template: Template = serde_json::from_str("\"Hi {{a}}\"").unwrap();
    assert_eq!(serde_json::to_string(&template).unwrap(), "\"Hi {{a}}\"");
    let error = serde_json::from_str::<Template>("\"Hi {{a\"").unwrap_err();
    assert!(error.to_string().contains("tag opened at 1:4 is never closed"));
}

/// Texts in which tags are frequent, broken ones too.
fn any_template() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("{{"),
        Just("}}"),
        Just("{{#a}}"),
        Just("{{/a}}"),
        Just("{{^ b }}"),
        Just("{{/b}}"),
        Just("{{.}}"),
        Just("{{! c }}"),
        Just("{{a.b}}"),
        Just("{{x}}"),
        Just("\n"),
        Just("  "),
        Just("é"),
        Just("{"),
        Just("}"),
        Just("#"),
        Just("\u{a0}"),
    ];
    prop::collection::vec(part, 0..14).prop_map(|parts| parts.concat())
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        Just(json!(true)),
        any::<i32>().prop_map(|n| json!(n)),
        "[a-z\n\"]{0,5}".prop_map(|s| json!(s))
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::btree_map("[abx_]", inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn never_panics(text in any_template(), data in any_json()) {
        if let Ok(template) = Template::parse(&text) {
            let once = template.render(&data);
            prop_assert_eq!(&once, &template.render(&data), "rendering is pure");
        }
        prop_assert_eq!(placeholder_names(&text), placeholder_names(&text));
    }

    #[test]
    fn any_text_is_parsed_or_refused(text in ".{0,60}", data in any_json()) {
        if let Ok(template) = Template::parse(&text) {
            drop(template.render(&data));
        }
    }

    #[test]
    fn text_without_tags_renders_to_itself(text in "[^{]{0,80}", data in any_json()) {
        prop_assert_eq!(Template::parse(&text).unwrap().render(&data).unwrap(), text);
    }

    #[test]
    fn compile_time_check_agrees_with_the_parser(text in any_template()) {
        let checked = std::panic::catch_unwind(|| check_template(&text)).is_ok();
        prop_assert_eq!(checked, Template::parse(&text).is_ok());
    }
}
