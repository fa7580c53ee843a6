//! Resources, prompts and completions of servers, passed on to clients.
//!
//! Each goes through the rules and the record of the tool that programs have for it: what a rule denies to programs, no
//! client reads either.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use ptc_mcp::{Contents, Server};
use rmcp::model::{
    CompleteRequestParams, ErrorData, GetPromptRequestParams, ReadResourceRequestParams, Reference, ResultType,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};

use crate::gateway::{Client, Gateway, Live};
use crate::govern::Governor;
use crate::report::put;

/// Between the name of a server and an address that an earlier server has, too.
const OF_SERVER: char = '+';

/// A server, and what it has that programs may use.
type Stock = (Arc<Server>, Arc<Contents>);

/// A list of a server's contents, and the key under which an entry has its address.
type Shelf = (fn(&Contents) -> &Vec<Json>, &'static str);

pub(super) const RESOURCES: Shelf = (|contents| &contents.resources, "uri");
pub(super) const TEMPLATES: Shelf = (|contents| &contents.templates, "uriTemplate");

impl Gateway {
    /// The servers whose tool for this is not denied.
    fn stocks(&self, governor: &Governor, tool: impl Fn(&Contents) -> Option<&String>) -> Vec<Stock> {
        let servers = self.setup().servers.clone();
        let stocks = servers.into_iter().map(|server| (server.clone(), server.contents()));
        stocks.filter(|(_, contents)| tool(contents).is_some_and(|tool| governor.offers.contains_key(tool))).collect()
    }

    /// The state in which a server has what is looked for, or else the one in which all servers have started.
    async fn live_with(
        &self,
        client: &Client,
        has_it: impl Fn(&Gateway, &Governor) -> bool,
    ) -> Result<Arc<Live>, ErrorData> {
        let live = self.served(client)?;
        if !has_it(self, &live.governor) {
            self.settled(Duration::MAX).await;
        }
        self.served(client)
    }

    /// What a client has.
    pub(super) fn served(&self, client: &Client) -> Result<Arc<Live>, ErrorData> {
        self.live_of(client).map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    /// The same for the address of a resource.
    async fn shelving(&self, client: &Client, uri: &str) -> Result<Arc<Live>, ErrorData> {
        let has_it = |gateway: &Gateway, governor: &Governor| {
            known_owner(&gateway.stocks(governor, |contents| contents.reader.as_ref()), uri).is_some()
        };
        self.live_with(client, has_it).await
    }

    /// The same for the name of a prompt.
    async fn prompting(&self, client: &Client, name: &str) -> Result<Arc<Live>, ErrorData> {
        let has_it = |gateway: &Gateway, governor: &Governor| {
            prompter(&gateway.stocks(governor, |contents| contents.prompter.as_ref()), name).is_ok()
        };
        self.live_with(client, has_it).await
    }

    /// All resources or templates of a client. One with the address of an earlier one has the name of its server before it.
    pub(super) fn shelved<T: DeserializeOwned>(&self, live: &Live, (list, key): Shelf) -> Vec<T> {
        let mut known = HashSet::new();
        let mut all = Vec::new();
        for (server, contents) in self.stocks(&live.governor, |contents| contents.reader.as_ref()) {
            for entry in list(&contents) {
                let mut entry = entry.clone();
                let uri = entry.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
                if !known.insert(uri.clone()) {
                    put(&mut entry, key, json!(format!("{}{OF_SERVER}{uri}", server.name())));
                }
                // One that is not as the protocol says, no client could read.
                all.extend(serde_json::from_value(entry).ok());
            }
        }
        all
    }

    /// Read a resource for a client.
    pub(super) async fn read<T: DeserializeOwned>(
        &self,
        mut params: ReadResourceRequestParams,
        client: &Client,
    ) -> Result<T, ErrorData> {
        let live = self.shelving(client, &params.uri).await?;
        let stocks = self.stocks(&live.governor, |contents| contents.reader.as_ref());
        let unknown = || {
            let data = Some(json!({"uri": params.uri}));
            ErrorData::resource_not_found(format!("no server has the resource {}", params.uri), data)
        };
        let ((server, contents), uri) = owner(&stocks, &params.uri).ok_or_else(unknown)?;
        let tool = contents.reader.clone().unwrap_or_default();
        params.uri = uri;
        let args = json!({"uri": params.uri});
        passed(&live.governor, (server, "resources/read"), &tool, (args, &params), client).await
    }

    /// All prompts of a client, by their names in programs: with the name of their server before them.
    pub(super) fn prompts<T: DeserializeOwned>(&self, live: &Live) -> Vec<T> {
        let mut known = HashSet::new();
        let mut all = Vec::new();
        for (server, contents) in self.stocks(&live.governor, |contents| contents.prompter.as_ref()) {
            for prompt in &contents.prompts {
                let mut prompt = prompt.clone();
                let name = prompt_name(&server, &prompt);
                put(&mut prompt, "name", json!(name));
                all.extend(serde_json::from_value(prompt).ok().filter(|_| known.insert(name)));
            }
        }
        all
    }

    /// Fill in a prompt for a client.
    pub(super) async fn prompt<T: DeserializeOwned>(
        &self,
        mut params: GetPromptRequestParams,
        client: &Client,
    ) -> Result<T, ErrorData> {
        let live = self.prompting(client, &params.name).await?;
        let stocks = self.stocks(&live.governor, |contents| contents.prompter.as_ref());
        let ((server, contents), name) = prompter(&stocks, &params.name)?;
        let tool = contents.prompter.clone().unwrap_or_default();
        params.name = name;
        let args = json!({"name": params.name, "arguments": params.arguments});
        passed(&live.governor, (server, "prompts/get"), &tool, (args, &params), client).await
    }

    /// Complete an argument of a prompt or of an address for a client.
    pub(super) async fn complete<T: DeserializeOwned>(
        &self,
        mut params: CompleteRequestParams,
        client: &Client,
    ) -> Result<T, ErrorData> {
        let live = match &params.r#ref {
            Reference::Prompt(prompt) => self.prompting(client, &prompt.name).await?,
            Reference::Resource(resource) => self.shelving(client, &resource.uri).await?,
            _ => self.served(client)?,
        };
        let (server, tool, args) = match &mut params.r#ref {
            Reference::Prompt(prompt) => {
                let stocks = self.stocks(&live.governor, |contents| contents.prompter.as_ref());
                let ((server, contents), name) = prompter(&stocks, &prompt.name)?;
                prompt.name = name;
                (server.clone(), contents.prompter.clone(), json!({"name": prompt.name}))
            }
            Reference::Resource(resource) => {
                let stocks = self.stocks(&live.governor, |contents| contents.reader.as_ref());
                let unknown = || ErrorData::invalid_params(format!("no server has {}", resource.uri), None);
                let ((server, contents), uri) = owner(&stocks, &resource.uri).ok_or_else(unknown)?;
                resource.uri = uri;
                (server.clone(), contents.reader.clone(), json!({"uri": resource.uri}))
            }
            _ => return Err(ErrorData::invalid_params("only prompts and resources can be completed", None)),
        };
        let tool = tool.unwrap_or_default();
        passed(&live.governor, (&server, "completion/complete"), &tool, (args, &params), client).await
    }
}

/// Ask the server under the rules of a tool.
async fn passed<T: DeserializeOwned>(
    governor: &Governor,
    (server, method): (&Arc<Server>, &str),
    tool: &str,
    (args, params): (Json, &impl Serialize),
    client: &Client,
) -> Result<T, ErrorData> {
    let failed = |error: serde_json::Error| ErrorData::internal_error(error.to_string(), None);
    let mut params: Map<String, Json> = match serde_json::to_value(params).map_err(failed)? {
        Json::Object(params) => params,
        _ => Map::new(),
    };
    // Tokens and capabilities there are those of the client.
    params.remove("_meta");
    let answer = governor.direct(&client.label, tool, args, server.ask(method, params)).await;
    let mut answer = answer.map_err(|error| ErrorData::invalid_params(error.message, None))?;
    // Newer clients want to read this, and older servers do not say it. It is left out for older clients.
    if answer.get("resultType").is_none() {
        put(&mut answer, "resultType", json!(ResultType::COMPLETE));
    }
    serde_json::from_value(answer).map_err(failed)
}

/// The server that has an address, and the address there; else the only one that has resources.
fn owner<'s>(stocks: &'s [Stock], uri: &str) -> Option<(&'s Stock, String)> {
    let only = if let [only] = stocks { Some((only, uri.to_owned())) } else { None };
    known_owner(stocks, uri).or(only)
}

/// The server in whose list an address is, that whose name is before it, or that whose template it begins like.
fn known_owner<'s>(stocks: &'s [Stock], uri: &str) -> Option<(&'s Stock, String)> {
    let text = |entry: &Json, key: &str| entry.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let lists = |(_, contents): &&Stock| {
        contents.resources.iter().any(|one| text(one, "uri") == uri)
            || contents.templates.iter().any(|one| text(one, "uriTemplate") == uri)
    };
    if let Some(stock) = stocks.iter().find(lists) {
        return Some((stock, uri.to_owned()));
    }
    let named = stocks
        .iter()
        .find_map(|stock| Some((stock, uri.strip_prefix(stock.0.name())?.strip_prefix(OF_SERVER)?.to_owned())));
    if named.is_some() {
        return named;
    }
    let fixed = |template: &Json| {
        let template = text(template, "uriTemplate");
        let fixed = template.split('{').next().unwrap_or_default().to_owned();
        uri.starts_with(&fixed).then_some(fixed.len())
    };
    let longest = |stock: &Stock| stock.1.templates.iter().filter_map(fixed).max();
    let fitting = stocks.iter().filter_map(|stock| Some((longest(stock)?, stock)));
    // Of equal ones the first.
    let best = fitting.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, stock)| (stock, uri.to_owned()))
}

/// The server that has a prompt of this name of the gateway, and its own name for it.
fn prompter<'s>(stocks: &'s [Stock], name: &str) -> Result<(&'s Stock, String), ErrorData> {
    let found = stocks.iter().find_map(|stock| {
        let prompt = stock.1.prompts.iter().find(|prompt| prompt_name(&stock.0, prompt) == name)?;
        Some((stock, prompt.get("name")?.as_str()?.to_owned()))
    });
    found.ok_or_else(|| ErrorData::invalid_params(format!("no server has the prompt {name}"), None))
}

/// The name of a prompt for clients.
fn prompt_name(server: &Server, prompt: &Json) -> String {
    format!("{}-{}", server.name(), prompt.get("name").and_then(Json::as_str).unwrap_or_default())
}
