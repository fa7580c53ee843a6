//! Scenarios 38 to 40: runs one after another, answers in JSON, and the system text.

use std::collections::BTreeMap;
use std::sync::Arc;

use ptc_runner::agent::{AgentBuilder, then};
use ptc_runner::chat::{OutputMode, ScriptedLlm};
use ptc_runner::prelude::*;
use serde_json::{Value as Json, json};

use super::{Nothing, agent, data, end, play, play_on};

/// Run an agent with this program and hand its step to `next`, whose program is the second.
fn chained(
    first: AgentBuilder,
    next: AgentBuilder,
    programs: [&str; 2],
) -> (Result<Step, AgentError>, Arc<ScriptedLlm>) {
    let llm = Arc::new(ScriptedLlm::replies(programs));
    let options = RunOptions::new().llm(llm.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let step = runtime.block_on(async {
        let step = first.build().unwrap().run_with(Context::default(), options.clone()).await.unwrap();
        then(step, &next.build().unwrap(), options).await
    });
    (step, llm)
}

#[test]
fn s38_chaining() {
    let count =
        || Agent::builder("Count").signature("{result :int}").field_descriptions([("result", "rooms with a view")]);
    let double = || Agent::builder("Double {{result}}").signature("(result :int) -> :int");

    let (step, llm) = chained(count(), double(), ["(return {:result 7})", "(return (* 2 data/result))"]);
    assert_eq!(end(&step.unwrap()), "return 14");
    let message = llm.requests()[1].messages[0].content().into_owned();
    assert!(message.contains("data/result                   ; int, sample: 7 -- rooms with a view"), "{message}");

    let (step, llm) = chained(count(), double(), [r#"(fail {:reason :closed :message "winter"})"#, "(return 1)"]);
    assert_eq!((end(&step.unwrap()).as_str(), llm.requests().len()), ("fail closed: winter", 1));

    // A-29: a missing key is known before the first request, so it is an error without a step.
    let (missing, llm) = chained(Agent::builder("Count"), double(), ["(return {:other 7})", "(return 1)"]);
    assert_eq!(
        missing.unwrap_err().to_string(),
        "the next agent needs [result], which the previous step does not return"
    );
    assert_eq!(llm.requests().len(), 1);
}

#[test]
fn s39_json_answers() {
    let rate = |result: &str| {
        Agent::builder("Rate {{text}}").signature(format!("(text :string) -> {result}")).output(OutputMode::Json)
    };
    let ask = |result: &str, answers: &[&str]| play_on(rate(result), json!({"text": "fine"}), answers.to_vec());

    let played = ask("{score :int}", &["Sure!\n```json\n{\"score\": 4}\n```"]);
    assert_eq!(played.end(), r#"value {"score":4}"#);
    // L-11: keys are keywords inside of a run, and strings for the host.
    assert_eq!(played.step.value::<BTreeMap<String, i64>>().unwrap()["score"], 4);
    let schema = played.requests[0].schema.as_ref().unwrap();
    assert_eq!(
        (&schema["properties"]["score"]["type"], played.requests[0].output),
        (&json!("integer"), OutputMode::Json)
    );

    let played = ask("{score :int}", &[r#"{"score": "high"}"#, r#"{"score": 4}"#]);
    assert_eq!((played.end().as_str(), played.outcomes().as_str()), (r#"value {"score":4}"#, "validation_error ok"));
    assert!(played.message(2).contains("[score]: expected int, got string"), "{}", played.message(2));

    let played = ask("[:int]", &[r#"{"items": [1, 2]}"#]);
    assert_eq!((played.end().as_str(), played.step.value::<Json>().unwrap()), ("value [1,2]", json!([1, 2])));
    assert_eq!(played.requests[0].schema.as_ref().unwrap()["properties"]["items"]["type"], "array");
}

#[test]
fn s40_the_system_text_and_the_preview() {
    let other = FnTool::new("other-tool", "Does something else", |_: Nothing| Ok::<_, ToolError>(1));
    let runs = [
        play(agent(), &["1", "(return 1)"]),
        play(agent().compression(true), &["1", "(return 1)"]),
        play_on(agent().tool(other), json!({"other-key": "other-value"}), ["1", "(return 1)"]),
    ];
    let texts: Vec<&str> = runs.iter().flat_map(|played| &played.requests).map(|request| &*request.system).collect();
    assert_eq!(texts.len(), 6);
    assert!(texts.iter().all(|text| *text == texts[0]));
    for name in ["quote-room", "other-tool", "other-key", "data/bookings", "data/limit"] {
        assert!(!texts[0].contains(name), "{name}");
    }

    for compression in [true, false] {
        let preview = agent().compression(compression).build().unwrap().preview_prompt(data()).unwrap();
        let request = &play(agent().compression(compression), &["(return 1)"]).requests[0];
        assert_eq!((&*preview.system, &preview.messages), (&*request.system, &request.messages));
    }
}
