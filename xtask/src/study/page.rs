//! `docs/benchmarks-compression.md`: the findings, the tables, and how to read them.

use ptc_compression::words::grouped;
use ptc_tests::study::{Cost, DIGEST, Figures, Mission, Price, Study};

use super::sums::{EARLY, Growth, LARGEST_RATIO, LATE, LEAST_SAVED, Sum, growth, median, ranking, sums};
use super::{COSTS, TOKENS, TURNS, aims};
use crate::codegen::{linked, with_figures};

/// What follows this line is not written by the command, and stays.
const BY_HAND: &str = "<!-- by hand from here on -->\n";

/// What is written by hand, before and after the figures.
const TEXT: &str = include_str!("page.md");

/// The hand-written end of a page.
pub(super) fn by_hand(old: &str) -> &str {
    old.split_once(BY_HAND).map_or("", |(_, text)| text)
}

/// The whole page.
pub(super) fn of(study: &Study, by_hand: &str) -> String {
    let sums = sums(study);
    let limits = [study.default.as_str(), DIGEST].into_iter().filter(|name| study.ways.iter().any(|way| way == name));
    let limits: Vec<String> = limits.map(|name| limits_of(name, &growths(study, name))).collect();
    let images = format!(
        "![Cost of all scripted missions]({})\n\n![Tokens of `{}` turn by turn]({})\n",
        linked(COSTS),
        study.drawn,
        linked(TOKENS)
    );
    let missions: String = study.missions.iter().map(|mission| of_mission(study, mission)).collect();
    let figures = [
        found(study, &sums),
        together(study, &sums),
        images,
        aims::of(study),
        limits.join("\n"),
        losses(study, &sums),
        "## Each scripted mission\n".to_owned(),
        missions,
    ];
    with_figures(TEXT, &(figures.join("\n") + "\n")) + "\n" + BY_HAND + by_hand
}

/// How each mission grew under a strategy.
fn growths<'s>(study: &'s Study, strategy: &str) -> Vec<(&'s Mission, Growth)> {
    study.missions.iter().filter_map(|mission| Some((mission, growth(study, mission, strategy)?))).collect()
}

/// The findings, in words.
fn found(study: &Study, sums: &[Sum]) -> String {
    let growths = growths(study, &study.default);
    let saved = median(growths.iter().filter_map(|(_, growth)| growth.saved).collect());
    let long: Vec<&(&Mission, Growth)> = growths.iter().filter(|(_, growth)| growth.ratio().is_some()).collect();
    let over: Vec<&&(&Mission, Growth)> =
        long.iter().filter(|(_, growth)| growth.ratio() > Some(LARGEST_RATIO)).collect();
    let default = &study.default;
    let verdict = |met: bool| if met { "met" } else { "**missed**" };
    let mut text = format!(
        "## What was found\n\n{}{}{}{}",
        aims::found(study),
        digest(study, sums),
        cheapest(study, sums),
        least_shown(study, sums)
    );
    if let Some(saved) = saved {
        let (met, least) = (verdict(saved >= LEAST_SAVED), percent(LEAST_SAVED));
        text += &format!(
            "* At turn {LATE} the median history of `{default}` is {} smaller than without compression; the aim of {least} is {met}.\n",
            percent(saved)
        );
    }
    let names = over.iter().map(|(mission, growth)| {
        let attempt = growth.attempt.filter(|bytes| *bytes > 0);
        let attempt = attempt.map(|bytes| {
            format!(" ({} bytes of it are the program and the error of a turn that just failed)", grouped(bytes))
        });
        format!("`{}`{}", mission.name, attempt.unwrap_or_default())
    });
    let which = match names.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => none,
        names => format!(
            " Not in {names}. Prints and calls are limited in number, not in length, and a checklist is always shown whole."
        ),
    };
    let whole =
        |place: fn(&Growth) -> Option<u64>| long.iter().filter_map(|(_, growth)| place(growth)).sum::<u64>() as f64;
    let together = whole(|growth| growth.history[1]) / whole(|growth| growth.history[0]);
    if let Some(middle) = median(long.iter().filter_map(|(_, growth)| growth.ratio()).collect()) {
        text += &format!(
            "* From turn {EARLY} to turn {LATE} the history without definitions becomes {middle:.2} times as large in the median mission and \
             {together:.2} times in all together. The aim of at most {LARGEST_RATIO} is kept by {} of {} missions ({}).{which}\n",
            long.len() - over.len(),
            long.len(),
            verdict(over.is_empty()),
        );
    }
    text
}

/// The cost of `digest` relative to the default strategy.
fn digest(study: &Study, sums: &[Sum]) -> String {
    let of = |name: &str| sums.get(study.ways.iter().position(|way| way == name)?);
    let (Some(ours), Some(digest)) = (of(&study.default), of(DIGEST)) else { return String::new() };
    let change = |cost: fn(&Cost) -> f64| {
        let pairs = digest.costs.iter().zip(&ours.costs).zip(&study.prices);
        let parts = pairs.map(|((digest, ours), price)| {
            format!("{:+.1} % ({})", (cost(digest) / cost(ours) - 1.0) * 100.0, short(price))
        });
        parts.collect::<Vec<_>>().join(", ")
    };
    format!(
        "* `{DIGEST}` against `{}`: cost with caching {}; without {}.\n",
        study.default,
        change(|cost| cost.cached),
        change(|cost| cost.uncached)
    )
}

/// The cheapest way at each of the prices among those that show as much as the default.
fn cheapest(study: &Study, sums: &[Sum]) -> String {
    let name = |way: usize| study.ways.get(way).map_or("", String::as_str);
    let default = study.ways.iter().position(|way| *way == study.default);
    let shows_less = |way: usize| match (sums.get(way), default.and_then(|way| sums.get(way))) {
        (Some(sum), Some(ours)) => {
            2 * sum.shown.prints[0] < ours.shown.prints[0] && 2 * sum.shown.calls[0] < ours.shown.calls[0]
        }
        _ => false,
    };
    let mut text = String::new();
    for (kind, cost) in
        [("With", (|cost: &Cost| cost.cached) as fn(&Cost) -> f64), ("Without", |cost: &Cost| cost.uncached)]
    {
        let (mut parts, mut winners) = (Vec::new(), Vec::new());
        for (place, price) in study.prices.iter().enumerate() {
            let ranking = ranking(sums, place, cost);
            let winner = ranking.iter().map(|(way, _)| *way).find(|way| !shows_less(*way));
            winners.extend(winner.map(|way| format!("`{}` ({})", name(way), short(price))));
            let place = ranking.iter().position(|(way, _)| Some(*way) == default);
            let order: Vec<String> = ranking
                .iter()
                .take(place.unwrap_or(0).max(2) + 1)
                .map(|(way, usd)| format!("`{}` {usd:.2}", name(*way)))
                .collect();
            parts.push(format!("{} ({})", order.join(", "), short(price)));
        }
        text += &format!(
            "* {kind} caching the cheapest way that shows as much as `{}`: {}. In USD for all scripted missions, from the cheapest on: {}.\n",
            study.default,
            winners.join(", "),
            parts.join("; ")
        );
    }
    text
}

/// What the cheapest way with a cache at the first prices leaves out, compared with the default.
fn least_shown(study: &Study, sums: &[Sum]) -> String {
    let cheapest = ranking(sums, 0, |cost| cost.cached).first().map(|(way, _)| *way);
    let default = study.ways.iter().position(|way| *way == study.default);
    let of = |way: usize| Some((study.ways.get(way)?, sums.get(way)?.shown));
    match (cheapest.and_then(of), default.and_then(of)) {
        (Some((name, shown)), Some((default, ours))) if name != default => {
            let ([prints, all_prints], [calls, all_calls]) = (shown.prints, shown.calls);
            format!(
                "* What is cheap leaves out more: at the end `{name}` shows {prints} of {all_prints} prints and {calls} of {all_calls} calls, `{default}` {} \
                 and {}.\n",
                ours.prints[0], ours.calls[0]
            )
        }
        _ => String::new(),
    }
}

fn together(study: &Study, sums: &[Sum]) -> String {
    let mut text = format!(
        "## All {} scripted missions together\n\n{}",
        study.missions.len(),
        header(&["input", "per turn", "not cached", "per turn", "history per turn"], &study.prices, &[])
    );
    for (way, sum) in study.ways.iter().zip(sums) {
        let mean = |tokens: u64| grouped(tokens.checked_div(sum.requests as u64).unwrap_or(0));
        let cells = [grouped(sum.input), mean(sum.input), grouped(sum.fresh), mean(sum.fresh), mean(sum.history)];
        let cells = cells.into_iter().chain(sum.costs.iter().map(usd));
        text += &row(way, cells);
    }
    text + &format!(
        "\nTokens counted in {}; USD with a cache / without: {}. [Every turn of every scripted mission]({}) is in a separate table.\n",
        study.counter,
        prices(&study.prices),
        linked(TURNS)
    )
}

fn limits_of(strategy: &str, growths: &[(&Mission, Growth)]) -> String {
    let mut text = format!(
        "## How `{strategy}` grows\n\nBytes of the history (a request without its stable beginning) at turns {EARLY} and {LATE}, the `user/` section apart, \
         which says what is defined; *attempt* is what the program and the error of a turn that had just failed take of the late one. And how \
         much smaller the whole history, `user/` included, is than without compression. A miss is marked.\n\n\
         | mission | turns | history {EARLY} | {LATE} | ratio | attempt | `user/` {EARLY} | {LATE} | definitions {EARLY} | {LATE} | saved at {LATE} | at the last turn |\n\
         |---|{}\n",
        "--:|".repeat(11)
    );
    let number = |number: Option<u64>| number.map_or("–".to_owned(), grouped);
    for (mission, growth) in growths {
        let [[early, late], [user_early, user_late]] = [growth.history, growth.user];
        let [defined_early, defined_late] = growth.definitions.map(|count| number(count.map(|count| count as u64)));
        let ratio = growth.ratio().map_or("–".to_owned(), |ratio| {
            let miss = if ratio > LARGEST_RATIO { " **missed**" } else { "" };
            format!("{ratio:.2}{miss}")
        });
        let saved = |saved: Option<f64>| saved.map_or("–".to_owned(), percent);
        let cells = [
            mission.turns.to_string(),
            number(early),
            number(late),
            ratio,
            number(growth.attempt),
            number(user_early),
            number(user_late),
            defined_early,
            defined_late,
            saved(growth.saved),
            saved(growth.saved_at_last),
        ];
        text += &row(&mission.name, cells);
    }
    let of = |part: fn(&Growth) -> Option<f64>| median(growths.iter().filter_map(|(_, growth)| part(growth)).collect());
    let shown = |number: Option<f64>, write: fn(f64) -> String| number.map_or("–".to_owned(), write);
    let ratio = shown(of(Growth::ratio), |ratio| format!("{ratio:.2}"));
    let (saved, last) = (shown(of(|growth| growth.saved), percent), shown(of(|growth| growth.saved_at_last), percent));
    text + &format!("| median | | | | {ratio} | | | | | | {saved} | {last} |\n")
}

fn losses(study: &Study, sums: &[Sum]) -> String {
    let mut text =
        "## What each view loses\n\nWhat the last request of each mission still shows, of what there was, all missions together.\n\n\
                    | | programs | prints | calls | errors |\n|---|--:|--:|--:|--:|\n"
            .to_owned();
    for (way, sum) in study.ways.iter().zip(sums) {
        let shown = [sum.shown.programs, sum.shown.prints, sum.shown.calls, sum.shown.errors];
        text += &row(way, shown.map(|[shown, all]| format!("{shown} of {all}")));
    }
    text
}

fn of_mission(study: &Study, mission: &Mission) -> String {
    let (past, failed) = (mission.past, mission.failed);
    let shown_turns = shown_turns(mission.turns);
    let history: Vec<String> = shown_turns.iter().map(|turn| format!("history {turn}")).collect();
    let labels: Vec<&str> = ["input", "not cached"].into_iter().chain(history.iter().map(String::as_str)).collect();
    let mut text = format!(
        "### {}\n\n{} turns, {failed} of the first {past} failed; system text {} tokens, answers {}.\n\n{}",
        mission.name,
        mission.turns,
        grouped(mission.system),
        grouped(mission.output),
        header(&labels, &study.prices, &["programs", "prints", "calls", "errors"])
    );
    for (way, figures) in study.ways.iter().zip(&mission.ways) {
        text += &row(way, cells(figures, &shown_turns));
    }
    text + "\n"
}

fn cells(figures: &Figures, turns: &[usize]) -> Vec<String> {
    let sum = |tokens: &[u64]| grouped(tokens.iter().sum::<u64>());
    let mut cells = vec![sum(&figures.input), sum(&figures.fresh)];
    let history = turns.iter().filter_map(|turn| figures.history.get(turn.checked_sub(1)?));
    cells.extend(history.map(|tokens| grouped(*tokens)));
    cells.extend(figures.costs.iter().map(usd));
    let shown = [figures.shown.programs, figures.shown.prints, figures.shown.calls, figures.shown.errors];
    cells.extend(shown.map(|[shown, all]| format!("{shown}/{all}")));
    cells
}

/// Turns 5, 20 and 50, as far as they exist, and the last one of a run that ends before.
pub(super) fn shown_turns(turns: usize) -> Vec<usize> {
    let mut shown: Vec<usize> = [5, EARLY, LATE].into_iter().filter(|turn| *turn <= turns).collect();
    if turns < LATE && !shown.contains(&turns) {
        shown.push(turns);
    }
    shown
}

/// The head of a table of ways: labels, a column for each of the prices, and more labels.
fn header(before: &[&str], prices: &[Price], after: &[&str]) -> String {
    let models = prices.iter().map(|price| format!("USD {}", short(price)));
    let labels: Vec<String> =
        before.iter().map(ToString::to_string).chain(models).chain(after.iter().map(ToString::to_string)).collect();
    format!("| | {} |\n|---|{}\n", labels.join(" | "), "--:|".repeat(labels.len()))
}

pub(super) fn row(label: &str, cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().collect();
    format!("| {label} | {} |\n", cells.join(" | "))
}

fn prices(prices: &[Price]) -> String {
    let one = |price: &Price| {
        let Price { name, input, cached, write, output } = price;
        format!("{name}: {input} input, {cached} cached, {write} written to the cache, {output} output per million")
    };
    prices.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The name of the model alone.
pub(crate) fn short(price: &Price) -> &str {
    price.name.split(',').next().unwrap_or_default()
}

fn usd(cost: &Cost) -> String {
    format!("{:.3} / {:.3}", cost.cached, cost.uncached)
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
