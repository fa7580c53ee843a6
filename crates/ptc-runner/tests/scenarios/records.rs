//! What a run leaves behind contains everything about the run.

use ptc_runner::compression::{Compression, RenderInput, SingleUserCoalesced};
use ptc_runner::transcript::{StepJson, ValueForm};

use super::{agent, fail_now, play};

#[test]
fn a_run_survives_json_and_can_be_rendered_from_it() {
    let programs = [
        "(def rate (:total (tool/quote-room {:room 1 :nights 1}))) (defn dear? \"Above the rate\" [b] (> (:nights b) rate))",
        "(no-such-function 1)",
        "(tool/fail-now {})",
        "(def dear (filterv dear? data/bookings)) (println \"dear\" (count dear))",
        "(return {:dear dear :kinds #{:a} :when nil})",
    ];
    let played = play(agent().tool(fail_now()).compression(true), &programs);
    assert_eq!(played.outcomes(), "ok undefined_symbol tool_error ok ok");

    let written = StepJson::new(&played.step, ValueForm::Typed).to_json();
    let read = StepJson::parse(&written.to_string()).unwrap().to_step().unwrap();
    assert_eq!(StepJson::new(&read, ValueForm::Typed).to_json(), written);

    let last = played.requests.len() - 1;
    let turns = &read.turns()[..last];
    let input = RenderInput { tools: &read.tools, turns_left: 5 - last, ..RenderInput::new(&read.mission, &read.data) };
    let rendered = SingleUserCoalesced::default().to_messages(turns, turns[last - 1].memory(), &input);
    assert_eq!(rendered.messages, played.requests[last].messages);
}
