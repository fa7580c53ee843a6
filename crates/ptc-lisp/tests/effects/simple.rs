//! Programs that only look at data and act on it.

use super::Writer;

impl Writer<'_, '_> {
    /// A form of such a program.
    pub(super) fn simple_form(&mut self) -> String {
        match self.choices.below(4) {
            0 => format!("(def g0 {})", self.simple_coll(3)),
            1 => {
                let body = self.with_local("x", |writer| writer.simple(3));
                let f = self.fresh();
                format!("(defn {f} [x] {body}) (run! {f} {})", self.simple_coll(2))
            }
            _ => self.simple(4),
        }
    }

    fn simple(&mut self, depth: usize) -> String {
        if depth == 0 {
            return format!("(tool/{} {})", self.tool(), if self.locals.is_empty() { "1" } else { "x" });
        }
        let d = depth - 1;
        match self.choices.below(13) {
            0 | 1 => format!("(tool/{} {{:v {}}})", self.tool(), self.simple(d)),
            2 => format!("(if data/n {} {})", self.simple(d), self.simple(d)),
            3 | 4 => {
                let xs = self.simple_coll(d);
                let body = self.with_local("x", |writer| writer.simple(d));
                format!("({} [x {xs}] {body})", self.choices.one(&["doseq", "for"]))
            }
            5 | 6 => {
                let xs = self.simple_coll(d);
                let body = self.with_local("x", |writer| writer.simple(d));
                format!(
                    "({} (fn [x] {body}) {xs})",
                    self.choices.one(&["map", "mapv", "pmap", "run!", "filter", "group-by"])
                )
            }
            7 => {
                let body = self.with_local("x", |writer| writer.simple(d));
                format!("(dotimes [x {}] {body})", self.choices.one(&["3", "(count data/xs)"]))
            }
            8 => {
                let xs = self.simple_coll(d);
                let body = self.with_local("x", |writer| writer.simple(d));
                format!("(reduce (fn [acc x] (conj acc {body})) [] {xs})")
            }
            9 => format!("(let [x {}] {})", self.simple(d), self.with_local("x", |writer| writer.simple(d))),
            10 => format!("(->> {} (filter odd?) (map #(tool/{} %)))", self.simple_coll(d), self.tool()),
            11 => format!("(try {} (catch Exception e {}))", self.simple(d), self.simple(d)),
            _ => format!("(let [f (fn [x] {})] (f 1))", self.with_local("x", |writer| writer.simple(d))),
        }
    }

    fn simple_coll(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.choices.one(&["data/xs", "data/ys", "data/zs", "[1 2]"]).to_owned();
        }
        let d = depth - 1;
        match self.choices.below(6) {
            0 => format!("(filter some? {})", self.simple_coll(d)),
            1 => format!("(take 2 {})", self.simple_coll(d)),
            2 => format!("(concat {} {})", self.simple_coll(d), self.simple_coll(d)),
            3 => format!("(sort-by str {})", self.simple_coll(d)),
            4 => "(range 3)".to_owned(),
            _ => format!("(rest {})", self.simple_coll(d)),
        }
    }
}
