//! Single use: a sequence that is named and read once is computed where it is read, so that one loop is enough.
//!
//! ```text
//! before  (let [ys (map inc xs)] (reduce + ys))
//! after   (let [] (reduce + (map inc xs)))
//! law     What computes it is pure and runs at most once; where two errors are possible, the other one may come first.
//! ```

use super::leaves_first::Scope;
use super::purity::is_pure;
use crate::analyze::ir::{CaptureSource, Kind, Node, Slot};
use crate::stdlib::Demand;
use crate::stdlib::table::table;

/// Put the sequences of a `let` where they are read.
pub(super) fn run(_: &mut Scope<'_>, node: &mut Node) {
    let Kind::Let { bindings, body } = &mut node.kind else { return };
    let mut at = bindings.len();
    while let Some(before) = at.checked_sub(1) {
        at = before;
        let Some((_, later)) = bindings.split_at_mut_checked(at) else { return };
        let Some(((slot, init), later)) = later.split_first_mut() else { return };
        if !is_sequence(init) || !is_pure(init) {
            continue;
        }
        let mut reads = Reads { slot: *slot, count: 0, movable: true };
        later.iter().for_each(|(_, init)| reads.look(init, false));
        reads.look(body, false);
        if reads.count == 1 && reads.movable {
            let (slot, init) = bindings.remove(at);
            let mut init = Some(init);
            bindings.iter_mut().skip(at).for_each(|(_, later)| put(later, slot, &mut init));
            put(body, slot, &mut init);
        }
    }
}

/// Whether it is a call of a builtin that computes a sequence element by element.
fn is_sequence(node: &Node) -> bool {
    node.builtin_call().is_some_and(|(id, _)| matches!(table().entry(id).row.demand, Demand::Steps { .. }))
}

/// The reads of a local.
struct Reads {
    slot: Slot,
    count: usize,
    /// Whether each is an argument of a builtin, and runs at most once, where no error is caught.
    movable: bool,
}

impl Reads {
    fn look(&mut self, node: &Node, is_argument: bool) {
        match &node.kind {
            Kind::Local { slot, .. } if *slot == self.slot => {
                self.count += 1;
                self.movable &= is_argument;
            }
            Kind::Loop { bindings, body } => {
                bindings.iter().for_each(|(_, init)| self.look(init, false));
                self.keep_out(body);
            }
            Kind::Try { .. } => node.look_at_parts(&mut |part| self.keep_out(part)),
            Kind::Fn(function) => self.captured(&function.captures),
            Kind::LetFn { captures, body, .. } => {
                self.captured(captures);
                self.look(body, false);
            }
            _ => {
                let of_builtin = node.builtin_call().is_some();
                node.look_at_parts(&mut |part| self.look(part, of_builtin));
            }
        }
    }

    /// What is read there stays where it is computed.
    fn keep_out(&mut self, node: &Node) {
        let before = self.count;
        self.look(node, true);
        self.movable &= self.count == before;
    }

    fn captured(&mut self, captures: &[CaptureSource]) {
        self.movable &= !captures.contains(&CaptureSource::Local(self.slot));
    }
}

fn put(node: &mut Node, slot: Slot, init: &mut Option<Node>) {
    if node.slot() == Some(slot)
        && let Some(init) = init.take()
    {
        *node = init;
    } else if init.is_some() {
        node.for_each_part(&mut |part| put(part, slot, init));
    }
}

#[cfg(test)]
mod tests {
    use crate::{Session, SessionOptions, no_tools};

    fn run(program: &str) -> (String, u64) {
        let outcome = Session::new(SessionOptions::default()).run(program, &mut no_tools);
        let message = || outcome.problems().iter().map(|problem| problem.message.clone()).collect();
        (outcome.value().map_or_else(message, ToString::to_string), outcome.usage.fuel)
    }

    #[test]
    fn a_named_sequence_costs_what_an_unnamed_one_costs() {
        for (named, unnamed) in [
            ("(let [ys (map inc (range 99))] (reduce + ys))", "(reduce + (map inc (range 99)))"),
            (
                "(let [ys (map inc (range 99)) zs (filter odd? ys)] (count zs))",
                "(count (filter odd? (map inc (range 99))))",
            ),
            (
                "(let [ys (map inc (range 99))] (if (some #(> % 50) ys) 1 2))",
                "(if (some #(> % 50) (map inc (range 99))) 1 2)",
            ),
            (
                "(let [n 3 ys (map #(+ n %) (range 99))] (into [] ys))",
                "(let [n 3] (into [] (map #(+ n %) (range 99))))",
            ),
        ] {
            assert_eq!(run(named), run(unnamed), "{named}");
        }
    }

    #[test]
    fn what_is_computed_is_the_same() {
        for (program, expected) in [
            // Read twice, in a loop, in a function, in `try`.
            ("(let [ys (map inc [1 2])] [(first ys) (count ys)])", "[2 2]"),
            ("(let [ys (map inc [1 2])] (loop [n 0] (if (< n 3) (recur (+ n (count ys))) n)))", "4"),
            ("(let [ys (map inc [1 2]) f (fn [x] (+ x (count ys)))] (f 1))", "3"),
            ("(let [ys (map #(/ 1 %) [0])] (try (count ys) (catch Exception e :caught)))", "Divide by zero"),
            // Values that change between both places.
            ("(let [v (vec (range 3)) ys (map inc v) w (conj v 9)] [w (vec ys) (count v)])", "[[0 1 2 9] [1 2 3] 3]"),
            ("(let [a (atom 1) ys (map (fn [x] (+ x @a)) [1])] (reset! a 5) (vec ys))", "[2]"),
            ("(let [ys (map inc [1 2]) ys (map inc ys)] (vec ys))", "[3 4]"),
            ("(let [x 1 ys (map #(+ x %) [1 2]) x 5] [x (vec ys)])", "[5 [2 3]]"),
        ] {
            assert_eq!(run(program).0, expected, "{program}");
        }
    }
}
