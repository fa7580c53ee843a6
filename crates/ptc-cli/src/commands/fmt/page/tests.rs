use super::*;

#[test]
fn blocks_of_programs_are_formatted_and_nothing_else() {
    let page = "# Page\n(a\n    b)\n\n- item:\n\n  ```clojure\n  (f  a\n\n  b) ; c\n  ```\n\n```text\n```clojure\n(a  b)\n```\n````clj\n(a  b)\n````\n";
    let (text, left) = formatted_blocks("p.md", page);
    insta::assert_snapshot!(text, @"
    # Page
    (a
        b)

    - item:

      ```clojure
      (f a

         b) ; c
      ```

    ```text
    ```clojure
    (a  b)
    ```
    ````clj
    (a b)
    ````
    ");
    assert_eq!(left, [""; 0]);
    assert_eq!(formatted_blocks("p.md", &text), (text.clone(), Vec::new()));
}

#[test]
fn blocks_that_are_not_programs_stay() {
    let page = "```clojure\n(def a  1\n```\n```clojure\r\n(b\r\nc)\r\n```\r\n```clojure\n(never  closed)";
    let (text, left) = formatted_blocks("p.md", page);
    assert_eq!(text, "```clojure\n(def a  1\n```\n```clojure\r\n(b\r\n c)\r\n```\r\n```clojure\n(never  closed)");
    insta::assert_snapshot!(left.join("\n"), @"p.md:1: this block stays as it is: Unexpected end of input: '(' opened at line 1, column 1 was never closed");
}
