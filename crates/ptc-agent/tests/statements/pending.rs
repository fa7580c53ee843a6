//! Statements that are written for what is being built; each moves to the table of its section once it holds.

use crate::proof::Expect::{Returns, Shows};
use crate::proof::Proof::{Fails, Gives, Run};
use crate::{Statement, row};

pub(crate) const STATEMENTS: &[Statement] = &[
    // Integers of any size in bit functions, and arithmetic that wraps: table `language`.
    row(
        "also in `bit-and`, `bit-or`, `bit-xor`, `bit-not`",
        &[
            Gives("(bit-and 18446744073709551615 255)", "255"),
            Gives("(bit-or 18446744073709551616 1)", "18446744073709551617"),
            Gives("(bit-xor 0xcbf29ce484222325 97)", "14695981039346656196"),
            Gives("(bit-not 18446744073709551615)", "-18446744073709551616"),
        ],
    ),
    row(
        "`unchecked-add` and `unchecked-multiply` wrap there",
        &[
            Gives("(unchecked-add 9223372036854775807 1)", "-9223372036854775808"),
            Gives("(unchecked-multiply 9223372036854775807 2)", "-2"),
        ],
    ),
    row("`Long/bitCount`", &[Gives("(Long/bitCount 255)", "8")]),
    // Dates as java.time has them: table `language`.
    row(
        "Dates as in java.time: `LocalDate`, `LocalDateTime`, `ZonedDateTime`, `YearMonth`, `Instant`, `Duration`, `Period`, `ChronoUnit/DAYS`, `DateTimeFormatter/ofPattern`, `DayOfWeek/MONDAY`",
        &[
            Gives(r#"(str (.toLocalDate (LocalDateTime/parse "2024-03-01T10:00")))"#, r#""2024-03-01""#),
            Gives(r#"(str (.toLocalDate (ZonedDateTime/parse "2024-03-01T10:00+01:00[Europe/Oslo]")))"#, r#""2024-03-01""#),
            Gives("(str (YearMonth/of 2024 3))", r#""2024-03""#),
            Gives(r#"(.toEpochMilli (Instant/parse "1970-01-01T00:00:01Z"))"#, "1000"),
            Gives(
                r#"(.toMillis (Duration/between (Instant/parse "1970-01-01T00:00:01Z") (Instant/parse "1970-01-01T00:00:02Z")))"#,
                "1000",
            ),
            Gives("(.getDays (Period/between (LocalDate/of 2024 3 1) (LocalDate/of 2024 3 4)))", "3"),
            Gives("(.between ChronoUnit/DAYS (LocalDate/of 2024 2 28) (LocalDate/of 2024 3 1))", "2"),
            Gives(r#"(.format (LocalDate/of 2024 3 1) (DateTimeFormatter/ofPattern "dd.MM.yyyy"))"#, r#""01.03.2024""#),
        ],
    ),
    row("`.getDayOfWeek`", &[Gives("(= DayOfWeek/MONDAY (.getDayOfWeek (LocalDate/of 2024 3 4)))", "true")]),
    row("in collections one prints as `#date \"2024-03-01\"`", &[Gives("[(LocalDate/of 2024 3 1)]", "[#date \"2024-03-01\"]")]),
    // Looking up what exists: table `language`.
    row(
        "`(doc map)` and `(apropos \"date\")` print what exists",
        &[Run(&[r#"(doc map) (apropos "date")"#, "(return 1)"], &[Shows(2, "map"), Shows(2, "LocalDate"), Returns("1")])],
    ),
    // Patterns are checked before anything runs: table `language`, beside the row that says what they lack.
    row("Patterns have no look-around and no back-references", &[Fails(r#"(defn f [s] (re-find #"(?=a)a" s))"#, "look-ahead")]),
    // What the loop shows: table `turns`.
    row(
        "Long output is cut, often at 2,000 characters or 15 prints a turn, and a line says what is missing",
        &[Run(
            &["(println \"first\") (doseq [n (range 300)] (println \"line\" n \"of many, to be cut\"))", "(return 1)"],
            &[Shows(2, "more"), Returns("1")],
        )],
    ),
    row(
        "its prints are shown",
        &[Run(&["(println \"before it\") (+ 1 nil)", "(return 1)"], &[Shows(2, "Output before the error:\nbefore it"), Returns("1")])],
    ),
];
