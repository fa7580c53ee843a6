//! Random programs against a policy: none of them reaches a denied tool, however it is named, and all calls are within
//! what was announced before.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use serde_json::json;

use crate::testing::request;
use crate::{Gateway, GatewayFile, Phase, Refusal};

/// Programs when all generated cases are tried.
const PROGRAMS: u32 = 600;

const TOOLS: &str = r#"
timeout = "2s"
[tools.look]
program = "{:n 1}"
effect = "read"
[tools.pay]
program = "1"
[tools.wipe]
program = "1"
[policy.pay]
decide = "allow"
tool = "pay"
[policy.wipe]
decide = "deny"
tool = "wipe"
[data]
rows = [1, 2, 3]
"#;

/// A tool as a value, or something that only looks like one.
fn function() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec!["tool/look", "tool/pay", "tool/look", "tool/pay", "tool/wipe"]);
    let built = prop::sample::select(vec![
        r#"(symbol "tool" "wipe")"#,
        r#"(symbol (str "tool/" "wi" "pe"))"#,
        r#"(keyword "tool" "wipe")"#,
        r#"(resolve (symbol "tool" "wipe"))"#,
        r#"(resolve 'tool/wipe)"#,
        r#"(eval 'tool/wipe)"#,
        r#"(read-string "tool/wipe")"#,
        "'tool/wipe",
        "#'tool/wipe",
        "(var tool/wipe)",
        "(requiring-resolve 'tool/wipe)",
        "(get (ns-publics 'tool) 'wipe)",
        "(find-var 'tool/wipe)",
        "(:wipe tool)",
        "tool/wipe-",
    ]);
    prop_oneof![6 => known.prop_map(str::to_owned), 1 => built.prop_map(str::to_owned)]
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("1".to_owned()),
        Just("data/rows".to_owned()),
        function().prop_map(|function| format!("({function} {{}})")),
        function().prop_map(|function| format!("(let [f {function}] (f {{}}))")),
        function().prop_map(|function| format!("(map {function} [{{}} {{}}])")),
        function().prop_map(|function| format!("(mapv (fn [_] ({function} {{}})) data/rows)")),
        function().prop_map(|function| format!("(doseq [_ data/rows] ({function} {{}}))")),
        function().prop_map(|function| format!("(apply {function} [{{}}])")),
        function().prop_map(|function| format!("(def later {function})")),
        function().prop_map(|function| format!("((get {{:f {function}}} :f) {{}})")),
        Just("(tool \"wipe\" {})".to_owned()),
        Just("(tool/call \"wipe\" {})".to_owned()),
        Just("(when (fn? data/last) (data/last {}))".to_owned()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            two.clone().prop_map(|(a, b)| format!("(do {a} {b})")),
            two.clone().prop_map(|(a, b)| format!("[{a} {b}]")),
            two.clone().prop_map(|(a, b)| format!("(if (seq? {a}) {b} {a})")),
            two.clone().prop_map(|(a, b)| format!("(try {a} (catch Exception e {b}))")),
            inner.clone().prop_map(|a| format!("(do (defn step [] {a}) (step) (step))")),
            inner.clone().prop_map(|a| format!("(pmap (fn [_] {a}) [1 2])")),
            inner.clone().prop_map(|a| format!("(loop [n 0] (when (< n 3) {a} (recur (inc n))))")),
            inner.prop_map(|a| format!("(reduce (fn [sum _] {a}) 0 data/rows)")),
        ]
    })
}

/// Run it, and compare its calls with what was announced.
async fn run(gateway: &Gateway, program: &str, session: Option<&str>) -> Option<(String, u64)> {
    let (said, mut running) = match (gateway.check(&request(program, session)), gateway.run(&request(program, session)))
    {
        (Ok(said), Ok(running)) => (said, running),
        (Err(first), Err(Refusal(said))) => {
            assert_eq!(
                (&said["error"]["reason"], &first.0["error"]),
                (&json!("problems"), &said["error"]),
                "{program}"
            );
            return None;
        }
        other => panic!("{program}: {other:?}"),
    };
    let Phase::Ended(ended) = running.pause().await else { panic!("{program} asks") };
    assert!(ended.is_kept, "{program}: {}", ended.report);
    gateway.heard(&running);
    let handle = running.session().to_owned();
    let recorded = gateway.calls_of(&handle, running.number).unwrap().unwrap();
    let mut made: BTreeMap<String, u64> = BTreeMap::new();
    for call in recorded.calls() {
        *made.entry(call.start.tool.clone()).or_default() += 1;
    }
    for (tool, count) in &made {
        assert_ne!(tool, "wipe", "{program}");
        let reach = said.iter().find(|reach| reach.tool == *tool);
        let reach = reach.unwrap_or_else(|| panic!("{program} calls {tool}, which was not said"));
        assert!(reach.limit.is_none_or(|limit| *count <= limit), "{program}: {count} calls of {reach}");
    }
    Some((handle, made.values().sum()))
}

#[tokio::test]
async fn no_program_reaches_what_is_denied_or_more_than_was_said() {
    let wanted = ptc_lisp::testing::test_cases(PROGRAMS);
    let folder = tempfile::tempdir().unwrap();
    let file = GatewayFile::from_text(folder.path().join("gateway.toml"), TOOLS).unwrap();
    let gateway = Gateway::start(file).await.unwrap();
    let mut runner = TestRunner::deterministic();
    let (mut ran, mut calls, mut session) = (0, 0, None);
    for at in 0..wanted {
        let program = expression().new_tree(&mut runner).unwrap().current();
        // Every fourth program starts a session; the others see earlier definitions.
        let known = if at % 4 == 0 { None } else { session.clone() };
        if let Some((handle, made)) = run(&gateway, &program, known.as_deref()).await {
            (ran, calls, session) = (ran + 1, calls + made, Some(handle));
        }
    }
    println!("{ran} of {wanted} programs ran and made {calls} calls");
    assert!(ran * 5 > wanted && calls > 0, "{ran} of {wanted} ran");
    let log = std::fs::read_to_string(folder.path().join(".ptc/mcp/audit.jsonl")).unwrap();
    assert!(!log.contains(r#""tool":"wipe""#));
}
