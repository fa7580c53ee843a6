//! Methods, members and classes of Java that programs of Clojure use, and how the same is written here.

use super::foreign::{Rows, lookup};

/// What to write instead of a method, which is given without its dot.
pub(super) fn instead_of_method(name: &str) -> Option<&'static str> {
    lookup(METHODS, name)
}

/// What to do instead of using anything of a class, which is given without its package.
pub(super) fn instead_of_class(name: &str) -> Option<&'static str> {
    lookup(CLASSES, name)
}

/// Methods; those that other languages have as functions of the same use stand among the bare names.
pub(super) const METHODS: Rows = &[
    // Dates: a day is counted from 1970-01-01, a Thursday.
    ("between until", "(- (.toEpochDay b) (.toEpochDay a))"),
    ("getDayOfWeek", "(mod (+ 3 (.toEpochDay d)) 7), 0 is Monday"),
    ("plusWeeks", "(.plusDays d (* 7 n))"),
    ("minusWeeks", "(.minusDays d (* 7 n))"),
    ("withDayOfMonth", "(LocalDate/of (.getYear d) (.getMonthValue d) n)"),
    ("atStartOfDay", "(Instant/parse (str d \"T00:00:00Z\"))"),
    ("getMonth", "(.getMonthValue d)"),
    ("plusHours", "(java.util.Date. (+ (.getTime d) (* n 3600000)))"),
    ("plusMinutes", "(java.util.Date. (+ (.getTime d) (* n 60000)))"),
    ("plusSeconds", "(java.util.Date. (+ (.getTime d) (* n 1000)))"),
    ("getEpochSecond", "(quot (.toEpochMilli d) 1000)"),
    ("toHours", "(quot (.toMillis d) 3600000)"),
    ("toMinutes", "(quot (.toMillis d) 60000)"),
    ("getSeconds toSeconds", "(quot (.toMillis d) 1000)"),
    ("format", "(str d) or (format \"%02d\" (.getMonthValue d))"),
    // Texts.
    ("split", "(str/split s #\"pattern\")"),
    ("replaceAll", "(str/replace s #\"pattern\" new)"),
    ("concat", "(str a b)"),
    ("repeat", "(apply str (repeat n s))"),
    ("matches", "(boolean (re-matches #\"pattern\" s))"),
    ("compareTo", "(compare a b)"),
    // Numbers and maps.
    ("pow", "(reduce * (repeat n x))"),
    ("intValue longValue", "(int x)"),
    ("doubleValue floatValue", "(double x)"),
    ("containsKey", "(contains? m key)"),
    ("keySet", "(keys m)"),
    ("getKey", "(key entry)"),
    ("getValue", "(val entry)"),
    ("getCause", "(ex-cause e)"),
];

/// Functions and constants of classes.
pub(super) const MEMBERS: Rows = &[
    ("LocalDateTime/parse", "(Instant/parse (str s \"Z\"))"),
    ("DateTimeFormatter/ofPattern", "(str d) or (format \"%02d\" (.getMonthValue d))"),
    ("Instant/ofEpochMilli", "(java.util.Date. ms)"),
    ("Instant/ofEpochSecond", "(java.util.Date. (* 1000 seconds))"),
    ("LocalDate/ofEpochDay", "(.plusDays (LocalDate/parse \"1970-01-01\") n)"),
    ("Period/between", "(- (.toEpochDay b) (.toEpochDay a))"),
    ("Character/digit Character/getNumericValue", "(parse-long (str c))"),
    ("Character/toUpperCase", "(upper-case c)"),
    ("Character/toLowerCase", "(lower-case c)"),
    ("Pattern/compile java.util.regex.Pattern/compile", "(re-pattern s)"),
    ("Pattern/matches java.util.regex.Pattern/matches", "(boolean (re-matches re s))"),
    ("Double/isNaN", "(NaN? x)"),
    ("Boolean/TRUE", "true"),
    ("Boolean/FALSE", "false"),
];

/// Classes of which there is nothing.
pub(super) const CLASSES: Rows = &[
    ("PersistentQueue ArrayDeque LinkedList", "use a vector: (first q), (rest q), (conj q x)"),
    ("ArrayList", "use a vector: (conj v x)"),
    ("HashMap LinkedHashMap TreeMap", "use a map: (assoc m key value)"),
    ("HashSet LinkedHashSet TreeSet", "use a set: (conj #{} x)"),
    ("PriorityQueue", "use a vector: (sort-by key (conj q x))"),
    ("Random", "use (rand-int n)"),
    ("ChronoUnit", "use (- (.toEpochDay b) (.toEpochDay a)) for days, (.toMillis (Duration/between a b)) for times"),
];
