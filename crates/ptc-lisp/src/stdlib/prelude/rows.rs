//! Rows of the functions that `prelude.clj` defines.

use crate::eval::native::merge_with;
use crate::stdlib::{Builtin, Family, Force, Run};

pub(crate) const LOOPS: Family = Family { title: "Passes over collections", rows: LOOPS_ROWS };
pub(crate) const FOLDS: Family = Family { title: "Folding and grouping", rows: FOLDS_ROWS };
pub(crate) const UPDATES: Family = Family { title: "Updating", rows: UPDATES_ROWS };
pub(crate) const ENDLESS: Family = Family { title: "Endless sequences", rows: ENDLESS_ROWS };
pub(crate) const BY_FUNCTION: Family = Family { title: "Sequences by a function", rows: BY_FUNCTION_ROWS };
pub(crate) const FIELDS: Family = Family { title: "Fields of many items", rows: FIELDS_ROWS };
pub(crate) const MAPS: Family = Family { title: "Maps by a function", rows: MAPS_ROWS };
pub(crate) const TREES: Family = Family { title: "Trees", rows: TREES_ROWS };
pub(crate) const FUNCTIONS: Family = Family { title: "Functions from functions", rows: FUNCTIONS_ROWS };
pub(crate) const TRANSDUCERS: Family = Family { title: "Transducers", rows: TRANSDUCERS_ROWS };
/// Functions that only the library itself calls.
pub(crate) const HIDDEN: Family = Family { title: "", rows: HIDDEN_ROWS };

const LOOPS_ROWS: &[Builtin] = &[
    Builtin {
        name: "map",
        params: &["[f]", "[f & colls]"],
        doc: "`f` of each element; several collections stop at the shortest.",
        examples: &[("(map inc [1 2])", "[2 3]"), ("(map + [1 2 3] [10 20])", "[11 22]")],
        ..ROW
    },
    Builtin {
        name: "mapv",
        params: &["[f coll & colls]"],
        doc: "Like `map`, always a vector.",
        examples: &[("(mapv str [1 2])", "[\"1\" \"2\"]")],
        ..ROW
    },
    Builtin {
        name: "filter",
        params: &["[pred]", "[pred coll]"],
        doc: "The elements for which `pred` is truthy.",
        examples: &[("(filter odd? [1 2 3])", "[1 3]")],
        ..ROW
    },
    Builtin {
        name: "filterv",
        params: &["[pred coll]"],
        doc: "Like `filter`, always a vector.",
        examples: &[("(filterv even? [1 2 3])", "[2]")],
        ..ROW
    },
    Builtin {
        name: "remove",
        params: &["[pred]", "[pred coll]"],
        doc: "The elements for which `pred` is falsy.",
        examples: &[("(remove odd? [1 2 3])", "[2]")],
        ..ROW
    },
    Builtin {
        name: "keep",
        params: &["[f]", "[f coll]"],
        doc: "The results of `f` that are not nil.",
        examples: &[("(keep :a [{:a 1} {} {:a false}])", "[1 false]")],
        ..ROW
    },
    Builtin {
        name: "mapcat",
        params: &["[f]", "[f & colls]"],
        doc: "The collections that `f` gives, joined.",
        examples: &[("(mapcat :t [{:t [1 2]} {} {:t [3]}])", "[1 2 3]")],
        ..ROW
    },
    Builtin {
        name: "map-indexed",
        params: &["[f]", "[f coll]"],
        doc: "`(f index element)` of each element.",
        examples: &[("(map-indexed vector \"hi\")", "[[0 \"h\"] [1 \"i\"]]")],
        ..ROW
    },
    Builtin {
        name: "keep-indexed",
        params: &["[f]", "[f coll]"],
        doc: "The results of `(f index element)` that are not nil.",
        examples: &[("(keep-indexed #(if (odd? %1) %2) [:a :b :c :d])", "[:b :d]")],
        ..ROW
    },
];

const FOLDS_ROWS: &[Builtin] = &[
    Builtin {
        name: "reduce",
        params: &["[f coll]", "[f init coll]"],
        doc: "`f` of accumulator and element, from left to right; `(reduced x)` stops.",
        examples: &[("(reduce + [1 2 3])", "6"), ("(reduce conj #{} [1 1])", "#{1}")],
        ..ROW
    },
    Builtin {
        name: "reduce-kv",
        params: &["[f init m]"],
        doc: "`(f acc key value)` over the entries of a map, or index and element of a vector.",
        examples: &[("(reduce-kv (fn [a k v] (+ a v)) 0 {:x 1 :y 2})", "3")],
        ..ROW
    },
    Builtin {
        name: "some",
        params: &["[pred coll]"],
        doc: "The first truthy result of `pred`, else nil.",
        examples: &[("(some #{3 4} [1 3])", "3")],
        ..ROW
    },
    Builtin {
        name: "every?",
        params: &["[pred coll]"],
        doc: "Whether `pred` is truthy for every element.",
        examples: &[("(every? odd? [1 3])", "true")],
        ..ROW
    },
    Builtin {
        name: "not-any?",
        params: &["[pred coll]"],
        doc: "Whether `pred` is truthy for no element.",
        examples: &[("(not-any? odd? [2 4])", "true")],
        ..ROW
    },
    Builtin {
        name: "not-every?",
        params: &["[pred coll]"],
        doc: "Whether `pred` is falsy for some element.",
        examples: &[("(not-every? odd? [1 2])", "true")],
        ..ROW
    },
    Builtin {
        name: "group-by",
        params: &["[key coll]"],
        doc: "Map of key value to the elements that have it, in order of first appearance.",
        examples: &[("(group-by odd? [1 2 3])", "{true [1 3] false [2]}"), ("(group-by :k [{:k 1}])", "{1 [{:k 1}]}")],
        ..ROW
    },
    Builtin {
        name: "run!",
        params: &["[f coll]"],
        doc: "Call `f` with each element for its effects; nil.",
        examples: &[("(run! println [])", "nil")],
        ..ROW
    },
];

const UPDATES_ROWS: &[Builtin] = &[
    Builtin {
        name: "update",
        params: &["[m key f & args]"],
        doc: "`m` with `(f old & args)` under `key`; old is nil when absent.",
        examples: &[("(update {:n 1} :n + 10)", "{:n 11}")],
        ..ROW
    },
    Builtin {
        name: "update-in",
        params: &["[m path f & args]"],
        doc: "Like `update` along a path, making maps on the way.",
        examples: &[("(update-in {:a {:n 1}} [:a :n] inc)", "{:a {:n 2}}")],
        ..ROW
    },
];

const ENDLESS_ROWS: &[Builtin] = &[
    Builtin {
        name: "iterate",
        params: &["[f x]"],
        doc: "An endless sequence: x, (f x), (f (f x)) and so on.",
        examples: &[("(take 3 (iterate inc 1))", "[1 2 3]")],
        ..ROW
    },
    Builtin {
        name: "cycle",
        params: &["[coll]"],
        doc: "The elements of coll over and over again.",
        examples: &[("(take 4 (cycle [1 2]))", "[1 2 1 2]")],
        ..ROW
    },
    Builtin {
        name: "repeatedly",
        params: &["[f]", "[n f]"],
        doc: "Results of calling f without arguments, n times; without n an endless sequence.",
        examples: &[("(repeatedly 2 (fn [] 7))", "[7 7]")],
        ..ROW
    },
    Builtin {
        name: "iteration",
        params: &["[step & options]"],
        doc: "The values of calls of step with the key of the call before (:kf, :initk), until :somef says no; :vf picks the value.",
        examples: &[(
            "(into [] (iteration (fn [k] (when (< k 3) {:v k :next (inc k)})) :vf :v :kf :next :initk 0))",
            "[0 1 2]",
        )],
        ..ROW
    },
    Builtin {
        name: "tree-seq",
        params: &["[branch? children root]"],
        doc: "All nodes of a tree, parents first, as a sequence.",
        examples: &[("(tree-seq vector? identity [1 [2]])", "[[1 [2]] 1 [2] 2]")],
        ..ROW
    },
];

const BY_FUNCTION_ROWS: &[Builtin] = &[
    Builtin {
        name: "take-while",
        params: &["[pred]", "[pred coll]"],
        doc: "The elements before the first that fails pred; without coll a transducer.",
        examples: &[("(take-while pos? [1 2 -3 4])", "[1 2]")],
        ..ROW
    },
    Builtin {
        name: "drop-while",
        params: &["[pred]", "[pred coll]"],
        doc: "The elements from the first that fails pred on; without coll a transducer.",
        examples: &[("(drop-while neg? [-2 -1 3 -4])", "[3 -4]")],
        ..ROW
    },
    Builtin {
        name: "split-with",
        params: &["[pred coll]"],
        doc: "The elements before the first that fails pred, and the others, as two sequences.",
        examples: &[("(split-with pos? [5 8 -1 9])", "[[5 8] [-1 9]]")],
        ..ROW
    },
    Builtin {
        name: "partition-by",
        params: &["[f]", "[f coll]"],
        doc: "Groups of neighbours for which f gives the same; without coll a transducer.",
        examples: &[("(partition-by odd? [1 3 2 4 5])", "[[1 3] [2 4] [5]]")],
        ..ROW
    },
    Builtin {
        name: "reductions",
        params: &["[f coll]", "[f init coll]"],
        doc: "The results of each step of reduce.",
        examples: &[("(reductions + [1 2 3])", "[1 3 6]")],
        ..ROW
    },
    Builtin {
        name: "find",
        params: &["[m k]", "[pred coll]"],
        doc: "The entry of a map under k, or the first element that satisfies pred.",
        examples: &[("(find {:a nil} :a)", "[:a nil]"), ("(find odd? [2 3])", "3")],
        ..ROW
    },
    Builtin {
        name: "random-sample",
        params: &["[prob]", "[prob coll]"],
        doc: "The elements, each one kept with the probability prob; without coll a transducer.",
        examples: &[("(random-sample 1.0 [1 2 3])", "[1 2 3]")],
        ..ROW
    },
];

const FIELDS_ROWS: &[Builtin] = &[
    Builtin {
        name: "pluck",
        params: &["[key coll]"],
        doc: "The field key of every item, nil where it is missing; key may be a path.",
        examples: &[("(pluck :id [{:id 4} {}])", "[4 nil]")],
        ..ROW
    },
    Builtin {
        name: "distinct-by",
        params: &["[key coll]"],
        doc: "The first item for each value of key.",
        examples: &[("(distinct-by :k [{:k 1 :n \"a\"} {:k 1 :n \"b\"}])", "[{:k 1 :n \"a\"}]")],
        ..ROW
    },
    Builtin {
        name: "sum-by",
        params: &["[key coll]"],
        doc: "The sum of key over the items; nil is skipped.",
        examples: &[("(sum-by :a [{:a 1} {} {:a 2}])", "3")],
        ..ROW
    },
    Builtin {
        name: "avg-by",
        params: &["[key coll]"],
        doc: "The mean of key over the items as a float; nil is not counted.",
        examples: &[("(avg-by :score [{:score 4} {:score nil} {:score 5}])", "4.5")],
        ..ROW
    },
    Builtin {
        name: "min-by",
        params: &["[key coll]", "[key & items]"],
        doc: "The item with the least key, the first of equals; items whose key is nil are ignored.",
        examples: &[("(min-by :p [{:p nil} {:p 3} {:p 2}])", "{:p 2}")],
        ..ROW
    },
    Builtin {
        name: "max-by",
        params: &["[key coll]", "[key & items]"],
        doc: "The item with the greatest key, the first of equals; items whose key is nil are ignored.",
        examples: &[("(max-by :pts [{:pts 3} {:pts 8}])", "{:pts 8}")],
        ..ROW
    },
    Builtin {
        name: "min-key",
        params: &["[f x & more]"],
        doc: "The argument for which f gives the least number, the last of equals.",
        examples: &[("(min-key abs -3 2 -5)", "2")],
        ..ROW
    },
    Builtin {
        name: "max-key",
        params: &["[f x & more]"],
        doc: "The argument for which f gives the greatest number, the last of equals.",
        examples: &[("(apply max-key val {:m 4 :n 6})", "[:n 6]")],
        ..ROW
    },
    Builtin {
        name: "all-of",
        params: &["[& preds]"],
        doc: "The predicate that is true when all preds are.",
        examples: &[("(filter (all-of pos? even?) [1 2 -4])", "[2]")],
        ..ROW
    },
    Builtin {
        name: "any-of",
        params: &["[& preds]"],
        doc: "The predicate that is true when one of preds is.",
        examples: &[("(filter (any-of neg? even?) [1 2 -3])", "[2 -3]")],
        ..ROW
    },
    Builtin {
        name: "none-of",
        params: &["[& preds]"],
        doc: "The predicate that is true when none of preds is.",
        examples: &[("(filter (none-of neg? even?) [1 2 -3])", "[1]")],
        ..ROW
    },
    Builtin {
        name: "%where",
        params: &["[field]", "[field op value]"],
        doc: "The predicate that a where form stands for.",
        examples: &[],
        ..ROW
    },
];

const MAPS_ROWS: &[Builtin] = &[
    Builtin {
        name: "update-vals",
        params: &["[m f]"],
        doc: "The map with f applied to each value.",
        examples: &[("(update-vals {:a 1} inc)", "{:a 2}")],
        ..ROW
    },
    Builtin {
        name: "update-keys",
        params: &["[m f]"],
        doc: "The map with f applied to each key.",
        examples: &[("(update-keys {:a 1} name)", "{\"a\" 1}")],
        ..ROW
    },
    Builtin {
        name: "merge-with",
        params: &["[f & maps]"],
        doc: "One map of all entries; values under the same key are joined by f.",
        examples: &[("(merge-with + {:a 1 :b 2} {:a 10})", "{:a 11 :b 2}")],
        run: Run::Native(merge_with),
        ..ROW
    },
];

const TREES_ROWS: &[Builtin] = &[
    Builtin {
        name: "walk",
        namespaces: &["walk"],
        params: &["[inner outer form]"],
        doc: "Applies inner to each element of form, rebuilds it, applies outer.",
        examples: &[("(walk inc (fn [xs] (apply + xs)) [1 2 3])", "9")],
        ..ROW
    },
    Builtin {
        name: "prewalk",
        namespaces: &["walk"],
        params: &["[f form]"],
        doc: "Applies f to form, then to the parts of what it gives, and so on down.",
        examples: &[("(prewalk (fn [x] (if (number? x) (* 2 x) x)) {:a 1 :b [2]})", "{:a 2 :b [4]}")],
        ..ROW
    },
    Builtin {
        name: "postwalk",
        namespaces: &["walk"],
        params: &["[f form]"],
        doc: "Applies f to all parts of form, innermost first, then to form.",
        examples: &[("(postwalk (fn [x] (if (map? x) (:v x) x)) {:v [{:v 1}]})", "[1]")],
        ..ROW
    },
    Builtin {
        name: "keywordize-keys",
        namespaces: &["walk"],
        params: &["[m]"],
        doc: "The form with string keys of maps made keywords, at every depth.",
        examples: &[("(keywordize-keys [{\"a\" {\"b\" 1}}])", "[{:a {:b 1}}]")],
        ..ROW
    },
    Builtin {
        name: "stringify-keys",
        namespaces: &["walk"],
        params: &["[m]"],
        doc: "The form with keyword keys of maps made strings, at every depth.",
        examples: &[("(stringify-keys {:a {:b 1}})", "{\"a\" {\"b\" 1}}")],
        ..ROW
    },
];

const FUNCTIONS_ROWS: &[Builtin] = &[
    Builtin {
        name: "comp",
        params: &["[& fs]"],
        doc: "The function that calls the last f first and each other one on the result.",
        examples: &[("((comp inc (fn [x] (* 2 x))) 5)", "11")],
        ..ROW
    },
    Builtin {
        name: "partial",
        params: &["[f & args]"],
        doc: "The function that calls f with args first.",
        examples: &[("((partial + 10) 5)", "15")],
        ..ROW
    },
    Builtin {
        name: "juxt",
        params: &["[& fs]"],
        doc: "The function that gives the results of all fs as a vector.",
        examples: &[("((juxt first count) [3 4])", "[3 2]")],
        ..ROW
    },
    Builtin {
        name: "complement",
        params: &["[f]"],
        doc: "The function that is true where f is false.",
        examples: &[("((complement even?) 9)", "true")],
        ..ROW
    },
    Builtin {
        name: "constantly",
        params: &["[x]"],
        doc: "The function that gives x for any arguments.",
        examples: &[("((constantly 5) 1 2)", "5")],
        ..ROW
    },
    Builtin {
        name: "comparator",
        params: &["[pred]"],
        doc: "The comparator of a predicate that says whether a goes before b.",
        examples: &[("((comparator <) 2 1)", "1")],
        ..ROW
    },
    Builtin {
        name: "fnil",
        params: &["[f d & more]"],
        doc: "The function f with defaults in place of nil for its first arguments.",
        examples: &[("((fnil inc 0) nil)", "1")],
        ..ROW
    },
    Builtin {
        name: "every-pred",
        params: &["[p & ps]"],
        doc: "The predicate that is true when all ps are true of all its arguments.",
        examples: &[("((every-pred pos? even?) 4)", "true")],
        ..ROW
    },
    Builtin {
        name: "some-fn",
        params: &["[f & fs]"],
        doc: "The function that gives the first truthy result of fs for its arguments.",
        examples: &[("((some-fn :a :b) {:b 2})", "2")],
        ..ROW
    },
    Builtin {
        name: "memoize",
        params: &["[f]"],
        doc: "The function f with its results remembered.",
        examples: &[("((memoize inc) 1)", "2")],
        ..ROW
    },
    Builtin {
        name: "trampoline",
        params: &["[f & args]"],
        doc: "Calls f, then each function that comes back, until something else does.",
        examples: &[("(trampoline (fn [n] (fn [] (* 2 n))) 4)", "8")],
        ..ROW
    },
];

const TRANSDUCERS_ROWS: &[Builtin] = &[
    Builtin {
        name: "transduce",
        params: &["[xform f coll]", "[xform f init coll]"],
        doc: "Reduces coll by f through the transducer xform.",
        examples: &[("(transduce (map inc) + [1 2 3])", "9")],
        ..ROW
    },
    Builtin {
        name: "sequence",
        params: &["[coll]", "[xform coll]", "[xform coll & colls]"],
        doc: "The elements of coll, through the transducer xform if given.",
        examples: &[("(sequence (map inc) [1 2])", "[2 3]")],
        ..ROW
    },
    Builtin {
        name: "eduction",
        params: &["[xform & more]"],
        doc: "What the transducers make of the collection that comes last, as a sequence.",
        examples: &[("(reduce + (eduction (map inc) [1 2 3]))", "9")],
        ..ROW
    },
    Builtin {
        name: "completing",
        params: &["[f]", "[f cf]"],
        doc: "The reducing function f with the completing step cf (identity).",
        examples: &[("(transduce (map inc) (completing + str) 0 [1 2])", "\"5\"")],
        ..ROW
    },
    Builtin {
        name: "cat",
        params: &["[rf]"],
        doc: "The transducer that splices sequences in.",
        examples: &[("(into [] cat [[1 2] [3]])", "[1 2 3]")],
        ..ROW
    },
    Builtin {
        name: "halt-when",
        params: &["[pred]", "[pred retf]"],
        doc: "The transducer that ends everything when pred is true of an element: with it, or with what retf makes.",
        examples: &[("(transduce (halt-when neg?) conj [] [1 -2 3])", "-2")],
        ..ROW
    },
];

const HIDDEN_ROWS: &[Builtin] = &[
    hidden("%for", &["[coll f]"]),
    hidden("%for-cat", &["[coll f]"]),
    hidden("%doseq", &["[coll f]"]),
    hidden("%update-at", &["[m k f name]"]),
    hidden("%update-in", &["[m path f & more]"]),
    hidden("%update-along", &["[m path i f]"]),
    hidden("%reduce-from", &["[f init coll start]"]),
    hidden("%first-result", &["[name truthy pred coll]"]),
    hidden("%joined", &["[colls]"]),
    hidden("%lazy-concat", &["[& colls]"]),
    hidden("%lazy-mapcat", &["[f & colls]"]),
    hidden("%positive", &["[name n]"]),
    hidden("%slice", &["[coll start n]"]),
    hidden("%lazy-take-nth", &["[n coll]"]),
    hidden("%lazy-drop-last", &["[coll]", "[n coll]"]),
    hidden("%lazy-flatten", &["[coll]"]),
    hidden("%lazy-replace", &["[smap coll]"]),
    hidden("%lazy-interleave", &["[& colls]"]),
    hidden("%lazy-interpose", &["[sep coll]"]),
    hidden("%lazy-for-cat", &["[coll f]"]),
    hidden("%lazy-zip", &["[& colls]"]),
    hidden("%lazy-zipmap", &["[ks vs]"]),
    hidden("%lazy-distinct", &["[coll]"]),
    hidden("%lazy-dedupe", &["[coll]"]),
    hidden("%lazy-partition", &["[n coll]", "[n step coll]", "[n step pad coll]"]),
    hidden("%lazy-partition-all", &["[n coll]", "[n step coll]"]),
    hidden("%lazy-partition-by", &["[f coll]"]),
    hidden("%lazy-sequence", &["[xform coll rows]"]),
    hidden("%sequence", &["[xform coll rows]"]),
    hidden("%prefix", &["[pred items]"]),
    hidden("%reductions", &["[f init items start]"]),
    hidden("%lazy-reductions", &["[f init coll start]"]),
    hidden("%key-fn", &["[name key coll]"]),
    hidden("%pick-by", &["[name greatest key coll more]"]),
    hidden("%pick-key", &["[name wins f x more]"]),
    hidden("%set-select", &["[pred xset]"]),
    hidden("%replacer", &["[smap]"]),
    hidden("%merge-with", &["[f & maps]"]),
    hidden("%merge-into", &["[f acc m]"]),
    hidden("%some-of", &["[fs args]"]),
    hidden("%memo", &["[known args f]"]),
    hidden("%prewalk-replace", &["[smap form]"]),
    hidden("%postwalk-replace", &["[smap form]"]),
    hidden("%walk-keys", &["[f form]"]),
    hidden("%source", &["[name coll]"]),
    hidden("%transduce", &["[name xform f init coll]"]),
    hidden("%into-xf", &["[to xform from]"]),
    hidden("%map-xf", &["[f]"]),
    hidden("%filter-xf", &["[pred]"]),
    hidden("%remove-xf", &["[pred]"]),
    hidden("%keep-xf", &["[f]"]),
    hidden("%counting-xf", &["[step]"]),
    hidden("%map-indexed-xf", &["[f]"]),
    hidden("%keep-indexed-xf", &["[f]"]),
    hidden("%mapcat-xf", &["[f]"]),
    hidden("%take-xf", &["[n]"]),
    hidden("%drop-xf", &["[n]"]),
    hidden("%take-nth-xf", &["[n]"]),
    hidden("%interpose-xf", &["[sep]"]),
    hidden("%distinct-xf", &["[]"]),
    hidden("%dedupe-xf", &["[]"]),
    hidden("%partition-all-xf", &["[n]"]),
    hidden("%replace-xf", &["[smap]"]),
    hidden("%replace-with", &["[s pattern f]"]),
    hidden("%replace-first-with", &["[s pattern f]"]),
    hidden("%replace-spans", &["[s spans f]"]),
];

const fn hidden(name: &'static str, params: &'static [&'static str]) -> Builtin {
    Builtin { name, params, ..ROW }
}

const ROW: Builtin =
    Builtin { name: "", namespaces: &[], params: &[], doc: "", examples: &[], force: Force::Lazy, run: Run::Prelude };
