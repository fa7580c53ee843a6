//! `docs/benchmarks-compression.md`: `page.md` with its findings and tables.

use ptc_compression::words::grouped;
use ptc_tests::study::{Cost, DIGEST, Figures, Mission, Price, Shown, Study};

use super::sums::{EARLY, Growth, LARGEST_RATIO, LATE, LEAST_SAVED, Part, Sum, growth, ranking, sums};
use super::{COSTS, TOKENS, TURNS, aims};
use crate::bench::median;
use crate::codegen::linked;
use crate::markdown::{filled, head, row};

/// What follows this line is not written by the command, and stays.
const BY_HAND: &str = "<!-- by hand from here on -->\n";

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
    let ([cheapest_cached, order_cached], [cheapest, order]) =
        (cheapest(study, &sums, |cost| cost.cached), cheapest(study, &sums, |cost| cost.uncached));
    let figures = [
        ("early", EARLY.to_string()),
        ("late", LATE.to_string()),
        ("default", study.default.clone()),
        ("digest cached", digest(study, &sums, |cost| cost.cached).unwrap_or_default()),
        ("digest uncached", digest(study, &sums, |cost| cost.uncached).unwrap_or_default()),
        ("cheapest cached", cheapest_cached),
        ("order cached", order_cached),
        ("cheapest uncached", cheapest),
        ("order uncached", order),
        ("least shown", least_shown(study, &sums).unwrap_or_default()),
        ("missions", study.missions.len().to_string()),
        ("together", together(study, &sums)),
        ("counter", study.counter.clone()),
        ("prices", price_list(&study.prices, |name, rates| format!("{name}: {rates}"))),
        ("turns", linked(TURNS).to_owned()),
        ("costs", linked(COSTS).to_owned()),
        ("drawn", study.drawn.clone()),
        ("tokens", linked(TOKENS).to_owned()),
        ("limits", limits.join("\n")),
        ("losses", losses(study, &sums)),
        ("each", study.missions.iter().map(|mission| of_mission(study, mission)).collect()),
        ("by hand", by_hand.to_owned()),
    ];
    filled(TEXT.trim_end(), aims::figures(study).into_iter().chain(growth_figures(study)).chain(figures))
}

/// How each mission grew under a strategy.
fn growths<'s>(study: &'s Study, strategy: &str) -> Vec<(&'s Mission, Growth)> {
    study.missions.iter().filter_map(|mission| Some((mission, growth(study, mission, strategy)?))).collect()
}

/// How histories grow under the default strategy, by the names in the page.
fn growth_figures(study: &Study) -> [(&'static str, String); 10] {
    let growths = growths(study, &study.default);
    let saved = median(growths.iter().filter_map(|(_, growth)| growth.saved).collect());
    let long: Vec<&(&Mission, Growth)> = growths.iter().filter(|(_, growth)| growth.ratio().is_some()).collect();
    let over = long.iter().filter(|(_, growth)| growth.ratio() > Some(LARGEST_RATIO));
    let over: Vec<String> = over.map(|(mission, growth)| of_missed(mission, growth)).collect();
    let bytes = |at: fn(&Growth) -> Option<u64>| long.iter().filter_map(|(_, growth)| at(growth)).sum::<u64>() as f64;
    let middle = median(long.iter().filter_map(|(_, growth)| growth.ratio()).collect());
    let not_in = format!(
        " Not in {}. Prints and calls are limited in number, not in length, and a checklist is always shown whole.",
        over.join(", ")
    );
    [
        ("saved", saved.map_or("–".to_owned(), percent)),
        ("least saved", percent(LEAST_SAVED)),
        ("saved verdict", verdict(saved >= Some(LEAST_SAVED)).to_owned()),
        ("median growth", middle.map_or("–".to_owned(), |middle| format!("{middle:.2}"))),
        ("growth", format!("{:.2}", bytes(|growth| growth.history[1]) / bytes(|growth| growth.history[0]))),
        ("largest ratio", LARGEST_RATIO.to_string()),
        ("small", (long.len() - over.len()).to_string()),
        ("long", long.len().to_string()),
        ("growth verdict", verdict(over.is_empty()).to_owned()),
        ("over", if over.is_empty() { String::new() } else { not_in }),
    ]
}

/// A mission whose history grows too much, with what explains a part of it.
fn of_missed(mission: &Mission, growth: &Growth) -> String {
    let bytes = growth.attempt.filter(|bytes| *bytes > 0).map(grouped);
    let attempt =
        bytes.map(|bytes| format!(" ({bytes} bytes of it are the program and the error of a turn that just failed)"));
    format!("`{}`{}", mission.name, attempt.unwrap_or_default())
}

pub(super) fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "**missed**" }
}

/// The place of the default strategy among the ways.
fn default(study: &Study) -> Option<usize> {
    study.ways.iter().position(|way| *way == study.default)
}

/// The cost of `digest` relative to the default strategy.
fn digest(study: &Study, sums: &[Sum], cost: Part) -> Option<String> {
    let digest = sums.get(study.ways.iter().position(|way| way == DIGEST)?)?;
    let pairs = digest.costs.iter().zip(&sums.get(default(study)?)?.costs).zip(&study.prices);
    let change =
        |((digest, ours), price)| format!("{:+.1} % ({})", (cost(digest) / cost(ours) - 1.0) * 100.0, short(price));
    Some(pairs.map(change).collect::<Vec<_>>().join(", "))
}

/// The cheapest way at each of the prices among those that show as much as the default, and the order up to the default.
fn cheapest(study: &Study, sums: &[Sum], cost: Part) -> [String; 2] {
    let name = |way: usize| study.ways.get(way).map_or("", String::as_str);
    let default = default(study);
    let ours = default.and_then(|way| sums.get(way)).map_or([0, 0], |sum| [sum.shown.prints[0], sum.shown.calls[0]]);
    let shows_less = |way: usize| {
        let shown = sums.get(way).map_or(ours, |sum| [sum.shown.prints[0], sum.shown.calls[0]]);
        shown.iter().zip(ours).all(|(shown, ours)| 2 * shown < ours)
    };
    let (mut winners, mut orders) = (Vec::new(), Vec::new());
    for (place, price) in study.prices.iter().enumerate() {
        let ranking = ranking(sums, place, cost);
        let winner = ranking.iter().map(|(way, _)| *way).find(|way| !shows_less(*way));
        winners.extend(winner.map(|way| format!("`{}` ({})", name(way), short(price))));
        let place = ranking.iter().position(|(way, _)| Some(*way) == default);
        let first = ranking.iter().take(place.unwrap_or(0).max(2) + 1);
        let order: Vec<String> = first.map(|(way, usd)| format!("`{}` {usd:.2}", name(*way))).collect();
        orders.push(format!("{} ({})", order.join(", "), short(price)));
    }
    [winners.join(", "), orders.join("; ")]
}

/// What the cheapest way with a cache at the first prices leaves out, compared with the default.
fn least_shown(study: &Study, sums: &[Sum]) -> Option<String> {
    let (cheapest, _) = *ranking(sums, 0, |cost| cost.cached).first()?;
    let default = default(study).filter(|default| *default != cheapest)?;
    let (Shown { prints: [prints, all_prints], calls: [calls, all_calls], .. }, ours) =
        (sums.get(cheapest)?.shown, sums.get(default)?.shown);
    Some(format!(
        "* What is cheap leaves out more: at the end `{}` shows {prints} of {all_prints} prints and {calls} of {all_calls} calls, `{}` {} and {}.\n",
        study.ways.get(cheapest)?,
        study.default,
        ours.prints[0],
        ours.calls[0]
    ))
}

fn together(study: &Study, sums: &[Sum]) -> String {
    let mut text = header(&["input", "per turn", "not cached", "per turn", "history per turn"], study, &[]);
    for (way, sum) in study.ways.iter().zip(sums) {
        let mean = |tokens: u64| grouped(tokens.checked_div(sum.requests as u64).unwrap_or(0));
        let cells = [grouped(sum.input), mean(sum.input), grouped(sum.fresh), mean(sum.fresh), mean(sum.history)];
        text += &row([way.clone()].into_iter().chain(cells).chain(sum.costs.iter().map(usd)));
    }
    text
}

fn limits_of(strategy: &str, growths: &[(&Mission, Growth)]) -> String {
    let [early, late] = [EARLY, LATE].map(|turn| turn.to_string());
    let labels = ["turns", &format!("history {early}"), &late, "ratio", "attempt", &format!("`user/` {early}"), &late];
    let more = [&format!("definitions {early}"), &late, &format!("saved at {late}"), "at the last turn"];
    let mut text = format!(
        "## How `{strategy}` grows\n\nBytes of the history (a request without its stable beginning) at turns {EARLY} and {LATE}, the `user/` section apart, \
         which says what is defined; *attempt* is what the program and the error of a turn that had just failed take of the late one. And how \
         much smaller the whole history, `user/` included, is than without compression. A miss is marked.\n\n{}",
        head("mission", labels.into_iter().chain(more))
    );
    let number = |number: Option<u64>| number.map_or("–".to_owned(), grouped);
    let share = |saved: Option<f64>| saved.map_or("–".to_owned(), percent);
    let ratio = |ratio: Option<f64>| ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
    for (mission, growth) in growths {
        let [[early, late], [user_early, user_late]] = [growth.history, growth.user].map(|both| both.map(number));
        let [defined_early, defined_late] = growth.definitions.map(|count| number(count.map(|count| count as u64)));
        let miss = if growth.ratio() > Some(LARGEST_RATIO) { " **missed**" } else { "" };
        text += &row([
            mission.name.clone(),
            mission.turns.to_string(),
            early,
            late,
            ratio(growth.ratio()) + miss,
            number(growth.attempt),
            user_early,
            user_late,
            defined_early,
            defined_late,
            share(growth.saved),
            share(growth.saved_at_last),
        ]);
    }
    let of = |part: fn(&Growth) -> Option<f64>| median(growths.iter().filter_map(|(_, growth)| part(growth)).collect());
    let (saved, last) = (share(of(|growth| growth.saved)), share(of(|growth| growth.saved_at_last)));
    text + &format!("| median | | | | {} | | | | | | {saved} | {last} |\n", ratio(of(Growth::ratio)))
}

fn losses(study: &Study, sums: &[Sum]) -> String {
    let rows = study.ways.iter().zip(sums).map(|(way, sum)| {
        row([way.clone()].into_iter().chain(parts(&sum.shown).map(|[shown, all]| format!("{shown} of {all}"))))
    });
    head("", PARTS) + &rows.collect::<String>()
}

/// The parts of a run that requests show.
const PARTS: [&str; 4] = ["programs", "prints", "calls", "errors"];

fn parts(shown: &Shown) -> [[usize; 2]; 4] {
    [shown.programs, shown.prints, shown.calls, shown.errors]
}

fn of_mission(study: &Study, mission: &Mission) -> String {
    let Mission { name, turns, past, failed, .. } = mission;
    let shown_turns = shown_turns(*turns);
    let history: Vec<String> = shown_turns.iter().map(|turn| format!("history {turn}")).collect();
    let labels: Vec<&str> = ["input", "not cached"].into_iter().chain(history.iter().map(String::as_str)).collect();
    let (system, output) = (grouped(mission.system), grouped(mission.output));
    let mut text = format!(
        "### {name}\n\n{turns} turns, {failed} of the first {past} failed; system text {system} tokens, answers {output}.\n\n{}",
        header(&labels, study, &PARTS)
    );
    for (way, figures) in study.ways.iter().zip(&mission.ways) {
        let Figures { input, fresh, history, costs, shown, .. } = figures;
        let sums = [input, fresh].map(|tokens| grouped(tokens.iter().sum::<u64>()));
        let history = shown_turns.iter().filter_map(|turn| history.get(turn.checked_sub(1)?).map(grouped));
        let shown = parts(shown).map(|[shown, all]| format!("{shown}/{all}"));
        text += &row([way.clone()].into_iter().chain(sums).chain(history).chain(costs.iter().map(usd)).chain(shown));
    }
    text + "\n"
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
fn header(before: &[&str], study: &Study, after: &[&str]) -> String {
    let usd = study.prices.iter().map(|price| format!("USD {}", short(price)));
    let labels = |labels: &[&str]| labels.iter().map(ToString::to_string).collect::<Vec<_>>();
    head("", labels(before).into_iter().chain(usd).chain(labels(after)))
}

/// All prices, each as `write` puts the name and the rates together.
pub(crate) fn price_list(prices: &[Price], write: fn(&str, &str) -> String) -> String {
    let one = |Price { name, input, cached, write: to_cache, output }: &Price| {
        let rates =
            format!("{input} input, {cached} cached, {to_cache} written to the cache, {output} output per million");
        write(name, &rates)
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
