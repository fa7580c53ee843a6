//! A custom tool: a type that implements `Tool`, next to a function without parameters.

use std::sync::atomic::{AtomicU32, Ordering};

use ptc_runner::lisp::{ToolCall, ToolResult, ToolSpec};
use ptc_runner::prelude::*;
use ptc_runner::signature::Signature;

/// Hands out rooms until none is left.
struct Rooms {
    spec: ToolSpec,
    left: AtomicU32,
}

impl Rooms {
    fn new(rooms: u32) -> Result<Rooms, Box<dyn std::error::Error>> {
        let signature = Signature::parse("(guest :string) -> {guest :string, room :int}")?;
        let spec = ToolSpec::new("book").description("Books a room").signature(signature);
        Ok(Rooms { spec, left: AtomicU32::new(rooms) })
    }
}

impl Tool for Rooms {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let guest = call.args.as_map().and_then(|args| args.get_named("guest")).cloned().unwrap_or(Value::Nil);
            let room = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
            // A program reads the message; nothing was done.
            let room = room.map_err(|_| ToolError::new("no room is left").may_have_run(false))?;
            let booked = [(Value::keyword("guest"), guest), (Value::keyword("room"), Value::Int(room.into()))];
            Ok(Value::map_from(booked))
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let waiting = FnTool::new("waiting", "Who waits for a room", || Ok::<_, ToolError>(["Ines", "Oto"]));
    let agent = Agent::builder("Give everyone who waits a room.").tool(Rooms::new(2)?).tool(waiting).build()?;
    let llm = ScriptedLlm::replies(["(return (mapv (fn [guest] (:room (tool/book {:guest guest}))) (tool/waiting)))"]);
    let step = agent.run(&llm, ()).await?;
    println!("rooms {:?}", step.value::<Vec<u32>>()?);
    Ok(())
}
