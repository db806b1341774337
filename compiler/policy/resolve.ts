import type { Span } from "../../lang/text/index.ts";
import {
  type BoundCheck,
  type BoundFloor,
  type BoundLine,
  type BoundPattern,
  isWithin,
  keysOf,
  type Model,
  type Session,
  type Tool,
} from "../bind/index.ts";
import { kindOf } from "./effective.ts";
import type { Outcomes } from "./strictness.ts";

// What each session answers to each tool: the most specific lines of each layer (ruling 3), layers joined so that the
// strictest answer wins (ruling 5), widenings in place of the answers they name (ruling 6). Lawful or not is not asked.

/** A line of the page as the tables, `/why` and the audit name it. */
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

export interface Answer {
  /** Suppressed, or outside of an `only`: the tool does not exist here. */
  readonly suppressed: boolean;
  /** All hold together; none: no line covers the tool, and it never runs. */
  readonly clauses: readonly Clause[];
  readonly floors: readonly CellFloor[];
  /** A widening named this cell. */
  readonly widened: boolean;
}

/** Answers of every session, one for each tool in the model's order. */
export type Resolution = ReadonlyMap<Session, readonly Answer[]>;

/** The lines of one layer that decide about a tool: those of the most specific key. */
export interface Deciding {
  readonly key: string;
  readonly lines: readonly BoundLine[];
}

export function resolveSessions(model: Model): Resolution {
  const keys = model.tools.map((tool) => keysOf(tool));
  const resolution = new Map<Session, readonly Answer[]>();
  // Bases stand before what builds on them: binding made them in that order.
  for (const session of inBaseOrder(model.sessions)) {
    const base = session.base && resolution.get(session.base);
    const layer = layerOf(session);
    resolution.set(
      session,
      model.tools.map((tool, index) => answerOf(layer, tool, keys[index] ?? [], base?.[index])),
    );
  }
  return resolution;
}

function inBaseOrder(sessions: readonly Session[]): Session[] {
  const depth = (session: Session): number => (session.base === undefined ? 0 : 1 + depth(session.base));
  return [...sessions].sort((left, right) => depth(left) - depth(right));
}

/** The lines of a session by key, so that a cell is found without reading all of them. */
interface Layer {
  readonly session: Session;
  readonly lines: ReadonlyMap<string, readonly BoundLine[]>;
  readonly widened: ReadonlyMap<string, readonly BoundLine[]>;
  readonly reasons: ReadonlyMap<BoundLine, string>;
  readonly floors: ReadonlyMap<string, readonly BoundFloor[]>;
  readonly suppress: ReadonlySet<string>;
  readonly only: readonly ReadonlySet<string>[];
}

function layerOf(session: Session): Layer {
  const widenings = session.widenings.flatMap(({ lines, words }) => lines.map((line) => [line, words] as const));
  return {
    session,
    lines: byKey(session.lines),
    widened: byKey(widenings.map(([line]) => line)),
    reasons: new Map(widenings),
    floors: byKey(session.floors),
    suppress: new Set(session.suppress.map((pattern) => pattern.key)),
    only: session.only.map((patterns) => new Set(patterns.map((pattern) => pattern.key))),
  };
}

function byKey<T extends { readonly patterns: readonly BoundPattern[] }>(items: readonly T[]): Map<string, T[]> {
  const map = new Map<string, T[]>();
  for (const item of items) {
    for (const key of new Set(item.patterns.map((pattern) => pattern.key))) {
      const before = map.get(key);
      if (before === undefined) map.set(key, [item]);
      else before.push(item);
    }
  }
  return map;
}

/** The most specific key that some line of a layer has. */
export function decidingLines(lines: ReadonlyMap<string, readonly BoundLine[]>, keys: readonly string[]): Deciding {
  const key = keys.find((candidate) => lines.has(candidate));
  return { key: key ?? "", lines: key === undefined ? [] : (lines.get(key) ?? []) };
}

export function linesByKey(session: Session): ReadonlyMap<string, readonly BoundLine[]> {
  return byKey(session.lines);
}

function answerOf(layer: Layer, tool: Tool, keys: readonly string[], base: Answer | undefined): Answer {
  const { session } = layer;
  const own = decidingLines(layer.lines, keys).lines.map((line) => clauseOf(session, line));
  const widening = decidingLines(layer.widened, keys).lines;
  const widened = widening.length > 0;
  const inherited = base?.clauses ?? [];
  const joined = widened
    ? widening.map((line) => widenedClause(session, line, layer.reasons.get(line) ?? ""))
    : joinLayers(session, own, inherited);
  const floors = keys.flatMap((key) => layer.floors.get(key) ?? []);
  const answer: Answer = {
    suppressed: base?.suppressed === true || isSuppressed(layer, keys),
    clauses: joined,
    floors: [...(base?.floors ?? []), ...floors.map((floor) => ({ floor, rule: floorRule(session, floor) }))],
    // What a profile widens holds for its own lines: lines that go before them have to be widened again.
    widened: widened || (base?.widened === true && (own.length === 0 || session.relation === "extends")),
  };
  return withAdminGuard(session, tool, answer);
}

/** `from` gives defaults; `extends` holds beside what is written, and opens nothing that the parent leaves shut. */
function joinLayers(session: Session, own: readonly Clause[], inherited: readonly Clause[]): readonly Clause[] {
  if (own.length === 0) return inherited;
  if (session.relation !== "extends") return own;
  return inherited.length === 0 ? [] : [...inherited, ...own];
}

function isSuppressed(layer: Layer, keys: readonly string[]): boolean {
  const covered = (patterns: ReadonlySet<string>) => keys.some((key) => patterns.has(key));
  return covered(layer.suppress) || layer.only.some((patterns) => !covered(patterns));
}

/** Ruling 7: where nobody operates the machine, `admin` is forbidden whatever a line says, unless it is widened. */
function withAdminGuard(session: Session, tool: Tool, answer: Answer): Answer {
  const kind = kindOf(session);
  if (kind === undefined || kind.name === "operator" || answer.widened || answer.clauses.length === 0) return answer;
  if (!isWithin(tool.method.category, "admin")) return answer;
  const words = `kind ${kind.name}`;
  const rule = { id: `${session.id}/${words}`, words, span: kind.span };
  return { ...answer, clauses: [...answer.clauses, { checks: [], met: "forbidden", otherwise: undefined, rule }] };
}

function clauseOf(session: Session, line: BoundLine): Clause {
  const rule = { id: `${session.id}/${line.words}`, words: line.words, span: line.node.span };
  return { checks: line.where?.checks ?? [], met: line.mode, otherwise: line.where?.otherwise, rule };
}

function widenedClause(session: Session, line: BoundLine, reason: string): Clause {
  const words = `widen ${line.words} ${reason}`;
  return { ...clauseOf(session, line), rule: { id: `${session.id}/widen ${line.words}`, words, span: line.node.span } };
}

function floorRule(session: Session, floor: BoundFloor): RuleWords {
  return { id: `${session.id}/${floor.words}`, words: floor.words, span: floor.node.span };
}

/** What a session would answer without its own widenings: by tool, for the law that asks what they change. */
export function unwidened(model: Model, session: Session): ReadonlyMap<Tool, Answer> {
  const chain = [session, ...basesOf(session)].reverse();
  let below: ReadonlyMap<Tool, Answer> = new Map();
  for (const at of chain) {
    const layer = layerOf(at === session ? { ...session, widenings: [] } : at);
    const answers = model.tools.map((tool) => [tool, answerOf(layer, tool, keysOf(tool), below.get(tool))] as const);
    below = new Map(answers);
  }
  return below;
}

function basesOf(session: Session): Session[] {
  return session.base === undefined ? [] : [session.base, ...basesOf(session.base)];
}

/** The keys of a session's own lines that decide about some tool: every other line of its is covered by better ones. */
export function decidedKeys(model: Model, session: Session): ReadonlySet<string> {
  const lines = byKey(session.lines);
  return new Set(model.tools.map((tool) => decidingLines(lines, keysOf(tool)).key));
}
