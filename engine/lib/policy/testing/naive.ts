// A second implementation of the decision, written to be obviously right and not fast: for each mode, strictest first, it checks
// whether any rule demands this mode. This implementation shares no code with `decide` except the types of tables.
// Tests compare this implementation with `decide`.
import { isDeepStrictEqual } from "node:util";
import { Ajv } from "ajv";
import type { Clause, Condition, Label, Literal, Param, PolicyTables, Row, Type } from "../../wire/generated/policy.ts";

type Answer = "unknownTool" | "invalidArguments" | "refusedByPolicy" | "auto" | "consent" | "stepUp";
type Facts = Record<string, unknown>;
const MODES = ["forbidden", "stepUp", "consent", "auto"] as const;

interface Situation {
  readonly parameters?: ReadonlyMap<string, Literal>;
  readonly row: number;
  readonly label: Label;
  readonly unattended: boolean;
  readonly spent: readonly bigint[];
}

export function naiveDecision(tables: PolicyTables, now: Situation, name: string, json: string): Answer {
  const holds = (condition: Condition, facts: Facts) => holdsOf(filledIn(condition, now.parameters), facts);
  const row = tables.rows[now.row];
  if (row?.requiresTask) return "refusedByPolicy";
  const index = tables.tools.findIndex((tool) => tool.name === name);
  const tool = tables.tools[index];
  const cell = row?.cells[index] ?? 0;
  if (!row || !tool || cell < 2) return "unknownTool";

  const args = JSON.parse(json) as Facts;
  if (!validatorOf(tool.params)(args)) return "invalidArguments";

  const list = tables.decisions[cell - 2];
  if (!list) return "unknownTool";
  const asked = new Set<string>();
  for (const clause of list.clauses) {
    if (clause.conditions.some((condition) => holds(condition, args) === "?")) {
      for (const other of list.clauses) for (const mode of possible(other)) asked.add(mode);
      continue;
    }
    const beside = list.clauses.filter(
      (other) => other === clause || (other.group > 0 && other.group === clause.group),
    );
    const meets = (one: Clause) => one.conditions.every((condition) => holds(condition, args) === true);
    const isMore = (one: Clause, other: Clause) => says(one, other) && !says(other, one);
    if (meets(clause) && !beside.some((other) => meets(other) && isMore(other, clause))) asked.add(clause.met);
    if (!beside.some(meets)) asked.add(clause.otherwise);
  }
  for (const floor of list.floors) {
    const secretEnough = now.label.confidentiality >= floor.confidentialityAtLeast;
    const doubtfulEnough = floor.integrityAtMost === 255 || now.label.integrity <= floor.integrityAtMost;
    const inside = (now.label.compartments & floor.compartments) === floor.compartments;
    // A floor is not applied to a call if one of its conditions fails and none of them is unknown.
    const answers = floor.conditions.map((condition) => holds(condition, args));
    const spared = answers.includes(false) && !answers.includes("?");
    const here = secretEnough && doubtfulEnough && inside && (!floor.unattended || now.unattended);
    if (here && !spared) asked.add(floor.mode);
  }
  if (asked.has("forbidden")) return "refusedByPolicy";

  if ((!tool.readOnly || tool.networked) && !fits(now.label, tool.sink)) {
    const gates = gatesOut(tables, row, now.label, index, tool.sink);
    if (gates.length === 0) return "refusedByPolicy";
    asked.add(gates.includes("consent") ? "consent" : "stepUp");
  }
  const mode = MODES.find((candidate) => asked.has(candidate)) ?? "forbidden";
  if (mode === "forbidden") return "refusedByPolicy";
  if (!tool.readOnly && !fits(tool.result.high, row.clearance)) return "refusedByPolicy";
  for (const [position, quota] of row.quotas.entries()) {
    const used = quota.scope === "call" ? 0n : (now.spent[position] ?? quota.amount);
    let cost = 0n;
    if (quota.unit === "calls") cost = 1n;
    if (quota.unit === "prompts" && mode !== "auto") cost = 1n;
    if (quota.unit === "bytes") cost = BigInt(Buffer.byteLength(JSON.stringify(args)));
    if (quota.unit === "category" && isA(tables, tool.category, quota.name)) cost = 1n;
    if (used + cost > quota.amount) return "refusedByPolicy";
  }
  return mode !== "auto" && now.unattended && row.task === "" ? "refusedByPolicy" : mode;
}

/** Returns the gates of all releases behind which data of this label may flow to the sink. */
function gatesOut(tables: PolicyTables, row: Row, label: Label, tool: number, sink: Label): readonly string[] {
  const gates: string[] = [];
  for (const held of row.releases) {
    const release = tables.releases[held];
    if (!release?.tools.some((one) => one === tool) || !fits(label, release.from)) continue;
    const out =
      release.act === "endorse"
        ? { ...label, integrity: release.to.integrity }
        : { ...release.to, integrity: label.integrity };
    if (fits(out, sink)) gates.push(release.gate);
  }
  return gates;
}

/** Returns whether a clause has all conditions of another one. */
function says(one: Clause, other: Clause): boolean {
  return other.conditions.every((wanted) => one.conditions.some((condition) => isDeepStrictEqual(condition, wanted)));
}

function possible(clause: Clause): readonly string[] {
  return clause.conditions.length > 0 ? [clause.met, clause.otherwise] : [clause.met];
}

function isA(tables: PolicyTables, category: number, name: string): boolean {
  const found = tables.categories[category];
  return found !== undefined && (found.name === name || isA(tables, found.parent, name));
}

function fits(from: Label, to: Label): boolean {
  for (let bit = 0n; bit < 64n; bit += 1n) {
    if ((from.compartments >> bit) % 2n === 1n && (to.compartments >> bit) % 2n === 0n) return false;
  }
  return !(from.confidentiality > to.confidentiality) && !(from.integrity < to.integrity);
}

/** Returns the condition with the chosen values in place of its parameters. A parameter without a known value remains. */
function filledIn(condition: Condition, chosen: Situation["parameters"]): Condition {
  const literals = condition.literals.map((literal) => {
    return literal.which === "parameter" ? (chosen?.get(literal.parameter.name) ?? literal) : literal;
  });
  return { ...condition, literals };
}

function holdsOf(condition: Condition, args: Facts): boolean | "?" {
  const values = termValues(condition, args);
  if (values === "?") return "?";
  const answers = values.map((value): boolean | "?" => {
    if (value === null || value === undefined) return condition.absentHolds || "?";
    const results = condition.literals.map((literal) => relation(condition, value, literal));
    return results.includes("?") ? "?" : results.includes(true);
  });
  if (answers.includes("?")) return "?";
  return condition.each === "some" ? answers.includes(true) : !answers.includes(false);
}

const NEVER = Symbol("no such value");

/**
 * Returns the values of a term. A value is `undefined` if it is absent, and `NEVER` if the term does not apply to it.
 * Returns "?" if the term cannot be evaluated, so that the condition is unknown.
 */
function termValues({ path, term, each, extract }: Condition, args: Facts): readonly unknown[] | "?" {
  if (term === "has") return [at(args, path) !== undefined && at(args, path) !== null];
  if (each === "single") {
    const value = at(args, path);
    if (value === undefined || value === null || value === NEVER) return [value];
    if (extract === "none") return [worth(term, value)];
    const inside = literalsIn(extract, value);
    return [term === "count" && inside !== "?" ? inside.length : NEVER];
  }
  const reached = flattened(args, path);
  if (reached === "absent") return [undefined];
  if (!reached.list && extract === "none") return "?";
  const all: unknown[] = [];
  for (const value of reached.values) {
    const inside = extract === "none" || value === undefined || value === null ? [value] : literalsIn(extract, value);
    if (inside === "?") return "?";
    for (const one of inside) all.push(one === undefined || one === null ? undefined : worth(term, one));
  }
  return all;
}

function at(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || value === undefined || value === null) return value;
  if (typeof value !== "object" || Array.isArray(value)) return NEVER;
  return at(Object.entries(value).find(([key]) => key === name)?.[1], rest);
}

function flattened(value: unknown, path: readonly string[]): { list: boolean; values: readonly unknown[] } | "absent" {
  if (value === undefined || value === null) return "absent";
  if (Array.isArray(value)) {
    const parts = value.map((one) => flattened(one, path));
    return { list: true, values: parts.flatMap((part) => (part === "absent" ? [undefined] : part.values)) };
  }
  const [name, ...rest] = path;
  if (name === undefined) return { list: false, values: [value] };
  if (typeof value !== "object") return { list: false, values: [NEVER] };
  return flattened(Object.entries(value).find(([key]) => key === name)?.[1], rest);
}

/**
 * Returns the links or addresses of a text. In the random samples, blanks surround each link or address; other tests
 * contain other forms.
 */
function literalsIn(extract: "urls" | "addresses", value: unknown): readonly string[] | "?" {
  if (typeof value !== "string") return "?";
  const chunks = value.split(" ");
  return extract === "urls"
    ? chunks.filter((chunk) => /^(https?|file):/.test(chunk))
    : chunks.filter((chunk) => /^[a-z]+@[a-z.]+$/.test(chunk));
}

function worth(term: Condition["term"], value: unknown): unknown {
  if (term === "value") return value;
  if (term === "count") return Array.isArray(value) ? value.length : NEVER;
  if (typeof value !== "string") return NEVER;
  if (term === "size") return new TextEncoder().encode(value).length;
  if (term === "origin") return origin(value) ?? NEVER;
  if (term === "domain") return /^[a-z]+@[a-z.]+$/.test(value) ? value.split("@")[1] : (host(value) ?? NEVER);
  if (term === "date") return /^\d{4}-\d\d-\d\d(T.*Z)?$/.test(value) ? String(Date.parse(value)) : NEVER;
  if (term === "duration") return /^\d+ s$/.test(value) ? `${value.slice(0, -2)}000` : NEVER;
  return NEVER;
}

/** Returns a regular expression for a pattern. Patterns of the samples are short, so backtracking costs little. */
function expressionOf(pattern: string): RegExp {
  const signs = { "?": "[^]", "*": "[^]*", "#": "[0-9]" } as const;
  const parts = [...pattern].map((one) => (one === "?" || one === "*" || one === "#" ? signs[one] : one));
  return new RegExp(`^${parts.join("")}$`, "u");
}

function host(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, username } = new URL(text);
  return username !== "" || hostname === "" ? undefined : hostname;
}

function origin(text: string): string | undefined {
  try {
    const url = new URL(text);
    return url.username || url.password || url.origin === "null" ? undefined : url.origin;
  } catch {
    return undefined;
  }
}

function relation({ operator, term }: Condition, value: unknown, literal: Literal): boolean | "?" {
  if (literal.which === "parameter") return "?";
  if (literal.which === "boolean") {
    if (typeof value !== "boolean") return "?";
    return (value === literal.boolean) === (operator !== "notEqual");
  }
  if (literal.which === "text") {
    if (typeof value !== "string") return "?";
    if (operator === "under" && term === "domain") return `.${value}`.endsWith(`.${literal.text}`);
    if (operator === "under") return beneath(value, literal.text);
    if (operator === "startsWith") return value.slice(0, literal.text.length) === literal.text;
    if (operator === "endsWith") return literal.text === "" || value.slice(-literal.text.length) === literal.text;
    if (operator === "matches") return expressionOf(literal.text).test(value);
    return (value === literal.text) === (operator !== "notEqual");
  }
  const order = numeric(value, literal.decimal);
  if (order === undefined) return "?";
  const truths = {
    equal: order === 0,
    in: order === 0,
    notEqual: order !== 0,
    less: order < 0,
    lessOrEqual: order <= 0,
  };
  const more = { greater: order > 0, greaterOrEqual: order >= 0, under: "?" } as const;
  if (operator === "startsWith" || operator === "endsWith" || operator === "matches" || operator === "from") return "?";
  return { ...truths, ...more }[operator];
}

function beneath(path: string, directory: string): boolean | "?" {
  const clean = (text: string) =>
    `/${text
      .split("/")
      .filter((part) => part && part !== ".")
      .join("/")}`;
  if (path.includes("\0") || path.split("/").includes("..")) return "?";
  return clean(directory) === "/" || `${clean(path)}/`.startsWith(`${clean(directory)}/`);
}

/** Compares two decimals by padding both to 60 places before and after the point, as on paper. */
function numeric(value: unknown, other: string): number | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text.length > 64 || !/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return undefined;
  const paper = (amount: string) => {
    const [whole = "", part = ""] = amount.replace("-", "").split(".");
    const size = BigInt(whole.padStart(70, "0") + part.padEnd(70, "0"));
    return amount.startsWith("-") ? -size : size;
  };
  const gap = paper(text) - paper(other);
  return gap === 0n ? 0 : gap < 0n ? -1 : 1;
}

/** Cache of compiled schemas: compiling costs far more than validating, and the samples share few schemas. */
const validators = new Map<string, (args: Facts) => unknown>();
const ajv = new Ajv();

function validatorOf(params: readonly Param[]): (args: Facts) => unknown {
  const schema = schemaOf(params);
  const key = JSON.stringify(schema);
  const validator = validators.get(key) ?? ajv.compile(schema);
  validators.set(key, validator);
  return validator;
}

function schemaOf(params: readonly Param[]): object {
  return {
    type: "object",
    properties: Object.fromEntries(params.map((param) => [param.name, typeSchema(param.type)])),
    required: params.filter((param) => param.required).map((param) => param.name),
    additionalProperties: false,
  };
}

/**
 * Returns the JSON Schema of a type. A schema limits texts in characters, not in bytes, and knows no integers that are
 * written as text. The samples contain only types and texts for which this makes no difference.
 */
function typeSchema(type: Type): object {
  switch (type.which) {
    case "boolean":
      return { type: "boolean" };
    case "integer":
      return { type: "integer", minimum: Number(type.integer.low), maximum: Number(type.integer.high) };
    case "number":
      return { type: "number" };
    case "text":
      return { type: "string", maxLength: type.text.maxBytes };
    case "choice":
      return { enum: type.choice };
    case "list":
      return { type: "array", items: typeSchema(type.list) };
    case "record":
      return schemaOf(type.record);
    case "json":
      return { any: {}, object: { type: "object" }, list: { type: "array" } }[type.json.form];
    case "either":
      return { anyOf: type.either.map(typeSchema) };
  }
}
