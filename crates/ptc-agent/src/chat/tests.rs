//! Conversations.

use std::sync::Arc;

use insta::assert_snapshot;
use ptc_chat::{LlmError, LlmErrorKind, Message, Reply, ScriptedLlm, ToolUse};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{Agent, AgentBuilder, Conversation, FnTool, RunError, RunOptions, ToolError, chat};

#[derive(Deserialize, JsonSchema)]
struct Day {
    day: String,
}

fn desk() -> AgentBuilder {
    let hours = |day: Day| Ok::<_, ToolError>(format!("{}: 7 to 10", day.day));
    Agent::builder("You help guests of {{hotel}}.").tool(FnTool::new("opening-hours", "When breakfast is", hours))
}

fn options(replies: Vec<Result<Reply, LlmError>>) -> (RunOptions, Arc<ScriptedLlm>) {
    let llm = Arc::new(ScriptedLlm::new(replies));
    (RunOptions::new().llm(llm.clone()), llm)
}

fn told(messages: &[Message]) -> String {
    messages.iter().map(|message| format!("{:?} {:?}", message.role, message.content())).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_conversation_goes_on_with_its_history() {
    let call =
        Reply { tool_calls: vec![ToolUse::new("c1", "opening_hours", json!({"day": "Sunday"}))], ..Reply::default() };
    let (options, llm) = options(vec![Ok("Good morning!".into()), Ok(call), Ok(" From 7 to 10. ".into())]);
    let agent = desk().compression(true).build().expect("an agent");
    let (answer, history) = chat(&agent, "Hello", Vec::new(), options.clone()).await.expect("an answer");
    assert_eq!(answer, "Good morning!");
    let (answer, history) =
        chat(&agent, "When is {{breakfast}} on Sunday?", history, options).await.expect("an answer");
    assert_eq!(answer, "From 7 to 10.");
    assert_snapshot!(told(&history), @r#"
    User "You help guests of {{hotel}}.\n\nHello"
    Assistant "Good morning!"
    User "When is {{breakfast}} on Sunday?"
    Assistant ""
    Tool "\"Sunday: 7 to 10\""
    Assistant " From 7 to 10. "
    "#);
    let requests = llm.requests();
    assert_eq!(
        requests[1].messages[..2],
        requests[0]
            .messages
            .iter()
            .cloned()
            .chain([Message::assistant("Good morning!").repeated()])
            .collect::<Vec<_>>()
    );
    assert_eq!((requests[1].messages.len(), requests[2].messages.len()), (3, 5));
    assert_eq!(requests[0].system, requests[2].system, "the system text is the agent's own each time");
    assert_eq!(requests[1].tools.len(), 1);
}

#[tokio::test]
async fn the_answer_is_text_whatever_the_agent_returns() {
    let agent = Agent::builder("Count.").signature("{n :int}").build().expect("an agent");
    let (options, llm) = options(vec![Ok("Three.".into())]);
    assert_eq!(chat(&agent, "How many?", Vec::new(), options).await.expect("an answer").0, "Three.");
    assert!(llm.requests()[0].schema.is_none());
}

#[tokio::test]
async fn an_agent_with_inputs_cannot_talk() {
    let agent = Agent::builder("Greet {{guest}}").signature("(guest :string) -> :string").build().expect("an agent");
    let (options, llm) = options(vec![]);
    let error = chat(&agent, "Hello", Vec::new(), options).await.expect_err("no input");
    assert_snapshot!(error, @"the context does not fit the signature: [guest]: required input is missing");
    assert!(llm.requests().is_empty());
}

#[tokio::test]
async fn a_conversation_without_an_answer_is_an_error_with_its_step() {
    let (options, _) = options(vec![Err(LlmError::new(LlmErrorKind::ConfigError, "no key"))]);
    let agent = Agent::builder("").build().expect("an agent");
    let error = chat(&agent, "Hello", Vec::new(), options).await.expect_err("no answer");
    let RunError::Failed(step) = &error else { panic!("{error}") };
    assert_eq!(step.messages.as_deref().map(told).as_deref(), Some(r#"User "Hello""#));
    assert!(error.to_string().starts_with("agent run failed (llm_error): "), "{error}");
}

#[tokio::test]
async fn every_text_of_a_conversation_reaches_each_later_request() {
    let agent = Agent::builder("You count.").build().expect("an agent");
    let (options, llm) = options(["(return 1)", "(return 2)", "(return 3)"].map(|text| Ok(text.into())).to_vec());
    let mut conversation = Conversation::start(" How many? ");
    let mut step = agent.run_with((), options.clone().follow_up(conversation.text())).await.expect("a run");
    for text in ["And then?", "And last?"] {
        let said = conversation.say(&step, text).to_owned();
        step = agent.continue_from(&step, (), options.clone().follow_up(said)).await.expect("a run");
    }
    assert_snapshot!(conversation.text(), @r"
    The mission above says who you are, and the user talks with you. What your earlier programs defined is still there. Do now what the user said last.

    The user: How many?

    You returned: 1

    The user: And then?

    You returned: 2

    The user: And last?
    ");
    let shown = |at: usize| llm.requests()[at].messages[0].content().into_owned();
    assert!(shown(0).contains("The user: How many?") && !shown(0).contains("You returned"), "{}", shown(0));
    assert!(shown(2).contains(conversation.text()), "{}", shown(2));
}

#[tokio::test]
async fn a_conversation_says_what_was_printed_last_and_what_failed() {
    let agent = Agent::builder("You count.").build().expect("an agent");
    let replies =
        ["(println \"first\")", "(println \"second\")\n(return 1)", "(fail {:reason :closed :message \"no keys\"})"];
    let (options, _) = options(replies.map(|text| Ok(text.into())).to_vec());
    let mut conversation = Conversation::start("How many?");
    let step = agent.run_with((), options.clone().follow_up(conversation.text())).await.expect("a run");
    let said = conversation.say(&step, "And then?").to_owned();
    let step = agent.continue_from(&step, (), options.follow_up(said)).await.expect("a run");
    conversation.say(&step, "And last?");
    let (_, after) = conversation.text().split_once("How many?").expect("the first text");
    assert_snapshot!(after.trim_start(), @r"
    You printed: second

    You returned: 1

    The user: And then?

    You failed: closed: no keys

    The user: And last?
    ");
}
