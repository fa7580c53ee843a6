//! What a server has beside its tools: resources and prompts, which programs reach by tools that are made here.

use std::collections::HashSet;
use std::sync::Arc;

use ptc_lisp::text::{one_line, shortened, shortened_counted};
use rmcp::model::{ClientRequest, CustomRequest, ServerCapabilities, Tool, ToolAnnotations};
use serde_json::{Map, Value as Json, json};

use crate::list::{LeftOut, Offered};
use crate::server::{Link, Service};

/// Pages that a list of resources or prompts may have, and entries that are kept of it.
const MAX_PAGES: usize = 50;
const MAX_ENTRIES: usize = 1_000;

/// Characters of the lists in a description, and of one line of it.
const MAX_LISTED: usize = 3_000;
const MAX_LINE: usize = 200;

/// What a tool does at its server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is a tool of the server.
    Tool,
    /// The same, which the server runs only as a task.
    Task,
    /// It reads a resource.
    Resource,
    /// It fills in a prompt.
    Prompt,
}

impl Kind {
    /// The method that a call of the tool is.
    pub fn method(self) -> &'static str {
        match self {
            Kind::Tool | Kind::Task => "tools/call",
            Kind::Resource => "resources/read",
            Kind::Prompt => "prompts/get",
        }
    }

    /// The parameters of that method.
    pub fn params(self, tool: &str, arguments: Map<String, Json>) -> Map<String, Json> {
        match self {
            Kind::Tool | Kind::Task => {
                Map::from_iter([("name".to_owned(), json!(tool)), ("arguments".to_owned(), json!(arguments))])
            }
            Kind::Resource | Kind::Prompt => arguments,
        }
    }
}

/// What a server has beside its tools, as it lists it: JSON of the protocol.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Contents {
    /// The tool of programs that reads resources, after `tool/`; none where programs cannot.
    pub reader: Option<String>,
    /// Its resources.
    pub resources: Vec<Json>,
    /// Its templates for addresses of resources.
    pub templates: Vec<Json>,
    /// The tool of programs that fills in prompts, after `tool/`; none where programs cannot.
    pub prompter: Option<String>,
    /// Its prompts.
    pub prompts: Vec<Json>,
}

impl Link {
    /// What the server declares to have beside its tools. A list that cannot be had takes away only itself.
    pub async fn ask_for_contents(&self, service: &Service, left_out: &mut Vec<LeftOut>) -> Contents {
        let declared = declared(service);
        let mut contents = Contents::default();
        if declared.resources.is_some() {
            contents.reader = Some(self.spec.name_of(READ_RESOURCE));
            contents.resources = self.entries(service, "resources/list", "resources", left_out).await;
            contents.templates = self.entries(service, "resources/templates/list", "resourceTemplates", left_out).await;
        }
        if declared.prompts.is_some() {
            contents.prompter = Some(self.spec.name_of(GET_PROMPT));
            contents.prompts = self.entries(service, "prompts/list", "prompts", left_out).await;
        }
        contents
    }

    /// All entries of a list.
    async fn entries(&self, service: &Service, method: &str, key: &str, left_out: &mut Vec<LeftOut>) -> Vec<Json> {
        let mut entries = Vec::new();
        let mut cursors = HashSet::new();
        let mut cursor = Json::Null;
        let problem = loop {
            let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
            let Some(request) = request(method, params) else { break Some("it cannot be asked for".to_owned()) };
            let page = match service.send_request(request).await {
                Ok(page) => serde_json::to_value(page).unwrap_or_default(),
                // Some declare all of a kind and have only one list of it.
                Err(rmcp::ServiceError::McpError(error)) if error.code == rmcp::model::ErrorCode::METHOD_NOT_FOUND => {
                    break None;
                }
                Err(error) => break Some(self.spec.told(&error.to_string())),
            };
            let Some(items) = page.get(key).and_then(Json::as_array) else { break Some(format!("it has no `{key}`")) };
            entries.extend(items.iter().cloned());
            if entries.len() > MAX_ENTRIES {
                entries.truncate(MAX_ENTRIES);
                break Some(format!("only the first {MAX_ENTRIES} entries are known"));
            }
            cursor = page.get("nextCursor").cloned().unwrap_or_default();
            if cursor.is_null() {
                break None;
            }
            if !cursors.insert(cursor.to_string()) || cursors.len() >= MAX_PAGES {
                break Some("it has too many pages, or names one twice: what follows was not read".to_owned());
            }
        };
        left_out.extend(problem.map(|why| LeftOut { tool: None, why: format!("its answer to {method}: {why}") }));
        entries
    }
}

/// What a server declares.
pub(crate) fn declared(service: &Service) -> ServerCapabilities {
    service.peer_info().map(|said| said.capabilities.clone()).unwrap_or_default()
}

/// A request of this method.
pub(crate) fn request(method: &str, params: Json) -> Option<ClientRequest> {
    if params.get(TASK).is_some() {
        // The library does not have this parameter, and leaves it out.
        return Some(CustomRequest::new(method, Some(params)).into());
    }
    serde_json::from_value(json!({"method": method, "params": params})).ok()
}

/// The parameter of a call that is to run as a task.
pub(crate) const TASK: &str = "task";

/// The names of the tools that are made here, as a server would name them.
pub(crate) const READ_RESOURCE: &str = "read_resource";
pub(crate) const GET_PROMPT: &str = "get_prompt";

impl Contents {
    /// The tools for what is there.
    pub(crate) fn tools(&self) -> Vec<Offered> {
        let read = self.reader.is_some().then(|| {
            let about = "Reads a resource: a text, or data where the text is a JSON object or array; a list of parts; else what it is.";
            let listed = lines(&[
                ("Resources", &self.resources, &|entry| line(entry, "uri", "")),
                ("Templates of addresses", &self.templates, &|entry| line(entry, "uriTemplate", "")),
            ]);
            let properties = json!({"uri": {"type": "string", "description": "The address of the resource."}});
            offered(READ_RESOURCE, Kind::Resource, about, &listed, (properties, &["uri"]), None)
        });
        let prompt = self.prompter.is_some().then(|| {
            let about = "Fills in a prompt that the server has, and gives its messages.";
            let listed = lines(&[("Prompts", &self.prompts, &|entry| line(entry, "name", &arguments(entry)))]);
            let properties = json!({
                "name": {"type": "string", "description": "The name of the prompt."},
                "arguments": {"type": "object", "additionalProperties": {"type": "string"}, "description": "Its arguments, each a text."},
            });
            let message = json!({"type": "object", "properties": {"role": {"type": "string"}, "content": {}}});
            let output = json!({"type": "object", "properties": {
                "description": {"type": "string"}, "messages": {"type": "array", "items": message},
            }, "required": ["messages"]});
            offered(GET_PROMPT, Kind::Prompt, about, &listed, (properties, &["name"]), Some(output))
        });
        read.into_iter().chain(prompt).collect()
    }

    /// The same where programs have only some of the tools.
    pub(crate) fn admitted(mut self, tools: &[Offered]) -> Contents {
        let has = |kind| tools.iter().any(|tool| tool.kind == kind);
        if !has(Kind::Resource) {
            (self.reader, self.resources, self.templates) = (None, Vec::new(), Vec::new());
        }
        if !has(Kind::Prompt) {
            (self.prompter, self.prompts) = (None, Vec::new());
        }
        self
    }
}

/// A list as lines under its title.
type Titled<'a> = (&'a str, &'a [Json], &'a dyn Fn(&Json) -> String);

/// The entries of lists, each a line, up to a number of characters.
fn lines(lists: &[Titled<'_>]) -> String {
    let list = |(title, entries, line): &Titled<'_>| {
        let lines: Vec<String> = entries.iter().map(line).collect();
        (!lines.is_empty()).then(|| format!("{title}:\n{}", lines.join("\n")))
    };
    let all: Vec<String> = lists.iter().filter_map(list).collect();
    shortened_counted(&all.join("\n"), MAX_LISTED).into_owned()
}

/// `- NAME MORE: TITLE; DESCRIPTION`.
fn line(entry: &Json, key: &str, more: &str) -> String {
    let text = |key: &str| entry.get(key).and_then(Json::as_str).unwrap_or_default();
    let about: Vec<&str> = ["name", "title", "description", "mimeType"]
        .into_iter()
        .filter(|name| *name != key)
        .map(text)
        .filter(|text| !text.is_empty())
        .collect();
    let line = format!("- {}{more}: {}", text(key), about.join("; "));
    shortened(&one_line(line.trim_end_matches([':', ' '])), MAX_LINE).into_owned()
}

/// `(code, style?)`: the arguments of a prompt.
fn arguments(prompt: &Json) -> String {
    let arguments = prompt.get("arguments").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let told: Vec<String> = arguments
        .iter()
        .filter_map(|argument| {
            let is_needed = argument.get("required") == Some(&Json::Bool(true));
            Some(format!("{}{}", argument.get("name")?.as_str()?, if is_needed { "" } else { "?" }))
        })
        .collect();
    format!(" ({})", told.join(", "))
}

fn offered(
    name: &'static str,
    kind: Kind,
    about: &str,
    listed: &str,
    (properties, required): (Json, &[&str]),
    output: Option<Json>,
) -> Offered {
    let fields = |schema: Json| Arc::new(schema.as_object().cloned().unwrap_or_default());
    let input = fields(json!({"type": "object", "properties": properties, "required": required}));
    let about = if listed.is_empty() { about.to_owned() } else { format!("{about}\n\n{listed}") };
    let mut tool = Tool::new(name, about, input);
    tool.output_schema = output.map(fields);
    tool.annotations = Some(ToolAnnotations::new().read_only(true));
    Offered { tool, kind }
}
