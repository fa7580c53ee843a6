//! Random values of one session enter another one, or come back to their own: there they do what they do at home, or the
//! entry says why not.

use proptest::prelude::*;
use ptc_lisp::{CachedCall, Outcome, Session, SessionOptions, ToolSpec, Value, no_tools, problems_text};

/// Functions of one number. `K` is a number, `H` a definition of the session.
const FUNCTIONS: [&str; 16] = [
    "(fn [x] (+ x K))",
    "#(vector % K)",
    "(let [k {:n K}] (fn [x] (assoc k :x x)))",
    "(fn [x] (H x))",
    "(fn [x] [(H x) K])",
    "(fn again [x] (if (pos? x) (again (dec x)) K))",
    "(letfn [(a [x] (if (pos? x) (b (dec x)) [:a K])) (b [x] (if (pos? x) (a (dec x)) [:b K]))] a)",
    "(let [n (atom K)] (fn [x] (swap! n + x)))",
    "(let [d (delay K)] (fn [x] [@d x]))",
    "(let [xs (iterate (fn [x] (+ x K)) 1)] (fn [x] (nth xs x)))",
    "(partial + K)",
    "(comp inc (partial * K))",
    "(constantly K)",
    "(juxt inc (constantly K))",
    "(memoize (fn [x] (* x K)))",
    "(fnil inc K)",
];

/// Values around a function `F`, and how to get it, here and where atoms are seen as their contents.
const AROUND: [(&str, &str, &str); 11] = [
    ("F", "v", "v"),
    ("[1 F]", "(peek v)", "(peek v)"),
    ("{:a {:f F}}", "(get-in v [:a :f])", "(get-in v [:a :f])"),
    ("{F 1}", "(first (keys v))", "(first (keys v))"),
    ("#{F}", "(first v)", "(first v)"),
    ("(ex-info \"f\" {:f F})", "(:f (ex-data v))", "(:f (ex-data v))"),
    ("(comp F identity)", "v", "v"),
    ("(let [f F] (fn [x] (f x)))", "v", "v"),
    ("(atom F)", "(deref v)", "v"),
    ("(vec (repeat 40 F))", "(nth v 33)", "(nth v 33)"),
    (
        "(sorted-map-by (let [f F] (fn [x y] (if f (compare y x) 0))) 1 F 2 F)",
        "(second (first (assoc v 0 nil)))",
        "(second (first (assoc v 0 nil)))",
    ),
];

/// Programs that another session, or the same one, ran meanwhile.
const MEANWHILE: [&str; 8] = [
    "(defn NAME [& xs] :wrong)",
    "(def NAME (atom :wrong))",
    "(def NAME (iterate (fn [x] :wrong) :wrong)) (take 2 NAME)",
    "(def NAME (delay :wrong)) @NAME",
    "(defn NAME [& xs] :wrong) (/ 1 0)",
    "(def NAME (fn [x] (fn [y] :wrong))) (NAME 1)",
    "(let [a (atom :wrong)] @a)",
    "(undefined NAME)",
];

#[derive(Clone, Copy, Debug)]
enum Entry {
    Define,
    Answer,
    Fail,
    Budget,
    Data,
    Task,
    Cached,
}

#[derive(Clone, Debug)]
struct Crossing {
    function: usize,
    around: usize,
    k: u8,
    entry: Entry,
    meanwhile: Vec<usize>,
    comes_home: bool,
    goes_back: bool,
}

fn crossings() -> impl Strategy<Value = Crossing> {
    use Entry::{Answer, Budget, Cached, Data, Define, Fail, Task};
    let entry = prop::sample::select(vec![Define, Answer, Fail, Budget, Data, Task, Cached]);
    let meanwhile = prop::collection::vec(0..MEANWHILE.len(), 0..6);
    (0..FUNCTIONS.len(), 0..AROUND.len(), 2..9_u8, entry, meanwhile, any::<bool>(), any::<bool>()).prop_map(
        |(function, around, k, entry, meanwhile, comes_home, goes_back)| Crossing {
            function,
            around,
            k,
            entry,
            meanwhile,
            comes_home,
            goes_back,
        },
    )
}

fn options() -> SessionOptions {
    let kept = ToolSpec { cache: true, ..ToolSpec::new("kept") };
    SessionOptions { tools: vec![ToolSpec::new("get"), kept], tasks: Some(Vec::new()), ..SessionOptions::default() }
}

fn text(outcome: &Outcome) -> String {
    outcome.value().map_or_else(|| problems_text(outcome.problems()), ToString::to_string)
}

fn pass_time(session: &mut Session, meanwhile: &[usize]) {
    for (number, program) in meanwhile.iter().enumerate() {
        session.run(&MEANWHILE[*program].replace("NAME", &format!("name{number}")), &mut no_tools);
    }
}

/// What happens in a session that gets the value there: the result of `used`, or the refusal.
fn used_there(target: Option<Session>, crossing: &Crossing, value: Value, get: &str) -> String {
    let use_of = |read: &str| format!("(let [v {read}] ({get} 3))");
    let entry = |name: &str| Value::map_from([(Value::keyword(name), value.clone())]);
    let options = match crossing.entry {
        Entry::Data => SessionOptions { data: entry("v").as_map().unwrap().clone(), ..options() },
        Entry::Task => SessionOptions { tasks: Some(vec![("v".to_owned(), value.clone())]), ..options() },
        Entry::Cached => {
            let call = CachedCall { name: "kept".into(), args: Value::map_from([]), result: value.clone() };
            SessionOptions { tool_cache: vec![call], ..options() }
        }
        _ => options(),
    };
    let mut session = match target {
        Some(session) => session,
        None => {
            let mut session = Session::new(options);
            session.run("(defn H [x] :wrong)", &mut no_tools);
            session
        }
    };
    pass_time(&mut session, &crossing.meanwhile);
    let (let_in, read) = match crossing.entry {
        Entry::Define => (session.define("v", value.clone(), None), "v"),
        Entry::Fail => (session.set_fail(value.clone()), "data/fail"),
        Entry::Budget => (session.set_budget(entry("v")), "(:v (budget/remaining))"),
        Entry::Answer => (Ok(()), "(tool/get {})"),
        Entry::Data => (Ok(()), "data/v"),
        Entry::Task => (Ok(()), "(task \"v\" nil)"),
        Entry::Cached => (Ok(()), "(tool/kept {})"),
    };
    match let_in {
        Err(error) => error.message,
        Ok(()) => text(&session.run(&use_of(read), &mut |_| Ok(value.clone()))),
    }
}

fn is_refusal(text: &str) -> bool {
    text.contains("a function of another session") || text.contains("whose content is in its session")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn values_do_elsewhere_what_they_do_at_home_or_are_refused(crossing in crossings()) {
        let (around, here, there) = AROUND[crossing.around];
        let function = FUNCTIONS[crossing.function].replace('K', &crossing.k.to_string());
        let made = around.replace('F', &function);
        let mut home = Session::new(options());
        home.run("(defn H [x] [:home x])", &mut no_tools);
        let before = home.checkpoint();
        home.run(&format!("(def v {made})"), &mut no_tools);
        let value = home.run("v", &mut no_tools).into_result().unwrap();
        let expected = text(&home.run(&format!("({here} 3)"), &mut no_tools));
        // Values that enter with the options come to sessions that are new.
        let comes_home = crossing.comes_home && !matches!(crossing.entry, Entry::Data | Entry::Task | Entry::Cached);
        if comes_home && crossing.goes_back {
            home.restore(before).unwrap();
        }
        let is_plain = crossing.function >= 10 && crossing.function != 14 && ![7, 10].contains(&crossing.around);
        let has_cells = (7..10).contains(&crossing.function) || crossing.function == 14;
        let found = used_there(comes_home.then_some(home), &crossing, value, there);
        if is_refusal(&found) {
            prop_assert!(!is_plain && (!comes_home || has_cells), "{made} is refused: {found}");
        } else {
            prop_assert!(is_plain || comes_home, "{made} of another session is let in");
            prop_assert_eq!(found, expected, "{}", made);
        }
    }
}
