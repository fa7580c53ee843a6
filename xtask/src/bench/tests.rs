use serde_json::json;

use super::growth::Curve;

use super::target::{CurveOf, Row, Targets, Unit};
use super::times::{Samples, median, same_answer};
use super::{Options, Report, options, page, problems};
use crate::tests::cut;

fn row(id: &str, ours: f64, factor: Option<f64>) -> Row {
    let of = toml::from_str(&format!("id = \"{id}\"\ntitle = \"what\"\ntarget = 1.0\nbinding = true")).unwrap();
    Row { of, ours, cpython: factor.map(|f| f * 2.0), factor }
}

fn curve(points: &[(u64, u64)]) -> Curve {
    Curve { of: CurveOf { name: "W2".into(), title: "W2".into(), short: "W2".into() }, points: points.to_vec() }
}

#[test]
fn every_target_has_what_its_kind_needs() {
    let targets = Targets::read().unwrap();
    assert_eq!((targets.times.len(), targets.load.len(), targets.sizes.len(), targets.growth.len()), (18, 6, 2, 4));
    let without: Vec<&str> =
        targets.times.iter().filter(|target| target.subject.is_none()).map(|target| target.id.as_str()).collect();
    assert_eq!(without, ["W9"]);
    assert!(targets.load.iter().all(|target| target.pointer.is_some() && target.scale.is_some()));
}

#[test]
fn the_median_is_in_the_middle() {
    let of = |samples: &[u64]| Samples { samples_ns: samples.to_vec(), answer: json!(null) }.median_ms();
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[3_000_000]), Some(3.0));
    assert_eq!(of(&[9_000_000, 1_000_000, 2_000_000, 4_000_000]), Some(3.0));
}

#[test]
fn the_median_of_an_even_number_lies_between() {
    assert_eq!(median(Vec::new()), None);
    assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
    assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
}

#[test]
fn answers_agree_but_for_rounding() {
    let wanted = json!({"sum": 0.3, "region": "north", "ids": [1, 2]});
    assert!(same_answer(&wanted, &json!({"region": "north", "ids": [1.0, 2], "sum": 0.1 + 0.2})));
    assert!(!same_answer(&wanted, &json!({"region": "south", "ids": [1, 2], "sum": 0.3})));
    assert!(!same_answer(&wanted, &json!({"region": "north", "ids": [1, 2, 3], "sum": 0.3})));
    assert!(!same_answer(&wanted, &json!({"region": "north", "ids": [1, 2], "sum": 0.31})));
    assert!(!same_answer(&json!("3"), &json!(3)));
}

#[test]
fn a_figure_has_three_digits_and_a_unit() {
    let shown = [1_234.0, 12.345, 0.5, 0.001_43, 0.000_05, 0.000_000_2].map(|figure| Unit::Milliseconds.show(figure));
    assert_eq!(shown, ["1.23 s", "12.3 ms", "500 µs", "1.43 µs", "50.0 ns", "0.20 ns"]);
    assert_eq!([15e6, 29_900.0, 12.0].map(|figure| Unit::Bytes.show(figure)), ["15.0 MB", "29.9 kB", "12.0 B"]);
}

#[test]
fn targets_scale_with_the_machine() {
    let row = row("W2", 1.5, Some(2.0));
    assert_eq!((row.scaled(), row.ratio(), row.verdict()), (2.0, 0.75, "met"));
    assert_eq!(self::row("W2", 2.5, Some(2.0)).verdict(), "within 1.3");
    assert_eq!(self::row("memory", 2.5, None).verdict(), "missed");
}

#[test]
fn check_names_what_is_slow_or_steep() {
    let steep = curve(&[(1_000, 10), (10_000, 140), (100_000, 1_970)]);
    let flat = curve(&[(1_000, 10), (10_000, 140)]);
    assert!((steep.steepest() - 1_970.0 / 140.0).abs() < 1e-9);
    let mut optional = row("W1", 9.0, None);
    optional.of.binding = false;
    let report = Report {
        rows: vec![row("W2", 1.29, None), row("W3", 1.4, None), optional],
        curves: vec![flat, steep],
        python: String::new(),
    };
    let texts: Vec<String> = problems(&report).iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "docs/benchmarks.md: W3: 1.40 ms is 1.40 times the scaled target of 1.00 ms, 1.3 are allowed.",
            "docs/benchmarks.md: W2: ten times the size takes 14.1 times the instructions, 14 are allowed.",
        ]
    );
}

#[test]
fn the_tables_show_every_figure() {
    let report = Report {
        rows: vec![row("W2", 1.5, Some(2.0)), row("memory", 3.0, None)],
        curves: vec![curve(&[(1_000, 2_500_000), (10_000, 25_000_000)])],
        python: String::new(),
    };
    let text = page::tables(&report);
    assert!(text.contains("| W2 | what | 1.50 ms | 4.00 ms | 2.00 | 1.00 ms | 2.00 ms | 0.75 | met |"), "{text}");
    assert!(text.contains("| memory | what | 3.00 ms | – | – | 1.00 ms | 1.00 ms | 3.00 | missed |"), "{text}");
    assert!(text.contains("| W2 |  |  | 2.50 | 25.0 |  |  | 10.0 | n log n or better |"), "{text}");
}

#[test]
fn options_come_in_any_order() {
    let wanted = Options { quick: true, check: true, rows: 10_000 };
    assert_eq!(options(&["--check", "--rows", "10000", "--quick"]).unwrap(), wanted);
    assert_eq!(options(&[]).unwrap().rows, 1_000_000);
    for wrong in [&["--fast"][..], &["--rows"], &["--rows", "many"]] {
        assert!(options(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn plots_show_every_figure_and_stay_inside() {
    let rows = vec![row("W2", 0.5, None), row("R1 <plain>", 9.0, None)];
    let curves = vec![curve(&[(1_000, 2_500_000), (1_000_000, 3_000_000_000)]), curve(&[(10, 900)]), curve(&[])];
    let [(_, bars), (_, growth)] = page::plots(&Report { rows, curves, python: String::new() });
    let (bars, growth) = (bars.as_str(), growth.as_str());
    assert!(
        bars.contains(">0.50</text>") && bars.contains(">9.00</text>") && bars.contains("R1 &lt;plain&gt;"),
        "{bars}"
    );
    // A background, the legend of three colours, two bars.
    assert_eq!((bars.matches("<rect").count(), growth.matches("<circle").count()), (6, 3));
    assert_eq!((cut(bars), cut(growth)), (Vec::new(), Vec::new()));
    assert!(growth.contains(">1,000,000</text>") && growth.contains(">10¹⁰</text>"), "{growth}");
    let numbers = growth.split("cy=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
    assert!(numbers.clone().count() == 3 && numbers.clone().all(|y| (40.0..=400.0).contains(&y)), "{growth}");
}

#[test]
fn the_section_on_many_machines_stays_as_it_is() {
    let section = "## Many machines\n\n| a | 1 |\n\n### More\n\nText.\n\n";
    let page = format!("# Benchmarks\n\n## Growth\n\nx\n\n{section}## How to read this\n\ny\n");
    assert_eq!(page::kept(&page), section);
    assert_eq!(page::kept("# Benchmarks\n\n## Growth\n"), "");
}
