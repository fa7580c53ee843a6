//! Asking at the prompt whether a call may be made.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use ptc_runner::agent::{Agent, Approval, Approver, Decision};
use ptc_runner::config::ApproveSetting;
use ptc_runner::lisp::BoxFuture;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::super::run::approve;
use super::running;
use crate::failure::Failure;

/// Who decides about calls that need approval: the answer that holds for all, or the person at the prompt.
pub(super) fn chosen(
    answer: ApproveSetting,
    agent: &Agent,
    is_terminal: bool,
) -> Result<Option<Arc<dyn Approver>>, Failure> {
    if agent.marked_tools().is_empty() {
        return Ok(None);
    }
    match answer {
        ApproveSetting::Ask if is_terminal => Ok(Some(Arc::new(AskingHere(agent.clone())))),
        answer => approve::answered(answer, agent).map_err(Failure::from),
    }
}

/// The person at the prompt, about calls of this agent. Ctrl-C at the question interrupts the program.
struct AskingHere(Agent);

impl Approver for AskingHere {
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        let (agent, waiting) = (self.0.clone(), waiting.clone());
        let asked = tokio::task::spawn_blocking(move || {
            let shared = Arc::new(Mutex::new(String::new()));
            let mut answers = Answers { question: Arc::clone(&shared), line: Vec::new() };
            approve::ask(&agent, &waiting, &mut answers, &mut Questions { open: shared })
        });
        Box::pin(async move { asked.await.unwrap_or_default() })
    }
}

/// Writes whole lines to the terminal, and keeps an unfinished one as the prompt of the answer.
struct Questions {
    open: Arc<Mutex<String>>,
}

impl Write for Questions {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.push_str(&String::from_utf8_lossy(bytes));
        if let Some((whole, rest)) = open.rsplit_once('\n') {
            writeln!(io::stderr(), "{whole}")?;
            *open = rest.to_owned();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lines that are typed after the question.
struct Answers {
    question: Arc<Mutex<String>>,
    line: Vec<u8>,
}

impl BufRead for Answers {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.line.is_empty() {
            let question = std::mem::take(&mut *self.question.lock().unwrap_or_else(PoisonError::into_inner));
            match DefaultEditor::new().and_then(|mut editor| editor.readline(&question)) {
                Ok(line) => self.line = format!("{line}\n").into_bytes(),
                Err(ReadlineError::Interrupted) => {
                    running::interrupt();
                    // Not an error of the kind `Interrupted`, after which `read_line` reads again.
                    return Err(io::Error::other("interrupted"));
                }
                Err(_) => {}
            }
        }
        Ok(&self.line)
    }

    fn consume(&mut self, amount: usize) {
        self.line.drain(..amount.min(self.line.len()));
    }
}

impl Read for Answers {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}
