//! What was held is restored into as much memory.

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::*;
use crate::value::format_within;

/// What a definition may take in addition to its value: its name, the first of the maps of a kind.
const OWN: u64 = 2 << 10;

fn within(memory: u64) -> Session {
    Session::new(SessionOptions { limits: Limits { memory, ..Limits::default() }, ..SessionOptions::default() })
}

/// The beginning of a value.
fn shown(value: &Value, chars: usize) -> String {
    format_within(value, &FormatOptions::full(), chars).text
}

/// What these definitions hold, and hold when they are restored under a limit of as much.
fn held_and_restored(program: &str) -> (u64, u64) {
    let mut first = within(64 << 20);
    let outcome = first.run(program, &mut |_| unreachable!());
    assert!(outcome.problems().is_empty(), "{program}: {:?}", outcome.problems());
    let (held, names) = (first.memory_bytes(), first.memory().entries().len() as u64);
    let (stored, left_out) = first.store_memory();
    assert_eq!(left_out, [], "{program}");
    let text = serde_json::to_string(&stored).unwrap();
    let mut second = within(held + held / 32 + OWN * names);
    assert_eq!(second.restore_memory(&StoredMemory::parse(&text).unwrap()), [], "{program}");
    for (one, other) in first.memory().entries().iter().zip(second.memory().entries()) {
        let told = |entry: &MemoryEntry| shown(&entry.value, 4_000);
        assert_eq!((&one.name, told(one)), (&other.name, told(other)), "{program}");
    }
    let (again, _) = second.store_memory();
    assert_eq!(serde_json::to_string(&again).unwrap(), text, "{program}");
    (held, second.memory_bytes())
}

#[test]
fn values_take_as_much_when_they_are_restored() {
    let mut larger = Vec::new();
    for program in [
        "(def big (mapv (fn [i] {:id i}) (range 2000)))",
        "(def big (mapv (fn [i] {:id i :price (* 1.5 i)}) (range 2000)))",
        "(def big (mapv (fn [i] {:a i :b i :c i :d i :e i :f i :g i :h i :i i :j i}) (range 1000)))",
        "(def big (mapv (fn [i] {\"id\" i \"price\" i}) (range 2000)))",
        "(def big (mapv (fn [i] (assoc {} :id i :price i)) (range 2000)))",
        "(def big (group-by :k (map (fn [i] {:k (mod i 100) :v i}) (range 2000))))",
        "(def big (into {} (map (fn [i] [(str \"k\" i) {:a {:b i}}]) (range 2000))))",
        "(def big (into {} (map (fn [i] [i (str i)]) (range 3000))))",
        "(def big (into (sorted-map) (map (fn [i] [i (str i)]) (range 3000))))",
        "(def big (into #{} (map str (range 3000))))",
        "(def big (vec (range 40000)))",
        "(def big (mapv #(str \"row \" %) (range 10000)))",
        "(def big (mapv #(keyword (str \"k\" (mod % 3000))) (range 10000)))",
        "(def big (mapv #(*' 123456789012345678901234567890 %) (range 1 3000)))",
        "(def a (vec (range 20000))) (def big a)",
        "(def row {:a 1 :b \"two\"}) (def big (vec (repeat 20000 row)))",
        "(def big (mapv (fn [i] {:id i :state (if (odd? i) \"open\" \"closed\")}) (range 3000)))",
        "(def rows (mapv (fn [i] {:id i :name (str \"n\" i)}) (range 2000))) (def some (filterv #(odd? (:id %)) rows))
         (def sorted (sort-by :name rows)) (def by (group-by #(mod (:id %) 7) rows)) (def later (vec (rest rows)))",
        "(def rows (mapv (fn [i] {:id i}) (range 2000))) (def box (atom rows)) (def f (let [r rows] (fn [] (count r))))",
    ] {
        let (held, restored) = held_and_restored(program);
        if restored > held + held / 64 + OWN {
            larger.push(format!("{held} bytes were held, and {restored} are restored: {program}"));
        }
    }
    assert_eq!(larger, [""; 0]);
}

/// Written out, it would have more elements than there are atoms in the universe.
#[test]
fn what_a_value_has_many_times_is_written_once() {
    let mut first = within(1 << 20);
    answer(&mut first, "(def deep (reduce (fn [a _] [a a a a]) [1] (range 150)))");
    let (stored, left_out) = first.store_memory();
    assert_eq!(left_out, []);
    let text = serde_json::to_string(&stored).unwrap();
    assert!(text.len() < 20_000, "{}", text.len());
    let mut second = within(1 << 20);
    assert_eq!(second.restore_memory(&StoredMemory::parse(&text).unwrap()), []);
    assert_eq!(answer(&mut second, "(count (first (second deep)))"), "4");
    // Also when something in it is missing.
    let broken = text.replacen("[1]", r#"[1,{"t":"atom","id":999}]"#, 1);
    let mut third = within(1 << 20);
    let told = third.restore_memory(&StoredMemory::parse(&broken).unwrap());
    assert_eq!(told[0].why, "it refers to the atom or delay 999, whose content is not in the memory");
}

#[test]
fn a_definition_is_read_without_those_that_it_shares_with() {
    let mut first = session();
    answer(
        &mut first,
        "(def a [{:text \"long\" :n 1} {:text \"long\" :n 2}]) (def b (vec (rest a))) (def c [b (first a)])",
    );
    let text = serde_json::to_string(&first.store_memory().0).unwrap();
    let mut stored: serde_json::Map<String, Json> = serde_json::from_str(&text).unwrap();
    stored["a"]["value"]["v"].as_array_mut().unwrap().push(json!({"t": "what"}));
    let mut second = session();
    let told = second.restore_memory(&StoredMemory::parse(&serde_json::to_string(&stored).unwrap()).unwrap());
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(answer(&mut second, "[b c]"), answer(&mut first, "[b c]"));
    // What is kept as it came has its numbers for itself.
    answer(&mut second, "(def d [b b])");
    let again = serde_json::to_string(&second.store_memory().0).unwrap();
    let mut third = session();
    assert_eq!(third.restore_memory(&StoredMemory::parse(&again).unwrap()).len(), 1);
    assert_eq!(answer(&mut third, "[b c d]"), answer(&mut second, "[b c d]"));
    stored["b"]["value"] = json!({"same": 77});
    let mut fourth = session();
    let told = fourth.restore_memory(&StoredMemory::parse(&serde_json::to_string(&stored).unwrap()).unwrap());
    assert_eq!(told[1].why, "\"same\" cannot be read here: nothing before it has the id 77");
}

/// A program of definitions, each of which may use earlier ones.
fn programs() -> impl Strategy<Value = String> {
    let step = (0..FORMS.len(), 1..60_usize, any::<prop::sample::Index>(), any::<prop::sample::Index>());
    prop::collection::vec(step, 1..8).prop_map(|steps| {
        let mut program = "(def v0 [\"a\" {:k 1 :text \"some text that is not short\"} 2.5])".to_owned();
        for (at, (form, count, one, other)) in steps.into_iter().enumerate() {
            let earlier = |index: prop::sample::Index| format!("v{}", index.index(at + 1));
            let form = FORMS[form].replace("SIZE", &count.to_string());
            let form = form.replace("ONE", &earlier(one)).replace("OTHER", &earlier(other));
            program.push_str(&format!(" (def v{} {form})", at + 1));
        }
        program
    })
}

const FORMS: &[&str] = &[
    "ONE",
    "[ONE OTHER]",
    "{:one ONE :other OTHER}",
    "{\"one\" ONE \"n\" SIZE}",
    "(vec (repeat SIZE ONE))",
    "(mapv (fn [i] {:id i :in ONE}) (range SIZE))",
    "(mapv (fn [i] {:id i :name (str \"n\" i) :in {:at i :as OTHER}}) (range SIZE))",
    "(mapv (fn [i] {:id i :kind (nth [\"open\" \"closed\" \"a much longer name of a kind\"] (mod i 3))}) (range SIZE))",
    "(mapv (fn [i] (if (odd? i) {:odd i :of ONE} {:even i})) (range SIZE))",
    "(mapv #(str \"text \" %) (range SIZE))",
    "(mapv #(* 1.5 %) (range SIZE))",
    "(into {} (map (fn [i] [(str \"k\" i) ONE]) (range SIZE)))",
    "(into (sorted-map) (map (fn [i] [i ONE]) (range SIZE)))",
    "(zipmap (map #(keyword (str \"key\" %)) (range SIZE)) (repeat SIZE OTHER))",
    "(set [ONE OTHER SIZE])",
    "(if (sequential? ONE) (filterv some? ONE) SIZE)",
    "(if (sequential? ONE) (reverse ONE) SIZE)",
    "(if (sequential? ONE) (group-by count (map (fn [x] [x SIZE]) ONE)) SIZE)",
    "(mapv (fn [i] (atom {:i i :of ONE})) (range 3))",
    "(let [held ONE] (fn [x] [x held SIZE]))",
    "(*' SIZE 123456789012345678901234567890)",
];

proptest! {
    #[test]
    fn definitions_take_as_much_when_they_are_restored(program in programs()) {
        let (held, restored) = held_and_restored(&program);
        prop_assert!(restored <= held + held / 64 + OWN, "{held} bytes held, {restored} restored: {program}");
    }
}
