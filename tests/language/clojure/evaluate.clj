;; Evaluates programs in real Clojure: one string literal per line in, one JSON object per line out.
(require 'clojure.string 'clojure.set 'clojure.walk 'clojure.math)

(def time-limit-ms 3000)

(defn json-text [s]
  (let [out (StringBuilder. "\"")]
    (doseq [c (str s)]
      (case c
        \" (.append out "\\\"")
        \\ (.append out "\\\\")
        (if (< (int c) 32) (.append out (format "\\u%04x" (int c))) (.append out c))))
    (str (.append out "\""))))

(defn tag [kind value] (str "{\"t\":" (json-text kind) ",\"v\":" value "}"))

(declare tagged)

(defn tagged-all [xs] (str "[" (clojure.string/join "," (map tagged xs)) "]"))

(defn tagged [x]
  (cond
    (nil? x) "{\"t\":\"nil\"}"
    (boolean? x) (tag "bool" x)
    (integer? x) (tag "int" (json-text x))
    (or (float? x) (decimal? x)) (tag "float" (json-text (double x)))
    (ratio? x) (tag "ratio" (json-text x))
    (or (char? x) (string? x)) (tag "str" (json-text x))
    (keyword? x) (tag "kw" (json-text (subs (str x) 1)))
    (symbol? x) (tag "sym" (json-text x))
    (map? x) (tag "map" (str "[" (clojure.string/join "," (map tagged-all x)) "]"))
    (set? x) (tag "set" (tagged-all x))
    (sequential? x) (tag "seq" (tagged-all x))
    (instance? java.util.regex.Pattern x) (tag "regex" (json-text x))
    (var? x) (tag "var" (json-text (:name (meta x))))
    (instance? clojure.lang.IAtom x) (tag "atom" (tagged @x))
    (uuid? x) (tag "uuid" (json-text x))
    (fn? x) "{\"t\":\"fn\"}"
    :else (tag "other" (json-text (class x)))))

(defn read-all [source]
  (let [in (java.io.PushbackReader. (java.io.StringReader. source))]
    (loop [forms []]
      (let [form (read {:eof ::end} in)]
        (if (= form ::end) forms (recur (conj forms form)))))))

(defn evaluate [source]
  (let [out (java.io.StringWriter.)
        home (do (remove-ns 'user) (create-ns 'user))]
    (binding [*ns* home *out* out *err* (java.io.StringWriter.)]
      (clojure.core/refer-clojure)
      (doseq [[short long] '{str clojure.string set clojure.set walk clojure.walk math clojure.math}]
        (alias short long))
      (try
        (let [value (last (mapv eval (read-all source)))
              text (tagged value)]
          (str "{\"value\":" text ",\"text\":" (json-text (pr-str value)) ",\"out\":" (json-text out) "}"))
        (catch Throwable error
          (let [messages (map ex-message (take-while some? (iterate ex-cause error)))
                unknown (some #(second (re-find #"(?:Unable to resolve symbol|Unable to resolve classname|No such var|No such namespace): (\S+)" (str %))) messages)]
            (str "{\"error\":" (json-text (or (last (remove nil? messages)) (class error)))
                 (when unknown (str ",\"unknown\":" (json-text unknown)))
                 ",\"out\":" (json-text out) "}")))))))

(doseq [line (line-seq (java.io.BufferedReader. *in*))]
  (let [answer (future (evaluate (read-string line)))]
    (println (deref answer time-limit-ms "{\"error\":\"no answer in time\"}"))
    (future-cancel answer)
    (flush)))
(System/exit 0)
