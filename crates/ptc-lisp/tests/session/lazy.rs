//! Whether a sequence is realised already changes no answer.

use proptest::prelude::*;

use super::{host, session, shown};

/// A number, or a sequence of such.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(i8),
    Branch(Vec<Tree>),
}

impl Tree {
    /// The text of a literal, or of a lazy sequence of lazy sequences.
    fn text(&self, lazy: bool) -> String {
        match self {
            Tree::Leaf(n) => n.to_string(),
            Tree::Branch(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part.text(lazy)).collect();
                let literal = format!("[{}]", parts.join(" "));
                if lazy { format!("(lazy-seq {literal})") } else { literal }
            }
        }
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    // Few numbers and short sequences, so that equal ones are common.
    let leaf = (0_i8..2).prop_map(Tree::Leaf);
    leaf.prop_recursive(3, 12, 3, |inner| prop::collection::vec(inner, 0..3).prop_map(Tree::Branch))
}

/// Programs over `a` and `b` that compare them or make them keys.
const PROGRAMS: [&str; 24] = [
    "(= a b)",
    "(= [1 [a]] [1 [b]])",
    "(not= {:k a} {:k b})",
    "(compare [a] [b])",
    "(sort [[a] [b] [a]])",
    "(sort-by :k [{:k [a] :n 1} {:k [b] :n 2}])",
    "(set [a b])",
    "(conj #{a} b)",
    "(disj #{a [a]} b)",
    "(#{a} b)",
    "({a 1} b)",
    "(get-in {a {b 1}} [b a])",
    "(contains? [a] b)",
    "(distinct [a b a])",
    "(dedupe [a b b])",
    "(frequencies [a b a])",
    "(group-by identity [a b])",
    "(partition-by identity [a b])",
    "(zipmap [a b] [1 2])",
    "(into {} [[a 1] [b 2]])",
    "(reduce (fn [m k] (update m k (fnil inc 0))) {} [a b a])",
    "(apply hash-set a [b])",
    "(merge-with + {a 1} {b 2})",
    "(set/union #{a} [b])",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn realised_or_not_the_answer_is_the_same(a in trees(), b in trees(), program in prop::sample::select(PROGRAMS.to_vec())) {
        let answer = |lazy: bool| {
            let text = format!("(let [a {} b {}] {program})", a.text(lazy), b.text(lazy));
            // The place of an error depends on the length of the text.
            shown(&session().run(&text, &mut host)).split(" at line").next().unwrap_or_default().to_owned()
        };
        prop_assert_eq!(answer(true), answer(false));
    }
}
