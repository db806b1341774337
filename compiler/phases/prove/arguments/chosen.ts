// Samples values that a person may choose for the parameters of a task, to try decision lists with them. If `complete` is true, every
// other value gives the same decisions as one of the samples.
//
// The search treats each call separately, as if a person chose new values for it, so a proof holds for all values. A counterexample needs
// values that allow all calls of a conversation; if none are found, the claim is undetermined.
import {
  asksForParameters,
  type ChosenValues,
  compareDecimals,
  type Decimal,
  listConditions,
  type ParameterValue,
  parseDecimal,
  parseParameterValue,
  resolveLiteral,
} from "../../../../engine/lib/policy/index.ts";
import type {
  Clause,
  Condition,
  Decision,
  Param,
  Parameter,
  Type,
} from "../../../../engine/lib/wire/generated/policy.ts";
import { formatDecimal } from "../../conditions/index.ts";
import { collectLiterals } from "./candidates.ts";
import { sampleTexts } from "./texts.ts";

/**
 * Maximum number of combinations of parameter values that are tried. For a list with many conditions the maximum is
 * lower, down to `FEWEST_CHOSEN`, because each combination takes longer.
 */
const MOST_CHOSEN = 64;
const FEWEST_CHOSEN = 2;
const MOST_COST = 128;
/** Maximum length of a sample text in bytes. */
const LONGEST = 64;
/** If a text argument may have this many bytes, it can equal each of the sample texts `chosen0`, `chosen1`, …. */
const ROOM = 16;

interface Choices {
  readonly chosen: readonly ChosenValues[];
  /**
   * Whether these choices are enough: all other values of the parameters give the same decisions as one of these
   * choices.
   */
  readonly complete: boolean;
}

/** The arguments that one tool accepts, and conditions on them. */
interface AskedOf {
  readonly params: readonly Param[];
  readonly conditions: readonly Condition[];
}

/** Returns whether some line of a list names a parameter. */
export function isAboutChosen(list: Pick<Decision, "clauses" | "floors">): boolean {
  return listConditions(list).some(asksForParameters);
}

/** Returns the list in which values replace the parameters. A parameter without a value remains in the list. */
export function fillIn(list: Decision, chosen: ChosenValues | undefined): Decision {
  if (chosen === undefined || !isAboutChosen(list)) return list;
  const fill = <T extends Pick<Clause, "conditions">>(line: T): T => ({
    ...line,
    conditions: line.conditions.map((condition) =>
      asksForParameters(condition)
        ? { ...condition, literals: condition.literals.map((literal) => resolveLiteral(literal, chosen) ?? literal) }
        : condition,
    ),
  });
  return { clauses: list.clauses.map(fill), floors: list.floors.map(fill) };
}

/** Conditions on one argument; some of the conditions name a parameter. */
interface Group {
  readonly type: Type | undefined;
  readonly conditions: readonly Condition[];
}

/** Returns values for all parameters that the conditions name. */
export function sampleChosen(asked: readonly AskedOf[]): Choices {
  const groups = asked.flatMap(listGroups);
  const parameters = listParameters(groups.flatMap(({ conditions }) => conditions));
  const sampled = parameters.map((parameter): Sampled => {
    const alike = parameters.filter(({ kind }) => (kind === "text") === (parameter.kind === "text")).length;
    return { name: parameter.name, values: sampleValues(parameter, groups, alike) };
  });
  const all = sampled.reduce((count, { values }) => count * values.length, 1);
  const conditions = asked.reduce((most, one) => Math.max(most, one.conditions.length), 0);
  const most = Math.min(MOST_CHOSEN, Math.max(FEWEST_CHOSEN, MOST_COST >> conditions));
  if (all <= most) return { chosen: combineAll(sampled), complete: groups.every(isPlainGroup) };
  return { chosen: combineSome(sampled, most), complete: false };
}

interface Sampled {
  readonly name: string;
  readonly values: readonly ParameterValue[];
}

function combineAll(sampled: readonly Sampled[]): readonly ChosenValues[] {
  return sampled.reduce<readonly ChosenValues[]>(
    (chosen, { name, values }) => chosen.flatMap((one) => values.map((value) => new Map([...one, [name, value]]))),
    [new Map()],
  );
}

/**
 * Returns `count` combinations of values. From one combination to the next, each parameter advances through its values
 * by a different number of steps, so that the combinations differ.
 */
function combineSome(sampled: readonly Sampled[], count: number): readonly ChosenValues[] {
  return Array.from({ length: count }, (_, at) => {
    const values = sampled.map(({ name, values: own }, index) => {
      const pace = index === 0 ? at : Math.floor(at / index) + at * index;
      return [name, own[pace % Math.max(1, own.length)]] as const;
    });
    return new Map(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
  });
}

function listGroups({ params, conditions }: AskedOf): readonly Group[] {
  const byPath = Map.groupBy(conditions, ({ path }) => JSON.stringify(path));
  return [...byPath.values()]
    .filter((group) => group.some(asksForParameters))
    .map((group) => ({ type: findType(params, group[0]?.path ?? []), conditions: group }));
}

function findType(params: readonly Param[], [name, ...rest]: readonly string[]): Type | undefined {
  const type = params.find((param) => param.name === name)?.type;
  if (rest.length === 0) return type;
  return type?.which === "record" ? findType(type.record, rest) : undefined;
}

type Named = Pick<Parameter, "name" | "kind">;

function listParameters(conditions: readonly Condition[]): readonly Named[] {
  const literals = conditions.flatMap((condition) => condition.literals);
  const named = literals.flatMap((literal) => (literal.which === "parameter" ? [literal.parameter] : []));
  return [...new Map(named.map((one) => [one.name, one])).values()];
}

const ORDERS: readonly Condition["operator"][] = ["less", "lessOrEqual", "greater", "greaterOrEqual"];
const EQUALITIES: readonly Condition["operator"][] = ["equal", "notEqual", "in"];

/**
 * Returns whether all conditions, except those with `from`, compare the same value by order or equality, so that a few
 * samples represent all values. For texts, the conditions must compare by equality.
 */
function isPlainGroup({ type, conditions }: Group): boolean {
  const comparing = conditions.filter(({ operator }) => operator !== "from");
  if (new Set(comparing.map(({ term }) => term)).size !== 1) return false;
  if (!conditions.every(({ each, extract }) => each === "single" && extract === "none")) return false;
  const isText = comparing.some(({ literals }) =>
    literals.some((one) => (one.which === "parameter" ? one.parameter.kind === "text" : one.which === "text")),
  );
  if (!isText) return comparing.every(({ operator }) => ORDERS.includes(operator) || EQUALITIES.includes(operator));
  const hasRoom = type?.which === "choice" || (type?.which === "text" && (type.text.maxBytes || ROOM) >= ROOM);
  return hasRoom && comparing.every(({ term, operator }) => term === "value" && EQUALITIES.includes(operator));
}

/**
 * Returns sample values of a parameter. `alike` is the number of parameters that may be compared with the same
 * argument; there are enough samples to give all these parameters different values.
 */
function sampleValues(parameter: Named, groups: readonly Group[], alike: number): readonly ParameterValue[] {
  const words = parameter.kind === "text" ? sampleWords(groups, alike) : sampleAmounts(groups, alike);
  const values = [...new Set(words)].flatMap((text): readonly ParameterValue[] => {
    if (parameter.kind !== "text") return isOfKind(parameter, text) ? [{ which: "decimal", decimal: text }] : [];
    const read = parseParameterValue({ ...parameter, currency: "" }, text);
    return read.ok ? [read.value] : [];
  });
  return values;
}

/**
 * Returns whether the amount is a valid value of the parameter: only numbers and dates can be negative, and sizes are
 * integers.
 */
function isOfKind({ kind }: Named, text: string): boolean {
  if (text.startsWith("-")) return kind === "number" || kind === "date";
  return kind !== "size" || !text.includes(".");
}

function sampleWords(groups: readonly Group[], alike: number): readonly string[] {
  const conditions = groups.flatMap((group) => group.conditions);
  const choices = groups.flatMap(({ type }) => (type?.which === "choice" ? type.choice : []));
  const literals = collectLiterals(conditions);
  const known = [...new Set([...literals.words, ...choices])];
  const fresh = Array.from({ length: alike + known.length }, (_, at) => `chosen${at}`)
    .filter((text) => !known.includes(text))
    .slice(0, alike);
  const places = [...literals.folders, ...literals.domains, ...literals.origins, ...literals.starts, ...literals.ends];
  const isPlaced = conditions.some(({ operator, term }) => operator === "under" || term !== "value");
  const others = places.length > 0 ? sampleTexts(literals, LONGEST) : [];
  return [...fresh, ...known, ...(isPlaced ? PLACES : []), ...places, ...others];
}

/** Sample texts, each of which is a folder, a domain or an origin. */
const PLACES = ["/chosen", "/", "chosen.example", "https://chosen.example"];

/** Returns sample amounts: the compared amounts, amounts near each of them, and amounts between each two of them. */
function sampleAmounts(groups: readonly Group[], alike: number): readonly string[] {
  const conditions = groups.flatMap((group) => group.conditions);
  const literals = conditions.flatMap((condition) => condition.literals);
  const written = literals.flatMap((literal) => (literal.which === "decimal" ? [literal.decimal] : []));
  const bounds = groups.flatMap(({ type }) =>
    type?.which === "integer" ? [String(type.integer.low), String(type.integer.high)] : [],
  );
  const points = sortDistinct(["0", ...written, ...bounds].flatMap((text) => parseDecimal(text) ?? []));
  const steps = Array.from({ length: 2 * alike }, (_, at) => BigInt(at + 1));
  const near = points.flatMap((point) => steps.flatMap((step) => [shift(point, step), shift(point, -step)]));
  const between = points.slice(1).flatMap((point, at) => spread(points[at] ?? point, point, alike));
  // Sample amounts near the compared amounts come first, because people choose such amounts.
  return [...near, ...points, ...between].map(formatDecimal);
}

function sortDistinct(decimals: readonly Decimal[]): readonly Decimal[] {
  return [...new Map(decimals.map((one) => [formatDecimal(one), one])).values()].sort(compareDecimals);
}

function shift({ digits, scale }: Decimal, by: bigint): Decimal {
  return { digits: digits + by * 10n ** BigInt(scale), scale };
}

/** Returns `count` decimals between two decimals, with equal distances. */
function spread(low: Decimal, high: Decimal, count: number): readonly Decimal[] {
  const scale = Math.max(low.scale, high.scale) + 2;
  const raise = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own);
  const [from, to] = [raise(low), raise(high)];
  const parts = BigInt(count + 1);
  return Array.from({ length: count }, (_, at) => ({ digits: from + ((to - from) * BigInt(at + 1)) / parts, scale }));
}
