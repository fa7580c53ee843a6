//! Finding tools: what a client reads about them.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexSet;
use ptc_lisp::text::{one_line, shortened, shortened_counted};
use ptc_mcp::Server;
use serde_json::{Value as Json, json};

use crate::ask::lock;
use crate::gateway::{Gateway, Live};
use crate::govern::Governor;
use crate::offer::OfferedTool;
use crate::policy::PolicyAction;
use crate::reach::Reach;
use crate::report::put;

/// Tokens of the signatures in the description of `run_program`.
const IN_DESCRIPTION: usize = 2_000;

/// Characters of the reason why tools are missing.
const MAX_WHY: usize = 200;

/// Maximum number of results of a search.
const MAX_FOUND: usize = 12;

/// Maximum number of tools described at once.
const MAX_DESCRIBED: usize = 20;

/// Characters of the instructions of all servers in an answer.
const MAX_INSTRUCTIONS: usize = 8_000;

/// The weight of a word by where it is found.
const NAME: f64 = 4.0;
const SERVER: f64 = 2.0;
const PARAMETER: f64 = 1.5;
const DESCRIPTION: f64 = 1.0;

/// The weight of a word that only begins like one in the tool.
const BEGINNING: f64 = 0.5;

impl Gateway {
    /// The lines of all tools of a client where they are short enough to be listed at once, else how many each server has.
    pub(crate) fn tools_text(&self, live: &Live) -> String {
        let governor = &live.governor;
        let mut lines: Vec<(&str, String)> =
            governor.offers.values().map(|offer| (&*offer.said.server, line(governor, offer))).collect();
        lines.sort_unstable();
        let all = lines
            .chunk_by(|(server, _), (next, _)| server == next)
            .flat_map(|of_server| {
                let server = of_server.first().map_or("", |(server, _)| server);
                let said =
                    self.instructions(server).map(|text| format!("Instructions of {server}: {}", one_line(&text)));
                said.into_iter().chain(of_server.iter().map(|(_, line)| line.clone()))
            })
            .collect::<Vec<_>>()
            .join("\n");
        let missing: String = self.missing().iter().map(|why| format!("\nMissing: {why}")).collect();
        if lines.is_empty() {
            return format!("There are no tools.{missing}");
        }
        if self.shared.counter.count(&all) <= IN_DESCRIPTION {
            return format!("All tools:\n{all}{missing}");
        }
        let mut servers: Vec<(&str, usize)> = Vec::new();
        for offer in governor.offers.values() {
            match servers.iter_mut().find(|(known, _)| *known == offer.said.server) {
                Some((_, count)) => *count += 1,
                None => servers.push((&offer.said.server, 1)),
            }
        }
        let told: Vec<String> = servers.iter().map(|(server, count)| format!("{server} ({count})")).collect();
        format!("Tools are found by search_tools. Servers and how many tools each has: {}{missing}", told.join(", "))
    }

    /// The servers whose tools are missing, each with the reason.
    fn missing(&self) -> Vec<String> {
        let setup = self.setup();
        let why = |server: &Arc<Server>| {
            let status = server.status();
            let name = &status.name;
            let why = match &status.problem {
                Some(problem) if status.tools == 0 => shortened(problem, MAX_WHY).into_owned(),
                None if status.is_starting => format!("MCP server `{name}` is being started"),
                _ => return None,
            };
            Some(format!("the tools of {name}: {why}"))
        };
        setup.servers.iter().filter_map(why).collect()
    }

    /// What a server says about the use of its tools.
    fn instructions(&self, server: &str) -> Option<Arc<str>> {
        self.setup().servers.iter().find(|known| known.name() == server)?.instructions()
    }

    /// What the servers of these tools say, each once, before the tools.
    fn with_instructions<'o>(&self, offers: impl Iterator<Item = &'o OfferedTool>) -> Json {
        let servers: IndexSet<&str> = offers.map(|offer| &*offer.said.server).collect();
        let said: Vec<(&str, Arc<str>)> =
            servers.into_iter().filter_map(|server| Some((server, self.instructions(server)?))).collect();
        if said.is_empty() {
            return json!({});
        }
        let each = MAX_INSTRUCTIONS / said.len();
        let said = said.iter().map(|(server, text)| ((*server).to_owned(), json!(shortened_counted(text, each))));
        json!({"instructions": said.collect::<serde_json::Map<_, _>>()})
    }

    /// The tools of a client that match a query best.
    pub(crate) fn search(&self, live: &Live, query: &str) -> Json {
        let governor = &live.governor;
        let found = ranked(governor.offers.values(), query);
        let lines: Vec<String> = found.iter().take(MAX_FOUND).map(|offer| line(governor, offer)).collect();
        let mut said = self.with_instructions(found.iter().take(MAX_FOUND).copied());
        put(&mut said, "tools", json!(lines));
        if found.len() > MAX_FOUND {
            put(&mut said, "more", json!(found.len() - MAX_FOUND));
        }
        let missing = self.missing();
        if !missing.is_empty() {
            put(&mut said, "missing", json!(missing));
        }
        if lines.is_empty() {
            let mut servers: Vec<&str> = governor.offers.values().map(|offer| offer.said.server.as_str()).collect();
            servers.dedup();
            put(
                &mut said,
                "note",
                json!(format!("nothing fits; there are {} tools of: {}", governor.offers.len(), servers.join(", "))),
            );
        }
        said
    }

    /// Everything known about tools of a client.
    pub(crate) fn describe(&self, live: &Live, names: &[String]) -> Json {
        let governor = &live.governor;
        let described: Vec<Json> = names.iter().take(MAX_DESCRIBED).map(|name| describe(governor, name)).collect();
        let offers = names.iter().take(MAX_DESCRIBED).filter_map(|name| governor.offers.get(bare(name)));
        let mut said = self.with_instructions(offers);
        put(&mut said, "tools", json!(described));
        if names.len() > MAX_DESCRIBED {
            put(&mut said, "note", json!(format!("only {MAX_DESCRIBED} are described at once")));
        }
        said
    }
}

/// The line of a tool, with the observed shape of its results where its server does not declare it.
fn line(governor: &Governor, offer: &OfferedTool) -> String {
    let asks = governor.standing(offer).most > PolicyAction::Allow;
    let mut spec = offer.spec.clone();
    spec.approve = asks;
    let line = ptc_compression::words::ToolLine(&spec).to_string();
    match lock(&governor.ledger.observed).line(offer.name()).filter(|_| !offer.said.declares_result) {
        Some(observed) => format!("{line} ; gave {}", observed.replace("  ; ", ", ")),
        None => line,
    }
}

/// The name of a tool without `tool/`.
fn bare(name: &str) -> &str {
    name.strip_prefix("tool/").unwrap_or(name)
}

fn describe(governor: &Governor, name: &str) -> Json {
    let bare = bare(name);
    if let Some(denied) = governor.denied.iter().find(|offer| offer.name() == bare) {
        return json!({"name": denied.name(), "error": format!("{} denies it", governor.denied_by(bare))});
    }
    let Some(offer) = governor.offers.get(bare) else {
        let known: Vec<&str> = governor.offers.keys().map(String::as_str).collect();
        let instead =
            ptc_lisp::text::nearest(bare, known).map(|known| format!("; did you mean {known}?")).unwrap_or_default();
        return json!({"name": bare, "error": format!("there is no such tool{instead}")});
    };
    let ruling = Reach::new(offer, governor.standing(offer), String::new(), None).ruling();
    let mut said = json!({
        "name": offer.name(), "line": line(governor, offer), "server": offer.said.server, "policy": ruling,
        "read_only": offer.said.read_only, "destructive": offer.said.destructive, "idempotent": offer.said.idempotent,
    });
    let details = offer.spec.details();
    if !details.is_empty() {
        put(&mut said, "description", json!(details));
    }
    if let Some(observed) = lock(&governor.ledger.observed).line(offer.name()) {
        put(&mut said, "observed", json!(observed));
    }
    said
}

/// The tools in which words of the query are found, best first; rare words count more.
fn ranked<'o>(offers: impl Iterator<Item = &'o OfferedTool>, query: &str) -> Vec<&'o OfferedTool> {
    let offers: Vec<(&OfferedTool, [Vec<String>; 4])> = offers.map(|offer| (offer, fields(offer))).collect();
    let mut asked = words(query);
    asked.sort_unstable();
    asked.dedup();
    let mut rarity: HashMap<&str, f64> = HashMap::new();
    for word in &asked {
        let known = offers.iter().filter(|(_, fields)| fields.iter().flatten().any(|known| fits(known, word) > 0.0));
        let share = (known.count() as f64 + 0.5) / (offers.len() as f64 + 1.0);
        rarity.insert(word, (1.0 / share).ln().max(0.1));
    }
    let score = |fields: &[Vec<String>; 4]| -> f64 {
        let of_word = |word: &String| {
            let in_field = |(known, weight): (&Vec<String>, f64)| {
                weight * known.iter().map(|known| fits(known, word)).fold(0.0, f64::max)
            };
            let found: f64 = fields.iter().zip([NAME, SERVER, PARAMETER, DESCRIPTION]).map(in_field).sum();
            found * rarity.get(word.as_str()).copied().unwrap_or(0.0)
        };
        asked.iter().map(of_word).sum()
    };
    let mut found: Vec<(f64, &OfferedTool)> =
        offers.iter().map(|(offer, fields)| (score(fields), *offer)).filter(|(score, _)| *score > 0.0).collect();
    found.sort_by(|(a, first), (b, second)| b.total_cmp(a).then_with(|| first.name().cmp(second.name())));
    found.into_iter().map(|(_, offer)| offer).collect()
}

/// How well a word of a tool matches one of the query.
fn fits(known: &str, asked: &str) -> f64 {
    match () {
        () if known == asked => 1.0,
        () if asked.len() >= 3 && known.starts_with(asked) => BEGINNING,
        () if known.len() >= 3 && asked.starts_with(known) => BEGINNING,
        () => 0.0,
    }
}

/// The words of name, server, parameters and description.
fn fields(offer: &OfferedTool) -> [Vec<String>; 4] {
    let params = offer.spec.signature.iter().flat_map(|signature| signature.params());
    let params = params.flat_map(|param| words(&param.name)).collect();
    [words(&offer.said.tool), words(&offer.said.server), params, words(&offer.said.description)]
}

/// Lower-case words: `listOpenIssues` and `list_open_issues` have the same words. A plural counts as its singular.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before_is_lower = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && before_is_lower) {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        before_is_lower = c.is_lowercase() || c.is_numeric();
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    for word in &mut words {
        if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") {
            word.pop();
        }
    }
    words
}

/// The names that programs can use, by family; with a query those that match it, each with its arities and its result.
pub(crate) fn functions(query: Option<&str>) -> Json {
    let entries = ptc_lisp::reference();
    let Some(query) = query.filter(|query| !query.trim().is_empty()) else {
        let mut families: Vec<(&str, Vec<&str>)> = Vec::new();
        for entry in &entries {
            match families.iter_mut().find(|(family, _)| *family == entry.family) {
                Some((_, names)) => names.push(entry.name),
                None => families.push((entry.family, vec![entry.name])),
            }
        }
        let told = families.iter().map(|(family, names)| ((*family).to_owned(), json!(names.join(" "))));
        return json!({"families": told.collect::<serde_json::Map<_, _>>()});
    };
    let wanted = query.trim();
    let exact = ptc_lisp::look_up(wanted).ok();
    let asked = words(wanted);
    let fits_query = |entry: &&ptc_lisp::ReferenceEntry| {
        entry.name.contains(wanted) || asked.iter().all(|word| words(&entry.doc).contains(word))
    };
    let mut found: Vec<ptc_lisp::ReferenceEntry> = exact.into_iter().collect();
    for entry in entries.iter().filter(fits_query) {
        if found.iter().all(|known| known.name != entry.name) {
            found.push(entry.clone());
        }
    }
    let told: Vec<Json> = found
        .iter()
        .take(MAX_DESCRIBED)
        .map(|entry| {
            let examples: Vec<String> =
                entry.examples.iter().take(2).map(|(program, value)| format!("{program} => {value}")).collect();
            json!({"name": entry.name, "calls": entry.calls, "gives": entry.doc, "examples": examples})
        })
        .collect();
    let mut said = json!({"functions": told});
    if found.len() > MAX_DESCRIBED {
        put(&mut said, "more", json!(found.len() - MAX_DESCRIBED));
    }
    if found.is_empty() {
        let instead = ptc_lisp::look_up(wanted).err().and_then(|unknown| unknown.nearest);
        put(
            &mut said,
            "note",
            json!(match instead {
                Some(instead) => format!("nothing fits; did you mean {instead}?"),
                None => "nothing fits; without `query` all names are listed".to_owned(),
            }),
        );
    }
    said
}
