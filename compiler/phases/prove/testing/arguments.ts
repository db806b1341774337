// Finds the modes that a list can give, by trial: it tries every value of a small vocabulary for every parameter.
// Conditions of the random pages use only this vocabulary, so a mode that no trial gives is impossible.
import type {
  Clause,
  Condition,
  Decision,
  Literal,
  Param,
  Type,
} from "../../../../engine/lib/wire/generated/policy.ts";

export type Mode = Clause["met"];
/** Loosest first. */
export const MODES: readonly Mode[] = ["auto", "consent", "stepUp", "forbidden"];

const TEXTS = ["", "a", "b", "c", "ab", "abc", "/x", "/x/y", "..", "../x", "10", "15", "20", "25", "-1"];
/**
 * Links and e-mail addresses that are tried as values of arguments. For each domain in the lines, there is a link with
 * an origin that the lines name, and a link with another origin. E-mail addresses have no origin.
 */
const URLS = [
  ...["https://a.example/", "https://b.example/a", "https://c.example/", "https://c.test/"],
  ...["http://a.example/", "http://b.example/"],
  ...["a@a.example", "a@b.example", "a@c.test"],
];
const LISTS = [
  [],
  ["a"],
  ["b"],
  ["z"],
  ["a", "b"],
  ["a", "z"],
  ["z", "b"],
  ["ab", "ab"],
  ["ab"],
  ["b", "b"],
  ["z", "z"],
];
const INTEGERS = [0, 5, 10, 15, 17, 20, 25];

type Values = Readonly<Record<string, unknown>>;

export function strictest(modes: readonly Mode[]): Mode {
  let worst: Mode = "auto";
  for (const mode of modes) if (MODES.indexOf(mode) > MODES.indexOf(worst)) worst = mode;
  return worst;
}

/**
 * Returns, for each mode that the list gives to some arguments, one example of such arguments. All floors of the list
 * are assumed to apply.
 */
export function modesByTrial(params: readonly Param[], list: Decision): ReadonlyMap<Mode, string> {
  const found = new Map<Mode, string>();
  const hearings = everyHearing(list);
  const lists = everyChoice(list).map((chosen) => filledIn(list, chosen));
  for (const values of everyRecord(params)) {
    for (const hearing of hearings) {
      for (const asked of lists) {
        const mode = modeWith(asked, values, hearing);
        if (!found.has(mode)) found.set(mode, JSON.stringify(values));
      }
    }
  }
  return found;
}

/** Values of a task's parameters, by their names. */
export type Chosen = ReadonlyMap<string, Literal>;

export const NOTHING_CHOSEN: Chosen = new Map();

const NAMES = ["a", "b", "ab", "abc", "/x", "/x/y", "..", "red"];
const AMOUNTS = ["0", "7", "12", "15", "17", "22"];

/** Returns every combination of values of a small vocabulary for the parameters that the list names. */
function everyChoice(list: Decision): readonly Chosen[] {
  const named = new Map<string, string>();
  for (const { conditions } of [...list.clauses, ...list.floors])
    for (const { literals } of conditions)
      for (const literal of literals)
        if (literal.which === "parameter") named.set(literal.parameter.name, literal.parameter.kind);
  let choices: readonly Chosen[] = [NOTHING_CHOSEN];
  for (const [name, kind] of named) {
    const values = (kind === "text" ? NAMES : AMOUNTS).map(
      (text): Literal => (kind === "text" ? { which: "text", text } : { which: "decimal", decimal: text }),
    );
    choices = choices.flatMap((choice) => values.map((value) => new Map([...choice, [name, value]])));
  }
  return choices;
}

/** Returns the list in which the chosen values replace the parameters. */
export function filledIn(list: Decision, chosen: Chosen): Decision {
  const fill = (literal: Literal) =>
    literal.which === "parameter" ? (chosen.get(literal.parameter.name) ?? literal) : literal;
  const inLine = <T extends Pick<Clause, "conditions">>(line: T): T => ({
    ...line,
    conditions: line.conditions.map((one) => ({ ...one, literals: one.literals.map(fill) })),
  });
  return { clauses: list.clauses.map(inLine), floors: list.floors.map(inLine) };
}

/**
 * Standing of an argument's value with regard to each set of sources, by the JSON text of the set. In the random pages,
 * at most one argument of a tool has a condition on its sources.
 */
type Hearing = ReadonlyMap<string, Standing>;

type Standing = "strong" | "weak" | "none" | "unknown";

const NOTHING_HEARD: Hearing = new Map();

function everyHearing(list: Decision): readonly Hearing[] {
  const asked = [...list.clauses, ...list.floors].flatMap(({ conditions }) =>
    conditions.filter(({ operator }) => operator === "from"),
  );
  const distinct = new Map(asked.map(({ sources }) => [JSON.stringify(sources), sources]));
  if (distinct.size === 0) return [NOTHING_HEARD];
  const hearings = everyConversation().map(
    (heard) => new Map([...distinct].map(([key, sources]) => [key, standingOf(heard, sources)])),
  );
  return [...new Map(hearings.map((hearing) => [JSON.stringify([...hearing]), hearing])).values()];
}

/** Sources from which a conversation has read a value, and whether its list of sources is complete. */
interface HeardValue {
  readonly places: ReadonlySet<string>;
  readonly isComplete: boolean;
}

const PLACES = ["person", "page", "pasted", "letter", "reviewed"];

function everyConversation(): readonly HeardValue[] {
  return Array.from({ length: 2 ** PLACES.length }, (_, bits) => {
    const places = new Set(PLACES.filter((_place, at) => (bits & (1 << at)) !== 0));
    return [true, false].map((isComplete) => ({ places, isComplete }));
  }).flat();
}

function standingOf({ places, isComplete }: HeardValue, sources: Condition["sources"]): Standing {
  const isTrusted = ["person", "page", "reviewed"].some((place) => places.has(place));
  const has = (wanted: string) => sources.some(({ which }) => which === wanted) && places.has(wanted);
  if (has("person") || has("page")) return "strong";
  if (has("pasted")) return "weak";
  const asksUntrusted = sources.some(({ which }) => which === "untrusted");
  if (asksUntrusted && places.size > 0 && !isTrusted) return "weak";
  if (isComplete) return "none";
  return isTrusted && sources.every(({ which }) => which === "untrusted") ? "none" : "unknown";
}

export function everyRecord(params: readonly Param[]): Values[] {
  let records: Values[] = [{}];
  for (const { name, type, required } of params) {
    const longer = records.flatMap((record) => everyValue(type).map((value) => ({ ...record, [name]: value })));
    records = required ? longer : [...records, ...longer];
  }
  return records;
}

function everyValue(type: Type): readonly unknown[] {
  switch (type.which) {
    case "boolean":
      return [false, true];
    case "integer":
      return INTEGERS.filter((value) => BigInt(value) >= type.integer.low && BigInt(value) <= type.integer.high);
    case "number":
      return INTEGERS;
    case "text":
      return [...TEXTS, ...URLS];
    case "choice":
      return type.choice;
    case "list":
      return LISTS;
    case "record":
      return everyRecord(type.record);
    case "json":
      return [{ any: null, object: {}, list: [] }[type.json.form]];
    case "either":
      return type.either.flatMap(everyValue);
  }
}

/**
 * Returns the mode of the lines, raised by each floor that applies. A floor does not apply if one of its conditions
 * fails and none is unknown.
 */
export function modeWith(list: Decision, values: Values, hearing = NOTHING_HEARD): Mode {
  const raising = list.floors.filter(({ conditions }) => {
    const truths = conditions.map((condition) => holds(condition, values, hearing));
    return truths.includes("?") || !truths.includes(false);
  });
  return strictest([clauseMode(list, values, hearing), ...raising.map(({ mode }) => mode)]);
}

/**
 * Returns the strictest mode of all groups of lines. In a group, only the most specific matching lines count. If no
 * line of a group matches, the `else` modes count. If a line cannot be evaluated, the result is the strictest mode of
 * the cell.
 */
function clauseMode(list: Decision, values: Values, hearing = NOTHING_HEARD): Mode {
  const stands = list.clauses.map((clause): Truth => {
    const truths = clause.conditions.map((condition) => holds(condition, values, hearing));
    if (truths.includes("?")) return "?";
    return truths.includes(false) ? false : truths.includes("weak") ? "weak" : true;
  });
  return modeOf(list, stands);
}

/**
 * Returns whether each group of lines alone lets some call run. For each group two kinds of calls are examined: a call
 * that meets no condition, and for each line a call that meets exactly the conditions of the line.
 */
export function letsRun(list: Decision): boolean {
  const groups = Map.groupBy(list.clauses, (clause) => (clause.group === 0 ? clause : clause.group));
  return [...groups.values()].every((clauses) =>
    [[], ...clauses.map(({ conditions }) => conditions)].some((held) => {
      const texts = new Set(held.map((one) => JSON.stringify(one)));
      const stands = clauses.map(({ conditions }) => conditions.every((one) => texts.has(JSON.stringify(one))));
      return modeOf({ clauses, floors: [] }, stands) !== "forbidden";
    }),
  );
}

/** Returns the mode of the lines. `stands` states for each line whether it matches. */
function modeOf(list: Decision, stands: readonly Truth[]): Mode {
  const asked: Mode[] = [];
  if (stands.includes("?")) asked.push(...list.clauses.flatMap(possible));
  else
    for (const [index, clause] of list.clauses.entries()) {
      const matching = list.clauses.filter(
        (other, at) =>
          (stands[at] === true || stands[at] === "weak") &&
          (at === index || (clause.group !== 0 && other.group === clause.group)),
      );
      if (matching.length === 0) asked.push(clause.otherwise);
      else if (matching.includes(clause) && !matching.some((other) => isMoreSpecific(other, clause)))
        asked.push(stands[index] === "weak" ? weakened(clause.met) : clause.met);
    }
  return strictest(asked);
}

function isMoreSpecific(one: Clause, other: Clause): boolean {
  const [more, less] = [one, other].map(({ conditions }) => new Set(conditions.map((each) => JSON.stringify(each))));
  return more !== undefined && less !== undefined && more.size > less.size && less.isSubsetOf(more);
}

function possible({ conditions, met, otherwise }: Clause): Mode[] {
  if (conditions.length === 0) return [met];
  return conditions.some(({ operator }) => operator === "from") ? [met, weakened(met), otherwise] : [met, otherwise];
}

function weakened(mode: Mode): Mode {
  return mode === "auto" ? "consent" : mode;
}

type Truth = boolean | "weak" | "?";

function holds(condition: Condition, values: Values, hearing: Hearing): Truth {
  let value: unknown = values;
  for (const name of condition.path) {
    value =
      typeof value === "object" && value !== null
        ? Object.entries(value).find(([key]) => key === name)?.[1]
        : undefined;
  }
  if (condition.term === "has") value = value !== undefined;
  if (value === undefined) return condition.absentHolds ? true : "?";
  if (condition.each === "single") return holdsOf(condition, value, hearing);
  if (!Array.isArray(value)) return "?";
  const truths = value.map((one) => holdsOf(condition, one, hearing));
  if (truths.includes("?")) return "?";
  if (condition.each === "every") return truths.includes(false) ? false : truths.includes("weak") ? "weak" : true;
  return truths.includes(true) ? true : truths.includes("weak") ? "weak" : false;
}

function cameFrom({ sources }: Condition, value: unknown, hearing: Hearing): Truth {
  if (typeof value !== "string" && typeof value !== "number") return "?";
  if (!/[a-z0-9]/.test(String(value))) return false;
  const truths = { strong: true, weak: "weak", none: false, unknown: "?" } as const;
  return truths[hearing.get(JSON.stringify(sources)) ?? "none"];
}

function holdsOf(condition: Condition, given: unknown, hearing: Hearing): Truth {
  const { term, operator, literals } = condition;
  const value = worth(term, given);
  if (value === undefined) return "?";
  if (operator === "from") return cameFrom(condition, value, hearing);
  const truths = literals.map((literal) =>
    term === "domain" && operator === "under" && literal.which === "text"
      ? `.${value}`.endsWith(`.${literal.text}`)
      : compare(operator, value, literal),
  );
  return truths.includes("?") ? "?" : truths.includes(true);
}

function worth(term: Condition["term"], value: unknown): unknown {
  if (term === "value" || term === "has") return value;
  if (term === "count") return Array.isArray(value) ? value.length : undefined;
  if (typeof value !== "string") return undefined;
  if (term === "size") return new TextEncoder().encode(value).length;
  if (term === "origin") return originOf(value);
  if (term === "date") return /^\d{4}-\d\d-\d\d(T.*Z)?$/.test(value) ? Date.parse(value) : undefined;
  if (term === "duration") return /^\d+ ms$/.test(value) ? Number(value.slice(0, -3)) : undefined;
  return /^[a-z]@([a-z.]+)$/.exec(value)?.[1] ?? originOf(value)?.replace(/^https?:\/\//, "");
}

function originOf(text: string): string | undefined {
  const [, scheme, host, rest = "/"] = /^(https?):\/\/([a-z.]+(?::\d+)?)([/?#].*)?$/.exec(text) ?? [];
  return scheme === undefined || rest.includes("@") ? undefined : `${scheme}://${host}`;
}

function compare(operator: Condition["operator"], value: unknown, literal: Literal): Truth {
  if (operator === "startsWith" || operator === "endsWith") {
    if (typeof value !== "string" || literal.which !== "text") return "?";
    const { length } = literal.text;
    return (operator === "startsWith" ? value.slice(0, length) : value.slice(value.length - length)) === literal.text;
  }
  if (operator === "matches")
    return typeof value === "string" && literal.which === "text" ? expressionOf(literal.text).test(value) : "?";
  if (operator === "under") return literal.which === "text" ? isUnder(String(value), literal.text) : "?";
  const same = isEqual(value, literal);
  if (operator === "equal" || operator === "in") return same;
  if (operator === "notEqual") return same === "?" ? "?" : !same;
  const number = numberOf(value);
  if (number === undefined || literal.which !== "decimal") return "?";
  if (operator === "less") return number < Number(literal.decimal);
  if (operator === "lessOrEqual") return number <= Number(literal.decimal);
  if (operator === "greater") return number > Number(literal.decimal);
  return number >= Number(literal.decimal);
}

function expressionOf(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll("?", "[^]").replaceAll("*", "[^]*").replaceAll("#", "[0-9]")}$`, "u");
}

function isEqual(value: unknown, literal: Literal): Truth {
  if (literal.which === "boolean") return typeof value === "boolean" ? value === literal.boolean : "?";
  if (literal.which === "text") return typeof value === "string" ? value === literal.text : "?";
  const number = numberOf(value);
  return number === undefined || literal.which !== "decimal" ? "?" : number === Number(literal.decimal);
}

/** Returns a value as a number; `undefined` if it is neither a number nor a text with a decimal. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

function isUnder(path: string, directory: string): Truth {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..") || path.includes("\0")) return "?";
  const wanted = directory.split("/").filter((name) => name !== "");
  if (wanted.includes("..")) return "?";
  return wanted.every((name, index) => names[index] === name);
}
