//! Cell updates: a store of what is computed from the content of the same cell becomes `swap!` or `vswap!`.
//!
//! ```text
//! before  (vreset! cell (conj @cell x))
//! after   (vswap! cell conj x)
//! before  (reset! cell (assoc @cell k (count @cell)))
//! after   (swap! cell assoc k (count (deref cell)))
//! law     The cell gets the same content; an error has the place of the change.
//! ```
//!
//! They change the content in place: the result of `deref` would be a second holder.

use super::leaves_first::Scope;
use super::purity::{is_pure, purity};
use crate::analyze::ir::{Kind, Node};
use crate::stdlib::Purity;
use crate::stdlib::known::known;
use crate::value::Value;

/// Rewrite a store of what a builtin computes from the content of the same cell.
pub(super) fn run(_: &mut Scope<'_>, node: &mut Node) {
    let Kind::Call { callee, args } = &mut node.kind else { return };
    let ids = known();
    let change = match callee.builtin() {
        Some(id) if id == ids.reset => ids.swap,
        Some(id) if id == ids.vreset => ids.vswap,
        _ => return,
    };
    let [cell, stored] = args.as_mut_slice() else { return };
    let Kind::Call { callee: made_by, args: parts } = &mut stored.kind else { return };
    let Some(by) = made_by.builtin() else { return };
    let Some((content, more)) = parts.split_first() else { return };
    // A builtin that calls a function is not pure itself; here the function is an argument of the change.
    let changes = purity(by) == Purity::Pure || by == ids.update || by == ids.update_in;
    if !changes || !is_content_of(content, cell) || !more.iter().all(|part| reads_only(part, cell)) {
        return;
    }
    // Errors have the place where the content is changed.
    node.span = stored.span;
    callee.kind = Kind::Const(Value::Builtin(change));
    let f = (**made_by).clone();
    let more = parts.split_off(1);
    args.truncate(1);
    args.push(f);
    args.extend(more);
}

fn is_same_name(one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (Kind::Local { slot: one, .. }, Kind::Local { slot: other, .. }) => one == other,
        (Kind::Capture(one), Kind::Capture(other)) | (Kind::Global(one), Kind::Global(other)) => one == other,
        _ => false,
    }
}

fn is_content_of(node: &Node, cell: &Node) -> bool {
    matches!(node.builtin_call(), Some((id, [read])) if id == known().deref && is_same_name(read, cell))
}

/// Whether evaluating it changes nothing; it may read the content.
fn reads_only(node: &Node, cell: &Node) -> bool {
    is_pure(node)
        || is_content_of(node, cell)
        || match &node.kind {
            Kind::Call { callee, args } => {
                let pure = matches!(callee.kind, Kind::Const(Value::Keyword(_)))
                    || callee.builtin().is_some_and(|id| purity(id) == Purity::Pure);
                pure && args.iter().all(|arg| reads_only(arg, cell))
            }
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use crate::optimize::tests::ending;

    #[test]
    fn a_store_of_what_was_read_gives_what_it_gives_in_two_steps() {
        let stores = [
            "(conj @c 3)",
            "(assoc @c 0 :x)",
            "(assoc @c 0 (count @c))",
            "(update @c 0 (fn [x] [x @c]))",
            "(into @c [(first @c)])",
            "(conj @d @c)",
            "(conj @c (do (vreset! c [9]) 1))",
            "(conj @c @d)",
            "(map inc @c)",
            "(count @c)",
            "(get @c 0)",
            "(disj @c 1)",
        ];
        for (store, content) in
            stores.iter().flat_map(|store| ["[1 2]", "#{1}", "nil", "7"].map(|content| (store, content)))
        {
            let around = |store: &str| {
                format!(
                    "(let [c (volatile! {content}) d (volatile! [5])] (try [(vreset! c {store}) @c @d] (catch Exception e :error)))"
                )
            };
            // A read through another name is not a content to be changed in place.
            let apart = format!("(let [made {store}] made)");
            assert_eq!(ending(&around(store)).0, ending(&around(&apart)).0, "{store} {content}");
            let of_atom = |text: String| text.replace("vreset!", "reset!").replace("volatile!", "atom");
            assert_eq!(ending(&of_atom(around(store))).0, ending(&of_atom(around(&apart))).0, "{store} {content}");
        }
    }

    #[test]
    fn what_is_stored_grows_in_place() {
        for (cell, store) in [("volatile!", "vreset!"), ("atom", "reset!")] {
            let program = |n: usize, store: &str| {
                format!("(let [c ({cell} (vec (range 200)))] (dotimes [i {n}] ({store} c (conj @c i))) (count @c))")
            };
            assert_eq!(ending(&program(50, store)).0, "250");
            let in_two = |n: usize| ending(&program(n, store).replace("(conj @c i)", "(let [v @c] (conj v i))")).1;
            let in_place = |n: usize| ending(&program(n, store)).1;
            assert!(in_place(50) - in_place(10) < (in_two(50) - in_two(10)) / 2, "{store}: a copy costs fuel");
        }
    }
}
