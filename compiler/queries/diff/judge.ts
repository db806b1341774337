// What a change of one cell does: whether some call, in some conversation, is decided more loosely than before, or more
// strictly, with arguments that show it. The arguments come from the piece that the proofs have them from.

import { isStricter, type Label, type PermissionMode } from "../../../engine/lib/policy/index.ts";
import type { Decision, Param } from "../../../engine/lib/wire/generated/policy.ts";
import { reachOf, textOf } from "../../phases/policy/index.ts";
import { type Pair, pairsOf, strictest } from "../../phases/prove/index.ts";
import { meantClause } from "./meaning.ts";
import { type Floored, type Situation, situationsOf } from "./situations.ts";

/** A call that is decided otherwise than before. */
export interface Shown {
  readonly before: PermissionMode;
  readonly after: PermissionMode;
  /** Canonical JSON; absent where none was found, and none can be ruled out. */
  readonly arguments?: string;
  /** Of a conversation in which it is so; absent where floors have no part in it. */
  readonly situation?: Situation;
}

export interface Judgement {
  /** Absent where certainly no call is decided more loosely. */
  readonly widens?: Shown;
  /** Absent where certainly no call is decided more strictly. */
  readonly narrows?: Shown;
}

/** What stands in a cell; nothing where the tool does not exist there. */
type Standing = Decision | undefined;

/** What hides a tool lets nothing run. */
const NEVER: Decision = {
  clauses: [{ conditions: [], met: "forbidden", otherwise: "forbidden", rule: 0 }],
  floors: [],
};

/** `starts`: what every conversation of the row has seen. Both lists are of one lattice. */
export function judged(params: readonly Param[], before: Standing, after: Standing, starts: Label): Judgement {
  const [old, now] = [before ?? NEVER, after ?? NEVER];
  const { pairs, complete } = pairsOf(params, old, now);
  const floored = situationsOf(old.floors, now.floors, starts);
  const known = pairs.flatMap((pair) => floored.situations.map((situation) => shown(pair, situation)));
  const all = complete && floored.complete;
  const widens = firstOf(known, isLooser) ?? (all || atLeastAsStrict(now, old) ? undefined : unlooked(old, now));
  const narrows = firstOf(known, isTighter) ?? (all || atLeastAsStrict(old, now) ? undefined : unlooked(old, now));
  return { ...(widens && { widens }), ...(narrows && { narrows }) };
}

function isLooser({ before, after }: Shown): boolean {
  return isStricter(before, after);
}

function isTighter({ before, after }: Shown): boolean {
  return isStricter(after, before);
}

/** One that can be shown with arguments rather than one that only cannot be ruled out. */
function firstOf(all: readonly Shown[], wanted: (one: Shown) => boolean): Shown | undefined {
  const found = all.filter(wanted);
  return found.find((one) => one.arguments !== undefined) ?? found[0];
}

function shown(pair: Pair, floored: Floored): Shown {
  const { label, unattended } = floored;
  const plain = floored.before === "auto" && floored.after === "auto";
  return {
    before: strictest([pair.before, floored.before]),
    after: strictest([pair.after, floored.after]),
    ...(pair.arguments === undefined ? {} : { arguments: pair.arguments }),
    ...(plain ? {} : { situation: { label, unattended } }),
  };
}

/** Certain where all that the other one asks is asked here as well, for more lines never loosen; and where no outcome is looser. */
function atLeastAsStrict(first: Decision, second: Decision): boolean {
  if (!isStricter(strictestOf(second), reachOf(first.clauses.map(meantClause)).loosest)) return true;
  const clauses = new Set(first.clauses.map((clause) => textOf(meantClause(clause))));
  const floors = new Set(first.floors.map(floorText));
  return (
    second.clauses.every((clause) => clauses.has(textOf(meantClause(clause)))) &&
    second.floors.every((floor) => floors.has(floorText(floor)))
  );
}

function floorText({ rule: _, ...floor }: Decision["floors"][number]): string {
  return textOf(floor);
}

/** Too much to look at: nobody knows, and the least that can be said is what the lists end in. */
function unlooked(before: Decision, after: Decision): Shown {
  return { before: strictestOf(before), after: strictestOf(after) };
}

function strictestOf({ clauses, floors }: Decision): PermissionMode {
  return strictest([reachOf(clauses.map(meantClause)).strictest, ...floors.map(({ mode }) => mode)]);
}
