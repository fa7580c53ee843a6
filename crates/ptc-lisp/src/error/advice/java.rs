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
    ("setScale", "(parse-double (format \"%.2f\" x))"),
    ("intValue longValue", "(int x)"),
    ("doubleValue floatValue", "(double x)"),
    ("containsKey", "(contains? m key)"),
    ("keySet", "(keys m)"),
    ("getKey", "(key entry)"),
    ("getCause", "(ex-cause e)"),
    ("getBytes", "(mapv int s)"),
    ("hashCode", "(hash x)"),
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
    ("Year/now", "(.getYear (LocalDate/now))"),
    ("Locale/getDefault", "Locale/US"),
    ("Character/digit Character/getNumericValue", "(parse-long (str c))"),
    ("Character/toUpperCase", "(upper-case c)"),
    ("Character/toLowerCase", "(lower-case c)"),
    ("Pattern/compile java.util.regex.Pattern/compile", "(re-pattern s)"),
    ("Pattern/matches java.util.regex.Pattern/matches", "(boolean (re-matches re s))"),
    ("Matcher/quoteReplacement", "(str/re-quote-replacement s)"),
    ("UUID/fromString", "(parse-uuid s)"),
    ("Math/fma", "(+ (* a b) c)"),
    ("Math/ceilDiv", "(- (Math/floorDiv (- a) b))"),
    ("System/lineSeparator", "\"\\n\""),
    ("Objects/equals", "(= a b)"),
    ("Objects/isNull", "(nil? x)"),
    ("Objects/nonNull", "(some? x)"),
    ("Objects/hash", "(hash [a b])"),
    ("Double/isNaN", "(NaN? x)"),
    ("Boolean/TRUE", "true"),
    ("Boolean/FALSE", "false"),
];

/// Classes and libraries with no counterpart here; classes without their packages.
pub(crate) const CLASSES: Rows = &[
    ("PersistentQueue ArrayDeque LinkedList", "use a vector: (first q), (rest q), (conj q x)"),
    ("ArrayList", "use a vector: (conj v x)"),
    ("HashMap LinkedHashMap TreeMap", "use a map: (assoc m key value)"),
    ("HashSet LinkedHashSet TreeSet", "use a set: (conj #{} x)"),
    ("PriorityQueue", "use a vector: (sort-by key (conj q x))"),
    ("Random SecureRandom ThreadLocalRandom", "use (rand-int n)"),
    ("StringBuilder StringBuffer StringWriter StringJoiner", "use str and str/join"),
    ("StringTokenizer Scanner", "use (str/split s #\"\\s+\")"),
    ("StringUtils", "use clojure.string: (str/blank? s) or (str/join \", \" coll)"),
    ("Matcher", "use (re-find re s) or (re-seq re s)"),
    ("BigInteger BigInt", "integers have no bound: (bigint s)"),
    ("BigDecimal RoundingMode MathContext", "no decimals, use floats: (format \"%.2f\" x)"),
    ("DecimalFormat NumberFormat", "use (format \"%.2f\" x) or (format \"%,d\" n)"),
    ("StrictMath FastMath", "use Math: (Math/sqrt x)"),
    ("AtomicInteger AtomicLong AtomicBoolean AtomicReference", "use an atom: (atom 0) or (swap! a inc)"),
    ("Optional", "use nil: (some? x) or (if (nil? x) default x)"),
    ("Arrays Collections List", "use functions of sequences: (sort coll) or (reverse coll)"),
    ("Thread TimeUnit", "programs cannot wait; leave it out"),
    ("Executors ExecutorService CompletableFuture", "no threads: (pmap f coll)"),
    ("async clojure.core.async", "use (pmap f coll)"),
    // Dates.
    ("SimpleDateFormat", "use java.time: (DateTimeFormatter/ofPattern \"yyyy-MM-dd\")"),
    ("Calendar GregorianCalendar MonthDay", "use java.time: (LocalDate/now) or (LocalDate/of year month day)"),
    ("Timestamp Clock", "use java.time: (Instant/now) or (Instant/ofEpochMilli n)"),
    ("TimeZone", "use java.time: (ZoneId/of \"UTC\")"),
    (
        "jt java-time java-time.api tick.core clj-time.core clj-time.format clj-time.coerce",
        "use java.time: (LocalDate/parse s) or (Instant/now)",
    ),
    // Formats.
    (
        "cheshire cheshire.core jsonista.core clojure.data.json JSONObject JSONArray ObjectMapper Gson",
        "use (json/parse-string s) or (json/generate-string x)",
    ),
    ("Base64 base64 b64", "no Base64; a tool must do it"),
    ("MessageDigest Mac digest", "no digests; a tool must do it"),
    ("URLEncoder URLDecoder", "no URL encoding; a tool must do it"),
    (
        "yaml clj-yaml.core clojure.xml clojure.data.xml xml",
        "no parser for this; a tool must do it, or (re-seq #\"pattern\" s)",
    ),
    // The outside.
    ("File Files Paths FileReader FileWriter clojure.java.io io", "no file I/O; the input is in data/"),
    ("URL URI HttpClient clj-http.client org.httpkit.client http", "no network; call a tool: (tool/name {:key value})"),
    ("Runtime ProcessBuilder Process clojure.java.shell shell", "no processes"),
    ("clojure.spec.alpha malli.core schema.core", "use predicates: (and (map? x) (string? (:name x)))"),
    ("clojure.test", "use (assert test)"),
];
