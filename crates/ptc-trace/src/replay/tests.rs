//! Requests that are rendered again, and their totals.

use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_chat::{Message, OutputMode, Part, Role, Tokens};
use ptc_compression::{ByteBound, Ceiling, CompressionConfig, Estimate};
use ptc_lisp::Value;
use ptc_transcript::{EndingKind, Step, Turn, TurnFields};

use super::*;
use crate::sample::{failed_step, step};

fn under(step: &Step, name: &str, config: impl Into<CompressionConfig>) -> Rendition {
    Rendition::under(step, name, &config.into()).unwrap()
}

/// A run that prints the given texts, one per turn.
fn printing(prints: &[String]) -> Step {
    let turn = |(number, text): (usize, &String)| {
        let fields = TurnFields::new(number, format!("(println {number})"), Value::Nil);
        Turn::success(TurnFields { program: Some("(println …)".into()), prints: vec![text.clone()], ..fields })
    };
    let mut step = Step::returned(EndingKind::Return, Value::Nil);
    step.turns = Some((1..).zip(prints).map(turn).collect());
    step.max_turns = Some(prints.len());
    step.mission = "Print.".into();
    step
}

fn texts(requests: &[Message]) -> Vec<String> {
    requests.iter().map(|message| message.content().into_owned()).collect()
}

#[test]
fn requests_of_called_agents_are_counted_where_they_are_known() {
    let mut called = step();
    called.system = Some("x".repeat(400).into());
    let sent = Rendition::recorded(&called, "").unwrap();
    let prices: Option<Prices> = "input=2,output=8".parse().ok();
    let alone = Comparison::new(&called, std::slice::from_ref(&sent), &Estimate, prices.clone()).renditions[0].totals;
    called.child_steps = vec![called.clone(), step()];
    let mut step = step();
    step.child_steps = vec![called];
    let comparison = Comparison::new(&step, &[under(&step, "none", false)], &Estimate, prices);
    let Below { runs, unknown, totals } = comparison.below;
    assert_eq!((runs, unknown), (3, 1), "a step without its system text does not say what was sent");
    assert_eq!((totals.input, totals.output), (2 * alone.input, 2 * alone.output));
    let (own, below) = (comparison.renditions[0].totals.cost.unwrap(), totals.cost.unwrap());
    let text = comparison.format();
    let told = "\nCalled agents, 3 run(s): their requests as they were sent, at the same prices, 1 of them not counted: the step does not hold their requests\n";
    assert!(text.contains(told), "{text}");
    assert!(text.contains(&format!("{:.6}\n", own.uncached + below.uncached)), "{text}");
}

#[test]
fn a_comparison_is_a_table() {
    let mut step = step();
    step.system = Some("x".repeat(400).into());
    let renditions =
        [under(&step, "none", false), under(&step, "single-user-coalesced", true), under(&step, "again", false)];
    let prices = "input=2,cached=0.2,write=2.5,output=8".parse().ok();
    assert_snapshot!(Comparison::new(&step, &renditions, &Estimate, prices).format(), @r"
    Tokens of each request: characters / 4; the system text counts 100 in each
    Prices (given): USD 2 input, 0.2 cached, 2.5 written to the cache, 8 output per million

    turn                            none  single-user-coalesced     again
       1                             203                    212       203
       2                             253                    243       253
       3                             343                    324       343
       4                             351                    302       351

    input                          1,150                  1,081     1,150
      as in the request before       799                    696       799
    output                            63                     63        63
    USD without cache           0.002804               0.002666  0.002804
    USD with cache              0.001541               0.001671  0.001541

    single-user-coalesced: first differs from none in turn 1, message 1, byte 416
      - user: (its end)
      + user: \n\n;; No tool calls made\n\nTurns left: 3

    again: no request differs from none
    ");
}

#[test]
fn without_prices_and_system_text_it_says_less() {
    let step = printing(&["one".into(), "two".into()]);
    let text = Comparison::new(&step, &[under(&step, "none", false)], &ByteBound, None).format();
    assert!(
        text.starts_with(
            "Tokens of each request: bytes; without the system text, which the step does not hold\n\nturn"
        ),
        "{text}"
    );
    assert!(!text.contains("USD"), "{text}");
}

#[test]
fn a_ceiling_counts_as_in_the_loop() {
    let mut step = printing(&["one".repeat(30), "two".repeat(30), "three".repeat(30), "four".into()]);
    let ceiling = |room: usize| Ceiling::new(1_000 + room, ByteBound);
    let refused = Rendition::under(&step, "", &ceiling(0).into()).unwrap_err().to_string();
    assert!(refused.starts_with("the step does not hold its system text, which counts for max_tokens"), "{refused}");
    step.system = Some("s".repeat(1_000).into());

    let plain = under(&step, "none", false);
    let bounded = under(&step, "none,max_tokens=1200", ceiling(200));
    assert_eq!(bounded.requests, plain.requests[..2], "the third has more");
    let below = |room: usize| CompressionConfig::from(true).with_ceiling(Ceiling::new(1_000 + room, ByteBound));
    let fitted = under(&step, "fitted", below(320));
    assert_eq!((fitted.requests.len(), fitted.stats.unwrap().ceiling_step), (4, Some(5)), "the newest print alone");
    let comparison = Comparison::new(&step, &[plain, bounded, under(&step, "no room", below(40))], &ByteBound, None);
    assert_snapshot!(comparison.format(), @r"
    Tokens of each request: bytes; the system text counts 1,000 in each

    turn                         none  none,max_tokens=1200  no room
       1                        1,006                 1,006    1,021
       2                        1,134                 1,134    1,021
       3                        1,320                     –    1,021
       4                        1,547                     –        –

    input                       5,007                 2,140    3,063
      as in the request before  3,460                 1,006    2,040
    output                         44                    22       33

    no room: first differs from none in turn 1, message 1, byte 6
      - user: (its end)
      + user: \n\nTurns left: 4

    none,max_tokens=1200: ends with context_limit: the request of turn 3 has at least 1347 tokens (counted in bytes), and max_tokens is 1200

    no room: ends with context_limit: the request of turn 4 has at least 1083 tokens (counted in bytes), and max_tokens is 1040
    ");
    let json = serde_json::to_value(&comparison).unwrap();
    assert_eq!(json["renditions"][0].get("over_ceiling"), None);
    assert_eq!(
        json["renditions"][2]["over_ceiling"],
        serde_json::json!({"tokens": 1083, "max_tokens": 1040, "counter": "bytes"})
    );
}

#[test]
fn a_comparison_is_a_picture() {
    let step = printing(&["x".repeat(90), "y".repeat(300), "z <&> z".into()]);
    let renditions = [under(&step, "none", false), under(&step, "<window>", SlidingWindow::of(&step, 1))];
    let comparison = Comparison::new(&step, &renditions, &ByteBound, None);
    assert_snapshot!(comparison.to_svg("Tokens & turns"), @r##"
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 731 420" width="731" role="img">
    <title>Tokens &amp; turns</title>
    <style>text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-size:15px;font-weight:600}.note{font-size:12px;fill:#59636e}.page{fill:#fff}.grid{stroke:#d8dee4}.mark{stroke:#1f2328;stroke-dasharray:4 3}.lead{stroke:#8c959f;stroke-dasharray:1 3}.met,.cached{fill:#0072b2}.near,.uncached{fill:#e6a700}.missed{fill:#c2410c}polyline,.line{fill:none;stroke:currentColor;stroke-width:2}circle{fill:currentColor}.s0{color:#0072b2}.s1{color:#c77700}.s2{color:#00875f}.s3{color:#b85c93}.s4{color:#d55e00}.s5{color:#2b8cc4}.s6{color:#7a7a00}.s7{color:#8a5fbf}.s8{color:#5b6770}.s9{color:#b04a5a}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#a7b3bd}.page{fill:#161b22}.grid{stroke:#30363d}.mark{stroke:#e6edf3}.met,.cached{fill:#4da3e0}.near,.uncached{fill:#f0b429}.missed{fill:#ff7a3d}.s0{color:#4da3e0}.s1{color:#f0b429}.s2{color:#2cc99a}.s3{color:#e79cc6}.s4{color:#ff8a3d}.s5{color:#8fd3ff}.s6{color:#c9c94a}.s7{color:#b794f4}.s8{color:#a7b3bd}.s9{color:#f08a9a}}</style>
    <rect width="100%" height="100%" class="page"/>
    <text x="8.0" y="24.0" text-anchor="start" class="title">Tokens &amp; turns</text>
    <line x1="92.0" y1="364.0" x2="612.0" y2="364.0" class="grid"/>
    <text x="84.0" y="368.0" text-anchor="end" class="label">0</text>
    <line x1="92.0" y1="257.3" x2="612.0" y2="257.3" class="grid"/>
    <text x="84.0" y="261.3" text-anchor="end" class="label">200</text>
    <line x1="92.0" y1="150.7" x2="612.0" y2="150.7" class="grid"/>
    <text x="84.0" y="154.7" text-anchor="end" class="label">400</text>
    <line x1="92.0" y1="44.0" x2="612.0" y2="44.0" class="grid"/>
    <text x="84.0" y="48.0" text-anchor="end" class="label">600</text>
    <text x="92.0" y="382.0" text-anchor="middle" class="label">1</text>
    <text x="352.0" y="382.0" text-anchor="middle" class="label">2</text>
    <text x="612.0" y="382.0" text-anchor="middle" class="label">3</text>
    <text x="352.0" y="406.0" text-anchor="middle" class="label">turn</text>
    <text transform="translate(18.0 204.0) rotate(-90)" text-anchor="middle" class="note">tokens of a request without the system text (bytes)</text>
    <polyline points="92.0,360.8 352.0,261.6 612.0,60.5" class="s0" stroke-dasharray="none"/>
    <circle cx="92.0" cy="360.8" r="2.5" class="s0"/>
    <circle cx="352.0" cy="261.6" r="2.5" class="s0"/>
    <circle cx="612.0" cy="60.5" r="2.5" class="s0"/>
    <line x1="628.0" y1="50.0" x2="650.0" y2="50.0" class="line s0" stroke-dasharray="none"/>
    <text x="656.0" y="54.0" text-anchor="start" class="label">none</text>
    <polyline points="92.0,360.8 352.0,261.6 612.0,159.7" class="s1" stroke-dasharray="7 4"/>
    <circle cx="92.0" cy="360.8" r="2.5" class="s1"/>
    <circle cx="352.0" cy="261.6" r="2.5" class="s1"/>
    <circle cx="612.0" cy="159.7" r="2.5" class="s1"/>
    <line x1="628.0" y1="68.0" x2="650.0" y2="68.0" class="line s1" stroke-dasharray="7 4"/>
    <text x="656.0" y="72.0" text-anchor="start" class="label">&lt;window&gt;</text>
    </svg>
    "##);
    assert_eq!(
        comparison.to_svg("Tokens & turns"),
        Comparison::new(&step, &renditions, &ByteBound, None).to_svg("Tokens & turns")
    );
}

#[test]
fn definitions_are_counted_apart() {
    let step = step();
    let compressed = under(&step, "", true);
    let sizes =
        Comparison::new(&step, std::slice::from_ref(&compressed), &ByteBound, None).renditions.remove(0).requests;
    let section = ";; === user/ (your prelude) ===\nrate                          ; = float";
    assert_eq!(
        sizes.iter().map(|size| size.definitions).collect::<Vec<_>>(),
        [0, 1, 1, 1].map(|n| n * section.len() as u64)
    );
    for (size, request) in sizes.iter().zip(&compressed.requests) {
        assert_eq!(size.prefix, request[0].stable_bytes() as u64);
        assert_eq!(size.bytes as u64 + size.system, size.tokens);
    }
}

#[test]
fn what_is_written_to_a_cache_is_what_the_next_request_reads() {
    let mut step = printing(&["one".into(), "two".into()]);
    step.system = Some("s".repeat(100).into());
    let of = |text: &str| vec![Message::new(Role::User, [Part::stable("m".repeat(50)), Part::changing(text)])];
    let rendition = Rendition {
        name: "r".into(),
        requests: vec![of("ab12345678"), of("abc")],
        stats: None,
        over_ceiling: None,
        own: None,
    };
    let measured = |prices: &str| {
        let prices: Prices = prices.parse().unwrap();
        Comparison::new(&step, std::slice::from_ref(&rendition), &ByteBound, Some(prices)).renditions.remove(0)
    };
    let found_by_itself = measured("input=1,cached=0.1,output=0");
    let sizes = &found_by_itself.requests;
    assert_eq!((sizes[0].shared, sizes[1].shared), (0, 152));
    let cost = found_by_itself.totals.cost.unwrap();
    assert_eq!((cost.uncached * 1e6).round(), 160.0 + 153.0);
    // 152 of 160 are in the next request, too; of its 153 then 152 are read.
    assert_eq!((cost.cached * 1e7).round(), 10.0 * (160.0 + 15.2 + 1.0));
    // If writing costs more, system text and stable part are marked: 150 are written, then read.
    assert_eq!((sizes[0].marked, sizes[0].found, sizes[1].found), (150, 0, 150));
    let cost = measured("input=1,cached=0.1,write=2,output=0").totals.cost.unwrap();
    assert_eq!((cost.cached * 1e7).round(), 10.0 * (150.0 * 2.0 + 10.0 + 15.0 + 3.0));
}

#[test]
fn marks_find_whole_blocks_or_the_stable_beginning() {
    let step = printing(&["one".into(), "two".into(), "three".into()]);
    let of = |blocks: &[&str]| {
        let repeated = blocks.iter().map(|text| Part::repeated(*text));
        let parts = std::iter::once(Part::stable("m")).chain(repeated).chain([Part::changing("end")]);
        vec![Message::new(Role::User, parts.collect::<Vec<_>>())]
    };
    let requests = vec![of(&["aa", "bb"]), of(&["aa", "bb", "cc"]), of(&["aa", "xx"])];
    let rendition = Rendition { name: "r".into(), requests, stats: None, over_ceiling: None, own: None };
    let sizes = Comparison::new(&step, &[rendition], &ByteBound, None).renditions.remove(0).requests;
    assert_eq!(sizes.iter().map(|size| size.marked).collect::<Vec<_>>(), [5, 7, 5]);
    assert_eq!(sizes.iter().map(|size| size.found).collect::<Vec<_>>(), [0, 5, 1]);
}

#[test]
fn output_is_what_the_provider_counted_or_the_length_of_the_answer() {
    let mut step = printing(&["one".into()]);
    assert_eq!(Comparison::new(&step, &[], &ByteBound, None).output, [11]);
    let tokens = Some(Tokens { input: 5, output: 77, cached: 0, cache_write: 0 });
    step.turns = Some(vec![Turn::success(TurnFields { tokens, ..TurnFields::new(1, "(println 1)", Value::Nil) })]);
    assert_eq!(Comparison::new(&step, &[], &ByteBound, None).output, [77]);
}

#[test]
fn differences_have_a_place() {
    let rendition = |requests: &[&[&str]]| Rendition {
        name: String::new(),
        requests: requests.iter().map(|texts| texts.iter().map(|text| Message::user(*text)).collect()).collect(),
        stats: None,
        over_ceiling: None,
        own: None,
    };
    let check = |one: &[&[&str]], two: &[&[&str]]| match Difference::between(&rendition(one), &rendition(two)) {
        None => "none".to_owned(),
        Some(Difference { turn, message, byte, reference, found }) => {
            format!("{turn} {message} {byte} {reference:?} {found:?}")
        }
    };
    assert_eq!(check(&[&["a"], &["a", "b"]], &[&["a"], &["a", "b"]]), "none");
    assert_eq!(
        check(&[&["a"], &["a", "größe"]], &[&["a"], &["a", "grüße\n"]]),
        "2 2 2 Some(\"user: öße\") Some(\"user: üße\\\\n\")"
    );
    assert_eq!(check(&[&["a", "b"]], &[&["a"]]), "1 2 0 Some(\"user: b\") None");
    assert_eq!(check(&[&["ab"]], &[&["a"]]), "1 1 1 Some(\"user: b\") Some(\"user: (its end)\")");
    let long = "x".repeat(61);
    assert_eq!(check(&[&[]], &[&[&long]]), format!("1 1 0 None Some(\"user: {}...\")", "x".repeat(60)));
}

#[test]
fn prices_are_a_name_or_numbers() {
    for model in PriceList::builtin().models() {
        let prices: Prices = model.parse().unwrap();
        assert!(
            prices.cached <= prices.input && prices.input <= prices.write && prices.input <= prices.output,
            "{model}"
        );
    }
    let given: Prices = "input=3, output=15".parse().unwrap();
    assert_eq!((given.input, given.cached, given.write, given.output), (3.0, 3.0, 3.0, 15.0));
    let check = |text: &str| text.parse::<Prices>().unwrap_err().to_string();
    assert_snapshot!(check("free"), @"there are no list prices of `free`; write USD per million tokens: input=3,cached=0.3,write=3.75,output=15");
    assert_snapshot!(check("input=3"), @"`input=3`: input and output must be there; write USD per million tokens: input=3,cached=0.3,write=3.75,output=15");
    assert_snapshot!(check("input=3,output=-1"), @"`output=-1`: a price is a number, 0 or more; write USD per million tokens: input=3,cached=0.3,write=3.75,output=15");
    assert_snapshot!(check("input=3,ouput=1"), @"`ouput=1`: there is no such price; write USD per million tokens: input=3,cached=0.3,write=3.75,output=15");
    assert_snapshot!(check("input=3,output"), @"`output`: a price is NAME=NUMBER; write USD per million tokens: input=3,cached=0.3,write=3.75,output=15");
}

#[test]
fn baselines_drop_turns_or_their_output() {
    let step = printing(&["one".into(), "two".into(), "three".into(), "last".into()]);
    let window = under(&step, "", SlidingWindow::of(&step, 1));
    assert_eq!(
        texts(&window.requests[3])[1..],
        ["(println 3)", "three\n\nFINAL TURN - you must call (return result) or (fail reason) now."]
    );
    let cleared = texts(&under(&step, "", ClearedOutputs::of(&step, 1)).requests[3]);
    assert_eq!(cleared[1..5], ["(println 1)", "[old output cleared]", "(println 2)", "[old output cleared]"]);
    assert!(cleared[6].starts_with("three"), "{}", cleared[6]);
    let stats = request_behind(&step, &SlidingWindow::of(&step, 1).into()).unwrap().stats.unwrap();
    assert_eq!((stats.strategy.as_str(), stats.turns_compressed), (SlidingWindow::NAME, 3));
}

#[test]
fn renditions_say_what_their_last_request_shows() {
    let mut step = printing(&["one".into(), "two".into(), "three".into(), "last".into()]);
    step.turns.as_mut().unwrap().insert(0, crate::sample::step().turns()[0].clone());
    let calls = step.turns()[0].tool_calls().len();
    assert_eq!((calls, step.turns()[0].prints().len()), (1, 1), "the sample calls and prints");
    let of = |rendition: Rendition| {
        let stats = rendition.stats.unwrap();
        assert_eq!(stats.tool_calls_total - stats.tool_calls_shown, stats.tool_calls_dropped);
        assert_eq!(stats.printlns_total - stats.printlns_shown, stats.printlns_dropped);
        (stats.tool_calls_shown, stats.tool_calls_total, stats.printlns_shown, stats.printlns_total)
    };
    assert_eq!(of(under(&step, "", true)), (1, 1, 4, 4));
    assert_eq!(of(under(&step, "", SlidingWindow::of(&step, 1))), (0, 1, 1, 4));
    assert_eq!(of(under(&step, "", ClearedOutputs::of(&step, 2))), (1, 1, 2, 4));
    assert_eq!(under(&step, "", false).stats, None);
}

#[test]
fn hidden_values_stay_hidden() {
    let mut step = printing(&["the token is very secret".into(), "done".into()]);
    step.data = crate::sample::value(serde_json::json!({"_token": "very secret"})).as_map().unwrap().clone();
    for rendition in [under(&step, "", false), under(&step, "", true), under(&step, "", SlidingWindow::of(&step, 2))] {
        let text = texts(&rendition.requests[1]).join("\n");
        assert!(text.contains("the token is [hidden]") && !text.contains("very secret"), "{text}");
    }
}

#[test]
fn some_steps_have_no_requests() {
    let refused = |step: &Step| Rendition::under(step, "", &true.into()).unwrap_err().to_string();
    assert!(refused(&failed_step()).starts_with("the step has no turns"));
    let mut json = step();
    json.output = OutputMode::Json;
    assert_eq!(
        refused(&json),
        "the model of this run wrote no programs but JSON: there is no history to show in another way"
    );
    assert_eq!(Rendition::as_sent(&step()), None, "one turn of four has its messages");
}

proptest! {
    /// The plain dialogue only grows: all of a request is the beginning of the next one. A window as long as the run is
    /// the plain dialogue, as is one in which all output stays.
    #[test]
    fn the_plain_dialogue_only_grows(prints in prop::collection::vec(".{0,30}", 1..6), more in 0..3_usize) {
        let step = printing(&prints);
        let plain = under(&step, "", false);
        let sizes = Comparison::new(&step, std::slice::from_ref(&plain), &ByteBound, None).renditions.remove(0).requests;
        for pair in sizes.windows(2) {
            prop_assert_eq!(pair[1].shared, pair[0].tokens);
        }
        let turns = prints.len() + more;
        prop_assert_eq!(&under(&step, "", SlidingWindow::of(&step, turns)).requests, &plain.requests);
        prop_assert_eq!(&under(&step, "", ClearedOutputs::of(&step, turns)).requests, &plain.requests);
    }
}
