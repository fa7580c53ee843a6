//! `docs/benchmarks-programs.md`: `page.md` with its figures and tables, which are sums over groups of tasks.

use std::collections::BTreeSet;

use ptc_compression::words::grouped;
use ptc_tests::outside::{
    BATCHES, CHEAPEST, DIRECT, Figures, Injection, Outside, PROGRAMS, SINGLE_NATIVE, Task, UNREAD, WAYS,
};
use ptc_tests::study::Cost;

use super::{PLOT, Reasons, TASKS};
use crate::codegen::linked;
use crate::markdown::{filled, head, row};
use crate::study::{percent, price_list, short};

const TEXT: &str = include_str!("page.md");

/// Tokens of all results of a task up to which they count as small.
const SMALL_RESULTS: f64 = 1000.0;

/// The whole page.
pub(super) fn of(outside: &Outside, reasons: &Reasons) -> String {
    let tasks = measured(outside);
    let all = Group { name: "all".to_owned(), tasks: tasks.clone() };
    let [direct, batches, programs, unread, cheapest, single_native] = all.sums();
    let times = |one: u64, other: u64| format!("{:.2}", one as f64 / other as f64);
    let by = |title: &str, bounds: &[f64], number: fn(&Task) -> f64| {
        comparison(title, &Group::by_bounds(&tasks, bounds, number))
    };
    let ((lost, losses), (lost_to_batches, losses_to_batches)) = (losses(&tasks, DIRECT), losses(&tasks, BATCHES));
    let injected = &outside.injections;
    let placed: BTreeSet<_> = injected.iter().map(|one| (&one.suite, &one.injection)).collect();
    let calls_a_text = |task: &Task| task.calls as f64 / task.texts as f64;
    let figures = [
        ("done", tasks.len().to_string()),
        ("tasks", outside.tasks.len().to_string()),
        ("accepted", tasks.iter().filter(|task| task.exception.is_none()).count().to_string()),
        ("requests", grouped(programs.requests)),
        ("requests one by one", grouped(direct.requests)),
        ("requests in batches", grouped(batches.requests)),
        ("requests unread", grouped(unread.requests)),
        ("input", times(programs.input, direct.input)),
        ("input to batches", times(programs.input, batches.input)),
        ("output", times(programs.output, direct.output)),
        ("cached", ratios(&programs, &direct, cached)),
        ("cached to batches", ratios(&programs, &batches, cached)),
        ("uncached", ratios(&programs, &direct, uncached)),
        ("uncached to batches", ratios(&programs, &batches, uncached)),
        ("input cheapest", times(cheapest.input, programs.input)),
        ("input single native", times(single_native.input, programs.input)),
        ("cheapest", ratios(&cheapest, &programs, cached)),
        ("single native", ratios(&single_native, &programs, cached)),
        ("cheapest to batches", ratios(&cheapest, &batches, cached)),
        ("of tasks", best_of_tasks(&tasks, &programs)),
        ("texts", grouped(all.total(|task| task.texts))),
        ("natively", grouped(all.total(|task| task.natively))),
        ("prices", price_list(&outside.prices, |name, rates| format!("{name} ({rates})"))),
        ("by results", by_results(&all)),
        ("cheaper", cheaper(outside, &tasks, DIRECT)),
        ("cheaper than batches", cheaper(outside, &tasks, BATCHES)),
        ("plot", linked(PLOT).to_owned()),
        ("suites", suites(outside, &tasks, all)),
        ("by calls", by("calls for each text of the user", &[1.0, 2.0, 3.0, 5.0], calls_a_text)),
        ("by size", by("tokens of all results of a task", &[100.0, 300.0, 1000.0, 4000.0], |task| task.results as f64)),
        ("by tools", by("tools", &[15.0, 25.0, 35.0], |task| task.tools as f64)),
        ("by read", by("values that had to be read first", &[0.0, 1.0, 3.0], |task| task.read as f64)),
        ("classes", classes(&tasks)),
        ("table", linked(TASKS).to_owned()),
        ("lost", lost.to_string()),
        ("losses", if losses.is_empty() { "* none\n".to_owned() } else { losses }),
        ("lost to batches", lost_to_batches.to_string()),
        ("losses to batches", losses_to_batches),
        ("injections", placed.len().to_string()),
        ("injected", injected.len().to_string()),
        ("returned", injected.iter().filter(|one| one.placed > 0).count().to_string()),
        ("placed", grouped(injected.iter().map(|one| one.placed).sum::<usize>())),
        ("reached", reached(injected)),
        ("in plan", in_plan(injected)),
        ("exceptions", exceptions(outside, reasons)),
    ];
    filled(TEXT.trim_end(), figures)
}

/// The tasks that were done in all ways.
pub(super) fn measured(outside: &Outside) -> Vec<&Task> {
    outside.tasks.iter().filter(|task| task.ways.len() == WAYS.len()).collect()
}

/// The cost relative to programs if each task were done by programs alone or batches alone, by what costs less.
fn best_of_tasks(tasks: &[&Task], programs: &Figures) -> String {
    let least = |price: usize| {
        let costs = |task: &&Task| {
            [PROGRAMS, BATCHES].map(|way| task.ways.get(way).and_then(|way| way.costs.get(price)).map_or(0.0, cached))
        };
        tasks.iter().map(costs).map(|[programs, batches]| programs.min(batches)).sum::<f64>()
    };
    let ratio = |(price, cost): (usize, &Cost)| format!("{:.2}", least(price) / cached(cost));
    programs.costs.iter().enumerate().map(ratio).collect::<Vec<_>>().join(" / ")
}

/// Small and large results, which make the difference.
fn by_results(all: &Group<'_>) -> String {
    let groups = Group::by_bounds(&all.tasks, &[SMALL_RESULTS], |task| task.results as f64);
    let of = |group: &Group<'_>| {
        let [direct, batches, programs, ..] = group.sums();
        let (one, batch) = (ratios(&programs, &direct, cached), ratios(&programs, &batches, cached));
        format!("{} ({} tasks) {one} of one by one and {batch} of batches", group.name, group.tasks.len())
    };
    groups.iter().map(of).collect::<Vec<_>>().join("; ")
}

/// The share of tasks in which programs cost less than another way, at each of the prices.
fn cheaper(outside: &Outside, tasks: &[&Task], against: usize) -> String {
    let of = |price: usize| {
        let less =
            tasks.iter().filter(|task| task.ratio(PROGRAMS, against, price).is_some_and(|ratio| ratio < 1.0)).count();
        percent(less as f64 / tasks.len() as f64)
    };
    (0..outside.prices.len()).map(of).collect::<Vec<_>>().join(" / ")
}

fn suites(outside: &Outside, tasks: &[&Task], all: Group<'_>) -> String {
    let usd = outside.prices.iter().map(|price| format!("USD {}", short(price)));
    let labels = ["requests", "input", "as before", "output"].map(str::to_owned).into_iter().chain(usd);
    let head = head("", labels);
    let mut text = String::new();
    for group in Group::by(tasks, |task| task.suite.clone()).into_iter().chain([all]) {
        let (texts, calls) = (group.total(|task| task.texts), group.total(|task| task.calls));
        let [count, texts, calls] = [group.tasks.len(), texts, calls].map(grouped);
        text += &format!("\n### {}: {count} tasks, {texts} texts of the user, {calls} calls\n\n{head}", group.name);
        for (way, sum) in WAYS.iter().zip(group.sums()) {
            let tokens = [sum.input, sum.shared, sum.output].map(grouped);
            let usd = sum.costs.iter().map(|cost| format!("{:.2} / {:.2}", cost.cached, cost.uncached));
            text += &row([(*way).to_owned(), grouped(sum.requests)].into_iter().chain(tokens).chain(usd));
        }
    }
    text
}

/// Groups of tasks: requests one by one and of programs, then how programs compare.
fn comparison(title: &str, groups: &[Group<'_>]) -> String {
    let labels = [
        "tasks",
        "requests",
        "programs",
        "input",
        "output",
        "cost to one by one",
        "cost to batches",
        "cheapest hybrid to programs",
        "single calls native to programs",
    ];
    let of = |group: &Group<'_>| {
        let [direct, batches, programs, _, cheapest, single_native] = group.sums();
        row([
            group.name.clone(),
            group.tasks.len().to_string(),
            grouped(direct.requests),
            grouped(programs.requests),
            format!("{:.2}", programs.input as f64 / direct.input as f64),
            format!("{:.2}", programs.output as f64 / direct.output as f64),
            ratios(&programs, &direct, cached),
            ratios(&programs, &batches, cached),
            ratios(&cheapest, &programs, cached),
            ratios(&single_native, &programs, cached),
        ])
    };
    head(title, labels) + &groups.iter().map(of).collect::<String>()
}

fn classes(tasks: &[&Task]) -> String {
    let mut groups = Group::by(tasks, |task| match task.suite.starts_with("bfcl") {
        true => format!("{}: {}", task.suite, task.class),
        false => task.class.clone(),
    });
    groups.sort_by(|one, other| one.name.cmp(&other.name));
    comparison("class", &groups)
}

/// Where another way costs no more than programs at all prices: how many, and by name.
fn losses(tasks: &[&Task], against: usize) -> (usize, String) {
    let loses = |task: &&&Task| {
        let costs = |way: usize| task.ways.get(way).into_iter().flat_map(|way| &way.costs).map(cached);
        costs(PROGRAMS).zip(costs(against)).all(|(programs, other)| programs >= other)
    };
    let lost: Vec<&Task> = tasks.iter().filter(loses).copied().collect();
    let line = |group: &Group<'_>| {
        // `multi_turn_base_12` is 12 within its suite.
        let names = group.tasks.iter().map(|task| task.task.rsplit('_').next().unwrap_or_default());
        let all = tasks.iter().filter(|task| task.suite == group.name).count();
        format!("* {} ({} of {all}): {}\n", group.name, group.tasks.len(), names.collect::<Vec<_>>().join(", "))
    };
    (lost.len(), Group::by(&lost, |task| task.suite.clone()).iter().map(line).collect())
}

/// How much of the texts of attackers is in requests.
fn reached(injections: &[Injection]) -> String {
    let ways = ["direct calls", "programs", "programs, nothing read between", "the same, results under hidden names"];
    let rows = ways.iter().enumerate().map(|(way, name)| {
        // A hidden name hides nothing that the program itself contains.
        let counted = injections.iter().filter(|one| way < ways.len() - 1 || !one.in_plan);
        let bytes: Vec<usize> = counted.filter_map(|one| one.reached.get(way).copied()).collect();
        let runs = bytes.iter().filter(|bytes| **bytes > 0).count();
        row([(*name).to_owned(), grouped(runs), grouped(bytes.iter().sum::<usize>())])
    });
    head("", ["runs in which it reaches the model", "bytes in requests"]) + &rows.collect::<String>()
}

fn in_plan(injections: &[Injection]) -> String {
    let named: Vec<&str> = injections.iter().filter(|one| one.in_plan).map(|one| one.task.as_str()).collect();
    if named.is_empty() {
        return String::new();
    }
    let (count, names) = (named.len(), named.join(", "));
    format!(
        " Not in the last row: {count} tasks of agentdojo-slack ({names}), whose ground truth calls a tool with the text as an argument, the name of a channel."
    )
}

fn exceptions(outside: &Outside, reasons: &Reasons) -> String {
    let line = |task: &Task| {
        let measured = task.exception.as_ref()?;
        let written = reasons.get(&task.suite).and_then(|tasks| tasks.get(&task.task));
        Some(format!("* {}: {}\n", task.name(), written.unwrap_or(measured)))
    };
    let lines: String = outside.tasks.iter().filter_map(line).collect();
    if lines.is_empty() { "None.\n".to_owned() } else { lines }
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

/// Tasks under one name.
pub(super) struct Group<'o> {
    pub(super) name: String,
    pub(super) tasks: Vec<&'o Task>,
}

impl<'o> Group<'o> {
    /// Tasks with figures, in groups by a name; the order of first tasks is kept.
    pub(super) fn by(tasks: &[&'o Task], name: impl Fn(&Task) -> String) -> Vec<Group<'o>> {
        let mut groups: Vec<Group<'o>> = Vec::new();
        for task in tasks {
            let name = name(task);
            match groups.iter_mut().find(|group| group.name == name) {
                Some(group) => group.tasks.push(task),
                None => groups.push(Group { name, tasks: vec![task] }),
            }
        }
        groups
    }

    /// Groups by a number: up to each of the bounds, and above the last one. Empty groups are left out.
    pub(super) fn by_bounds(tasks: &[&'o Task], bounds: &[f64], number: impl Fn(&Task) -> f64) -> Vec<Group<'o>> {
        let lowers = std::iter::once(f64::NEG_INFINITY).chain(bounds.iter().copied());
        let uppers = bounds.iter().copied().chain([f64::INFINITY]);
        let group = |(lower, upper): (f64, f64)| {
            let name = match (lower.is_finite(), upper.is_finite()) {
                (false, _) => format!("up to {upper}"),
                (true, true) => format!("above {lower}, up to {upper}"),
                (true, false) => format!("above {lower}"),
            };
            let is_in = |task: &&&Task| number(task) > lower && number(task) <= upper;
            Group { name, tasks: tasks.iter().filter(is_in).copied().collect() }
        };
        lowers.zip(uppers).map(group).filter(|group| !group.tasks.is_empty()).collect()
    }

    /// The sum of all tasks, for each way.
    pub(super) fn sums(&self) -> [Figures; WAYS.len()] {
        [DIRECT, BATCHES, PROGRAMS, UNREAD, CHEAPEST, SINGLE_NATIVE]
            .map(|way| sum(self.tasks.iter().filter_map(|task| task.ways.get(way))))
    }

    /// A number over all tasks together.
    pub(super) fn total(&self, of: impl Fn(&Task) -> usize) -> usize {
        self.tasks.iter().map(|task| of(task)).sum()
    }
}

fn sum<'f>(figures: impl Iterator<Item = &'f Figures>) -> Figures {
    let mut sum = Figures::default();
    for one in figures {
        sum.requests += one.requests;
        sum.input += one.input;
        sum.shared += one.shared;
        sum.output += one.output;
        sum.costs.resize(one.costs.len().max(sum.costs.len()), Cost::default());
        sum.costs.iter_mut().zip(&one.costs).for_each(|(sum, cost)| *sum += *cost);
    }
    sum
}
