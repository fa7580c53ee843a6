//! A model that answers from a file of recorded replies.

#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::file::read_file;
use crate::fingerprint;
use crate::lines::{self, Audience, Line};
use crate::{BoxFuture, ChunkSink, Llm, LlmError, LlmErrorKind, Reply, Request};

/// Maximum bytes of a replay file.
const MAX_BYTES: u64 = 256 << 20;

/// Answers each request with the first unused line of a replay file that is meant for the asking agent; where lines name
/// the requests that they answer, with the first that names this one.
///
/// The file is JSON Lines: `{"content":"…","usage":{"input":…,"output":…,"cached":…}?}` or
/// `{"error":{"status":429,"message":"…","retry_after_ms":…}}`, with optional `reasoning`, `stop`, `tool_calls`
/// (`[{"id":"…","name":"…","args":{…}}]`, next to a `content` that may be empty), `agent`, and `request`, the
/// [`fingerprint`](crate::fingerprint()) of a request. A line without `agent` answers anyone; `"agent":null` answers only
/// the agent started from outside.
#[derive(Debug)]
pub struct ReplayLlm {
    name: String,
    file: String,
    ignored: Vec<String>,
    state: Mutex<State>,
}

/// A request of a run before it was stopped; see [`ReplayLlm::go_on_after`].
#[derive(Debug, Clone, PartialEq)]
pub enum PastRequest {
    /// A request of the agent started from outside, with the answer that it got.
    Answer(Result<Reply, LlmError>),
    /// Requests of an agent called as a tool and of those that it called: this many answers, with unknown contents.
    Below {
        /// The agent that was called.
        agent: String,
        /// Its requests and those of the agents below it.
        requests: u64,
    },
}

#[derive(Debug)]
struct State {
    lines: Vec<Option<Line>>,
    used: usize,
}

/// A replay file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file could not be read.
    #[error("cannot read the replay file {}: {source}", .path.display())]
    Unreadable {
        /// The requested file.
        path: PathBuf,
        /// The error of the system.
        r#source: io::Error,
    },
    /// A line is not an answer.
    #[error("{file}, line {line}: {problem}")]
    BadLine {
        /// The file, as it was named.
        file: String,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong and what to write instead.
        problem: String,
    },
}

impl ReplayLlm {
    /// Reads a replay file, of 256 MB at most; all lines are checked now.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReplayError> {
        let path = path.as_ref();
        let bytes =
            read_file(path, MAX_BYTES).map_err(|source| ReplayError::Unreadable { path: path.to_owned(), source })?;
        let text = String::from_utf8(bytes).map_err(|error| ReplayError::BadLine {
            file: path.display().to_string(),
            line: line_of(error.as_bytes(), error.utf8_error().valid_up_to()),
            problem: format!(
                "this is not UTF-8 text (at byte {} of the file); save the file as UTF-8",
                error.utf8_error().valid_up_to()
            ),
        })?;
        ReplayLlm::from_text(path.display().to_string(), &text)
    }

    /// Uses `text` as if it were in a file called `file`; blank lines and a byte order mark are skipped.
    pub fn from_text(file: impl Into<String>, text: &str) -> Result<Self, ReplayError> {
        let file = file.into();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let mut ignored = Vec::new();
        let lines: Result<Vec<Option<Line>>, ReplayError> = lines
            .inspect(|(index, line)| {
                let told = |key| format!("{file}, line {}: the unknown key `{key}` is ignored", index + 1);
                ignored.extend(lines::ignored(line).into_iter().map(told));
            })
            .map(|(index, line)| match lines::read(line) {
                Ok(line) => Ok(Some(line)),
                Err(problem) => Err(ReplayError::BadLine { file: file.clone(), line: index + 1, problem }),
            })
            .collect();
        let state = Mutex::new(State { lines: lines?, used: 0 });
        Ok(ReplayLlm { name: format!("replay:{file}"), file, ignored, state })
    }

    /// Keys that are ignored, one sentence each: likely mistakes.
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// How many answers are left, for any agent.
    pub fn remaining(&self) -> usize {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.lines.iter().flatten().count()
    }

    /// Marks the lines that a stopped run has used, so that it can continue after them; returns how many these are.
    ///
    /// `asked` is everything that the run asked, in order, and `tools` are the names of its tools. A file that begins
    /// with the latest answers of the run, or with all of them, was used for them. Any other file holds future answers:
    /// its first line is next, and the result is 0.
    ///
    /// ```
    /// use ptc_chat::{PastRequest, ReplayLlm, Reply};
    ///
    /// let file = "{\"content\":\"(def a 1)\"}\n{\"content\":\"(return a)\"}";
    /// let asked = [PastRequest::Answer(Ok(Reply::text("(def a 1)")))];
    /// assert_eq!(ReplayLlm::from_text("answers.jsonl", file)?.go_on_after(&asked, &[]), 1);
    /// assert_eq!(ReplayLlm::from_text("answers.jsonl", "{\"content\":\"(return a)\"}")?.go_on_after(&asked, &[]), 0);
    /// # Ok::<(), ptc_chat::ReplayError>(())
    /// ```
    pub fn go_on_after(&self, asked: &[PastRequest], tools: &[&str]) -> usize {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let begins_with_answer = |latest: &&[PastRequest]| matches!(latest.first(), Some(PastRequest::Answer(_)));
        let latest = (0..asked.len()).filter_map(|start| asked.get(start..)).filter(begins_with_answer);
        let used = latest.filter_map(|latest| used_by(&state.lines, latest, tools)).next().unwrap_or_default();
        for index in &used {
            if let Some(line) = state.lines.get_mut(*index) {
                *line = None;
            }
        }
        state.used += used.len();
        used.len()
    }

    fn take(&self, request: &Request) -> (Option<Line>, usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let agent = request.agent.as_deref();
        let fitting = || state.lines.iter().enumerate().filter_map(|(index, line)| Some((index, line.as_ref()?)));
        let fitting = || fitting().filter(|(_, line)| line.agent.includes(agent));
        // A request that cannot be written as JSON has no fingerprint.
        let has_names = fitting().any(|(_, line)| line.request.is_some());
        let name = has_names.then(|| fingerprint(request).ok()).flatten();
        let named = name.and_then(|name| fitting().find(|(_, line)| line.request.as_ref() == Some(&name)));
        let index = named.or_else(|| fitting().next()).map(|(index, _)| index);
        let line = index.and_then(|index| state.lines.get_mut(index)).and_then(Option::take);
        let used = state.used;
        state.used += usize::from(line.is_some());
        (line, used)
    }

    fn next(&self, request: &Request) -> Result<Reply, LlmError> {
        let (line, used) = self.take(request);
        match line {
            Some(line) => line.into_answer(),
            None => Err(LlmError::new(LlmErrorKind::OutOfAnswers { used }, self.exhausted(request, used))),
        }
    }

    fn exhausted(&self, request: &Request, used: usize) -> String {
        let who = request.agent.as_deref().map(|agent| format!(" of agent `{agent}`")).unwrap_or_default();
        let answers = if used == 1 { "answer was" } else { "answers were" };
        format!(
            "{} has no answer left for turn {}{who}: {used} {answers} used; add a line for this call or use a live model",
            self.file, request.turn
        )
    }
}

/// The number of the line that has this byte.
fn line_of(bytes: &[u8], offset: usize) -> usize {
    bytes.iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

fn take(lines: &[usize], is_used: &mut [bool]) {
    lines.iter().for_each(|line| is_used.get_mut(*line).into_iter().for_each(|used| *used = true));
}

/// The lines that answered a run with these requests; `None` when it got other answers.
fn used_by(lines: &[Option<Line>], asked: &[PastRequest], tools: &[&str]) -> Option<Vec<usize>> {
    let mut used = Vec::new();
    let mut is_used = vec![false; lines.len()];
    // All lines before it are used.
    let mut first = 0;
    for asked in asked {
        while is_used.get(first) == Some(&true) {
            first += 1;
        }
        let unused = lines.iter().enumerate().skip(first).filter_map(|(index, line)| Some((index, line.as_ref()?)));
        let unused = unused.filter(|(index, _)| is_used.get(*index) == Some(&false));
        match asked {
            PastRequest::Answer(answer) => {
                let (index, line) = unused.into_iter().find(|(_, line)| line.agent.includes(None))?;
                if line.clone().into_answer() != answer.clone().and_then(Reply::unless_refused) {
                    return None;
                }
                let line = [index];
                take(&line, &mut is_used);
                used.extend(line);
            }
            PastRequest::Below { agent, requests } => {
                // Agents further below are not ones that the run itself can call.
                let is_below = |name: &str| name == agent || !tools.contains(&name);
                let fits = |line: &Line| match &line.agent {
                    Audience::Anyone => true,
                    Audience::Agent(name) => name.as_deref().is_some_and(is_below),
                };
                let count = usize::try_from(*requests).unwrap_or(usize::MAX);
                let below: Vec<usize> =
                    unused.filter(|(_, line)| fits(line)).map(|(index, _)| index).take(count).collect();
                take(&below, &mut is_used);
                used.extend(below);
            }
        }
    }
    Some(used)
}

impl Llm for ReplayLlm {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            let reply = self.next(request)?;
            if let Some(chunks) = chunks {
                chunks.chunk(&reply.content);
            }
            Ok(reply)
        })
    }

    fn name(&self) -> &str {
        &self.name
    }
}
