//! Tools that must not run without approval: a person sees the waiting calls of a program together and allows, changes
//! or denies each.

use std::sync::Arc;

use ptc_runner::agent::PendingCall;
use ptc_runner::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
struct Payment {
    to: String,
    euros: u32,
}

/// The id of the call names the payment, so that a bank can recognize a repeated one.
async fn pay(payment: Payment, call: ToolContext) -> Result<String, ToolError> {
    Ok(format!("{}: {} euros to {}", call.call_id(), payment.euros, payment.to))
}

/// Pays small sums, reduces larger ones, and rejects one name.
struct Clerk {
    most: i64,
}

impl Clerk {
    fn judge(&self, call: &PendingCall) -> Decision {
        let field =
            |name: &str| call.call.args.as_map().and_then(|args| args.get_named(name)).cloned().unwrap_or_default();
        match (field("to"), field("euros")) {
            (Value::Str(to), _) if to.as_str() == "Mallory" => Decision::deny("Mallory is not a customer"),
            (to, Value::Int(euros)) if euros > self.most => Decision::Edit(Value::map_from([
                (Value::string("to"), to),
                (Value::string("euros"), Value::Int(self.most)),
            ])),
            _ => Decision::Approve,
        }
    }
}

impl Approver for Clerk {
    /// Here a program could wait for a person for hours: it costs nothing but memory.
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        Box::pin(async move {
            match waiting {
                Approval::Calls(calls) => calls.iter().map(|call| self.judge(call)).collect(),
                _ => Vec::new(),
            }
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = Agent::builder("Pay the open bills and report what was done.")
        .tool(FnTool::new("pay", "Pays", pay).approve())
        .build()?;
    let program = "(return (pmap (fn [bill] (try (tool/pay bill) (catch Exception e (ex-message e)))) data/bills))";
    let options = RunOptions::new()
        .run_id("payday")
        .llm(Arc::new(ScriptedLlm::replies([program])))
        .approval(Arc::new(Clerk { most: 100 }));
    let bills = json!([{"to": "Ines", "euros": 40}, {"to": "Oto", "euros": 4000}, {"to": "Mallory", "euros": 1}]);
    let step = agent.run_with(json!({ "bills": bills }), options).await?;
    for (line, call) in step.value::<Vec<String>>()?.iter().zip(&step.tool_calls) {
        println!("{line}{}", if call.edited { " (edited)" } else { "" });
    }
    Ok(())
}
