use genai::adapter::AdapterKind;

use super::{Adapter, Caching, Effort, Grammar, Models, Schema};

#[test]
fn marks_are_for_newer_models_of_openai() {
    for model in ["gpt-5.6", "gpt-5.6-mini", "gpt-5.10", "gpt-6", "gpt-6-astra"] {
        assert!(Models::Gpt(5, 6).include(model), "{model}");
    }
    for model in ["gpt-5", "gpt-5-mini", "gpt-5.5", "gpt-4o", "gpt-4.1", "o4-mini", "claude-sonnet-4-5", "gpt-oss-120b"]
    {
        assert!(!Models::Gpt(5, 6).include(model), "{model}");
    }
}

#[test]
fn every_provider_is_found_by_each_of_its_names() {
    for kind in AdapterKind::all() {
        assert_eq!(Adapter::named(Adapter::name(*kind)), Some(*kind));
        assert_eq!(Adapter::named(kind.as_lower_str()), Some(*kind));
        assert!(Adapter::of(*kind).names.iter().all(|name| Adapter::named(name) == Some(*kind)));
    }
    assert_eq!(Adapter::named("claude"), Some(AdapterKind::Anthropic));
    assert_eq!(Adapter::named("opneai"), None);
}

const PAGE: &str = "../../docs/reference/providers.md";
const HEAD: &str = include_str!("head.md");
/// Set to write the page instead of comparing it.
const WRITE: &str = "PTC_WRITE_PAGES";

#[test]
fn the_page_on_providers_is_that_of_the_rows() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = page();
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == page, "run `{WRITE}=1 cargo test -p ptc-llm providers` and commit {PAGE}");
}

fn page() -> String {
    let mut rows: Vec<(&Adapter, Vec<&str>)> = Vec::new();
    let named = AdapterKind::all().iter().map(|kind| (Adapter::of(*kind), Adapter::name(*kind)));
    let servers = [(&super::SERVER, "a server by its address"), (&super::OLLAMA, "ollama")];
    for (adapter, name) in servers.into_iter().chain(named.filter(|(_, name)| *name != "ollama")) {
        match rows.iter_mut().find(|(row, _)| *row == adapter) {
            Some((_, names)) => names.push(name),
            None => rows.push((adapter, vec![name])),
        }
    }
    let rows: String = rows.iter().map(|(adapter, names)| row(adapter, names)).collect();
    format!("{HEAD}{rows}")
}

fn row(adapter: &Adapter, names: &[&str]) -> String {
    let caching = match adapter.caching {
        Caching::Automatic => "automatic".to_owned(),
        Caching::Marks(Models::All) | Caching::Field(Models::All) => "marks".to_owned(),
        Caching::Marks(models) | Caching::Field(models) => format!("marks for {}, else automatic", which(models)),
    };
    let effort = match adapter.effort {
        Effort::Name => "a name".to_owned(),
        Effort::Budget { models, .. } => format!("a budget for {}, else a name", which(models)),
    };
    let schema = match adapter.schema {
        Schema::Any => "any",
        Schema::Closed => "closed objects",
        Schema::Strict => "closed objects, all fields required",
    };
    let schema = match (adapter.schema, adapter.chat_completions) {
        (Schema::Any, _) => schema.to_owned(),
        (_, true) => format!("{schema}; else without strict decoding"),
        (_, false) => format!("{schema}; else in words"),
    };
    let tools =
        if adapter.schema_with_tools == Models::None { "no".to_owned() } else { which(adapter.schema_with_tools) };
    let thoughts = if adapter.asks_for_thoughts { "always" } else { "with an effort" };
    let back = if adapter.thoughts_back { ", sent back with calls" } else { "" };
    let grammar = match adapter.grammar {
        Grammar::Never => "an error",
        Grammar::Sent => "sent; not known whether it is read",
    };
    let (seed, empty) = (yes(adapter.seed), yes(adapter.empty_answers));
    let names = names.join(", ");
    format!(
        "| {names} | {caching} | {effort} | {schema} | {tools} | {thoughts}{back} | {seed} | {empty} | {grammar} |\n"
    )
}

fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

fn which(models: Models) -> String {
    let quoted = |parts: &[&str]| parts.iter().map(|part| format!("`{part}`")).collect::<Vec<_>>().join(", ");
    match models {
        Models::None => "no model".to_owned(),
        Models::All => "all models".to_owned(),
        Models::Named(parts, []) => quoted(parts),
        Models::Named(parts, except) => format!("{} except {}", quoted(parts), quoted(except)),
        Models::Gpt(major, minor) => format!("GPT {major}.{minor} and later"),
    }
}
