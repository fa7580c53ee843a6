//! Sums over groups of tasks.

use ptc_tests::outside::{BATCHES, DIRECT, Figures, PROGRAMS, Task, UNREAD};
use ptc_tests::study::Cost;

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
    pub(super) fn sums(&self) -> [Figures; 4] {
        [DIRECT, BATCHES, PROGRAMS, UNREAD].map(|way| sum(self.tasks.iter().filter_map(|task| task.ways.get(way))))
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
        for (sum, cost) in sum.costs.iter_mut().zip(&one.costs) {
            sum.cached += cost.cached;
            sum.uncached += cost.uncached;
        }
    }
    sum
}
