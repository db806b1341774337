import type { Span } from "../../../lang/text/index.ts";
import {
  type BoundCheck,
  type BoundFloor,
  type BoundLine,
  type BoundPattern,
  createNamedTest,
  listKeys,
  type Method,
  type Narrowings,
  type Tool,
  type Widening,
} from "../bind/index.ts";
import type { Outcomes } from "./strictness.ts";

// Ruling 5: each session, parent, task, phase and worker is a layer. Within one layer, the most specific lines decide
// (ruling 3). Other modules combine the decisions of the layers.

/** A line of the page, as the tables, `/why` and the audit identify it. */
export interface RuleWords {
  readonly id: string;
  readonly words: string;
  readonly span: Span;
}

export interface Clause extends Outcomes {
  readonly checks: readonly BoundCheck[];
  readonly rule: RuleWords;
}

export interface CellFloor {
  readonly floor: BoundFloor;
  readonly rule: RuleWords;
}

/** The statements of one layer that concern one tool. */
export interface LayerStatements {
  readonly clauses: readonly Clause[];
  /** Lines of a widening, which replace inherited lines. */
  readonly widened: readonly Clause[];
  readonly floors: readonly CellFloor[];
  readonly suppressed: boolean;
}

type LinesByKey = ReadonlyMap<string, readonly BoundLine[]>;

/**
 * A layer with its lines by the key of their pattern, such as `category readOnly`. So the lines about a cell are found
 * without reading all lines.
 */
export interface Layer {
  /** Prefix of the ids of the layer's rules: the id of the session, task, phase or worker. */
  readonly id: string;
  readonly lines: LinesByKey;
  readonly widened: LinesByKey;
  readonly reasons: ReadonlyMap<BoundLine, string>;
  readonly floors: ReadonlyMap<string, readonly BoundFloor[]>;
  readonly suppress: ReadonlySet<string>;
  readonly only: readonly ReadonlySet<string>[];
}

export function createLayer(id: string, narrowings: Narrowings, widenings: readonly Widening[] = []): Layer {
  const widening = widenings.flatMap(({ lines, words }) => lines.map((line) => [line, words] as const));
  return {
    id,
    lines: groupByKey(narrowings.lines),
    widened: groupByKey(widening.map(([line]) => line)),
    reasons: new Map(widening),
    floors: groupByKey(narrowings.floors),
    suppress: new Set(narrowings.suppress.map((pattern) => pattern.key)),
    only: narrowings.only.map((patterns) => new Set(patterns.map((pattern) => pattern.key))),
  };
}

export function groupByKey<T extends { readonly patterns: readonly BoundPattern[] }>(
  items: readonly T[],
): Map<string, T[]> {
  const map = new Map<string, T[]>();
  const add = (key: string, item: T): void => {
    const before = map.get(key);
    if (before === undefined) map.set(key, [item]);
    else before.push(item);
  };
  for (const item of items) {
    const first = item.patterns[0];
    if (first === undefined) continue;
    if (item.patterns.length === 1) add(first.key, item);
    else for (const key of new Set(item.patterns.map((pattern) => pattern.key))) add(key, item);
  }
  return map;
}

/**
 * Returns the first of the keys, which are sorted from specific to general, for which the layer has lines; `undefined`
 * if there is none.
 */
function findDecidingKey(lines: LinesByKey, keys: readonly string[]): string | undefined {
  return keys.find((key) => lines.has(key));
}

/** Returns the lines of a layer that decide about a tool. These are the lines of the most specific key. */
function findDecidingLines(lines: LinesByKey, keys: readonly string[]): readonly BoundLine[] {
  return lines.get(findDecidingKey(lines, keys) ?? "") ?? [];
}

/**
 * Returns a function that finds the statements of a layer about a tool. Tools with the same method share the result,
 * unless a line names one of the tools or its service. So the time depends on the number of methods and not on the
 * number of tools.
 */
export function createLayerReader(layer: Layer): (tool: Tool) => LayerStatements {
  const { lines, widened, floors, suppress, only } = layer;
  const isNamed = createNamedTest([lines, widened, floors, suppress, ...only].flatMap((keyed) => [...keyed.keys()]));
  const shared = new Map<Method, LayerStatements>();
  return (tool) => {
    if (isNamed(tool)) return readLayer(layer, listKeys(tool));
    const known = shared.get(tool.method) ?? readLayer(layer, listKeys(tool));
    shared.set(tool.method, known);
    return known;
  };
}

function readLayer(layer: Layer, keys: readonly string[]): LayerStatements {
  const widening = findDecidingLines(layer.widened, keys);
  const floors = keys.flatMap((key) => layer.floors.get(key) ?? []);
  const [group, widenedGroup] = [{}, {}];
  return {
    clauses: findDecidingLines(layer.lines, keys).map((line) => createClause(layer.id, line, group)),
    widened: widening.map((line) => createWidenedClause(layer.id, line, layer.reasons.get(line) ?? "", widenedGroup)),
    floors: floors.map((floor) => ({ floor, rule: makeRule(layer.id, floor.words, floor.node.span) })),
    suppressed: isSuppressed(layer, keys),
  };
}

function isSuppressed(layer: Layer, keys: readonly string[]): boolean {
  const isCoveredBy = (patterns: ReadonlySet<string>) => keys.some((key) => patterns.has(key));
  return isCoveredBy(layer.suppress) || layer.only.some((patterns) => !isCoveredBy(patterns));
}

export function makeRule(owner: string, words: string, span: Span): RuleWords {
  return { id: `${owner}/${words}`, words, span };
}

function createClause(owner: string, line: BoundLine, group: object): Clause {
  const rule = makeRule(owner, line.words, line.node.span);
  return { checks: line.where?.checks ?? [], met: line.mode, otherwise: line.where?.otherwise, rule, group };
}

function createWidenedClause(owner: string, line: BoundLine, reason: string, group: object): Clause {
  const words = `widen ${line.words} ${reason}`;
  return {
    ...createClause(owner, line, group),
    rule: { id: `${owner}/widen ${line.words}`, words, span: line.node.span },
  };
}

/**
 * Returns the keys of those lines of a layer that decide about some tool. A line is left out if more specific lines
 * decide about all of its tools.
 */
export function collectDecidingKeys(tools: readonly Tool[], narrowings: Narrowings): ReadonlySet<string> {
  const lines = groupByKey(narrowings.lines);
  const isNamed = createNamedTest(lines.keys());
  const decided = new Set<string>();
  const shared = new Set<Method>();
  tools.forEach((tool) => {
    const alike = !isNamed(tool);
    if (alike && shared.has(tool.method)) return;
    if (alike) shared.add(tool.method);
    const key = findDecidingKey(lines, listKeys(tool));
    if (key !== undefined) decided.add(key);
  });
  return decided;
}
