//! Waiting for a decision longer than a process lives: what was done is in a journal, so that the run resumes in
//! another process, and everything is done once.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use ptc_runner::agent::CancellationToken;
use ptc_runner::prelude::*;
use ptc_runner::transcript::JournalFile;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Invoice {
    invoice: u32,
}

/// What was really done.
type Bank = Arc<Mutex<Vec<String>>>;

fn done(bank: &Bank, what: String) -> Result<String, ToolError> {
    bank.lock().unwrap_or_else(PoisonError::into_inner).push(what.clone());
    Ok(what)
}

/// Sees what waits and has no answer yet: the process stops.
struct Nobody(CancellationToken);

impl Approver for Nobody {
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        Box::pin(async move {
            println!("waits: {}", waiting.ids().join(", "));
            self.0.cancel();
            std::future::pending().await
        })
    }
}

/// What one process does: it starts the run of the journal, or resumes it.
async fn process(
    journal: &Path,
    bank: &Bank,
    cancel: CancellationToken,
    approval: Arc<dyn Approver>,
) -> Result<Step, Box<dyn std::error::Error>> {
    let prepare = |bank: Bank, invoice: Invoice| done(&bank, format!("prepared {}", invoice.invoice));
    let pay = |bank: Bank, invoice: Invoice| done(&bank, format!("paid {}", invoice.invoice));
    let agent = Agent::builder("Prepare and pay invoice 7.")
        .tool(FnTool::with_state("prepare", "Prepares a payment", bank.clone(), prepare))
        .tool(FnTool::with_state("pay", "Pays", bank.clone(), pay).approve())
        .build()?;
    let (journal, recorded) = JournalFile::resume(journal)?;
    // The answers of the model are in the journal, too: the first process uses up this script.
    let programs: &[&str] = if recorded.is_none() {
        &["(def ready (tool/prepare {:invoice 7}))", "(return [ready (tool/pay {:invoice 7})])"]
    } else {
        &[]
    };
    let options = RunOptions::new()
        .run_id("invoice-7")
        .llm(Arc::new(ScriptedLlm::replies(programs.iter().copied())))
        .journal(Arc::new(journal))
        .resume(recorded.map(Arc::new))
        .approval(approval)
        .cancel(cancel);
    Ok(agent.run_with((), options).await?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let journal = folder.path().join("invoice-7.journal");
    let bank = Bank::default();
    let told = |step: &Step| {
        let answer = step.value::<Vec<String>>().map_or_else(|failure| failure.to_string(), |answer| answer.join(", "));
        println!("{answer}; done: {:?}", bank.lock().unwrap_or_else(PoisonError::into_inner));
    };

    let stop = CancellationToken::new();
    told(&process(&journal, &bank, stop.clone(), Arc::new(Nobody(stop))).await?);
    // Days later the decision is made. The repeated part of the run prepares nothing a second time.
    let manager = |waiting: &Approval| waiting.ids().iter().map(|_| Decision::Approve).collect();
    told(&process(&journal, &bank, CancellationToken::new(), Arc::new(manager)).await?);
    // A run that has ended only returns its answer again, without asking.
    let stop = CancellationToken::new();
    told(&process(&journal, &bank, stop.clone(), Arc::new(Nobody(stop))).await?);
    Ok(())
}
