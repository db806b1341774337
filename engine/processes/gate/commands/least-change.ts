// Finds the change that loosens a decision with the fewest other effects, and lists these effects. `capc why` describes
// its proposals in the same words. The gate has tables and no page: it changes a rule in a copy of them and decides the same call again.
// Only the compiler knows whether the laws allow the change.
import {
  changeWords,
  type Decision,
  diffTables,
  formatRowPath,
  GRANT_LIMITS,
  type IndexedTables,
  isStricter,
  listOwnOpenings,
  NOTHING_ASKS,
  renderChange,
  renderWhyCommand,
} from "../../../lib/policy/index.ts";
import { decideAtGate, isOutsideGrant } from "../../../lib/reach/decide-at-gate.ts";
import { excerpt } from "../result.ts";
import { type Asked, type Change, proposeChanges } from "./changes.ts";
import type { Lines } from "./parts.ts";

/** Maximum number of effects listed; further ones are only counted. */
const MOST_OPENED = 20;
const NONE = "no change of one line is known that would loosen this";
const QUOTAS = "whether the other quotas that count it have enough left, `/budget` tells";
const LAWS =
  "only the page shows whether the laws allow it, which flows it opens, and whether less is enough; ask there:";
/** Path of the page in the commands that are shown; the machine does not know the real path. */
const PAGE = "system.cap";

export function describeLeastChange(tables: IndexedTables, asked: Asked): Lines {
  const { decision, spent } = asked;
  if (isOutsideGrant(tables, asked.conversation, asked.call)) return [GRANT_LIMITS];
  if (decision.kind === "gated" && decision.gate === "auto" && spent === undefined) return [NOTHING_ASKS];
  const found = proposeChanges(tables, asked).flatMap((change) => {
    const answer = answerAfter(change, asked);
    return answer === undefined ? [] : [{ ...change, answer, ...describeEffects(tables, change, asked) }];
  });
  // If several changes have equally many effects, take the first.
  const [least] = found.sort((one, other) => one.opens.length - other.opens.length);
  if (least === undefined) return [NONE];
  const isInTask = tables.rows[asked.conversation.row]?.task !== "";
  const [opens, narrows] = [truncateEffects(least.opens), truncateEffects(least.narrows)];
  const quotas = spent === undefined ? 0 : (tables.rows[asked.conversation.row]?.quotas.length ?? 0);
  return [
    ...changeWords(least.answer, least.edits, { opens, narrows, isInTask }),
    // The broker names only the first exhausted quota, and only the broker knows the state of the others.
    ...(quotas > 1 ? [QUOTAS] : []),
    LAWS,
    `  ${renderWhyCommand(tables, PAGE, asked.conversation, asked.call) ?? "capc why"}`,
  ];
}

/** Returns the gate that the call would meet after a change, or `undefined` if this gate is not looser. */
function answerAfter({ tables }: Change, { conversation, call, decision, spent }: Asked): string | undefined {
  const after = decideAtGate(tables, conversation, call);
  if (after.kind === "refused") return undefined;
  return spent !== undefined || isLooser(decision, after.gate) ? after.gate : undefined;
}

function isLooser(decision: Decision, gate: "auto" | "consent" | "stepUp"): boolean {
  return decision.kind === "refused" || isStricter(decision.gate, gate);
}

/**
 * Returns the decisions that the change alters, except the call's own. `opens` lists those that become looser, beginning with those of the
 * same tool with other arguments. `narrows` lists those that become stricter.
 */
function describeEffects(
  tables: IndexedTables,
  { tables: after, narrowed, beside }: Change,
  { conversation, call }: Asked,
): { readonly opens: Lines; readonly narrows: Lines } {
  const before = narrowed ?? tables;
  const row = before.rows[conversation.row];
  const own = row && formatRowPath(row);
  const moved = diffTables(before, after).filter(({ place, what }) => place !== own || what !== call.tool);
  const now = after.rows[conversation.row];
  const same = row && now && listOwnOpenings({ tables: before, row }, { tables: after, row: now }, call.tool);
  return {
    opens: [...[...(same ?? []), ...moved].map(renderChange), ...beside],
    narrows: narrowed === undefined ? [] : diffTables(tables, narrowed).map(renderChange),
  };
}

function truncateEffects(effects: Lines): Lines {
  const more = effects.length - MOST_OPENED;
  return [...effects.slice(0, MOST_OPENED).map(excerpt), ...(more > 0 ? [`and ${more} more`] : [])];
}
