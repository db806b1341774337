import { renderFloor, renderLine } from "../../../lang/format/index.ts";
import { placeOf } from "../../../lang/text/index.ts";
import type {
  FloorLine,
  Line,
  Narrowing,
  SessionAttribute,
  TaskAttribute,
  TimeLimit,
  WhenNode,
} from "../../../lang/tree/index.ts";
import { duplicateEntry } from "./codes.ts";
import { bindCheck, type ConditionWords } from "./conditions.ts";
import { type Context, resolveWord, selectKind, takeOnce } from "./context.ts";
import { resolveCompartments, resolveLevel } from "./lattice.ts";
import {
  type BoundFloor,
  type BoundLine,
  type BoundTimeLimit,
  type BoundWhen,
  type Lattice,
  type Narrowings,
  REMEMBERED,
} from "./model/index.ts";
import { bindPatterns, type PatternWords } from "./patterns.ts";
import { readMilliseconds } from "./quantities.ts";
import { bindQuotas } from "./quotas.ts";

export interface NarrowingWords extends PatternWords, ConditionWords {
  readonly lattice: Lattice;
}

type Attributes = readonly (Narrowing | SessionAttribute | TaskAttribute)[];

/** Binds the narrowing attributes that a session, a task, a phase or a worker declares itself. */
export function bindNarrowings(context: Context, words: NarrowingWords, attributes: Attributes): Narrowings {
  const lines = selectKind(attributes, "permit").flatMap((permit) => permit.lines);
  const suppress = selectKind(attributes, "suppress").flatMap((entry) => entry.patterns);
  const quotas = selectKind(attributes, "quota").flatMap((quota) => quota.entries);
  return {
    lines: lines.map((line) => bindLine(context, words, line)),
    only: selectKind(attributes, "only").map((entry) => bindPatterns(context, words, entry.patterns)),
    suppress: bindPatterns(context, words, suppress),
    floors: bindFloors(context, words, attributes),
    quotas: bindQuotas(context, words.categories, quotas),
    timeouts: bindTimeouts(context, attributes),
    remember: bindRemember(context, attributes),
  };
}

function bindRemember(context: Context, attributes: Attributes): Narrowings["remember"] {
  const node = takeOnce(context, "`remember`", selectKind(attributes, "remember"));
  if (node === undefined) return undefined;
  const scope = resolveWord(context, "time for which consent is remembered", REMEMBERED, node.scope);
  return scope && { scope, span: node.span };
}

/** Binds a permission line. Invalid patterns and checks were reported and are left out. */
export function bindLine(context: Context, words: PatternWords & ConditionWords, node: Line): BoundLine {
  const checks = node.where?.checks.map((check) => bindCheck(context, words, check)) ?? [];
  const whole = checks.every((check) => check !== undefined);
  const where = node.where && {
    checks: checks.flatMap((check) => check ?? []),
    otherwise: node.where.otherwise.mode,
  };
  // If a condition cannot be bound, the line would have another meaning without it, so the line gets no patterns.
  const patterns = bindPatterns(context, words, node.patterns);
  return { mode: node.mode.mode, patterns: whole ? patterns : [], where, words: renderLine(node), node };
}

function bindFloors(context: Context, words: NarrowingWords, attributes: Attributes): BoundFloor[] {
  return selectKind(attributes, "when").flatMap((node) => {
    const when = bindWhen(context, words.lattice, node);
    const floors = node.floors.map((floor) => ({
      ...bindFloor(context, words, floor),
      words: renderFloor(node, floor),
    }));
    return when === undefined ? [] : floors.map((floor) => ({ ...floor, when }));
  });
}

/**
 * Binds a floor without the conditions of its `when`. If a check is invalid, which `bindCheck` reports, the floor gets
 * no patterns: without this check it would apply to more calls than the page states.
 */
function bindFloor(context: Context, words: NarrowingWords, node: FloorLine): Omit<BoundFloor, "when" | "words"> {
  const checks = node.where?.checks.map((check) => bindCheck(context, words, check)) ?? [];
  const whole = checks.every((check) => check !== undefined);
  const patterns = bindPatterns(context, words, node.patterns);
  return {
    mode: node.mode.mode,
    patterns: whole ? patterns : [],
    checks: checks.flatMap((check) => check ?? []),
    node,
  };
}

/**
 * Joins the conditions of a `when`: the result has the highest confidentiality, the lowest integrity, and all
 * compartments. Returns `undefined` if a condition has an unknown name.
 */
function bindWhen(context: Context, lattice: Lattice, node: WhenNode): BoundWhen | undefined {
  const bound = { confidentialityAtLeast: 0, integrityAtMost: 255, compartments: 0n, unattended: false, node };
  let whole = true;
  for (const met of node.met) {
    switch (met.kind) {
      case "confidentiality": {
        const level = resolveLevel(context, lattice.confidentiality, "confidentiality level", met.level);
        whole &&= level !== undefined;
        bound.confidentialityAtLeast = Math.max(bound.confidentialityAtLeast, level ?? 0);
        break;
      }
      case "integrity": {
        const level = resolveLevel(context, lattice.integrity, "integrity level", met.level);
        whole &&= level !== undefined;
        bound.integrityAtMost = Math.min(bound.integrityAtMost, level ?? 0);
        break;
      }
      case "compartment": {
        const bits = resolveCompartments(context, lattice, [met.compartment]);
        whole &&= bits !== undefined;
        bound.compartments |= bits ?? 0n;
        break;
      }
      case "unattended":
        bound.unattended = true;
    }
  }
  return whole ? bound : undefined;
}

export const TIMED = ["call", "turn", "login", "idle"] as const;
/** Maximum duration, about 49 days: the tables store milliseconds as unsigned 32-bit integers. */
const MAX_MILLISECONDS = 0xffff_ffffn;

function bindTimeouts(context: Context, attributes: Attributes): BoundTimeLimit[] {
  const seen = new Map<string, TimeLimit>();
  return selectKind(attributes, "timeout").flatMap((timeout) =>
    timeout.limits.flatMap((node) => {
      const scope = resolveWord(context, "time limit", TIMED, node.scope);
      if (scope === undefined) return [];
      const before = seen.get(scope);
      if (before !== undefined) {
        const facts = { what: `the time limit per ${scope}`, where: placeOf(before.span) };
        context.report(duplicateEntry.at(node.span, facts));
        return [];
      }
      seen.set(scope, node);
      const milliseconds = readMilliseconds(context, node.limit, MAX_MILLISECONDS);
      return milliseconds === undefined ? [] : [{ scope, milliseconds, node }];
    }),
  );
}
