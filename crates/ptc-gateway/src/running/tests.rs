use ptc_lisp::ToolNotice;
use ptc_transcript::EventKind;

use super::Made;

#[test]
fn news_of_a_call_reach_the_client_as_growing_progress() {
    let (mut made, mut told, mut lines) = (Made::default(), 0.0, Vec::new());
    let start = || EventKind::ToolStart { tool_name: "s-climb".into(), args: ptc_lisp::Value::Nil };
    let news = |done, total, message: Option<&str>| EventKind::ToolNotice {
        tool_name: "s-climb".into(),
        notice: ToolNotice::Progress { done, total, message: message.map(str::to_owned) },
    };
    // Servers report what they like.
    for kind in [
        start(),
        news(1.0, Some(4.0), Some("climbing")),
        start(),
        news(0.0, None, None),
        news(9.0, Some(4.0), Some("on top")),
        news(1.0, Some(0.0), None),
    ] {
        assert!(made.take(&kind));
        let now = made.done_after(told);
        assert!(now > told && now < 1.1, "{now} after {told}");
        told = now;
        lines.push(made.line());
    }
    assert_eq!(lines[1], "tool/s-climb: climbing: 0 of 1 calls ended");
    assert_eq!(lines[3], "tool/s-climb: 0 of 2 calls ended");
}
