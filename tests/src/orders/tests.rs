use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::{SHIPPED_SEED, answer, files};
use crate::random::Random;

/// The files of a seed by name.
fn texts(seed: u64) -> HashMap<String, String> {
    files(seed).into_iter().map(|(name, text)| (name.to_owned(), text)).collect()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The question answered as the recorded programs do: from the files alone, in floating point.
fn answer_from_files(files: &HashMap<String, String>) -> Value {
    let mission: toml::Table = files["mission.toml"].parse().unwrap();
    let (orders, customers) = (json(&files["orders.json"]), json(&files["customers.json"]));
    let customers: HashMap<&str, &Value> =
        customers.as_array().unwrap().iter().map(|customer| (customer["id"].as_str().unwrap(), customer)).collect();
    let mut lost: HashMap<&str, HashMap<&str, f64>> = HashMap::new();
    for order in orders.as_array().unwrap() {
        let (placed, status) = (order["placed"].as_str().unwrap(), order["status"].as_str().unwrap());
        let Some(customer) = order["customer"].as_str().map(|id| customers[id]) else { continue };
        if status.to_lowercase() != "returned" || !placed.starts_with("2024") {
            continue;
        }
        let value: f64 = order["items"].as_array().unwrap().iter().map(line_value).sum();
        let country = customer["country"].as_str().unwrap();
        let rate = rate(&mission, &currency(&mission, country), placed);
        *lost.entry(country).or_default().entry(customer["id"].as_str().unwrap()).or_default() += value * rate;
    }
    let (country, by_customer) = lost.iter().max_by(|a, b| total(a.1).total_cmp(&total(b.1))).unwrap();
    let mut ranking: Vec<(&&str, &f64)> = by_customer.iter().collect();
    ranking.sort_by(|a, b| b.1.total_cmp(a.1));
    let top: Vec<Value> = ranking[..3]
        .iter()
        .map(|(id, lost)| serde_json::json!({"name": customers[**id]["name"], "lost": cents(**lost)}))
        .collect();
    serde_json::json!({"country": country, "lost": cents(total(by_customer)), "top": top})
}

fn total(by_customer: &HashMap<&str, f64>) -> f64 {
    by_customer.values().sum()
}

fn cents(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}

fn line_value(item: &Value) -> f64 {
    let discount = item.get("discount").map_or(0.0, |percent| percent.as_f64().unwrap());
    item["qty"].as_f64().unwrap() * item["price"].as_f64().unwrap() * (100.0 - discount) / 100.0
}

fn currency(mission: &toml::Table, country: &str) -> String {
    let answers = mission["tools"]["country-currency"]["answers"].as_array().unwrap();
    let known =
        answers.iter().find(|canned| canned.get("args").is_some_and(|args| args["country"].as_str() == Some(country)));
    known.unwrap()["result"]["currency"].as_str().unwrap().to_string()
}

/// The rate in the text of the tool's program: two rows of twelve figures after the currency's code.
fn rate(mission: &toml::Table, currency: &str, placed: &str) -> f64 {
    if currency == "EUR" {
        return 1.0;
    }
    let program = mission["tools"]["rate"]["program"].as_str().unwrap();
    let (_, table) = program.split_once(&format!("\"{currency}\"")).unwrap();
    let months: Vec<f64> = table
        .split(|c: char| c.is_whitespace() || "[]".contains(c))
        .filter(|word| !word.is_empty())
        .take(24)
        .map(|word| word.parse().unwrap())
        .collect();
    let (year, month): (usize, usize) = (placed[..4].parse().unwrap(), placed[5..7].parse().unwrap());
    months[(year - 2023) * 12 + month - 1]
}

#[test]
fn the_answer_follows_from_the_files_alone() {
    for seed in [SHIPPED_SEED, 1, 7] {
        let files = texts(seed);
        assert_eq!(answer_from_files(&files), answer(seed), "seed {seed}");
        assert_eq!(json(&files["expected.json"]), answer(seed), "seed {seed}");
    }
}

#[test]
fn another_seed_has_another_answer_and_the_same_recording() {
    let (one, other) = (texts(SHIPPED_SEED), texts(1));
    assert_ne!(one["expected.json"], other["expected.json"]);
    assert_ne!(one["mission.toml"], other["mission.toml"]);
    assert_eq!(one["answers.jsonl"], other["answers.jsonl"]);
    assert_eq!(one, texts(SHIPPED_SEED));
}

#[test]
fn the_recording_quotes_nothing_from_the_data() {
    let files = texts(SHIPPED_SEED);
    let recording = &files["answers.jsonl"];
    for (name, _, currency) in super::shop::COUNTRIES {
        assert!(!recording.contains(name) && !recording.contains(currency), "{name}");
    }
    for customer in json(&files["customers.json"]).as_array().unwrap() {
        assert!(!recording.contains(customer["name"].as_str().unwrap()), "{customer}");
    }
    assert!(!recording.contains("2024"), "the year is data too");
    let expected = answer(SHIPPED_SEED);
    for lost in
        [&expected["lost"], &expected["top"][0]["lost"], &expected["top"][1]["lost"], &expected["top"][2]["lost"]]
    {
        assert!(!recording.contains(&lost.to_string()), "{lost}");
    }
}

#[test]
fn each_recorded_turn_is_one_program() {
    let files = texts(SHIPPED_SEED);
    assert_eq!(files["answers.jsonl"].lines().count(), 5);
    for line in files["answers.jsonl"].lines() {
        let turn = json(line);
        let content = turn["content"].as_str().unwrap();
        assert_eq!(content.matches("```clojure\n").count(), 1, "{content}");
        assert_eq!(content.matches("```").count(), 2, "{content}");
        assert!(turn["usage"]["cached"].as_u64() <= turn["usage"]["input"].as_u64());
    }
}

#[test]
fn the_data_has_the_promised_size_and_mess() {
    let files = texts(SHIPPED_SEED);
    let size: usize = files.values().map(String::len).sum();
    assert!((4_500_000..5_500_000).contains(&size), "{size} bytes");
    let (orders, customers) = (json(&files["orders.json"]), json(&files["customers.json"]));
    let (orders, customers) = (orders.as_array().unwrap(), customers.as_array().unwrap());
    assert_eq!((orders.len(), customers.len()), (10_000, 500));
    let count = |wanted: &dyn Fn(&Value) -> bool| orders.iter().filter(|order| wanted(order)).count();
    assert!((100..400).contains(&count(&|order| order["customer"].is_null())));
    assert!((100..600).contains(&count(&|order| order["status"] == "Returned")));
    assert!((600..2000).contains(&count(&|order| order["status"] == "returned")));
    let lost = |order: &Value| {
        order["customer"].is_null()
            && order["status"] == "returned"
            && order["placed"].as_str().unwrap().starts_with("2024")
    };
    assert!(count(&lost) > 0, "without such an order the third recorded turn would not fail");
    assert_eq!(orders.last().unwrap()["placed"], "2024-12-31");
    assert!(customers.iter().all(|customer| customer["_email"].as_str().unwrap().ends_with("@example.org")));
}

#[test]
fn the_mission_file_names_only_files_that_are_written() {
    let files = texts(SHIPPED_SEED);
    let mission: toml::Table = files["mission.toml"].parse().unwrap();
    for file in ["orders", "customers"].map(|name| mission["data"][name]["file"].as_str().unwrap()) {
        assert!(files.contains_key(file), "{file}");
    }
    assert!(files.contains_key(mission["replay"].as_str().unwrap()));
    assert!(files.keys().all(|name| Path::new(name).components().count() == 1));
}

#[test]
fn random_numbers_stay_in_their_range() {
    let mut random = Random::new(42);
    let draws: Vec<u64> = (0..2_000).map(|_| random.between(3, 7)).collect();
    assert_eq!((draws.iter().min(), draws.iter().max()), (Some(&3), Some(&7)));
    let places: Vec<usize> = (0..2_000).map(|_| random.weighted(&[0, 5, 0, 1])).collect();
    assert!(places.iter().all(|place| [1, 3].contains(place)));
    assert!(places.iter().filter(|place| **place == 1).count() > 1_500);
    assert_eq!((random.below(0), random.weighted(&[])), (0, 0));
    assert_eq!(Random::new(0).below(u64::MAX), 16_294_208_416_658_607_534, "the first number of splitmix64, seed 0");
}
