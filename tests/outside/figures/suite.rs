//! The suites behind their MCP server.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use ptc_runner::lisp::Tool;
use ptc_runner::mcp::{Server, ServerSpec};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::Res;
use crate::task::{Attack, Task};

/// The name of the server in programs: `tool/env-NAME`.
pub(crate) const SERVER: &str = "env";

/// The tool that the host asks whether a task is done; models do not get it.
const JUDGE: &str = "suite_judge";

/// The Python programs that serve the suites, and the interpreter that has the suites.
pub(crate) struct Suites {
    folder: PathBuf,
    python: PathBuf,
}

/// A task that can be done.
pub(crate) struct Opened {
    pub(crate) tools: Vec<Arc<dyn Tool>>,
    server: Server,
}

/// What a suite says about a task.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(crate) struct Verdict {
    pub(crate) passed: bool,
    pub(crate) problems: Vec<String>,
}

impl Suites {
    /// As `install` made them below `root`, the folder of the workspace.
    pub(crate) fn installed(root: &std::path::Path) -> Suites {
        Suites { folder: root.join("tests/outside"), python: root.join("target/outside/venv/bin/python") }
    }

    /// The tasks of a suite with their ground truth.
    pub(crate) fn tasks(&self, suite: &str) -> Res<Vec<Task>> {
        self.lines(&[suite])
    }

    /// The same while this attack is in their data.
    pub(crate) fn tasks_under(&self, suite: &str, attack: &Attack) -> Res<Vec<Task>> {
        self.lines(&[suite, "--inject", &attack.injection])
    }

    /// What attackers would have a model do in a suite.
    pub(crate) fn attacks(&self, suite: &str) -> Res<Vec<Attack>> {
        self.lines(&[suite, "--injections"])
    }

    fn lines<T: DeserializeOwned>(&self, arguments: &[&str]) -> Res<Vec<T>> {
        let output = Command::new(&self.python).arg(self.folder.join("tasks.py")).args(arguments).output()?;
        if !output.status.success() {
            return Err(format!("tasks.py {arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        String::from_utf8(output.stdout)?.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
    }

    /// Start the server of a task, with an attack in its data if one is given.
    pub(crate) async fn open(&self, task: &Task, attack: Option<&Attack>) -> Res<Opened> {
        let program = self.folder.join("server.py").display().to_string();
        let mut arguments = vec![program, task.suite.clone(), "--task".to_owned(), task.task.clone()];
        if let Some(attack) = attack {
            arguments.extend(["--inject".to_owned(), attack.injection.clone()]);
        }
        let spec = ServerSpec::command(SERVER, self.python.display().to_string(), arguments).deny([JUDGE]);
        let server = Server::connect(spec).await?;
        Ok(Opened { tools: server.tools(), server })
    }
}

impl Opened {
    /// Whether the suite accepts what was done so far, after this answer.
    pub(crate) async fn verdict(&self, answer: &str) -> Res<Verdict> {
        let arguments = serde_json::Map::from_iter([("answer".to_owned(), Json::from(answer))]);
        let said = self.server.call(JUDGE, arguments).await.map_err(|failure| failure.message)?;
        Ok(serde_json::from_value(said.to_json()?)?)
    }

    pub(crate) async fn close(self) {
        self.server.close().await;
    }
}
