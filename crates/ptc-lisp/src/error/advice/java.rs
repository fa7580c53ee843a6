//! Methods, members and classes of Java that programs of Clojure use, and how to write the same here.

use super::Rows;

/// Methods, without their dots; those that other languages have as functions with the same use are among the bare
/// names.
pub(crate) const METHODS: Rows = &[
    // Dates.
    ("with", "(.withDayOfMonth d 1) or (.withDayOfMonth d (.lengthOfMonth d))"),
    // Strings.
    ("split", "(str/split s #\"pattern\")"),
    ("replaceAll", "(str/replace s #\"pattern\" new)"),
    ("concat", "(str a b)"),
    ("repeat", "(apply str (repeat n s))"),
    ("matches", "(boolean (re-matches #\"pattern\" s))"),
    // Numbers and maps.
    ("pow", "(reduce * (repeat n x))"),
    ("intValue longValue", "(int x)"),
    ("doubleValue floatValue", "(double x)"),
    ("containsKey", "(contains? m key)"),
    ("keySet", "(keys m)"),
    ("getKey", "(key entry)"),
    ("getCause", "(ex-cause e)"),
];

/// Functions and constants of classes.
pub(crate) const MEMBERS: Rows = &[
    ("TemporalAdjusters/firstDayOfMonth", "(.withDayOfMonth d 1)"),
    ("TemporalAdjusters/lastDayOfMonth", "(.withDayOfMonth d (.lengthOfMonth d))"),
    ("TemporalAdjusters/firstDayOfNextMonth", "(.plusMonths (.withDayOfMonth d 1) 1)"),
    ("TemporalAdjusters/firstDayOfYear", "(.withDayOfYear d 1)"),
    ("TemporalAdjusters/lastDayOfYear", "(.withDayOfYear d (.lengthOfYear d))"),
    (
        "TemporalAdjusters/next",
        "(first (filter #(= DayOfWeek/MONDAY (.getDayOfWeek %)) (rest (iterate #(.plusDays % 1) d))))",
    ),
    (
        "TemporalAdjusters/nextOrSame",
        "(first (filter #(= DayOfWeek/MONDAY (.getDayOfWeek %)) (iterate #(.plusDays % 1) d)))",
    ),
    (
        "TemporalAdjusters/previous",
        "(first (filter #(= DayOfWeek/MONDAY (.getDayOfWeek %)) (rest (iterate #(.minusDays % 1) d))))",
    ),
    (
        "TemporalAdjusters/previousOrSame",
        "(first (filter #(= DayOfWeek/MONDAY (.getDayOfWeek %)) (iterate #(.minusDays % 1) d)))",
    ),
    ("ChronoField/DAY_OF_WEEK", "(.getValue (.getDayOfWeek d))"),
    ("WeekFields/ISO", "(.get d IsoFields/WEEK_OF_WEEK_BASED_YEAR)"),
    ("Year/of", "(LocalDate/of year 1 1)"),
    ("Locale/getDefault", "Locale/US"),
    ("Character/digit Character/getNumericValue", "(parse-long (str c))"),
    ("Character/toUpperCase", "(upper-case c)"),
    ("Character/toLowerCase", "(lower-case c)"),
    ("Pattern/compile java.util.regex.Pattern/compile", "(re-pattern s)"),
    ("Pattern/matches java.util.regex.Pattern/matches", "(boolean (re-matches re s))"),
    ("Double/isNaN", "(NaN? x)"),
    ("Boolean/TRUE", "true"),
    ("Boolean/FALSE", "false"),
];

/// Classes with no counterpart here, without their packages.
pub(crate) const CLASSES: Rows = &[
    ("PersistentQueue ArrayDeque LinkedList", "use a vector: (first q), (rest q), (conj q x)"),
    ("ArrayList", "use a vector: (conj v x)"),
    ("HashMap LinkedHashMap TreeMap", "use a map: (assoc m key value)"),
    ("HashSet LinkedHashSet TreeSet", "use a set: (conj #{} x)"),
    ("PriorityQueue", "use a vector: (sort-by key (conj q x))"),
    ("Random", "use (rand-int n)"),
];
