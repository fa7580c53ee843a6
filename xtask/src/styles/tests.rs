use super::*;

fn row(work: &'static str, name: &'static str, instructions: [u64; 2]) -> Row {
    Row { style: Style { work, name, source: "" }, instructions }
}

#[test]
fn what_grows_too_fast_is_a_problem() {
    let rows = [row("sum", "good", [500_000, 7_000_000]), row("sum", "bad", [500_000, 7_010_000])];
    let problems = steep(&rows);
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].starts_with("tests/bench/styles/sum.clj: bad: ten times the data takes 14.0 times"), "{texts:?}");
}

#[test]
fn the_cheapest_style_comes_first() {
    let text = page(&[
        row("sum", "slow", [1_000, 6_000_000]),
        row("sum", "quick", [1_000, 3_000_000]),
        row("join", "one", [1, 1]),
    ]);
    let quick = text.find("| quick | 500 | 1.0 | 3000.0 |").expect("a row");
    assert!(text.find("| slow | 1000 | 2.0 | 6000.0 |").is_some_and(|slow| slow > quick), "{text}");
    assert!(text.contains("## join\n\n| style"));
}
