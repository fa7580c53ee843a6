use std::sync::Arc;

use futures::executor::block_on;
use insta::assert_snapshot;

use crate::{Llm, LlmError, LlmErrorKind, Reply, Request, ScriptedLlm, llm_async_fn, llm_fn};

fn asking(turn: u32) -> Request {
    Request { turn, ..Request::default() }
}

#[test]
fn answers_in_order_then_runs_out() {
    let llm = ScriptedLlm::new([Ok(Reply::text("a")), Err(LlmError::from_status(503, "busy"))]);
    assert_eq!(block_on(llm.reply(&asking(1), None)).unwrap().content, "a");
    assert_snapshot!(block_on(llm.reply(&asking(2), None)).unwrap_err(), @"server_error (HTTP 503): busy");
    let exhausted = block_on(llm.reply(&asking(3), None)).unwrap_err();
    assert_eq!(exhausted.kind(), LlmErrorKind::OutOfAnswers { used: 2 });
    assert_snapshot!(exhausted, @"out_of_answers: the script has no answer left for turn 3, 2 were used");
    assert_eq!(llm.requests().iter().map(|request| request.turn).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn every_thread_gets_its_own_answer() {
    let llm = Arc::new(ScriptedLlm::replies((0..64).map(|n| n.to_string())).named("counter"));
    let ask = |llm: Arc<ScriptedLlm>| move || block_on(llm.reply(&asking(1), None)).unwrap().content;
    let threads: Vec<_> = (0..64).map(|_| std::thread::spawn(ask(llm.clone()))).collect();
    let mut answers: Vec<u32> = threads.into_iter().map(|thread| thread.join().unwrap().parse().unwrap()).collect();
    answers.sort_unstable();
    assert_eq!(answers, (0..64).collect::<Vec<_>>());
    assert_eq!(llm.requests().len(), 64);
    assert_eq!((llm.name(), llm.remaining()), ("counter", 0));
}

#[test]
fn references_boxes_and_closures_are_models() {
    let parrot = llm_fn("parrot", |request| Ok(Reply::text(format!("turn {}", request.turn))));
    let later = llm_async_fn("later", |request| async move { Ok(Reply::text(&*request.system)) });
    let models: [Arc<dyn Llm>; 2] = [Arc::new(parrot), Arc::new(later)];
    let [parrot, later] = &models;
    assert_eq!(block_on((&parrot).reply(&asking(7), None)).unwrap().content, "turn 7");
    assert_eq!(block_on(later.reply(&Request { system: "s".into(), ..asking(1) }, None)).unwrap().content, "s");
    assert_eq!((parrot.name(), later.name()), ("parrot", "later"));
}

#[test]
fn chunks_add_up_to_the_reply() {
    let mut heard = String::new();
    let mut listen = |text: &str| heard.push_str(text);
    let reply = block_on(ScriptedLlm::replies(["abc"]).reply(&asking(1), Some(&mut listen))).unwrap();
    assert_eq!(heard, reply.content);
}
