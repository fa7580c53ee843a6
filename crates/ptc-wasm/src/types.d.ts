/** What JSON can hold. Integers beyond 2^53 are exact only in texts. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A tool that programs call as `(tool/NAME {...})`. What it throws, or rejects with, is a failure that programs can catch. */
export type ToolFunction = (args: { [name: string]: Json }) => Json | undefined | void | Promise<Json | undefined | void>;

export interface Tool {
  /** Parameters and result: `"(city :string, days :int?) -> {mean :float}"`. Arguments are checked against it. */
  signature?: string;
  description?: string;
  /** Whether equal calls are answered from the first answer. */
  cache?: boolean;
  run: ToolFunction;
}

/** Bounds of one program, which it cannot catch. */
export interface Limits {
  /** Units of work, 100,000,000 by default. */
  fuel?: number;
  /** Live values that the program made, 64 MiB by default. */
  memoryBytes?: number;
  /** Time of the interpreter, without waiting for tools; 5,000 by default. */
  milliseconds?: number;
  /** Nested calls, 10,000 by default. */
  depth?: number;
}

export interface SessionOptions {
  /** What programs read as `data/KEY`: an object, or the text of one, in which long integers stay exact. */
  data?: { [key: string]: Json } | string;
  tools?: { [name: string]: Tool | ToolFunction };
  limits?: Limits;
  /** Seed of random numbers, 0 by default. */
  seed?: number;
  /** The time that programs see, in milliseconds since 1970; the clock of the machine by default. */
  now?: number;
}

/** What is wrong with a program, and where. Lines and columns count from 1, columns in characters. */
export interface Problem {
  /** Stable, for code: `undefined_symbol`, `type_error`, `fuel_exceeded`. */
  reason: string;
  /** Whether a limit stopped the program. */
  isLimit: boolean;
  /** What was found and what to write instead. */
  message: string;
  /** The message with the place, in one line. */
  text: string;
  line: number | null;
  column: number | null;
  /** The tool that failed. */
  tool?: string;
  /** The message with the lines of all that was running, and carets below. */
  snippet?: string;
  /** The places that were running, innermost first. */
  frames?: Frame[];
}

/** A place that was running when an error occurred. */
export interface Frame {
  /** null for an anonymous function, and for the program itself. */
  function: string | null;
  line: number;
  column: number;
  lineText: string;
  /** Whether it is in an earlier program of the session. */
  isEarlier: boolean;
}

/** Legal code that is nearly always a mistake. */
export interface Warning {
  code: string;
  message: string;
  line: number | null;
  column: number | null;
}

/** A call of a tool. */
export interface Call {
  tool: string;
  args: Json;
  /** null when it failed. */
  result: Json;
  error?: string;
  /** Whether the answer is that of an earlier, equal call. */
  cached: boolean;
  milliseconds: number;
}

/** What a program defined with `def` or `defn`; later programs of the session use it. */
export interface Definition {
  name: string;
  type: string;
  /** The value as programs write it, long ones shortened. */
  text: string;
  /** Parameters of a function. */
  params?: string;
  doc?: string;
}

export interface Outcome {
  /** Whether the program has a value: it ended, or called `return`. */
  ok: boolean;
  ending: "value" | "return" | "fail" | "error";
  /** The value, or what `fail` was called with. */
  value?: Json;
  /** The same as programs write it, with keywords, sets and exact integers. */
  text?: string;
  /** Up to five are found before anything runs, or one while it runs. */
  problems?: Problem[];
  prints: string[];
  warnings: Warning[];
  calls: Call[];
  definitions: Definition[];
  usage: { fuel: number; memory: number; milliseconds: number };
}

export interface Check {
  ok: boolean;
  problems: Problem[];
  warnings: Warning[];
}

export interface Doc {
  name: string;
  kind: string;
  /** One for each list of parameters: `(join separator coll)`. */
  calls: string[];
  doc: string;
  examples: { program: string; value: string }[];
}
