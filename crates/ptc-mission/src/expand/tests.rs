//! What missions look like once data is filled in.

use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{MissionExpander, MissionValues, Template};

fn check(mission: &str, data: Value, values: MissionValues, expected: &str) {
    assert_eq!(MissionExpander::expand_mission(mission, &data, values), expected, "{values:?} {mission:?}");
}

fn auto(mission: &str, data: Value, expected: &str) {
    check(mission, data, MissionValues::Auto, expected);
}

/// Proves: BRK-006.
#[test]
fn short_scalars_are_shown() {
    auto("Which bookings fit into {{limit}} euros?", json!({"limit": 250}), "Which bookings fit into 250 euros?");
    auto("{{ guest }}/{{room.no}}", json!({"guest": "Ines", "room": {"no": 1.5}}), "Ines/1.5");
    auto("[{{a}}{{b}}]", json!({"a": null, "b": false}), "[false]");
}

#[test]
fn large_values_are_references() {
    auto("{{rows}} {{room}}", json!({"rows": [1], "room": {}}), "~{data/rows} ~{data/room}");
    // The printed form has two quotes more, and one backslash per quote inside.
    let fits = "x".repeat(198);
    auto("{{s}}", json!({"s": fits}), &fits);
    auto("{{s}}", json!({"s": "x".repeat(199)}), "~{data/s}");
    auto("{{a.s}}", json!({"a": {"s": "\"".repeat(100)}}), "~{data/a.s}");
    auto("{{s}}", json!({"s": "é".repeat(198)}), &"é".repeat(198));
}

#[test]
fn breaks_and_control_characters_are_references_in_every_mode() {
    for values in [MissionValues::Auto, MissionValues::Inline, MissionValues::Reference] {
        for text in ["a\nb", "a\rb", "tab\t", "\u{7f}", "a\u{2028}b"] {
            check("{{s}}", json!({ "s": text }), values, "~{data/s}");
        }
    }
}

#[test]
fn hidden_values_are_references_in_every_mode_and_place() {
    let data = json!({"_token": "canary-1", "user": {"_pin": "canary-2"}, "rows": [{"_k": "canary-3"}], "_keys": ["canary-4"]});
    let mission = "{{_token}} {{user._pin}} {{#user}}{{_pin}}{{/user}} {{#rows}}{{_k}} {{_token}}{{/rows}} {{#_keys}}{{.}}{{/_keys}}";
    let expected =
        "~{data/_token} ~{data/user._pin} ~{data/user._pin} ~{data/rows.0._k} ~{data/_token} ~{data/_keys.0}";
    for values in [MissionValues::Auto, MissionValues::Inline, MissionValues::Reference] {
        check(mission, data.clone(), values, expected);
    }
    check("{{user}} {{rows}}", data, MissionValues::Inline, "{} [{}]");
}

#[test]
fn modes() {
    let data = json!({"n": 1, "rows": [{"a": "x"}], "long": "y".repeat(300)});
    check("{{n}} {{rows}} {{long}}", data.clone(), MissionValues::Reference, "~{data/n} ~{data/rows} ~{data/long}");
    check("{{n}} {{rows}} {{long}}", data.clone(), MissionValues::Auto, "1 ~{data/rows} ~{data/long}");
    let inline = format!("1 [{{:a \"x\"}}] {}", "y".repeat(300));
    check("{{n}} {{rows}} {{long}}", data, MissionValues::Inline, &inline);
}

#[test]
fn missing_placeholders_stay_as_typed() {
    auto("Use {{limit}} but {{ missing }}", json!({"limit": 250}), "Use 250 but {{ missing }}");
    auto("{{.}} {{_gone}} {{a.b}}", json!({"a": 1}), "{{.}} {{_gone}} {{a.b}}");
}

#[test]
fn broken_missions_come_back_unchanged() {
    for mission in ["{{#a}} {{n}}", "{{n}} {{", "{{}}"] {
        auto(mission, json!({"n": 1}), mission);
    }
}

#[test]
fn sections_show_values_and_fail_alone() {
    let data = json!({"guests": [{"name": "A", "tags": []}, {"name": "B", "tags": ["x"]}], "n": 7, "vip": true});
    auto("{{n}}:\n{{#guests}}\n* {{name}}\n{{/guests}}\nend", data.clone(), "7:\n* A\n* B\nend");
    auto(
        "{{n}}\n{{#guests}}\n* {{nick}}\n{{/guests}}\n{{n}}",
        data.clone(),
        "7\n{{#guests}}\n* {{nick}}\n{{/guests}}\n7",
    );
    auto("{{n}} {{#guests}}{{tags}}{{/guests}} {{n}}", data.clone(), "7 {{#guests}}{{tags}}{{/guests}} 7");
    auto(
        "{{#guests}}{{name}}{{#vip}}{{nick}}{{/vip}} {{/guests}}",
        data.clone(),
        "A{{#vip}}{{nick}}{{/vip}} B{{#vip}}{{nick}}{{/vip}} ",
    );
    auto("{{^gone}}{{.}}{{/gone}}", data.clone(), "{{^gone}}{{.}}{{/gone}}");
    check("{{n}} {{#vip}}{{n}}{{/vip}}", data, MissionValues::Reference, "~{data/n} 7");
    auto("{{#r}}{{s}}{{/r}}", json!({"r": [{"s": "a\nb"}, {"s": "z".repeat(201)}]}), "~{data/r.0.s}~{data/r.1.s}");
}

/// Proves: BRK-006.
#[test]
fn strict_expansion_names_all_that_is_missing() {
    let data = json!({"a": 1, "rows": [1, {"k": "v"}]});
    let message = |mission: &str| MissionExpander::expand(mission, &data).unwrap_err().to_string();
    assert_eq!(MissionExpander::expand("x={{a}}", &data).unwrap(), "x=1");
    assert_eq!(MissionExpander::expand("x={{rows}}", &data).unwrap(), "x=[1 {:k \"v\"}]");
    assert_snapshot!(message("{{b}} {{a.c}} {{b}} {{a}}"), @"missing_keys [b, a.c]");
    assert_snapshot!(message("{{#rows}}{{q}}{{/rows}}"), @"variable 'q' at 1:10 has no value");
    assert_snapshot!(message("{{rows}}{{#a}}{{/a}}"), @"variable 'rows' at 1:1 is a list; use a section {{#rows}}…{{/rows}} or name a field of it, e.g. {{rows.name}}");
    assert_snapshot!(message("{{a"), @"tag opened at 1:1 is never closed");
}

#[test]
fn lenient_expansion_keeps_what_it_cannot_fill() {
    let data = json!({"a": 1, "rows": [1], "s": "l1\nl2"});
    let keep = |mission: &str| MissionExpander::expand_keep(mission, &data);
    assert_eq!(keep("{{a}} {{ b }} {{s}} {{rows}}"), "1 {{ b }} l1\nl2 [1]");
    assert_eq!(keep("{{a}} {{#rows}}{{q}}{{/rows}}"), "1 {{#rows}}{{q}}{{/rows}}");
    assert_eq!(keep("{{a}} {{rows}} {{#a}}{{/a}}"), "{{a}} {{rows}} {{#a}}{{/a}}");
    assert_eq!(keep("{{a}} {{#a}}"), "{{a}} {{#a}}");
}

#[test]
fn annotated_expansion_points_to_data() {
    let data = json!({"guest": "Ines", "_token": "t", "room": {"no": 1}});
    let annotate = |mission: &str| MissionExpander::expand_annotated(mission, &data);
    assert_eq!(
        annotate("Quote for {{guest}}, {{_token}}, {{room.no}}").unwrap(),
        "Quote for ~{data/guest}, ~{data/_token}, ~{data/room.no}"
    );
    assert_snapshot!(annotate("{{x}} {{y.z}} {{x}}").unwrap_err(), @"missing_keys [x, y.z]");
    assert_snapshot!(annotate("{{#guest}}{{/guest}}").unwrap_err(), @"sections_not_supported: a mission with sections cannot be written with references only");
    assert_snapshot!(annotate("{{.}}").unwrap_err(), @"{{.}} at 1:1 is a map; name one of its fields, e.g. {{name}}");
}

fn hidden_everywhere() -> impl Strategy<Value = (String, Value)> {
    let part = prop_oneof![
        Just("{{_t}}"),
        Just("{{m._t}}"),
        Just("{{#m}}{{_t}}{{n}}{{/m}}"),
        Just("{{#l}}{{_t}}{{/l}}"),
        Just("{{m}}"),
        Just("{{l}}"),
        Just("{{#_l}}{{.}}{{/_l}}"),
        Just("{{#_m}}{{x}}{{/_m}}"),
        Just("{{_m}} {{_l}}"),
        Just("text "),
        Just("{{gone}}"),
    ];
    let data = json!({"_t": "canary", "m": {"_t": "canary", "n": 1}, "l": [{"_t": "canary"}], "_l": ["canary"], "_m": {"x": "canary"}});
    prop::collection::vec(part, 0..8).prop_map(move |parts| (parts.concat(), data.clone()))
}

proptest! {
    #[test]
    fn hidden_values_never_show((mission, data) in hidden_everywhere(), mode in 0..3_usize) {
        let values = [MissionValues::Auto, MissionValues::Inline, MissionValues::Reference][mode];
        let text = MissionExpander::expand_mission(&mission, &data, values);
        prop_assert!(!text.contains("canary"), "{mission:?} shows {text:?}");
        prop_assert_eq!(MissionExpander::expand_mission(&mission, &data, values), text);
    }

    #[test]
    fn any_mission_expands(mission in "[a-z{}#^/.! \n]{0,40}") {
        let data = json!({"a": 1, "b": [1, {"c": 2}]});
        let text = MissionExpander::expand_mission(&mission, &data, MissionValues::Auto);
        if Template::parse(&mission).is_err() {
            prop_assert_eq!(&text, &mission);
        }
        drop(MissionExpander::expand_keep(&mission, &data));
        drop(MissionExpander::expand(&mission, &data));
        drop(MissionExpander::expand_annotated(&mission, &data));
    }
}
