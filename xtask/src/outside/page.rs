//! `docs/benchmarks-programs.md`: the findings, the tables, the rule, and how to read them.

use ptc_compression::words::grouped;
use ptc_tests::outside::{BATCHES, DIRECT, Figures, Injection, Outside, PROGRAMS, Task, UNREAD, WAYS};
use ptc_tests::study::Cost;

use super::groups::Group;
use super::{PLOT, Reasons, TASKS};
use crate::codegen::{linked, with_figures};
use crate::study::{percent, short};

/// What is written by hand, before and after the figures.
const TEXT: &str = include_str!("page.md");

/// Tokens of all results of a task up to which they count as small.
const SMALL_RESULTS: f64 = 1000.0;

/// The whole page.
pub(super) fn of(outside: &Outside, reasons: &Reasons) -> String {
    let tasks = measured(outside);
    let all = Group { name: "all".to_owned(), tasks: tasks.clone() };
    let figures = [
        found(outside, &all),
        format!("![Cost of each suite]({})\n", linked(PLOT)),
        suites(outside, &tasks, &all),
        dependence(&tasks),
        classes(&tasks),
        losses(outside, &tasks),
        injections(&outside.injections),
    ];
    with_figures(TEXT, &(figures.join("\n") + "\n")) + "\n" + &exceptions(outside, reasons)
}

/// The tasks that were done in all ways.
pub(super) fn measured(outside: &Outside) -> Vec<&Task> {
    outside.tasks.iter().filter(|task| task.ways.len() == WAYS.len()).collect()
}

fn found(outside: &Outside, all: &Group<'_>) -> String {
    let sums = all.sums();
    let accepted = all.tasks.iter().filter(|task| task.exception.is_none()).count();
    let figure = |way: usize| sums.get(way).cloned().unwrap_or_default();
    let [direct, batches, programs, unread] = [DIRECT, BATCHES, PROGRAMS, UNREAD].map(figure);
    let cheaper = |against: usize, cost: fn(&Cost) -> f64| {
        each_price(outside, |price| {
            let count = all
                .tasks
                .iter()
                .filter(|task| cost_of(task, PROGRAMS, price, cost) < cost_of(task, against, price, cost))
                .count();
            percent(count as f64 / all.tasks.len() as f64)
        })
    };
    let times = |one: u64, other: u64| format!("{:.2}", one as f64 / other as f64);
    format!(
        "## What was found\n\n\
         * {} of {} tasks were done in all four ways, and the checkers of the suites accept {accepted} of them in each way; the rest is below under \
         *Exceptions*.\n\
         * Programs need {} requests instead of {} one by one and {} in batches ({} with nothing read between).\n\
         * Input tokens: programs read {} times as many as direct calls one by one, and {} times as many as batches; they write {} times as \
         many output tokens.\n\
         * Cost with a cache, relative to direct calls one by one: {}; relative to batches: {}. Without a cache: {}; {}. Prices: {}.\n\
         * {}\n\
         * Programs are cheaper than direct calls one by one in {} of the tasks, and cheaper than batches in {} (with a cache, at these prices).\n",
        all.tasks.len(),
        outside.tasks.len(),
        grouped(programs.requests),
        grouped(direct.requests),
        grouped(batches.requests),
        grouped(unread.requests),
        times(programs.input, direct.input),
        times(programs.input, batches.input),
        times(programs.output, direct.output),
        ratios(&programs, &direct, cached),
        ratios(&programs, &batches, cached),
        ratios(&programs, &direct, uncached),
        ratios(&programs, &batches, uncached),
        prices(outside),
        by_results(all),
        cheaper(DIRECT, cached),
        cheaper(BATCHES, cached),
    )
}

/// Small and large results, which make the difference.
fn by_results(all: &Group<'_>) -> String {
    let groups = Group::by_bounds(&all.tasks, &[SMALL_RESULTS], |task| task.results as f64);
    let of = |group: &Group<'_>| {
        let sums = group.sums();
        let (programs, direct, batches) = (sums.get(PROGRAMS)?, sums.get(DIRECT)?, sums.get(BATCHES)?);
        let (one, batch) = (ratios(programs, direct, cached), ratios(programs, batches, cached));
        Some(format!("{} ({} tasks) {one} of one by one and {batch} of batches", group.name, group.tasks.len()))
    };
    let parts: Vec<String> = groups.iter().filter_map(of).collect();
    format!("By the tokens of all results of a task, with a cache: {}.", parts.join("; "))
}

fn prices(outside: &Outside) -> String {
    let of = |price: &ptc_tests::study::Price| {
        format!(
            "{} ({} input, {} cached, {} written to the cache, {} output per million)",
            price.name, price.input, price.cached, price.write, price.output
        )
    };
    outside.prices.iter().map(of).collect::<Vec<_>>().join("; ")
}

fn suites(outside: &Outside, tasks: &[&Task], all: &Group<'_>) -> String {
    let names = outside.prices.iter().map(|price| format!(" USD {} |", short(price))).collect::<String>();
    let rule = "--:|".repeat(outside.prices.len());
    let head = format!("| | requests | input | as before | output |{names}\n|---|--:|--:|--:|--:|{rule}\n");
    let mut text = String::from(
        "## Each suite\n\nUSD with a cache / without. agentdojo-workspace-plus repeats the tasks of agentdojo-workspace.\n",
    );
    let groups = Group::by(tasks, |task| task.suite.clone());
    for group in groups.iter().chain([all]) {
        let (texts, calls) = (group.total(|task| task.texts), group.total(|task| task.calls));
        let count = group.tasks.len();
        text += &format!(
            "\n### {}: {} tasks, {} texts of the user, {} calls\n\n{head}",
            group.name,
            grouped(count),
            grouped(texts),
            grouped(calls)
        );
        for (way, sum) in WAYS.iter().zip(group.sums()) {
            text += &row(way, &sum);
        }
    }
    text
}

fn row(way: &str, sum: &Figures) -> String {
    let usd = |cost: &Cost| format!(" {:.2} / {:.2} |", cost.cached, cost.uncached);
    format!(
        "| {way} | {} | {} | {} | {} |{}\n",
        grouped(sum.requests),
        grouped(sum.input),
        grouped(sum.shared),
        grouped(sum.output),
        sum.costs.iter().map(usd).collect::<String>()
    )
}

/// How the gain depends on the kind of work.
fn dependence(tasks: &[&Task]) -> String {
    let table = |title: &str, groups: Vec<Group<'_>>| {
        let rows: String = groups.iter().map(|group| compared(group)).collect();
        format!("{}{rows}", comparison_head(title))
    };
    [
        "## What it depends on\n\nCosts relative to direct calls one by one and to batches, with a cache, in the order of the prices above. Below \
         1.00 programs are cheaper.\n"
            .to_owned(),
        table("calls for each text of the user", Group::by_bounds(tasks, &[1.0, 2.0, 3.0, 5.0], |task| task.calls as f64 / task.texts as f64)),
        table("tokens of all results of a task", Group::by_bounds(tasks, &[100.0, 300.0, 1000.0, 4000.0], |task| task.results as f64)),
        table("tools", Group::by_bounds(tasks, &[15.0, 25.0, 35.0], |task| task.tools as f64)),
        table("values that had to be read first", Group::by_bounds(tasks, &[0.0, 1.0, 3.0], |task| task.read as f64)),
    ]
    .join("\n")
}

fn comparison_head(title: &str) -> String {
    format!(
        "| {title} | tasks | requests | programs | input | output | cost to one by one | cost to batches |\n|---|--:|--:|--:|--:|--:|--:|--:|\n"
    )
}

/// A group of tasks: requests one by one and of programs, then how programs compare.
fn compared(group: &Group<'_>) -> String {
    let sums = group.sums();
    let [Some(direct), Some(batches), Some(programs)] = [DIRECT, BATCHES, PROGRAMS].map(|way| sums.get(way)) else {
        return String::new();
    };
    format!(
        "| {} | {} | {} | {} | {:.2} | {:.2} | {} | {} |\n",
        group.name,
        group.tasks.len(),
        grouped(direct.requests),
        grouped(programs.requests),
        programs.input as f64 / direct.input as f64,
        programs.output as f64 / direct.output as f64,
        ratios(programs, direct, cached),
        ratios(programs, batches, cached),
    )
}

fn classes(tasks: &[&Task]) -> String {
    let mut groups = Group::by(tasks, |task| {
        let kind = if task.suite.starts_with("bfcl") { format!("{}: ", task.suite) } else { String::new() };
        format!("{kind}{}", task.class)
    });
    groups.sort_by(|one, other| one.name.cmp(&other.name));
    let rows: String = groups.iter().map(|group| compared(group)).collect();
    format!(
        "## Each class of tasks\n\nClasses of BFCL are the APIs that a task has, those of AgentDojo suites and difficulty.\n\n{}{rows}",
        comparison_head("class")
    )
}

/// Where direct calls are cheaper, by name.
fn losses(outside: &Outside, tasks: &[&Task]) -> String {
    let loses = |task: &Task, against: usize| {
        (0..outside.prices.len())
            .filter(|price| cost_of(task, PROGRAMS, *price, cached) >= cost_of(task, against, *price, cached))
            .count()
    };
    let list = |against: usize| {
        let all: Vec<&&Task> = tasks.iter().filter(|task| loses(task, against) == outside.prices.len()).collect();
        let groups = Group::by(&all.iter().map(|task| **task).collect::<Vec<_>>(), |task| task.suite.clone());
        let lines = groups.iter().map(|group| {
            let names = group.tasks.iter().map(|task| short_name(task)).collect::<Vec<_>>();
            format!(
                "* {} ({} of {}): {}\n",
                group.name,
                group.tasks.len(),
                tasks.iter().filter(|task| task.suite == group.name).count(),
                names.join(", ")
            )
        });
        (all.len(), lines.collect::<String>())
    };
    let ((one, singles), (two, batched)) = (list(DIRECT), list(BATCHES));
    format!(
        "## Where direct calls are cheaper\n\nAt all of the prices, with a cache. The figures of every task are in [a table]({}).\n\n\
         One by one, {one} of {} tasks:\n\n{}\n\
         <details>\n<summary>In batches, {two} of {} tasks</summary>\n\n{batched}\n</details>\n",
        linked(TASKS),
        tasks.len(),
        if singles.is_empty() { "* none\n" } else { &singles },
        tasks.len(),
    )
}

/// `multi_turn_base_12` is 12 within its suite.
fn short_name(task: &Task) -> &str {
    task.task.rsplit('_').next().unwrap_or(&task.task)
}

fn injections(injections: &[Injection]) -> String {
    let ways = ["direct calls", "programs", "programs, nothing read between", "the same, results under hidden names"];
    // A hidden name hides nothing that the program itself contains.
    let counts = |way: usize, one: &&Injection| way < ways.len() - 1 || !one.in_plan;
    let of =
        |way: usize| injections.iter().filter(move |one| counts(way, one)).filter_map(move |one| one.reached.get(way));
    let sum = |way: usize| of(way).sum::<usize>();
    let runs = |way: usize| of(way).filter(|bytes| **bytes > 0).count();
    let named: Vec<&str> = injections.iter().filter(|one| one.in_plan).map(|one| one.task.as_str()).collect();
    let in_plan = if named.is_empty() {
        String::new()
    } else {
        format!(
            " Not in the last row: {} tasks of agentdojo-slack ({}), whose ground truth calls a tool with the text as an argument, the \
             name of a channel.",
            named.len(),
            named.join(", ")
        )
    };
    let groups: std::collections::BTreeSet<(&str, &str)> =
        injections.iter().map(|one| (one.suite.as_str(), one.injection.as_str())).collect();
    let returned = injections.iter().filter(|one| one.placed > 0).count();
    let placed: usize = injections.iter().map(|one| one.placed).sum();
    let rows: String = ways
        .iter()
        .enumerate()
        .map(|(way, name)| format!("| {name} | {} | {} |\n", grouped(runs(way)), grouped(sum(way))))
        .collect();
    format!(
        "## Text that was placed in results\n\n\
         The {} injections of AgentDojo, each in the data of several tasks: {} runs, of which {returned} call a tool that returns the text \
         ({} bytes in all results together). How much of it is in requests, where a model might obey it:\n\n\
         | | runs in which it reaches the model | bytes in requests |\n|---|--:|--:|\n{rows}\n\
         Bytes without blanks, quotes and escapes; a text counts again in each request that repeats it. A name that begins with `_` is hidden: \
         neither its value nor texts taken from it are shown. Such a program can use the results, and the model cannot read them.{in_plan}\n",
        groups.len(),
        injections.len(),
        grouped(placed),
    )
}

fn exceptions(outside: &Outside, reasons: &Reasons) -> String {
    let mut text = String::from("## Exceptions\n\n");
    let named: Vec<&Task> = outside.tasks.iter().filter(|task| task.exception.is_some()).collect();
    for task in &named {
        let reason = reasons.get(&task.suite).and_then(|tasks| tasks.get(&task.task));
        let reason = reason.or(task.exception.as_ref()).map_or("", String::as_str);
        text += &format!("* {}: {reason}\n", task.name());
    }
    if named.is_empty() {
        text += "None.\n";
    }
    text
}

fn cost_of(task: &Task, way: usize, price: usize, cost: fn(&Cost) -> f64) -> f64 {
    task.ways.get(way).and_then(|way| way.costs.get(price)).map_or(f64::NAN, cost)
}

fn cached(cost: &Cost) -> f64 {
    cost.cached
}

fn uncached(cost: &Cost) -> f64 {
    cost.uncached
}

/// The cost of one relative to the other, at each of the prices.
fn ratios(one: &Figures, other: &Figures, cost: fn(&Cost) -> f64) -> String {
    let ratio = |(one, other): (&Cost, &Cost)| format!("{:.2}", cost(one) / cost(other));
    one.costs.iter().zip(&other.costs).map(ratio).collect::<Vec<_>>().join(" / ")
}

fn each_price(outside: &Outside, of: impl Fn(usize) -> String) -> String {
    (0..outside.prices.len()).map(of).collect::<Vec<_>>().join(" / ")
}
