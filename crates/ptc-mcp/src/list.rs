//! The list of a server's tools, which may change while it is connected.

use std::collections::HashSet;
use std::sync::{Arc, MutexGuard, PoisonError};

use indexmap::IndexMap;
use ptc_lisp::ToolNotice;
use ptc_lisp::text::shortened_counted;
use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult, Tool};
use serde_json::Value as Json;

use crate::error::McpError;
use crate::further::{Contents, Kind, declared};
use crate::readable;
use crate::server::{Link, Service};

/// Pages that a list may have.
const MAX_PAGES: usize = 1_000;

/// Characters of a name or a cursor of a server.
const MAX_SHOWN: usize = 100;

/// Characters of what a server says about its use.
const MAX_INSTRUCTIONS: usize = 2_000;

/// A part of a server's list that programs do not get, though its owner wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The server's name of the tool, if it is one.
    pub tool: Option<String>,
    /// Why.
    pub why: String,
}

/// A tool that programs may get, and what it does at its server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Offered {
    pub tool: Tool,
    pub kind: Kind,
}

impl Offered {
    /// A tool of a list that was read.
    fn new(tool: Tool) -> Offered {
        let kind = if readable::is_task(&tool) { Kind::Task } else { Kind::Tool };
        Offered { tool, kind }
    }
}

/// What a server lists.
#[derive(Default)]
pub(crate) struct Pages {
    pub tools: Vec<Offered>,
    pub contents: Contents,
    pub left_out: Vec<LeftOut>,
}

/// The tools that programs get, as the server last listed them.
#[derive(Default)]
pub(crate) struct Listed {
    tools: Arc<[Offered]>,
    /// What the server has beside tools.
    contents: Arc<Contents>,
    /// What is not among them.
    left_out: Vec<LeftOut>,
    /// Whether the server was already asked.
    is_known: bool,
    /// How often the list changed.
    changes: u64,
    /// Whether the server's list may have changed.
    is_stale: bool,
    /// What the server says about its use.
    instructions: Option<Arc<str>>,
    /// Names that were added or removed since the last report.
    untold: (Vec<String>, Vec<String>),
}

impl Link {
    /// The tools that programs get.
    pub fn tools(&self) -> Arc<[Offered]> {
        self.listed().tools.clone()
    }

    /// What is not among them.
    pub fn left_out(&self) -> Vec<LeftOut> {
        self.listed().left_out.clone()
    }

    /// What the server has beside them.
    pub fn contents(&self) -> Arc<Contents> {
        self.listed().contents.clone()
    }

    /// What the server says about its use.
    pub fn instructions(&self) -> Option<Arc<str>> {
        self.listed().instructions.clone()
    }

    /// How often the list changed.
    pub fn changes(&self) -> u64 {
        self.listed().changes
    }

    /// Whether the server still has this tool, as far as known.
    pub fn offers(&self, tool: &str) -> bool {
        self.listed().tools.iter().any(|known| known.tool.name == tool)
    }

    /// The server has, or may have, another list: it is asked in the background, or by the next call if that comes
    /// first.
    pub fn list_changed(self: &Arc<Link>) {
        let mut listed = self.listed();
        listed.is_stale = true;
        if !listed.is_known {
            // The connecting task is about to ask.
            return;
        }
        drop(listed);
        let link = self.clone();
        self.runtime.spawn(async move {
            // It stays stale, so that the next call asks again.
            let _refused = link.list_again().await;
        });
    }

    /// Ask for the list if it may have changed, unless another task did so meanwhile.
    pub async fn list_again(self: &Arc<Link>) -> Result<(), McpError> {
        let _alone = self.listing.lock().await;
        if !self.listed().is_stale {
            return Ok(());
        }
        let service = self.service().await?;
        self.list_alone(&service, false).await
    }

    /// Ask for the list. `is_first`: the names in `allow`, `deny`, `approve` and `results` must be in it.
    pub async fn list(&self, service: &Service, is_first: bool) -> Result<(), McpError> {
        let _alone = self.listing.lock().await;
        self.list_alone(service, is_first).await
    }

    /// The list stays as it is when the server returns none.
    async fn list_alone(&self, service: &Service, is_first: bool) -> Result<(), McpError> {
        let was_stale = std::mem::take(&mut self.listed().is_stale);
        let listed = self.ask_for_list(service, is_first).await;
        let mut known = self.listed();
        match listed {
            Ok(Pages { tools, contents, left_out }) => {
                let (before, now) = (self.names(&known.tools), self.names(&tools));
                if !is_first {
                    known.untold.0.extend(now.iter().filter(|name| !before.contains(name)).cloned());
                    known.untold.1.extend(before.iter().filter(|name| !now.contains(name)).cloned());
                }
                let differs = *known.tools != *tools || known.left_out != left_out || *known.contents != contents;
                (known.tools, known.left_out, known.is_known) = (tools.into(), left_out, true);
                known.contents = Arc::new(contents);
                known.changes += u64::from(differs);
                Ok(())
            }
            Err(error) => {
                known.is_stale |= was_stale;
                Err(error)
            }
        }
    }

    async fn ask_for_list(&self, service: &Service, is_first: bool) -> Result<Pages, McpError> {
        let asked = async {
            // One that has only resources or prompts need not answer the question for tools.
            let declared = declared(service);
            let has_only_further =
                declared.tools.is_none() && (declared.resources.is_some() || declared.prompts.is_some());
            let mut pages = if has_only_further { Pages::default() } else { self.ask_for_pages(service).await? };
            pages.contents = self.ask_for_contents(service, &mut pages.left_out).await;
            Ok(pages)
        };
        let mut pages = tokio::time::timeout(self.spec.timeout, asked).await.map_err(|_| self.too_late())??;
        pages.add_further();
        if is_first {
            self.knows_all_names(&pages.tools)?;
        }
        self.admit(&mut pages);
        Ok(pages)
    }

    /// All pages of the list. What cannot be read of them is left out.
    async fn ask_for_pages(&self, service: &Service) -> Result<Pages, McpError> {
        let mut pages = Pages::default();
        let mut cursors: HashSet<String> = HashSet::new();
        let mut cursor: Option<String> = None;
        loop {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
            let answer = service.send_request(request).await.map_err(|error| self.refused(&error.to_string()))?;
            cursor = pages.add(answer).map_err(|problem| self.refused(&problem))?;
            let Some(next) = &cursor else { return Ok(pages) };
            if !cursors.insert(next.clone()) || cursors.len() >= MAX_PAGES {
                let next = shortened_counted(next, MAX_SHOWN).into_owned();
                let why = match cursors.len() {
                    MAX_PAGES => format!("its list of tools has more than {MAX_PAGES} pages; the next one is {next:?}"),
                    _ => format!("its list of tools names the page {next:?} twice: what follows was not read"),
                };
                pages.left_out.push(LeftOut { tool: None, why });
                return Ok(pages);
            }
        }
    }

    /// Keep the tools that programs get. One that is listed twice is one; of two with the same name in programs, the
    /// second is left out.
    fn admit(&self, pages: &mut Pages) {
        let mut admitted: IndexMap<String, Offered> = IndexMap::new();
        for offered in std::mem::take(&mut pages.tools).into_iter().filter(|one| self.spec.admits(&one.tool.name)) {
            let tool = &offered.tool;
            let name = self.spec.name_of(&tool.name);
            let why = match admitted.get(&name) {
                None => {
                    admitted.insert(name, offered);
                    continue;
                }
                Some(first) if *first == offered => continue,
                Some(Offered { tool: first, .. }) if first.name == tool.name => {
                    "it is listed twice, with different descriptions".to_owned()
                }
                Some(Offered { tool: first, .. }) => {
                    format!("`{}` is called `tool/{name}`, too; deny one of them", first.name)
                }
            };
            pages.left_out.push(LeftOut { tool: Some(tool.name.to_string()), why });
        }
        pages.tools = admitted.into_values().collect();
        pages.contents = std::mem::take(&mut pages.contents).admitted(&pages.tools);
    }

    /// What changed since the last call of this.
    pub fn news(&self) -> Option<ToolNotice> {
        let (added, gone) = std::mem::take(&mut self.listed().untold);
        // What was added and removed again, or the other way round, is unchanged.
        let only = |names: &[String], others: &[String]| -> Vec<String> {
            names.iter().filter(|name| !others.contains(name)).cloned().collect()
        };
        let (added, gone) = (only(&added, &gone), only(&gone, &added));
        (!added.is_empty() || !gone.is_empty()).then_some(ToolNotice::ToolsChanged { added, gone })
    }

    fn names(&self, tools: &[Offered]) -> Vec<String> {
        tools.iter().map(|offered| self.spec.name_of(&offered.tool.name)).collect()
    }

    pub(crate) fn listed(&self) -> MutexGuard<'_, Listed> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listed {
    /// What is known of the server differs from before.
    pub fn has_changed(&mut self) {
        self.changes += 1;
    }

    /// There is a new connection, which may have another list than the one before; whether there was one.
    pub fn may_differ(&mut self, instructions: Option<&str>) -> bool {
        let instructions = instructions.map(str::trim).filter(|text| !text.is_empty());
        self.instructions = instructions.map(|text| shortened_counted(text, MAX_INSTRUCTIONS).into());
        self.is_stale |= self.is_known;
        self.is_known
    }
}

impl Pages {
    /// Add the tools for what the server has beside tools, except those whose names its own tools have.
    fn add_further(&mut self) {
        for further in self.contents.tools() {
            let name = &further.tool.name;
            if self.tools.iter().any(|own| own.tool.name == *name) {
                let why =
                    format!("programs cannot reach its {}: a tool of it is called `{name}`", further.kind.method());
                self.left_out.push(LeftOut { tool: None, why });
            } else {
                self.tools.push(further);
            }
        }
    }

    /// Add a page; the cursor of the next one. An error says why it is none.
    fn add(&mut self, answer: ServerResult) -> Result<Option<String>, String> {
        let page = match answer {
            ServerResult::ListToolsResult(page) => {
                self.tools.extend(page.tools.into_iter().map(Offered::new));
                return Ok(page.next_cursor);
            }
            // A single tool that is none makes the page something else for the library.
            ServerResult::CustomResult(page) => page.0,
            _ => return Err(NO_LIST.to_owned()),
        };
        let tools = page.get("tools").and_then(Json::as_array).ok_or(NO_LIST)?;
        for tool in tools {
            match serde_json::from_value::<Tool>(tool.clone()) {
                Ok(mut read) => {
                    readable::mark_task(&mut read, tool.get("execution"));
                    self.tools.push(Offered::new(read));
                }
                Err(error) => {
                    let name = tool.get("name").and_then(Json::as_str);
                    let name = name.map(|name| shortened_counted(name, MAX_SHOWN).into_owned());
                    self.left_out.push(LeftOut { tool: name, why: format!("its description cannot be read: {error}") });
                }
            }
        }
        Ok(page.get("nextCursor").and_then(Json::as_str).map(str::to_owned))
    }
}

/// Why an answer to the question for tools is none.
const NO_LIST: &str = "its list of tools has no `tools`";
