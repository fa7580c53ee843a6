//! Calls of every builtin with huge arguments, made from the function table: its examples say how a function is called,
//! and each of their arguments in turn becomes a huge value of every kind. A new row is covered when it has an example.

use crate::parse::{Form, FormKind, ReadLimits, parse_with};
use crate::reference::{ReferenceEntry, ReferenceKind, reference};

/// A kind of huge values: two values, since many functions take two.
pub struct Huge {
    /// What it is.
    pub name: &'static str,
    x: &'static str,
    y: &'static str,
    made: Made,
}

/// When the values are created.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Made {
    /// Before the calls.
    Before,
    /// Before the calls, which take both: a single one also belongs to another kind.
    BeforeBoth,
    /// In each call, because reading them changes them.
    Within,
}

const fn of(name: &'static str, x: &'static str, y: &'static str) -> Huge {
    Huge { name, x, y, made: Made::Before }
}

const fn both(name: &'static str, x: &'static str, y: &'static str) -> Huge {
    Huge { name, x, y, made: Made::BeforeBoth }
}

const fn within(name: &'static str, x: &'static str, y: &'static str) -> Huge {
    Huge { name, x, y, made: Made::Within }
}

/// All kinds; `size` is the number of elements of the largest.
pub const HUGE: &[Huge] = &[
    of("numbers", "(vec (range size))", "(assoc (vec (range size)) (dec size) -1)"),
    of("in disorder", "(mapv (fn [n] (mod (* n 7919) 1000003)) (range size))", "(mapv - x)"),
    of(
        "texts",
        "(mapv (fn [n] (str \"a longer item \" (mod (* n 7919) 1000003))) (range (quot size 8)))",
        "(mapv str x)",
    ),
    of(
        "rows",
        "(mapv (fn [n] {:id n :a n :b (str n) :k {:a n}}) (range (quot size 16)))",
        "(mapv (fn [row] (assoc row :c 1)) x)",
    ),
    of("pairs", "(mapv (fn [n] [n n]) (range (quot size 8)))", "(mapv (fn [[a b]] [(- a) b]) x)"),
    within("a lazy sequence", "(map identity (range size))", "(map - (range size))"),
    within("an endless sequence", "(iterate inc 0)", "(range)"),
    of("a map", "(zipmap (range (quot size 8)) (range))", "(assoc x 0 :other)"),
    of(
        "a map of keywords",
        "(zipmap (map (fn [n] (keyword (str \"k\" n))) (range (quot size 16))) (range))",
        "(assoc x :k0 :other)",
    ),
    of("a set", "(set (range (quot size 8)))", "(conj (disj x 0) -1)"),
    of("a sorted map", "(into (sorted-map) (map vector (range (quot size 16)) (range)))", "(assoc x 0 :other)"),
    of("a sorted set", "(into (sorted-set) (range (quot size 16)))", "(conj (disj x 0) -1)"),
    of("a deep vector", "(loop [n 0 l nil] (if (< n (quot size 4)) (recur (inc n) [l]) l))", "[x]"),
    of(
        "levels",
        "(reduce (fn [inner n] {n [inner inner]}) nil (range 60))",
        "(reduce (fn [inner n] [inner inner]) 1 (range 60))",
    ),
    of("a text", "(let [t (apply str (repeat size \"abcdefgh\"))] (str t t t t))", "(str (subs x 1) \"x\")"),
    of(
        "a text of wide characters",
        "(let [t (apply str (repeat size \"\u{e9}\u{e8}\"))] (str t t t t))",
        "(str (subs x 1) \"x\")",
    ),
    of(
        "a text of blanks",
        "(let [t (apply str (repeat size \"        \"))] (str t t t))",
        "(str/replace x \" \" \"\\n\")",
    ),
    of(
        "a text of words",
        "(let [t (apply str (repeat (quot size 4) \"some words with 42, \"))] (str t t t))",
        "(str/upper-case x)",
    ),
    of("a text of digits", "(apply str (repeat (quot size 8) \"12345678\"))", "(str \"0.\" x)"),
    of(
        "a text of JSON",
        "(str \"[\" (str/join \",\" (range (quot size 4))) \"]\")",
        "(str/join \"\\n\" (repeat (quot size 8) \"[1,2]\"))",
    ),
    of(
        "an integer",
        "(loop [n 3] (if (< (count (str n)) (quot size 40)) (recur (*' n n)) (*' n n n n)))",
        "(inc' (quot x 7))",
    ),
    within("a count", "size", "1000000000000"),
    within("the largest numbers", "9223372036854775807", "1e300"),
    of("a function of many", "(apply comp (repeat (quot size 16) inc))", "(apply juxt (repeat (quot size 16) inc))"),
    within("an atom", "(atom (vec (range size)))", "(delay (vec (range size)))"),
    of(
        "an exception",
        "(ex-info (apply str (repeat size \"abcdefgh\")) {:a (vec (range size))})",
        "(ex-info \"\" {:a (vec (range size))})",
    ),
    of("names", "(keyword (apply str (repeat size \"abcdefgh\")))", "(symbol (apply str (repeat size \"abcdefgh\")))"),
    of(
        "a pattern of many",
        "(re-pattern (str/join \"|\" (range (quot size 1000))))",
        "(re-pattern (apply str (repeat (quot size 10000) \"(a|b)?\")))",
    ),
    both(
        "a text and a pattern",
        "(let [t (apply str (repeat size \"abcdefgh\"))] (str t t t t))",
        "#\"(\\w{1,20}x)+\"",
    ),
    both("words and a pattern", "(apply str (repeat (quot size 4) \"some words with 42, \"))", "#\"\\w+\""),
    both("a pattern and words", "#\"\\w+\"", "(apply str (repeat (quot size 4) \"some words with 42, \"))"),
    both("a set and numbers", "(set (range (quot size 8)))", "(vec (range size))"),
    both("numbers and a set", "(vec (range size))", "(set (range (quot size 8)))"),
    both("a map and numbers", "(zipmap (range (quot size 8)) (range))", "(vec (range size))"),
    both("numbers and a map", "(vec (range size))", "(zipmap (range (quot size 8)) (range))"),
    both("a map and pairs", "(zipmap (range (quot size 8)) (range))", "(mapv (fn [n] [n n]) (range (quot size 8)))"),
    both(
        "a sorted map and pairs",
        "(into (sorted-map) (map vector (range (quot size 16)) (range)))",
        "(mapv (fn [n] [n n]) (range (quot size 8)))",
    ),
    both(
        "sets of rows",
        "(set (mapv (fn [n] {:id n :a n}) (range (quot size 32))))",
        "(set (mapv (fn [n] {:id n :b n}) (range (quot size 32))))",
    ),
    both("a function and numbers", "(fn [& xs] (first xs))", "(vec (range size))"),
    both("a function and a map", "(fn [& xs] (first xs))", "(zipmap (range (quot size 8)) (range))"),
    both("a function and a count", "(fn [& xs] (first xs))", "size"),
];

/// Values of which two together ask for far more than either holds, and their names; `size` is the length of the text.
const AMPLIFIERS: &[(&str, &str)] = &[
    ("text", "(apply str (repeat size \"a\"))"),
    ("wide", "(apply str (repeat size \"\u{e9}\"))"),
    ("part", "(apply str (repeat (quot size 8) \"b\"))"),
    ("to-parts", "{\\a part \"a\" part :a part 0 part \\\u{e9} part}"),
    ("a-part", "(fn [& _] part)"),
    ("many-parts", "(vec (repeat size part))"),
    ("rows", "(vec (repeat size {:a part :b [part part]}))"),
    ("a-list", "(fn [& _] many-parts)"),
    ("anything", "#\"\""),
    ("each-a", "#\"(a)\""),
    ("template", "(apply str (repeat (quot size 8) \"$0\"))"),
    ("directives", "(apply str (repeat (quot size 8) \"%1$s\"))"),
    ("levels", "(reduce (fn [inner n] [inner inner part]) 1 (range 60))"),
    ("amount", "1000000000"),
    ("endless", "(repeat part)"),
    ("digits", "(loop [n 3] (if (< (count (str n)) (quot size 8)) (recur (*' n n)) n))"),
];

/// The definitions that [`Called::amplified`] needs, for a text of this many characters.
pub fn amplifiers(size: usize) -> String {
    let defined = AMPLIFIERS.iter().map(|(name, value)| format!("(def {name} {value})"));
    std::iter::once(format!("(def size {size})")).chain(defined).collect::<Vec<_>>().join(" ")
}

impl Huge {
    /// The definitions that the calls need, for values of about `size` elements.
    pub fn given(&self, size: usize) -> String {
        match self.made {
            Made::Within => format!("(def size {size})"),
            _ => format!("(def size {size}) (def x {}) (def y {})", self.x, self.y),
        }
    }

    fn arguments(&self) -> (&'static str, &'static str) {
        if self.made == Made::Within { (self.x, self.y) } else { ("x", "y") }
    }
}

/// Tools that take anything, checked and coerced in several ways: name and signature.
pub const HUGE_TOOLS: &[(&str, Option<&str>)] = &[
    ("plain", None),
    ("any", Some("(x :any, y :any?) -> :any")),
    ("rows", Some("(x [{id :int, a :float, b :string}], y :any?) -> :any")),
    ("text", Some("(x :string, y :any?) -> :any")),
    ("numbers", Some("(x [:float], y [:string]?) -> :any")),
];

/// Calls of [`HUGE_TOOLS`] with huge values of this kind.
pub fn tool_calls(huge: &Huge) -> Vec<String> {
    let (x, y) = huge.arguments();
    let shapes = ["{:x X :y Y}", "{:x [{:x-y X} {:k Y}]}", "X", "X Y", "{X Y}", "{:x {Y X}}"];
    let args = shapes.map(|shape| shape.replace('X', x).replace('Y', y));
    HUGE_TOOLS.iter().flat_map(|(name, _)| args.iter().map(move |args| format!("(tool/{name} {args})"))).collect()
}

/// A function of the table, and how it is called.
pub struct Called {
    /// Its name.
    pub name: &'static str,
    /// Texts of arguments.
    shapes: Vec<Vec<String>>,
}

/// The most shapes of calls per function.
const SHAPES: usize = 4;

/// The function used for each argument that is a function.
const FUNCTION: &str = "(fn [x & more] x)";

/// All functions that programs can call.
pub fn called() -> Vec<Called> {
    let functions = reference().into_iter().filter(|entry| entry.kind == ReferenceKind::Function);
    functions.map(|entry| Called { name: entry.name, shapes: shapes(&entry) }).collect()
}

impl Called {
    /// Its calls with huge values of this kind: one for each place, and one with such values everywhere.
    pub fn calls(&self, huge: &Huge) -> Vec<String> {
        let (x, y) = huge.arguments();
        let mut calls = Vec::new();
        for shape in &self.shapes {
            let everywhere: Vec<&str> = (0..shape.len()).map(|at| if at % 2 == 0 { x } else { y }).collect();
            calls.push(self.call(&everywhere));
            if huge.made == Made::BeforeBoth {
                continue;
            }
            for place in 0..shape.len() {
                let put = |value| {
                    let filled =
                        shape.iter().enumerate().map(|(at, other)| if at == place { value } else { other.as_str() });
                    self.call(&filled.collect::<Vec<_>>())
                };
                calls.push(put(x));
                // For these, the two values of a kind are of different kinds.
                if huge.made == Made::Within || huge.name.starts_with("a text") {
                    calls.push(put(y));
                }
            }
        }
        calls.sort_unstable();
        calls.dedup();
        calls
    }

    /// The calls that a test tries: all of them, or one of every other kind, where `number` is that of the row and
    /// kind.
    pub fn tried(&self, huge: &Huge, number: usize, all: bool) -> Vec<String> {
        match all {
            true => self.calls(huge),
            false if number.is_multiple_of(2) => self.sample(huge, number / 2),
            false => Vec::new(),
        }
    }

    /// Its calls with two values that amplify each other, in each two places.
    pub fn amplified(&self) -> Vec<String> {
        let names = || AMPLIFIERS.iter().map(|(name, _)| *name);
        let mut calls = Vec::new();
        for shape in &self.shapes {
            let places = (0..shape.len()).flat_map(|one| (one + 1..shape.len()).map(move |other| (one, other)));
            for (one, other) in places {
                for (first, second) in names().flat_map(|first| names().map(move |second| (first, second))) {
                    let mut filled: Vec<&str> = shape.iter().map(String::as_str).collect();
                    for (place, name) in [(one, first), (other, second)] {
                        filled.splice(place..=place, [name]);
                    }
                    calls.push(self.call(&filled));
                }
            }
        }
        calls.sort_unstable();
        calls.dedup();
        calls
    }

    /// One of its calls with values of this kind, another one for each `number`.
    pub fn sample(&self, huge: &Huge, number: usize) -> Vec<String> {
        let mut calls = self.calls(huge);
        let chosen = number % calls.len().max(1);
        calls.drain(..).skip(chosen).take(1).collect()
    }

    /// Its calls with a function of the caller instead of every function.
    #[cfg(test)]
    pub fn calls_with(&self, function: &str) -> Vec<String> {
        let with_functions = self.shapes.iter().filter(|shape| shape.iter().any(|arg| arg == FUNCTION));
        let put =
            |shape: &Vec<String>| -> Vec<String> { shape.iter().map(|arg| arg.replace(FUNCTION, function)).collect() };
        with_functions.map(|shape| self.call(&put(shape).iter().map(String::as_str).collect::<Vec<_>>())).collect()
    }

    fn call(&self, args: &[&str]) -> String {
        format!("({}{}{})", self.name, if args.is_empty() { "" } else { " " }, args.join(" "))
    }
}

/// The arguments of the calls in its examples, also with other functions replacing functions; without examples, as many
/// arguments as parameters.
fn shapes(entry: &ReferenceEntry) -> Vec<Vec<String>> {
    let mut shapes: Vec<Vec<String>> = Vec::new();
    // One for each number of arguments, and one with `FUNCTION`.
    let mut add = |shape: Vec<String>| {
        let ours = |shape: &[String]| shape.iter().any(|arg| arg == FUNCTION);
        let known = |other: &Vec<String>| other.len() == shape.len() && ours(other) == ours(&shape);
        if !shapes.iter().any(known) && shapes.len() < SHAPES {
            shapes.push(shape);
        }
    };
    for (program, _) in entry.examples {
        let Ok(parsed) = parse_with(program, ReadLimits::default()) else { continue };
        let mut found = Vec::new();
        parsed.forms.iter().for_each(|form| find(form, program, entry.name, &mut found));
        for args in found {
            let text = |form: &Form| of_form(form, program).to_owned();
            let as_function = |form: &Form| if is_function(form) { FUNCTION.to_owned() } else { text(form) };
            add(args.iter().map(text).collect());
            add(args.iter().map(as_function).collect());
        }
    }
    if shapes.is_empty() {
        shapes.extend(entry.params.iter().map(|params| {
            let names = params.trim_matches(['[', ']']).split_whitespace().filter(|name| *name != "&");
            names.map(|_| "1".to_owned()).collect::<Vec<_>>()
        }));
    }
    shapes
}

/// The arguments of all calls of `name` in the form.
fn find<'f>(form: &'f Form, program: &str, name: &str, found: &mut Vec<&'f [Form]>) {
    let inner: &[Form] = match &form.kind {
        FormKind::List(forms)
        | FormKind::Vector(forms)
        | FormKind::Map(forms)
        | FormKind::Set(forms)
        | FormKind::ShortFn(forms) => forms,
        FormKind::Deref(form) => std::slice::from_ref(form.as_ref()),
        _ => &[],
    };
    if let (FormKind::List(forms), Some((head, args))) = (&form.kind, inner.split_first())
        && forms.len() == inner.len()
        && bare(of_form(head, program)) == bare(name)
    {
        found.push(args);
    }
    inner.iter().for_each(|form| find(form, program, name, found));
}

fn of_form<'p>(form: &Form, program: &'p str) -> &'p str {
    program.get(form.span.start as usize..form.span.end as usize).unwrap_or_default()
}

/// A name without its namespace.
fn bare(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, bare)| if bare.is_empty() { name } else { bare })
}

/// Whether a form is recognisably a function.
fn is_function(form: &Form) -> bool {
    match &form.kind {
        FormKind::Symbol(_) | FormKind::ShortFn(_) | FormKind::Keyword(_) => true,
        FormKind::List(_) => {
            form.call().is_some_and(|(head, _)| ["fn", "comp", "partial", "complement"].contains(&head))
        }
        _ => false,
    }
}
