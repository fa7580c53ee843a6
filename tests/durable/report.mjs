// What was measured and what holds: as lines while it runs, as a table and as JSON at the end.
export class Report {
  constructor(about) {
    this.about = about;
    this.parts = [];
    console.log(`seed ${about.seed}, ${about.cores} cores, node ${about.node}`);
  }

  part(name, folder) {
    this.parts.push({ name, figures: [], checks: [] });
    console.log(`\n${name}: logs are in ${folder}`);
  }

  get current() {
    return this.parts.at(-1);
  }

  // Where it is, on a line of its own.
  say(text) {
    console.log(`  ${new Date().toISOString().slice(11, 19)} ${text}`);
  }

  figure(name, value, unit = "") {
    this.current.figures.push({ name, value, unit });
    this.say(`${name}: ${shown(value)} ${unit}`);
  }

  holds(ok, what, otherwise = "") {
    this.current.checks.push({ what, ok, ...(ok ? {} : { otherwise: String(otherwise) }) });
    this.say(`${ok ? "holds" : "DOES NOT HOLD"}: ${what}${ok ? "" : `\n${otherwise}`}`);
  }

  failed() {
    return this.parts.some((part) => part.checks.some((check) => !check.ok));
  }

  print() {
    for (const { name, figures, checks } of this.parts) {
      const width = Math.max(...[...figures.map((each) => each.name), ...checks.map((each) => each.what)].map((text) => text.length));
      console.log(`\n${name}`);
      for (const each of figures) console.log(`  ${each.name.padEnd(width)}  ${shown(each.value).padStart(14)} ${each.unit}`);
      for (const each of checks) console.log(`  ${each.what.padEnd(width)}  ${each.ok ? "holds" : "DOES NOT HOLD"}`);
    }
  }

  json() {
    return `${JSON.stringify({ ...this.about, parts: this.parts }, undefined, 2)}\n`;
  }
}

const shown = (value) =>
  typeof value === "number" ? value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 3 : value < 100 ? 1 : 0 }) : String(value);
