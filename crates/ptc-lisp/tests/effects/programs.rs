//! Random programs that call tools in every style the language has.

#[path = "simple.rs"]
mod simple;

/// The tools of the host; `kept` is answered from the cache.
pub const TOOLS: [&str; 6] = ["a", "three", "none", "fails", "two", "kept"];

/// Nesting of expressions.
const DEPTH: usize = 6;

/// Which constructs programs use.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Style {
    Any,
    /// Those of programs that only look at data and act on it.
    Simple,
}

/// Numbers that decide what comes next; when they are used up, the simplest does.
pub struct Choices<'c> {
    numbers: std::slice::Iter<'c, u16>,
    names: usize,
}

impl<'c> Choices<'c> {
    pub fn of(numbers: &'c [u16]) -> Choices<'c> {
        Choices { numbers: numbers.iter(), names: 0 }
    }

    fn below(&mut self, count: usize) -> usize {
        self.numbers.next().map_or(0, |number| usize::from(*number) % count)
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of.get(self.below(of.len())).copied().unwrap_or_default()
    }
}

/// A program of a few forms.
pub fn program(choices: &mut Choices<'_>, style: Style) -> String {
    let mut writer = Writer { choices, style, locals: Vec::new() };
    let forms: Vec<String> = (0..1 + writer.choices.below(4)).map(|_| writer.form()).collect();
    forms.join("\n")
}

struct Writer<'w, 'c> {
    choices: &'w mut Choices<'c>,
    style: Style,
    locals: Vec<String>,
}

impl Writer<'_, '_> {
    /// A form of the program: a definition or an expression.
    fn form(&mut self) -> String {
        if self.style == Style::Simple {
            return self.simple_form();
        }
        let global = self.choices.one(&["g0", "g1", "g2"]);
        let function = self.choices.one(&["h0", "h1", "h2"]);
        match self.choices.below(15) {
            0 => format!("(def {global} {})", self.expr(DEPTH - 1)),
            1 => format!("(def {global} {})", self.function(DEPTH - 1)),
            2 => format!("(def {global} {})", self.coll(DEPTH - 1)),
            3 => {
                let body = self.with_local("x", |writer| writer.expr(DEPTH - 1));
                format!("(defn {function} [x & more] {body})")
            }
            4 => {
                let (one, other) = (self.expr(DEPTH - 2), self.with_local("x", |writer| writer.expr(DEPTH - 2)));
                format!("(defn {function} ([] {one}) ([x] {other}))")
            }
            5 => format!("(defonce {} {})", self.choices.one(&["g0", "new0"]), self.expr(DEPTH - 1)),
            8 => match self.choices.below(4) {
                0 => format!("(def g0 (delay {}))", self.expr(DEPTH - 2)),
                1 => format!("(def g1 (lazy-seq [{} {}]))", self.expr(DEPTH - 2), self.expr(DEPTH - 2)),
                2 => format!("(def g1 (map {} (lazy-seq {})))", self.function(DEPTH - 2), self.coll(DEPTH - 2)),
                _ => format!("(def g1 (iterate {} 1)) (first g1)", self.function(DEPTH - 2)),
            },
            9 => format!("(defn {function} [& _] (def g1 {}) nil)", self.coll(2)),
            10 => {
                let (one, other, f) = (self.coll(2), self.coll(2), self.function(DEPTH - 2));
                let between = match self.choices.below(4) {
                    3 => format!("(sort {function} [1 2 3])"),
                    0 => format!("({function} 1)"),
                    1 => format!("(when {} (def g1 {other}))", self.expr(1)),
                    _ => format!("(def g1 {other})"),
                };
                format!("(def g1 {one}) {between} (run! {f} g1)")
            }
            6 | 7 => {
                let made = match self.choices.below(3) {
                    0 => "(atom identity)".to_owned(),
                    _ => self.function(DEPTH - 2),
                };
                let body = self.with_local("f", |writer| writer.with_local("x", |writer| writer.expr(DEPTH - 2)));
                format!("(let [f {made}] (defn {function} [x] {body}))")
            }
            // Small ones, too: there nothing hides what one call does.
            _ => {
                let depth = 2 + self.choices.below(DEPTH - 1);
                self.expr(depth)
            }
        }
    }

    fn with_local(&mut self, name: &str, write: impl FnOnce(&mut Self) -> String) -> String {
        self.locals.push(name.to_owned());
        let text = write(self);
        self.locals.pop();
        text
    }

    fn fresh(&mut self) -> String {
        self.choices.names += 1;
        format!("v{}", self.choices.names % 7)
    }

    fn known(&mut self) -> String {
        let globals = ["g0", "g1", "g2", "h0", "h1", "h2"];
        let count = self.locals.len();
        match self.choices.below(count + 2) {
            0 => "1".to_owned(),
            1 => self.choices.one(&globals).to_owned(),
            at => self.locals.get(at - 2).cloned().unwrap_or_default(),
        }
    }

    fn tool(&mut self) -> &'static str {
        self.choices.one(&TOOLS)
    }

    /// Any expression.
    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.choices.below(4) {
                0 => self
                    .choices
                    .one(&["1", "nil", ":k", "data/n", "true", "*1", "*2", "@at0", "@at1", "data/fail"])
                    .to_owned(),
                1 => format!("(tool/{} {})", self.tool(), self.known()),
                _ => self.known(),
            };
        }
        let d = depth - 1;
        match self.choices.below(12) {
            0 | 1 => format!("(tool/{} {})", self.tool(), self.expr(d)),
            2 => self.known(),
            3 => self.call(d),
            4 | 5 => self.pass(d),
            6 => self.control(d),
            7 => self.binding(d),
            8 => self.cell(d),
            9 => self.lazy(d),
            10 => self.structure(d),
            _ => self.coll(d),
        }
    }

    /// A call of a function that is computed.
    fn call(&mut self, d: usize) -> String {
        let f = self.function(d);
        match self.choices.below(14) {
            0 | 1 => format!("({f} {})", self.expr(d)),
            2 => format!("({f})"),
            3 => format!("(apply {f} {})", self.coll(d)),
            4 => format!("(apply {f} {} {})", self.expr(d), self.coll(d)),
            5 => format!("(({f} {}) {})", self.expr(d), self.expr(d)),
            6 => format!("(trampoline {f} {})", self.expr(d)),
            7 => format!("(-> {} {f})", self.expr(d)),
            8 => format!("(->> {} (map {f}) (filter {}))", self.coll(d), self.function(d)),
            9 => format!("(some-> {} ({}) {f})", self.expr(d), self.function(d)),
            10 => format!("(cond-> {} {} ({f}))", self.expr(d), self.expr(d)),
            11 => format!("(doto {} ({f}))", self.expr(d)),
            12 => format!("(as-> {} it ({f} it) (tool/a it))", self.expr(d)),
            _ => format!("({f} {} {})", self.function(d), self.expr(d)),
        }
    }

    /// A call of a function for the elements of a collection, or as often.
    #[expect(clippy::too_many_lines, reason = "one arm for each kind of pass")]
    fn pass(&mut self, d: usize) -> String {
        let (f, xs) = (self.function(d), self.coll(d));
        let x = self.fresh();
        match self.choices.below(45) {
            0 => {
                let over = self.choices.one(&["map", "mapv", "pmap", "filter", "filterv", "remove", "keep", "mapcat"]);
                format!("({over} {f} {xs})")
            }
            1 => {
                let over = self.choices.one(&["run!", "some", "every?", "not-any?", "not-every?", "group-by"]);
                format!("({over} {f} {xs})")
            }
            2 => {
                let over = self.choices.one(&["sort-by", "distinct-by", "partition-by", "take-while", "drop-while"]);
                format!("({over} {f} {xs})")
            }
            3 => {
                let over = self.choices.one(&["split-with", "pluck", "sum-by", "avg-by", "min-by", "max-by", "find"]);
                format!("({over} {f} {xs})")
            }
            4 => {
                let over = self.choices.one(&["map-indexed", "keep-indexed", "reduce", "reductions"]);
                format!("({over} {f} {})", if self.choices.below(3) == 0 { "data/zs" } else { &xs })
            }
            5 => format!("({} {f} {} {xs})", self.choices.one(&["reduce", "reductions"]), self.expr(d)),
            6 => format!("({} {f} {xs} {})", self.choices.one(&["map", "mapv", "pmap", "mapcat"]), self.coll(d)),
            7 => {
                format!("(reduce-kv {f} {} {})", self.expr(d), self.choices.one(&["data/m", "{:k 1}", "[1 2]", "nil"]))
            }
            8 => format!("({} {{:k 1 :j 2}} {f})", self.choices.one(&["update-vals", "update-keys"])),
            9 => format!("({} {{:k 1}} {} {f})", "update", self.choices.one(&[":k", ":j"])),
            10 => format!("(update-in {{:k {{:j 1}}}} [:k :j] {f} {})", self.expr(d)),
            11 => format!("(sort {f} {xs})"),
            12 => format!("(sort-by {f} {} {xs})", self.function(d)),
            13 => format!("({} {f} {})", self.choices.one(&["max-key", "min-key"]), self.expr(d)),
            14 => format!("(apply {} {f} {xs})", self.choices.one(&["max-key", "map", "comp", "juxt", "partial"])),
            15 => format!("(repeatedly {} {f})", self.choices.one(&["3", "data/n", "(count data/xs)"])),
            16 => format!("(take {} ({} {f} {}))", self.choices.one(&["2", "data/n"]), "iterate", self.expr(d)),
            17 => format!("(take 3 (repeatedly (fn [] {})))", self.expr(d)),
            18 => {
                format!(
                    "(into [] ({} {f}) {xs})",
                    self.choices.one(&["map", "partition-by", "filter", "mapcat", "keep", "take-while"])
                )
            }
            19 => format!("(transduce (map {f}) {} [] {xs})", self.choices.one(&["conj", "tool/a"])),
            20 => {
                let step =
                    self.choices.one(&["(map identity)", "(mapcat (fn [x & _] [x x]))", "(keep identity)", "cat"]);
                let over = self.choices.one(&["sequence", "eduction", "into []"]);
                let more = if over == "sequence" { self.choices.one(&["", "(iterate inc 0)", "[1 2]"]) } else { "" };
                format!("({over} (comp {step} (map {f}) (filter {})) {more} {xs})", self.function(d))
            }
            21 => format!("(pcalls {f} (fn [] {}))", self.expr(d)),
            22 => format!("({} #{{1 2}} {f})", self.choices.one(&["walk/postwalk-replace", "map", "set/select"])),
            23 => format!("({} {f} {})", self.choices.one(&["postwalk", "prewalk"]), self.expr(d)),
            24 => format!("(merge-with {f} {{:k 1}} {{:k 2}})"),
            25 => format!("(tree-seq {f} {} {})", self.function(d), self.expr(d)),
            26 => format!("(into (sorted-set-by {f}) {xs})"),
            27 => format!("(iteration {f} :initk {})", self.expr(d)),
            28 => format!("(replace {{1 {f}}} {xs})"),
            29 | 30 => {
                let body = self.with_local(&x, |writer| writer.expr(d));
                format!("(doseq [{x} {xs}] {body})")
            }
            31 | 32 => {
                let body = self.with_local(&x, |writer| writer.expr(d));
                let test = self.with_local(&x, |writer| writer.expr(d.saturating_sub(1)));
                format!("(for [{x} {xs} {} {test}] {body})", self.choices.one(&[":when", ":while"]))
            }
            33 => {
                let (y, more) = (self.fresh(), self.with_local(&x, |writer| writer.coll(d)));
                let body = self.with_local(&x, |writer| writer.with_local(&y, |writer| writer.expr(d)));
                format!("({} [{x} {xs} {y} {more}] {body})", self.choices.one(&["for", "doseq"]))
            }
            34 | 35 => {
                let body = self.with_local(&x, |writer| writer.expr(d));
                let count = self.choices.one(&["3", "0", "data/n", "(count data/xs)", "(count g1)", "(tool/two)"]);
                format!("(dotimes [{x} {count}] {body})")
            }
            36 | 41 | 42 => {
                let body = self.with_local(&x, |writer| writer.expr(d));
                let test = self.choices.one(&["(< i 3)", "(< i 3)", "(< i (count data/xs))", "(<= i 2)", "(not= i 3)"]);
                let next = self.choices.one(&[
                    "(inc i)",
                    "(inc i)",
                    "(+ i 1)",
                    "(if data/n (inc i) 0)",
                    "(if (tool/two) i (inc i))",
                    "i",
                ]);
                let init = self.choices.one(&["0", "1", "-1"]);
                format!("(loop [i {init} {x} {}] (when {test} {body} (recur {next} {})))", self.expr(d), self.expr(d))
            }
            37 | 43 | 44 => {
                let body = self.with_local("xs", |writer| writer.expr(d));
                let test = self.choices.one(&["(seq xs)", "(first xs)", "(empty? xs)", "(not (empty? xs))"]);
                let next = self.choices.one(&["(rest xs)", "(rest xs)", "(next xs)", "(rest (rest xs))", "xs"]);
                let (one, other) = (format!("(do {body} (recur {next}))"), self.expr(d));
                let (one, other) = if test == "(empty? xs)" { (other, one) } else { (one, other) };
                format!("(loop [xs {xs}] (if {test} {one} {other}))")
            }
            38 => {
                let body = self.expr(d);
                format!("(let [n (atom 0)] (while (< @n 3) (swap! n inc) {body}))")
            }
            39 => {
                let body = self.with_local("n", |writer| writer.expr(d));
                let end = self.expr(d);
                format!("((fn self [n] (if (and (number? n) (pos? n)) (do {body} (self (dec n))) {end})) 3)")
            }
            _ => {
                let (one, other) = (self.with_local("x", |writer| writer.expr(d)), self.expr(d));
                let call = self.choices.one(&["(p 1)", "(map q [1 2])", "(q 2)", "[p q]", "(p q)"]);
                format!("(letfn [(p [x] {one}) (q [x] (if (= x 2) (p x) {other}))] {call})")
            }
        }
    }

    /// Branches, blocks and errors.
    fn control(&mut self, d: usize) -> String {
        match self.choices.below(15) {
            0 | 1 => format!("(if {} {} {})", self.expr(d), self.expr(d), self.expr(d)),
            2 => format!("(when {} {} {})", self.expr(d), self.expr(d), self.expr(d)),
            3 => format!("(do {} {})", self.expr(d), self.expr(d)),
            4 => format!("({} {} {})", self.choices.one(&["and", "or", "vector", "="]), self.expr(d), self.expr(d)),
            5 => format!(
                "(cond {} {} {} {} :else {})",
                self.expr(d),
                self.expr(d),
                self.expr(d),
                self.expr(d),
                self.expr(d)
            ),
            6 => format!("(case {} 1 {} :k {} {})", self.expr(d), self.expr(d), self.expr(d), self.expr(d)),
            7 | 8 => format!("(try {} (catch Exception e {}) (finally {}))", self.expr(d), self.expr(d), self.expr(d)),
            9 => format!("(try {} {} (catch Exception e (ex-data e)))", self.expr(d), self.expr(d)),
            10 => format!(
                "(try (throw (ex-info \"x\" {{:f {}}})) (catch Exception e ((:f (ex-data e)) {})))",
                self.function(d),
                self.expr(d)
            ),
            11 => format!("(task \"{}\" {})", self.choices.one(&["t", "u"]), self.expr(d)),
            12 => format!("((task \"f\" {}) {})", self.function(d), self.expr(d)),
            13 => format!(
                "({} {})",
                self.choices.one(&["return", "fail", "time", "with-out-str", "identity"]),
                self.expr(d)
            ),
            _ => format!(
                "(if-let [y {}] {} {})",
                self.expr(d),
                self.with_local("y", |writer| writer.expr(d)),
                self.expr(d)
            ),
        }
    }

    /// Names for values, and patterns that take them apart.
    fn binding(&mut self, d: usize) -> String {
        let x = self.fresh();
        match self.choices.below(9) {
            0 | 1 => {
                let value = self.expr(d);
                format!("(let [{x} {value}] {})", self.with_local(&x, |writer| writer.expr(d)))
            }
            2 | 3 => {
                let value = self.function(d);
                format!("(let [{x} {value}] {})", self.with_local(&x, |writer| writer.expr(d)))
            }
            4 => {
                let value = self.coll(d);
                format!("(let [{x} {value}] {})", self.with_local(&x, |writer| writer.expr(d)))
            }
            5 => {
                let (default, value) =
                    (self.expr(d), self.choices.one(&["{:k 2}", "nil", "(tool/a {:v {:k tool/three}})"]));
                format!(
                    "(let [{{:keys [{x}] :or {{{x} {default}}}}} {value}] {})",
                    self.with_local(&x, |writer| writer.expr(d))
                )
            }
            6 => {
                let value = self.coll(d);
                format!("(let [[{x} & {x}s] {value}] {})", self.with_local(&x, |writer| writer.expr(d)))
            }
            7 => {
                let value = self.expr(d);
                format!("(do (def {} {value}) {})", self.choices.one(&["g0", "g1", "h0"]), self.expr(d))
            }
            _ => {
                format!("(when {} (def {} {}))", self.expr(d), self.choices.one(&["g1", "h1", "h2"]), self.function(d))
            }
        }
    }

    /// Cells, and what is in them.
    fn cell(&mut self, d: usize) -> String {
        let at = self.choices.one(&["at0", "at1", "at2"]);
        match self.choices.below(11) {
            9 => format!("({} {})", self.choices.one(&["@at2", "g2", "(first [@at2])", "h1"]), self.function(d)),
            10 => "(reset! at2 (fn [f & _] (if (fn? f) (f 1) f)))".to_owned(),
            0 => format!("(swap! {at} {})", self.function(d)),
            1 => format!("(swap! {at} {} {})", self.function(d), self.expr(d)),
            2 => format!("(reset! {at} {})", self.function(d)),
            3 => format!("(reset! {at} {})", self.expr(d)),
            4 | 5 => format!("(@{at} {})", self.expr(d)),
            6 => format!("(force (delay {}))", self.expr(d)),
            7 => format!("(let [w (delay {})] (try @w (catch Exception e 1)) @w)", self.expr(d)),
            _ => format!(
                "(swap! {at} (fn [o] (swap! {} (fn [p] {})) {}))",
                self.choices.one(&["at0", "at1"]),
                self.expr(d),
                self.expr(d)
            ),
        }
    }

    /// Sequences that are realised later, in part, or twice.
    fn lazy(&mut self, d: usize) -> String {
        let x = self.fresh();
        match self.choices.below(8) {
            0 => format!("(lazy-seq [{} {}])", self.expr(d), self.expr(d)),
            1 => format!("(lazy-cat {} {})", self.coll(d), self.coll(d)),
            2 => format!("(let [l (map {} (iterate inc 0))] (first l) (take 3 l))", self.function(d)),
            3 => {
                let f = self.function(d);
                format!(
                    "(let [l (map {f} (lazy-seq {}))] (try (doall l) (catch Exception e 1)) (doall l))",
                    self.coll(d)
                )
            }
            4 => format!("(map {} (lazy-seq {}))", self.function(d), self.coll(d)),
            5 => {
                let body = self.with_local(&x, |writer| writer.expr(d));
                format!("(for [{x} (lazy-seq {})] {body})", self.coll(d))
            }
            6 => format!("(def g1 (map {} (lazy-seq {})))", self.function(d), self.coll(d)),
            _ => format!("(def g0 (delay {}))", self.expr(d)),
        }
    }

    /// Functions in structures, and taken out of them.
    fn structure(&mut self, d: usize) -> String {
        match self.choices.below(11) {
            8 => {
                let over =
                    self.choices.one(&["map", "mapv", "keep", "reductions", "pmap", "(fn [f xs] [(apply f xs)])"]);
                format!("((first ({over} (fn [n & _] {}) {})) {})", self.function(d), self.coll(d), self.expr(d))
            }
            9 => format!("((update {{:k 1}} :k (fn [n & _] {})) :k)", self.function(d)),
            10 => format!("((reduce (fn [n & _] {}) nil {}) {})", self.function(d), self.coll(d), self.expr(d)),
            0 => format!("((:f {{:f {}}}) {})", self.function(d), self.expr(d)),
            1 => format!("((first [{}]) {})", self.function(d), self.expr(d)),
            2 => format!("((get {{:f {}}} :f {}) {})", self.function(d), self.function(d), self.expr(d)),
            3 => format!("{{:f {} :k {}}}", self.function(d), self.expr(d)),
            4 => format!("(map (fn [f] (f {})) [{} {}])", self.expr(d), self.function(d), self.function(d)),
            5 => format!("((:f (tool/a {{:v {{:f {}}}}})) {})", self.function(d), self.expr(d)),
            6 => format!("((assoc {{}} :k {}) :k)", self.function(d)),
            _ => format!("[{} {}]", self.function(d), self.expr(d)),
        }
    }

    /// A function, mostly.
    fn function(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.choices.below(4) {
                0 => self.choices.one(&["inc", "identity", ":k", "vector", "#'h0", "#'g2", "apply", "map"]).to_owned(),
                1 => self.known(),
                _ => format!("tool/{}", self.tool()),
            };
        }
        let d = depth - 1;
        let x = self.fresh();
        match self.choices.below(18) {
            0 | 1 => format!("tool/{}", self.tool()),
            2..=5 => format!("(fn [{x} & more] {})", self.with_local(&x, |writer| writer.expr(d))),
            6 => format!("(fn ([] {}) ([{x}] {}))", self.expr(d), self.with_local(&x, |writer| writer.expr(d))),
            7 => format!("#(tool/{} %&)", self.tool()),
            8 => self.known(),
            9 => format!(
                "({} {} {})",
                self.choices.one(&["comp", "juxt", "every-pred", "some-fn"]),
                self.function(d),
                self.function(d)
            ),
            10 => format!(
                "({} {})",
                self.choices.one(&["memoize", "complement", "partial", "constantly", "comparator"]),
                self.function(d)
            ),
            11 => format!("(partial {} {})", self.function(d), self.expr(d)),
            12 => format!("(fnil {} {})", self.function(d), self.expr(d)),
            13 => format!("(if {} {} {})", self.expr(d), self.function(d), self.function(d)),
            14 => format!("(fn [{x} & more] {})", self.with_local(&x, |writer| writer.function(d))),
            15 => format!("(let [{x} {}] {})", self.function(d), self.with_local(&x, |writer| writer.function(d))),
            16 => self
                .choices
                .one(&[
                    "#'h1",
                    "(var h2)",
                    "@at2",
                    "*1",
                    "(fn [f & _] (if (fn? f) (f 1) f))",
                    "(fn [n & _] (when (number? n) (h0 (dec n))))",
                ])
                .to_owned(),
            _ => format!(
                "(fn [n & _] (if (and (number? n) (pos? n)) (do {} (recur (dec n) nil)) {}))",
                self.expr(d),
                self.expr(d)
            ),
        }
    }

    /// A collection, mostly.
    #[expect(clippy::too_many_lines, reason = "one arm for each kind of collection")]
    fn coll(&mut self, depth: usize) -> String {
        const EAGER: [&str; 10] =
            ["data/xs", "data/ys", "data/zs", "[1 2]", "(range 3)", "data/m", "data/s", "g1", "nil", "#{1 2}"];
        if depth == 0 {
            return match self.choices.below(6) {
                0 => self.choices.one(&["(range)", "[[1] [2]]"]).to_owned(),
                _ => self.choices.one(&EAGER).to_owned(),
            };
        }
        let d = depth - 1;
        match self.choices.below(19) {
            0..=2 => self.choices.one(&EAGER).to_owned(),
            3 => "g1".to_owned(),
            4 => format!("[{} {}]", self.expr(d), self.expr(d)),
            5 => format!("(tool/three {})", self.expr(d)),
            6 => format!(
                "({} {} {})",
                self.choices.one(&["map", "filter", "keep", "mapcat"]),
                self.function(d),
                self.coll(d)
            ),
            7 => {
                let of = self.choices.one(&[
                    "rest",
                    "reverse",
                    "distinct",
                    "seq",
                    "set",
                    "vec",
                    "keys",
                    "vals",
                    "sort",
                    "butlast",
                    "frequencies",
                ]);
                format!("({of} {})", self.coll(d))
            }
            8 => format!(
                "({} {} {})",
                self.choices.one(&["take", "drop", "take-last", "partition", "partition-all", "repeat"]),
                self.choices.one(&["2", "data/n", "1"]),
                self.coll(d)
            ),
            9 => format!(
                "({} {} {})",
                self.choices.one(&["concat", "into", "zipmap", "interleave", "merge"]),
                self.coll(d),
                self.coll(d)
            ),
            10 => format!(
                "(range {})",
                self.choices.one(&[
                    "3",
                    "data/n",
                    "(count data/xs)",
                    "-2",
                    "1 4",
                    "-2 2",
                    "0 6 2",
                    "4 0 -1",
                    "(tool/two)"
                ])
            ),
            11 => format!("(lazy-seq {})", self.coll(d)),
            12 => self.known(),
            13 => format!("(take 3 (iterate {} {}))", self.function(d), self.expr(d)),
            14 => format!("(str {})", self.expr(d)),
            15 => {
                let twice = self.choices.one(&[
                    "(mapcat (fn [x & _] [x x])",
                    "(into [] (mapcat (fn [x & _] [x x]))",
                    "(interleave [1 2]",
                ]);
                format!("{twice} {})", self.coll(d))
            }
            17 => self
                .choices
                .one(&[
                    "(:rows data/r)",
                    "(get-in data/r [:in :xs])",
                    "(:xs (:in data/r))",
                    "(get data/r :in)",
                    "(:none data/r)",
                ])
                .to_owned(),
            16 => format!("(for [p {} q {}] [p q])", self.coll(d), self.coll(d)),
            _ => format!("(some identity [{} {}])", self.coll(d), self.coll(d)),
        }
    }
}
