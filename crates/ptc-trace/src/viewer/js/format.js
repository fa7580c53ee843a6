
// ---- format.js: numbers and times for people. ----

const grouped = (number) => Math.round(number).toLocaleString("en-US");

// 950, 12.5k, 3.1M
function short(number) {
  if (number < 1000) return String(number);
  const [divisor, unit] = number < 999950 ? [1e3, "k"] : [1e6, "M"];
  const value = number / divisor;
  return (value < 99.95 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)) + unit;
}

// 740 µs, 12 ms, 3.4 s, 2 min 05 s
function duration(ms) {
  if (ms <= 0) return "0 ms";
  if (ms < 1) return Math.max(1, Math.round(ms * 1000)) + " µs";
  if (ms < 1000) return (ms < 10 ? ms.toFixed(1).replace(/\.0$/, "") : Math.round(ms)) + " ms";
  if (ms < 60_000) return (ms / 1000).toFixed(ms < 10_000 ? 2 : 1) + " s";
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours} h ${two(minutes)} min` : `${minutes} min ${two(seconds % 60)} s`;
}

// `12.3 s = model 10.9 s + calls 1.2 s + rest 0.2 s`, as they are shown they add up. `times` are those of a turn.
function timeWords(ms, { model_us: model, clock_us: calls }) {
  const parts = [["model", model], ["calls", calls]].filter(([, us]) => us);
  if (ms <= 0 || !parts.length) return duration(ms);
  const [unit, name, digits] = ms < 1000 ? [1, "ms", ms < 10 ? 1 : 0] : [1000, "s", ms < 10_000 ? 2 : ms < 60_000 ? 1 : 0];
  const step = 10 ** digits;
  const text = (steps) => `${(steps / step).toFixed(digits)} ${name}`;
  const all = Math.round((ms / unit) * step);
  let left = all;
  const words = parts.map(([part, us]) => {
    const steps = Math.min(left, Math.round((us / 1000 / unit) * step));
    left -= steps;
    return `${part} ${text(steps)}`;
  });
  return `${text(all)} = ${[...words, `${model === undefined ? "model and rest" : "rest"} ${text(left)}`].join(" + ")}`;
}

// The times of several turns.
function timesOf(turns) {
  const sum = (of) => turns.reduce((all, turn) => all + of(turn.times), 0);
  const isKnown = turns.every(({ times, status }) => times.model_us !== undefined || status === "running");
  return { model_us: isKnown ? sum((times) => times.model_us || 0) : undefined, clock_us: sum((times) => times.clock_us) };
}

// $0.0042, $1.25
function money(usd) {
  if (usd === 0) return "$0";
  if (usd < 0.0001) return "< $0.0001";
  return "$" + usd.toFixed(usd < 0.1 ? 4 : 2);
}

function bytes(count) {
  if (count < 1000) return count + " B";
  return count < 1e6 ? (count / 1e3).toFixed(1) + " kB" : (count / 1e6).toFixed(1) + " MB";
}

function date(ms) {
  const time = new Date(ms);
  const two = (number) => String(number).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

const counted = (number, one, many) => `${grouped(number)} ${number === 1 ? one : many || one + "s"}`;

const percent = (part, whole) => (whole > 0 ? Math.round((part / whole) * 100) : 0) + "%";

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
