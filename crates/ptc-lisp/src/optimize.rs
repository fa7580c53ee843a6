//! The optimizer: a tree becomes an equivalent one that runs faster.
//!
//! [`PASSES`] lists what it does, in order, with the reason for each place. Each pass has a file of its name in this folder,
//! which begins with a tree before and after it and with the law that it keeps; a test checks both. A pass can be switched
//! off, and another test compares programs without it with those of all passes.
//!
//! Two things here are not passes. [`demand`] makes sequences lazy of which perhaps only a prefix is read: that is part of the
//! language. [`argument_order`] is the order in which arguments are evaluated where it cannot be observed; the compiler
//! follows it, and so does what depends on it.

pub(crate) mod argument_order;
mod body;
mod cell_updates;
mod demand;
mod early_release;
mod entries;
mod fusion;
mod generators;
mod hoisting;
mod inlining;
pub(crate) mod last_uses;
mod leaves_first;
mod lookups;
mod loops;
mod nesting;
pub(crate) mod peephole;
mod purity;
mod root_first;
mod scalar_replacement;
mod single_use;
#[cfg(test)]
mod tests;
mod transducers;
pub(crate) mod tree;
mod updates;

use std::sync::{Arc, LazyLock};

use self::body::{Body, OnBody};
use self::leaves_first::LeavesFirst;
pub(crate) use self::loops::reads_fields_only;
use self::root_first::{OnReturn, RootFirst};
use self::tree::Made;
use crate::analyze::ir::{Function, Kind, Node};
use crate::eval::globals::Globals;
use crate::value::Calls;

/// A rewrite that can be left out: programs mean the same without it.
pub(crate) struct Pass {
    /// Its file in this folder, with `-` for `_`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub does: &'static str,
    /// Why it runs where it does.
    pub place: &'static str,
    run: Run,
}

/// When a pass runs, and on what.
#[derive(Copy, Clone)]
enum Run {
    /// On each expression of a program after its parts, with what is known of the names in it.
    LeavesFirst(LeavesFirst),
    /// On each expression of a function before its parts, which it may move; literals of functions that are not inlined
    /// are separate functions.
    RootFirst(RootFirst),
    /// The same, with the loops in its body in place.
    Return(OnReturn),
    /// On the whole body of a function.
    Body(OnBody),
    /// The same, also of functions that only a slow path calls.
    EveryBody(OnBody),
}

/// The passes in their order: those that run leaves first come before all others, those on whole bodies after them.
pub(crate) static PASSES: [Pass; 16] = [
    Pass {
        name: "single-use",
        does: "computes a sequence where it is read once",
        place: "first, so that calls which one name separates are nested",
        run: Run::LeavesFirst(single_use::run),
    },
    Pass {
        name: "lookups",
        does: "makes a call of a known map or set a `get`",
        place: "while functions are literals: what a fold carries is known from its initial value and its function",
        run: Run::LeavesFirst(lookups::run),
    },
    Pass {
        name: "cell-updates",
        does: "makes a store of what is computed from the same cell a `swap!`",
        place: "before calls of functions in it become loops",
        run: Run::LeavesFirst(cell_updates::run),
    },
    Pass {
        name: "transducers",
        does: "makes calls with transducers calls on collections",
        place: "before fusion, which knows only these",
        run: Run::LeavesFirst(transducers::run),
    },
    Pass {
        name: "generators",
        does: "makes a function that returns one element and itself a generator",
        place: "after all else that happens to its body while it is one expression",
        run: Run::LeavesFirst(generators::run),
    },
    Pass {
        name: "peephole",
        does: "computes only the part of a value that is used",
        place: "before loops, which would compute the whole",
        run: Run::RootFirst(peephole::run),
    },
    Pass {
        name: "inlining",
        does: "puts a function literal that is called where it is written into its place",
        place: "before passes that look at the arguments of its body",
        run: Run::RootFirst(inlining::run),
    },
    Pass {
        name: "fusion",
        does: "does the work of several calls over a collection in one loop",
        place: "before loops, which would make one of each call",
        run: Run::RootFirst(fusion::run),
    },
    Pass {
        name: "updates",
        does: "puts the function of an `update` into its place, and changes the map there",
        place: "before or after loops: no call is both",
        run: Run::RootFirst(updates::run),
    },
    Pass {
        name: "loops",
        does: "makes a call over a collection a loop with the body of its function",
        place: "after fusion",
        run: Run::RootFirst(loops::run),
    },
    Pass {
        name: "entries",
        does: "adds to a map the key and value of a pair that is never created",
        place: "on loops, before their state is taken apart",
        run: Run::RootFirst(entries::run),
    },
    Pass {
        name: "scalar-replacement",
        does: "keeps the parts of a vector or map that a loop carries in locals",
        place: "on loops, with the bodies of their functions in place",
        run: Run::RootFirst(scalar_replacement::run),
    },
    Pass {
        name: "nesting",
        does: "makes inner loops collect for the outer one",
        place: "when the inner ones are loops",
        run: Run::Return(nesting::run),
    },
    Pass {
        name: "hoisting",
        does: "reads what no round of a loop changes before it",
        place: "when all loops are there",
        run: Run::Body(hoisting::run),
    },
    Pass {
        name: "early-release",
        does: "makes a map drop a value that is about to be replaced",
        place: "on the final expressions: it adds locals that must not move",
        run: Run::EveryBody(early_release::run),
    },
    Pass {
        name: "last-uses",
        does: "marks each last read of a local, which moves its value",
        place: "last: all that reads a local must be there",
        run: Run::EveryBody(last_uses::run),
    },
];

/// The passes that are switched on, by when they run.
#[derive(Default)]
pub(crate) struct Plan {
    leaves_first: Vec<LeavesFirst>,
    root_first: Vec<RootFirst>,
    on_return: Vec<OnReturn>,
    bodies: Vec<OnBody>,
    every_body: Vec<OnBody>,
    /// Whether a search through a chain of calls is one loop.
    fuses: bool,
}

impl Plan {
    /// The passes for which `is_on` holds.
    pub fn with(is_on: impl Fn(&Pass) -> bool) -> Plan {
        let mut plan = Plan::default();
        for pass in PASSES.iter().filter(|pass| is_on(pass)) {
            plan.fuses |= pass.name == "fusion";
            match pass.run {
                Run::LeavesFirst(run) => plan.leaves_first.push(run),
                Run::RootFirst(run) => plan.root_first.push(run),
                Run::Return(run) => plan.on_return.push(run),
                Run::Body(run) => plan.bodies.push(run),
                Run::EveryBody(run) => plan.every_body.push(run),
            }
        }
        plan
    }

    /// All passes.
    pub fn all() -> Arc<Plan> {
        static ALL: LazyLock<Arc<Plan>> = LazyLock::new(|| Arc::new(Plan::with(|_| true)));
        ALL.clone()
    }

    /// Optimize a program; `globals` are the definitions before it, with a number for each of its names.
    pub fn program(&self, main: &mut Function, globals: &Globals) {
        leaves_first::rewrite(main, &self.leaves_first);
        demand::in_program(main, globals, self.fuses);
        self.function(main, true);
    }

    /// Optimize a function that is stored as text.
    pub fn stored(&self, function: &mut Function) {
        leaves_first::rewrite(function, &self.leaves_first);
        demand::in_called(function, self.fuses);
        self.function(function, true);
    }

    /// Optimize a function of the prelude, which says itself what is lazy.
    pub fn prelude(&self, function: &mut Function) {
        self.function(function, true);
    }

    /// The passes on functions: on this one, then on those that are left inside. On a slow path functions stay functions:
    /// each level of nesting would have its loops twice.
    fn function(&self, function: &mut Function, fast: bool) {
        function.calls = Calls::of(function);
        for arity in &mut function.arities {
            if fast {
                root_first::rewrite(arity, &self.root_first, &self.on_return);
            }
            let mut body = Body { arity, shared: Vec::new() };
            let bodies = if fast { self.bodies.as_slice() } else { &[] };
            bodies.iter().chain(&self.every_body).for_each(|run| run(&mut body));
            self.inside(&mut arity.body, fast);
        }
    }

    fn inside(&self, node: &mut Node, fast: bool) {
        match &mut node.kind {
            Kind::Fn(function) => self.function(Arc::make_mut(function), fast),
            Kind::LetFn { functions, .. } => {
                functions.iter_mut().for_each(|function| self.function(Arc::make_mut(function), fast));
            }
            Kind::Made(Made::Each(each)) => {
                self.inside(&mut each.body, fast);
                self.inside(&mut each.slow, false);
            }
            Kind::Made(Made::Update(update)) => {
                self.inside(&mut update.body, fast);
                update.written.iter_mut().for_each(|written| self.inside(written, false));
            }
            _ => {}
        }
        node.for_each_part(&mut |part| self.inside(part, fast));
    }
}
