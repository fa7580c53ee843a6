use serde_json::{Value as Json, json};

use super::*;

fn check(workload: &Workload, size: u64) {
    let outcome = session(workload.data(size), workload.tools()).run(&workload.program(size), &mut echo);
    let answer = value(&outcome).unwrap_or_else(|problem| panic!("{} at {size}: {problem}", workload.id));
    assert_eq!(answer, workload.answer(size), "{} at {size}", workload.id);
}

#[test]
fn programs_answer_right_when_small() {
    for workload in WORKLOADS {
        for size in [0, 1, 2, 7, 20] {
            check(workload, size);
        }
    }
}

#[test]
fn programs_answer_right_at_full_size() {
    for workload in WORKLOADS {
        check(workload, workload.full);
    }
}

#[test]
fn answers_are_the_known_ones() {
    let answer = |id| workload(id).map(|workload| workload.answer(workload.full));
    assert_eq!(answer("W1"), Some(json!(3)));
    assert_eq!(answer("W3"), Some(json!(196_418)));
    assert_eq!(answer("W4"), Some(json!(500_000_500_000_u64)));
    assert_eq!(answer("W7"), Some(json!(220)));
    let regions = answer("W2").unwrap();
    assert_eq!(regions.as_array().map(Vec::len), Some(5));
    let paid: u64 = regions.as_array().unwrap().iter().filter_map(|row| row["count"].as_u64()).sum();
    assert_eq!(paid, (0..10_000).filter(|i| i % 3 == 0 && i * 7_919 % 100_000 > 10_000).count() as u64);
}

#[test]
fn the_data_is_what_the_formulas_say() {
    let text: Json = serde_json::from_str(&data::json(502)).unwrap();
    let second = json!({"id": 501, "customer": "c1", "region": "south", "amount": 674.19, "status": "paid", "items": [
        {"sku": "s1", "qty": 5, "price": 53.1}, {"sku": "s2", "qty": 6, "price": 56.2}, {"sku": "s3", "qty": 7, "price": 59.3}]});
    assert_eq!(text["orders"][501], second);
    assert_eq!(text["customers"][499], json!({"id": "c499", "tier": "silver", "name": "Customer 499"}));
}

#[test]
fn every_literal_size_stands_once_in_its_program() {
    for workload in WORKLOADS.iter().filter(|workload| workload.sized == Sized::Literal) {
        let code = workload.program(workload.full);
        assert_eq!(code.matches(&workload.full.to_string()).count(), 1, "{}: {code}", workload.id);
    }
}

/// A release is built for size, except what is listed.
#[test]
fn releases_optimise_the_language_and_what_it_depends_on_for_speed() {
    let read = |path: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        std::fs::read_to_string(path).unwrap().parse::<toml::Table>().unwrap()
    };
    let (workspace, language) = (read("Cargo.toml"), read("crates/ptc-lisp/Cargo.toml"));
    let release = &workspace["profile"]["release"]["package"];
    let needed = language["dependencies"].as_table().unwrap().keys().map(String::as_str).chain(["ptc-lisp"]);
    let slow = |name: &&str| release.get(*name).is_none_or(|package| package["opt-level"].as_integer() != Some(3));
    assert_eq!(needed.filter(slow).collect::<Vec<_>>(), [""; 0]);
}
