use insta::assert_snapshot;
use jiff::civil::date;

use super::*;

#[test]
fn models_of_runs_are_found_on_the_list() {
    // The dates of the list change with it.
    let found = |model: &str| {
        PriceList::builtin().of_run(model).map(|prices| prices.name.split(',').next().unwrap().to_owned())
    };
    let sonnet = || Some("claude-sonnet-4.5".to_owned());
    assert_eq!(found("anthropic:claude-sonnet-4-5"), sonnet());
    assert_eq!(found("claude-sonnet-4-5-20250929"), sonnet());
    assert_eq!(found("openrouter:anthropic/claude-sonnet-4.5"), sonnet());
    assert_eq!(found("https://llm.example/v1#gpt-5-mini"), Some("gpt-5-mini".to_owned()));
    assert_eq!(found("gpt-5"), Some("gpt-5".to_owned()));
    assert_eq!(found("openai:gpt-4.1-2025-04-14"), Some("gpt-4.1".to_owned()));
    for unknown in [
        "ollama:gpt-5",
        "ollama:qwen3",
        "http://127.0.0.1:8080/v1#qwen3",
        "replay:answers.jsonl",
        "gpt-5-20",
        "…-2025-04-14",
        "",
    ] {
        assert_eq!(found(unknown), None, "{unknown}");
    }
}

#[test]
fn tokens_of_caches_have_their_own_prices() {
    let prices: Prices = "input=2,cached=0.5,write=3,output=10".parse().unwrap();
    let tokens = Tokens { input: 1_000_000, output: 100_000, cached: 400_000, cache_write: 100_000 };
    assert!((prices.cost(&tokens) - (1.0 + 0.2 + 0.3 + 1.0)).abs() < 1e-9);
    // If a provider reports more cached than input tokens, the cost is not negative.
    let odd = Tokens { input: 10, cached: 20, ..Tokens::default() };
    assert!(prices.cost(&odd) > 0.0);
}

/// A list with the models `a-1.5` and `b`.
const OWN: &str = r#"
[[list]]
source = "https://llm.example/prices"
date = 2026-01-31

[list.models]
"a-1.5" = { input = 2, cached = 0.2, write = 2.5, output = 8.0, until = 2026-03-31 }
b = { input = 1_000, output = 0x10 }

[[list]]
unverified = true
models.c = { input = 0, output = 0 }
"#;

#[test]
fn the_built_in_list_is_read_and_says_where_its_prices_are_from() {
    let list = PriceList::builtin();
    assert!(list.models().count() > 10);
    for model in list.models() {
        let prices = list.of(model).unwrap();
        let is_dated =
            prices.date.is_some() && prices.source.as_ref().is_some_and(|source| source.starts_with("https://"));
        assert!(is_dated != prices.unverified, "{model}: {prices:?}");
        assert_eq!(list.of_run(model), Some(prices));
    }
}

#[test]
fn a_list_of_ones_own_is_read() {
    let list = PriceList::parse(OWN).unwrap();
    assert_eq!(list.models().collect::<Vec<_>>(), ["a-1.5", "b", "c"]);
    let shown = |model: &str| serde_json::to_string(list.of_run(model).unwrap()).unwrap();
    assert_snapshot!(shown("openai:a-1-5-2026-01-01"), @r#"{"name":"a-1.5, list of 2026-01-31","input":2.0,"cached":0.2,"write":2.5,"output":8.0,"source":"https://llm.example/prices","date":"2026-01-31","until":"2026-03-31"}"#);
    assert_snapshot!(shown("http://llm.example/v1#b"), @r#"{"name":"b, list of 2026-01-31","input":1000.0,"cached":1000.0,"write":1000.0,"output":16.0,"source":"https://llm.example/prices","date":"2026-01-31"}"#);
    assert_snapshot!(shown("c"), @r#"{"name":"c, not looked up","input":0.0,"cached":0.0,"write":0.0,"output":0.0,"unverified":true}"#);
    assert_eq!(PriceList::parse(&format!("\u{feff}{OWN}")).unwrap(), list);
    assert_eq!(list.of_run("claude-sonnet-4.5"), None);
}

#[test]
fn a_book_asks_the_lists_before_the_built_in_one() {
    let list =
        |models: &str| PriceList::parse(&format!("[[list]]\nunverified = true\n[list.models]\n{models}")).unwrap();
    let first = list("gpt-5 = { input = 7, output = 7 }\n\"ollama:qwen3\" = { input = 1, output = 1 }");
    let book = PriceBook::default()
        .with_list(first)
        .with_list(list("gpt-5 = { input = 8, output = 8 }\nown = { input = 9, output = 9 }"));
    let input = |model: &str| book.of_run(model).map(|prices| prices.input);
    assert_eq!((input("openai:gpt-5"), input("x:own"), input("ollama:qwen3")), (Some(7.0), Some(9.0), Some(1.0)));
    assert_eq!(book.of_run("gpt-5-mini"), PriceList::builtin().of_run("gpt-5-mini"));
    assert_eq!(book.prices("own").unwrap().input, 9.0);
    assert_snapshot!(book.prices("free").unwrap_err(), @"there are no list prices of `free`; write USD per million tokens: input=3,cached=0.3,write=3.75,output=15");
    assert_snapshot!(book.prices("gpt5").unwrap_err(), @"there are no list prices of `gpt5`; did you mean `gpt-5`? Or write USD per million tokens: input=3,cached=0.3,write=3.75,output=15");
    let fixed = book.clone().with_prices(book.prices("input=3,output=4").unwrap());
    assert_eq!(fixed.of_run("ollama:llama3").unwrap(), fixed.fixed().unwrap());
    assert_eq!(fixed.fixed().unwrap().name, "given");
}

#[test]
fn a_provider_may_charge_something_else_for_a_model() {
    let text = "[[list]]\nunverified = true\n[list.models]\n\"groq:openai/m\" = { input = 2, output = 2 }\nm = { input = 1, output = 1 }";
    let list = PriceList::parse(text).unwrap();
    let input = |model: &str| list.of_run(model).unwrap().input;
    assert_eq!(
        (input("groq:openai/m"), input("together:openai/m"), input("https://llm.example/v1#m")),
        (2.0, 1.0, 1.0)
    );
}

#[test]
fn a_run_costs_what_its_paid_models_cost() {
    let book = PriceBook::default().with_list(PriceList::parse(OWN).unwrap());
    let million = Tokens { input: 1_000_000, ..Tokens::default() };
    let cost = |models: &[&str]| book.cost(models.iter().map(|model| (*model, million)));
    let both = cost(&["x:a-1.5", "x:b", "ollama:qwen3", "y:b"]).unwrap().unwrap();
    assert_eq!(both.usd, 2002.0);
    assert_eq!(both.prices, ["a-1.5, list of 2026-01-31", "b, list of 2026-01-31"]);
    for local in [
        "replay:answers.jsonl",
        "ollama:qwen3",
        "http://127.0.0.1:8080/v1#qwen3",
        "http://localhost/v1#q",
        "https://u:p@[::1]:1/v1#q",
    ] {
        assert_eq!(cost(&[local]), Ok(None), "{local}");
    }
    for paid in ["http://127.0.0.1.example/v1#q", "https://llm.example/localhost#q", "openai:new", "x"] {
        assert_eq!(cost(&[paid]), Err(NoPrice { model: paid.to_owned() }));
    }
    assert_eq!(book.cost([("openai:new", Tokens::default())]), Ok(None), "nothing was used");
    assert_snapshot!(cost(&["openai:new"]).unwrap_err(), @"no list price of openai:new is known: add `--prices input=N,output=N` (USD per million tokens), or `--prices FILE` with a price list");
}

#[test]
fn a_release_with_its_own_price_is_found_first() {
    let list = "[[list]]\nunverified = true\n[list.models]\na = { input = 1, output = 1 }\na-20260101 = { input = 2, output = 2 }";
    let list = PriceList::parse(list).unwrap();
    let input = |model: &str| list.of_run(model).unwrap().input;
    assert_eq!((input("x:a-20260101"), input("x:a-20260202"), input("a")), (2.0, 1.0, 1.0));
}

#[test]
fn mistakes_in_a_list_are_told_with_their_lines() {
    let check = |from: &str, to: &str| {
        assert!(OWN.contains(from), "{from}");
        PriceList::parse(&OWN.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert_snapshot!(check("0.2,", "0.2.1,"), @"line 7: invalid float, expected nothing");
    assert_snapshot!(check("cached", "cashed"), @"line 7: unknown key `cashed` in `a-1.5`; write `cached`");
    assert_snapshot!(check("[[list]]", "[list]"), @"line 10: `list` is there twice; begin each list with `[[list]]`, and give it each key once");
    assert_snapshot!(check("source = \"https://llm.example/prices\"", ""), @r#"line 2: the list has no `source`; write `source = "https://…"`"#);
    assert_snapshot!(check("https://llm.example/prices", " "), @r#"line 3: `source` of the list must be a text: the address of the page with the prices (got " ")"#);
    assert_snapshot!(check("date = 2026-01-31", ""), @"line 2: the list has no `date`; write `date = 2026-11-27`");
    assert_snapshot!(check("date = 2026-01-31", "date = \"2026-01-31\""), @r#"line 4: `date` of the list must be a day without quotes, such as 2026-11-27 (got "2026-01-31")"#);
    assert_snapshot!(check("date = 2026-01-31", "date = 2026-01-31T10:00:00"), @"line 4: `date` of the list must be a day without quotes, such as 2026-11-27 (got 2026-01-31T10:00:00)");
    assert_snapshot!(check("date = 2026-01-31", "date = 2026-02-31"), @"line 4: invalid date, expected day between 01 and 28");
    assert_snapshot!(check("unverified = true", "unverified = 1"), @"line 11: `unverified` of the list must be true or false (got 1)");
    assert_snapshot!(check("input = 2, ", ""), @"line 7: `a-1.5` has no `input`; write `input = 3`");
    assert_snapshot!(check("output = 8.0", "output = \"8\""), @r#"line 7: `output` of `a-1.5` must be USD for a million tokens: a number without quotes, 0 or more (got "8")"#);
    assert_snapshot!(check("output = 8.0", "output = -8"), @"line 7: `output` of `a-1.5` must be USD for a million tokens: a number without quotes, 0 or more (got -8)");
    assert_snapshot!(check("output = 8.0", "output = inf"), @"line 7: `output` of `a-1.5` must be USD for a million tokens: a number without quotes, 0 or more (got inf)");
    assert_snapshot!(check("{ input = 1_000, output = 0x10 }", "3"), @"line 8: `b` of the list must be a table of prices: { input = 3, output = 15 } (got 3)");
    assert_snapshot!(check("models.c", "models.a-1-5"), @"line 12: `a-1-5` already has prices above, as `a-1.5`; remove one of them");
    assert_snapshot!(check("models.c = { input = 0, output = 0 }", "models = 3"), @r#"line 12: `models` of the list must be a table of models: `"NAME" = { input = 3, output = 15 }` (got 3)"#);
    assert_snapshot!(check("models.c = { input = 0, output = 0 }", ""), @r#"line 10: the list has no `models`; write `models = { "NAME" = { input = 3, output = 15 } }`"#);
    assert_snapshot!(PriceList::parse("[[list]]\nunverified = true\n[list.models]\ngpt-5.1 = { input = 1, output = 4 }\n").unwrap_err(), @r#"line 4: unknown key `1` in `gpt-5`; a name with a dot is written in quotes, such as `"gpt-5.1"`"#);
    assert_snapshot!(PriceList::parse("").unwrap_err(), @r#"there are no prices in it; write `[[list]]`, below it `source = "https://…"`, `date = 2026-11-27` and `models."NAME" = { input = 3, output = 15 }`"#);
    for empty in ["# nothing", "list = []", "[[list]]\nunverified = true\nmodels = {}"] {
        assert_eq!(PriceList::parse(empty), Err(PriceListError::Empty));
    }
    assert_snapshot!(PriceList::parse("[[prices]]").unwrap_err(), @"line 1: unknown key `prices` in the file; known: list");
    assert_snapshot!(PriceList::parse("list = 3").unwrap_err(), @"line 1: `list` of the file must be an array of tables: `[[list]]` (got 3)");
    assert_snapshot!(PriceList::parse("list = [3]").unwrap_err(), @"line 1: `list` of the file must be an array of tables: `[[list]]` (got 3)");
}

#[test]
fn old_prices_are_noted() {
    let list = PriceList::parse(OWN).unwrap();
    let note = |model: &str, today| list.of(model).unwrap().note(today);
    assert_eq!(note("b", date(2026, 7, 30)), None);
    assert_snapshot!(note("b", date(2026, 7, 31)).unwrap(), @"the prices of `b, list of 2026-01-31` are 6 months old; https://llm.example/prices may have new ones");
    assert_snapshot!(note("b", date(2028, 8, 1)).unwrap(), @"the prices of `b, list of 2026-01-31` are 30 months old; https://llm.example/prices may have new ones");
    assert_eq!(note("b", date(2025, 1, 1)), None, "a clock that is wrong");
    assert_eq!(note("a-1.5", date(2026, 3, 31)), None);
    assert_snapshot!(note("a-1.5", date(2026, 4, 1)).unwrap(), @"the prices of `a-1.5, list of 2026-01-31` were promised until 2026-03-31; https://llm.example/prices may have new ones");
    assert_snapshot!(note("c", date(2026, 2, 1)).unwrap(), @"the prices of `c, not looked up` may be wrong");
    assert_eq!("input=3,output=15".parse::<Prices>().unwrap().note(date(2036, 1, 1)), None);
}

/// For each provider of the page on providers a model with prices on the built-in list, or why none is there.
const PROVIDERS: [(&str, Result<&str, &str>); 37] = [
    ("aihubmix", Ok("aihubmix:gpt-5-mini")),
    ("aliyun", Err("its prices in China are in CNY")),
    ("anthropic", Ok("anthropic:claude-sonnet-4-5")),
    ("api_route", Err("no stored page has its prices")),
    ("atlascloud", Err("no stored page has its prices")),
    ("baidu", Err("no stored page has its prices")),
    ("bedrock_api", Err("its names are those of AWS, with prices by region")),
    ("bigmodel", Err("its prices in China are in CNY")),
    ("cloudgpu", Err("no stored page has its prices")),
    ("cohere", Ok("cohere:command-a-03-2025")),
    ("deepseek", Ok("deepseek:deepseek-flash")),
    ("fireworks", Ok("fireworks:accounts/fireworks/models/kimi-k2p6")),
    ("gemini", Ok("gemini:gemini-2.5-flash")),
    ("gemini_ix", Ok("gemini_ix:gemini-3.7-flash")),
    ("github_copilot", Err("a subscription")),
    ("groq", Ok("groq:openai/gpt-oss-120b")),
    ("heabsy", Err("no stored page has its prices")),
    ("kimi", Ok("kimi:kimi-k3")),
    ("mimo", Ok("mimo:mimo-v2.5")),
    ("minimax", Ok("minimax:MiniMax-M3")),
    ("mistral", Ok("mistral:mistral-small-2603")),
    ("moonshot", Ok("moonshot:kimi-k2.6")),
    ("nebius", Ok("nebius:openai/gpt-oss-120b")),
    ("ollama", Err("models of one's machine")),
    ("ollama_cloud", Err("a subscription")),
    ("omlx", Err("models of one's machine")),
    ("openai", Ok("openai:gpt-5-mini")),
    ("openai_resp", Ok("openai_resp:gpt-5.4")),
    ("opencode_go", Err("a subscription")),
    ("openrouter", Ok("openrouter:x-ai/grok-4.7")),
    ("qwen_cloud", Ok("qwen_cloud:qwen3.7-max")),
    ("requesty", Ok("requesty:google/gemini-2.5-pro")),
    ("runcrate", Err("no stored page has its prices")),
    ("together", Ok("together:openai/gpt-oss-20b")),
    ("vertex", Ok("vertex:gemini-2.5-pro")),
    ("xai", Ok("xai:grok-4.7")),
    ("zai", Ok("zai:glm-5.3")),
];

/// A new provider of the page needs a row here, and one that gets prices another row.
#[test]
fn the_built_in_list_covers_the_providers_or_says_why_not() {
    let page = include_str!("../../../../../docs/reference/providers.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let names =
        rows.flat_map(|cell| cell.split(", ")).filter(|name| !["provider", "a server by its address"].contains(name));
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    assert_eq!(PROVIDERS.map(|(name, _)| name).to_vec(), names);
    for (name, priced) in PROVIDERS {
        let own = PriceList::builtin().models().find(|model| model.starts_with(&format!("{name}:")));
        match priced {
            Ok(model) => assert!(PriceList::builtin().of_run(model).is_some(), "{model}"),
            Err(why) => assert_eq!(own, None, "{name} has prices, although {why}"),
        }
    }
}

proptest::proptest! {
    /// Whatever is in a file, reading it ends in a list or in an error.
    #[test]
    fn any_change_of_a_list_is_read_or_refused(at in 0..OWN.len(), length in 0_usize..12, text in "[\\PC\n]{0,12}") {
        let end = (at + length).min(OWN.len());
        let changed = format!("{}{text}{}", &OWN[..at], &OWN[end..]);
        match PriceList::parse(&changed) {
            Ok(list) => proptest::prop_assert!(list.models().count() > 0),
            Err(error) => proptest::prop_assert!(!error.to_string().is_empty()),
        }
    }
}
