use insta::assert_snapshot;
use proptest::prelude::*;

use super::indentation::{Style, style};
use super::*;
use crate::analyze::forms::special_forms;

/// The formatted text, or what is wrong.
fn check(source: &str) -> String {
    match formatted(source) {
        Ok(text) => {
            law(source, &text);
            text
        }
        Err(problem) => format!("!! {problem}"),
    }
}

/// The texts of the tokens, without blanks at the ends of comments.
fn texts(source: &str) -> Vec<&str> {
    tokens(source).iter().map(|token| source[token.span.start as usize..token.span.end as usize].trim_end()).collect()
}

/// The forms without their places.
fn forms(source: &str) -> String {
    let forms = format!("{:#?}", parse_as_written(source).unwrap().forms);
    let is_place = |line: &&str| ["span: Span", "start: ", "end: "].iter().any(|place| line.trim().starts_with(place));
    forms.lines().filter(|line| !is_place(line)).collect()
}

/// The formatted text is the same program with the same comments, and is formatted.
fn law(source: &str, text: &str) {
    assert_eq!(texts(text), texts(source), "{source}");
    assert_eq!(forms(text), forms(source), "{source}");
    assert_eq!(formatted(text).unwrap(), text, "{source}");
    assert!(text.matches(',').count() <= source.matches(',').count(), "{source}");
}

#[test]
fn blanks_are_one_and_brackets_touch_what_is_inside() {
    assert_snapshot!(check("( +  1\t 2 )"), @"(+ 1 2)");
    assert_snapshot!(check("[ 1 , 2,3 ] #{ 1 }{:a  1,:b 2 , }#( + % 1 )"), @"[1, 2, 3] #{1} {:a 1, :b 2} #(+ % 1)");
    assert_snapshot!(check("' (a)(b)\"c\"d @ x #_ y ^ :m z #'f"), @r#"'(a) (b) "c" d @x #_y ^:m z #'f"#);
    assert_snapshot!(check("(f\n\n  )"), @"(f)");
    assert_snapshot!(check("\n\n(a)\n\n\n\n(b)\n(c)\n\n"), @"
    (a)

    (b)
    (c)
    ");
    assert_eq!(check("\r\n(a\r\nb)\r\n\r\n; c \r\n"), "(a\n b)\n\n; c\n");
    assert_eq!(check(" \n"), "");
}

#[test]
fn lines_are_indented_as_usual() {
    assert_snapshot!(check("
(defn total
\"Sum of all.\"
[orders]
(let [open (filter :open? orders)
sums
(map (fn [o]
(* (:amount o)
(:price o))) open)]
(when (seq sums)
(println \"n\"
(count sums))
(reduce + 0
sums))))
"), @r#"
    (defn total
      "Sum of all."
      [orders]
      (let [open (filter :open? orders)
            sums
            (map (fn [o]
                   (* (:amount o)
                      (:price o))) open)]
        (when (seq sums)
          (println "n"
                   (count sums))
          (reduce + 0
                  sums))))
    "#);
    assert_snapshot!(check("(if a\nb\nc)\n(if a b\nc)\n(cond\na 1\n:else\n2)\n(case x\n:a 1\n2)\n(condp = x\n1 :a\n:b)\n(do (a)\n(b))"), @"
    (if a
      b
      c)
    (if a b
        c)
    (cond
      a 1
      :else
      2)
    (case x
      :a 1
      2)
    (condp = x
      1 :a
      :b)
    (do (a)
        (b))
    ");
}

#[test]
fn calls_and_collections_are_aligned() {
    assert_snapshot!(check("(->> xs\n(map inc)\n(filter\nodd?))\n{:a 1\n:b [1\n2]\n:c {:d\n1}}\n'(1 2\n3)\n(:k\nm)\n#(let [x %]\nx)\n((f) 1\n2)"), @"
    (->> xs
         (map inc)
         (filter
          odd?))
    {:a 1
     :b [1
         2]
     :c {:d
         1}}
    '(1 2
      3)
    (:k
     m)
    #(let [x %]
       x)
    ((f) 1
         2)
    ");
}

#[test]
fn functions_of_several_kinds_have_bodies() {
    assert_snapshot!(check("(letfn [(even [n]\n(odd n))\n(odd [n]\n(even n))]\n(even 2))\n(defn f\n([x]\nx)\n([x y]\ny))\n(try\n(f)\n(catch Exception e\n(g))\n(finally\n(h)))"), @"
    (letfn [(even [n]
              (odd n))
            (odd [n]
              (even n))]
      (even 2))
    (defn f
      ([x]
       x)
      ([x y]
       y))
    (try
      (f)
      (catch Exception e
        (g))
      (finally
        (h)))
    ");
}

#[test]
fn comments_and_texts_stay() {
    assert_snapshot!(check("; one  \n(f ; two\n;; three\na   ; four\nb ;five\n)\n[ ; six\n1\n\n; seven\n]\n(let [a 1]\n; eight\na)#_ ; nine\nx;ten"), @"
    ; one
    (f ; two
     ;; three
     a   ; four
     b ;five
     )
    [; six
     1

     ; seven
     ]
    (let [a 1]
      ; eight
      a) #_; nine
    x ;ten
    ");
    assert_eq!(check("(str \"a  \n  b\" x\ny)"), "(str \"a  \n  b\" x\n     y)\n");
    assert_eq!(check("[1 ; a\n, 2]"), "[1 ; a\n 2]\n");
}

#[test]
fn what_is_not_a_program_is_refused() {
    assert_snapshot!(check("(a\n(b"), @"!! Unexpected end of input: '(' opened at line 2, column 1 was never closed; by the indentation, ')' is missing at the end of line 1 (bracket opened at line 1, column 1)");
    assert_snapshot!(check("(a)\n b)"), @"!! this closing bracket closes nothing at line 2, column 3");
    assert_snapshot!(check("(str “a  b”)"), @r#"!! unexpected character '“' (write strings in straight quotes "...") at line 1, column 6"#);
}

#[test]
fn forms_with_a_body_are_indented_as_such() {
    let plain: Vec<&str> = special_forms()
        .iter()
        .filter(|form| form.template.contains("body") && style(form.name) == Style::Aligned)
        .map(|form| form.name)
        .collect();
    assert_eq!(plain, [""; 0]);
}

/// Scraps that meet in any order.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop::sample::select(vec![
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "#{",
        "#(",
        "#_",
        "#'",
        "##Inf",
        "\"a\n b\"",
        "#\"r\"",
        "\\a",
        "\\(",
        "\\newline",
        "'",
        "@",
        "^:m",
        ";c\n",
        "; d \r\n",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        " ",
        "  ",
        "\t",
        ",",
        "a",
        "b/c",
        "let",
        "letfn",
        "cond",
        ":k",
        "1",
        "-1.5",
        "#date \"2024-01-02\"",
        "é",
        "\u{200B}",
        "\u{A0}",
    ]);
    prop::collection::vec(scrap, 0..40).prop_map(|scraps| scraps.concat())
}

proptest! {
    #[test]
    fn any_program_stays_what_it_is(source in scraps()) {
        // Closed, so that more of them are programs.
        let mut closed = source.clone();
        let mut open: Vec<&str> = Vec::new();
        for token in tokens(&source) {
            match &source[token.span.start as usize..token.span.end as usize] {
                "(" | "#(" => open.push(")"),
                "[" => open.push("]"),
                "{" | "#{" => open.push("}"),
                ")" | "]" | "}" => drop(open.pop()),
                _ => {}
            }
        }
        closed.push('\n');
        open.iter().rev().for_each(|closer| closed.push_str(closer));
        for source in [source, closed] {
            if let Ok(text) = formatted(&source) {
                law(&source, &text);
            }
        }
    }
}
