//! The tools that clients see.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value as Json, json};

use crate::gateway::{Gateway, Live};

pub(super) const RUN: &str = "run_program";
pub(super) const CHECK: &str = "check_program";
pub(super) const SEARCH: &str = "search_tools";
pub(super) const DESCRIBE: &str = "describe_tools";
pub(super) const FUNCTIONS: &str = "list_functions";

/// What clients read about the whole server.
pub(super) const INSTRUCTIONS: &str = "Tools of several servers, called by small programs instead of one by one: \
    results stay in the program, and only what it returns is read. Write one program for run_program that calls, \
    filters and sums up; check_program says beforehand what a program can call.";

/// What a model must know to write programs.
const LANGUAGE: &str = "Runs a program in PTC-Lisp: Clojure over immutable data, without files, network or Java. The \
value of the last expression is the answer; return only what is needed, since long values are cut. Call a tool as \
(tool/NAME {:arg value}); results are maps with keyword keys, lists and strings. Calls that do not depend on each other \
go into pmap, which makes them at the same time: (pmap #(tool/NAME {:id %}) ids). A failed tool throws; \
(try (tool/NAME …) (catch Exception e (ex-message e))) continues. def and defn stay for later programs of the same \
session, whose handle is in the answer; data/last is the value of the previous program. Core functions of Clojure and \
clojure.string (str/), clojure.set (set/), walk and json are there: list_functions names them. \
Example: (->> (pmap #(tool/NAME {:id %}) [1 2 3]) (filter :open) (map :total) (reduce +))";

/// All of them, for the tools that a client has.
pub(super) fn all(gateway: &Gateway, live: &Live) -> Vec<Tool> {
    let program = json!({"type": "string", "description": "The program. Leave it out to continue one that waits or was interrupted."});
    let session = json!({"type": "string", "description": "The handle of an earlier answer; leave it out to begin a new session."});
    let again = json!({
        "type": "boolean",
        "description": "Run a program once more that is the last one of its session and did something; otherwise its answer is given again.",
    });
    let discard =
        json!({"type": "boolean", "description": "Discard the program of this session that was interrupted."});
    vec![
        tool(RUN, "Run a program", &format!("{LANGUAGE}\n\n{}", gateway.tools_text(live)))
            .input(json!({"program": program, "session": session, "discard": discard, "again": again}), &[])
            .output(run_output(), &["status"])
            .writes(),
        tool(CHECK, "Check a program", "Says what is wrong with a program, or which tools it can call and how often at most, and what the policy says about them. Nothing runs.")
            .input(json!({"program": {"type": "string"}, "session": session}), &["program"])
            .output(check_output(), &["status"])
            .reads(),
        tool(SEARCH, "Find tools", "Finds tools by words of their names, servers, parameters and descriptions. Gives lines such as `tool/files-read(path string) -> string`.")
            .input(json!({"query": {"type": "string", "description": "A few words, such as `list open issues`."}}), &["query"])
            .reads(),
        tool(DESCRIBE, "Describe tools", "Everything that is known of tools: signature, whole description, policy, and what results have looked like.")
            .input(json!({"names": {"type": "array", "items": {"type": "string"}, "description": "Names as in programs, such as `files-read`."}}), &["names"])
            .reads(),
        tool(FUNCTIONS, "List functions", "The functions and forms of the language by family; with a query those that fit, with examples.")
            .input(json!({"query": {"type": "string", "description": "A name or words of what it does."}}), &[])
            .reads(),
    ]
    .into_iter()
    .map(|drafted| drafted.0)
    .collect()
}

struct Draft(Tool);

fn tool(name: &'static str, title: &str, description: &str) -> Draft {
    Draft(Tool::new(name, description.to_owned(), JsonObject::new()).with_title(title))
}

impl Draft {
    fn input(mut self, properties: Json, required: &[&str]) -> Draft {
        self.0.input_schema = schema(properties, required);
        self
    }

    fn output(self, properties: Json, required: &[&str]) -> Draft {
        Draft(self.0.with_raw_output_schema(schema(properties, required)))
    }

    fn reads(self) -> Draft {
        Draft(self.0.with_annotations(ToolAnnotations::new().read_only(true).open_world(false)))
    }

    fn writes(self) -> Draft {
        Draft(self.0.with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true)))
    }
}

fn schema(properties: Json, required: &[&str]) -> Arc<JsonObject> {
    let schema = json!({"type": "object", "properties": properties, "required": required});
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}

fn run_output() -> Json {
    let texts = |about: &str| json!({"type": "array", "items": {"type": "string"}, "description": about});
    json!({
        "session": {"type": "string", "description": "The handle for the next program."},
        "program": {"type": "string", "description": "The beginning of the program, where its answer is given again."},
        "status": {"enum": ["ok", "failed", "waiting"]},
        "value": {"description": "The value of the program, as JSON; the beginning of its text when it was cut."},
        "attachments": texts("The references in the value whose images, sounds and files follow as content."),
        "error": error(),
        "prints": texts("What it printed."),
        "warnings": texts("Legal code that is nearly always a mistake."),
        "calls": texts("The calls that it made, and their outcomes."),
        "definitions": texts("What the session has defined."),
        "notes": texts("What else should be known, such as calls of a program that was stopped."),
        "cut": texts("What is not shown whole, and how to see it."),
        "question": {"type": "string"},
        "how": {"type": "string"},
    })
}

fn check_output() -> Json {
    let tool = json!({
        "type": "object",
        "properties": {
            "tool": {"type": "string"},
            "at_most": {"type": "string"},
            "limit": {"type": ["integer", "null"]},
            "policy": {"type": "string"},
            "read_only": {"type": "boolean"},
            "destructive": {"type": "boolean"},
        },
    });
    json!({"status": {"enum": ["ok", "failed"]}, "can_call": {"type": "array", "items": tool}, "error": error()})
}

fn error() -> Json {
    json!({"type": "object", "properties": {"reason": {"type": "string"}, "message": {"type": "string"}}})
}
