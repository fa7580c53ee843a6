use super::*;

#[test]
fn models_of_runs_are_found_on_the_list() {
    let found = |model: &str| Prices::of_run(model).map(|prices| prices.name);
    let sonnet = || Some("claude-sonnet-4.5, list of 2026-06".to_owned());
    assert_eq!(found("anthropic:claude-sonnet-4-5"), sonnet());
    assert_eq!(found("claude-sonnet-4-5-20250929"), sonnet());
    assert_eq!(found("openrouter:anthropic/claude-sonnet-4.5"), sonnet());
    assert_eq!(found("https://llm.example/v1#gpt-5-mini"), Some("gpt-5-mini, list of 2026-06".to_owned()));
    assert_eq!(found("gpt-5"), Some("gpt-5, list of 2026-06".to_owned()));
    assert_eq!(found("openai:gpt-4.1-2025-04-14"), Some("gpt-4.1, list of 2026-06".to_owned()));
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
