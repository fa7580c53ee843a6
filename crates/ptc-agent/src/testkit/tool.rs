//! A tool that fails.

use std::sync::Arc;

use ptc_lisp::{BoxFuture, Tool, ToolCall, ToolError, ToolResult, ToolSpec, Value};

use super::{Fault, Faults, panic_now};

/// A tool that fails where another one would answer: see [`Faults::tool`].
pub struct FaultyTool {
    pub(super) tool: Arc<dyn Tool>,
    pub(super) faults: Faults,
}

impl Tool for FaultyTool {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        Box::pin(self.failing(call))
    }
}

impl FaultyTool {
    async fn failing(&self, call: &ToolCall) -> ToolResult {
        let fault = self.faults.draw(Fault::OF_TOOLS);
        match fault {
            Some(Fault::LateCall) => tokio::time::sleep(self.faults.time(5_000)).await,
            Some(Fault::NoAnswer) => return std::future::pending().await,
            Some(Fault::ToolError) => return Err(ToolError::new("503 by the seed").may_have_run(false)),
            Some(Fault::PanicBefore) => panic_now(),
            Some(Fault::LateEffect) => {
                let (tool, call, late) = (Arc::clone(&self.tool), call.clone(), self.faults.time(300_000));
                tokio::spawn(async move {
                    tokio::time::sleep(late).await;
                    let _ = tool.call(&call).await;
                });
                return std::future::pending().await;
            }
            _ => {}
        }
        let result = self.tool.call(call).await;
        match fault {
            Some(Fault::HungAfter) => std::future::pending().await,
            Some(Fault::LostAnswer) => Err(ToolError::new("the connection broke by the seed").may_have_run(true)),
            Some(Fault::WrongAnswer) => Ok(Value::string("neither here nor there")),
            Some(Fault::PanicAfter) => panic_now(),
            _ => result,
        }
    }
}
