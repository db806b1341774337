// What would have to change for a looser answer, and what else that would open; in the words of `capc why`. The gate has tables and no
// page: a line is changed in a copy of them and the same call decided again. Whether the laws allow it, the compiler alone knows.
import { isDeepStrictEqual } from "node:util";
import {
  advertisedMode,
  type Call,
  type Conversation,
  type Decision,
  decide,
  FIRST_DECISION,
  type IndexedTables,
  isStricter,
  type PermissionMode,
} from "../../policy/index.ts";
import type { Row } from "../../wire/generated/policy.ts";
import { excerpt } from "../result.ts";
import { ruleWords } from "../words.ts";
import type { Lines } from "./parts.ts";

/** Of what else is opened; the rest is counted. */
const MOST_OPENED = 20;
const NONE = "no change of one line is known that would loosen this";

export function leastChange(tables: IndexedTables, conversation: Conversation, call: Call, decision: Decision): Lines {
  if (decision.kind === "gated" && decision.gate === "auto") return ["nothing asks: there is no looser answer"];
  const { rule } = decision;
  if (rule === undefined || (decision.kind === "gated" && decision.release !== undefined)) return [NONE];
  const isGated = decision.kind === "gated";
  const isReading = tables.tools[tables.toolIndex.get(call.tool) ?? -1]?.readOnly === true;
  const wanted = isGated || isReading ? "auto" : "consent";
  const changed = loosened(tables, rule, wanted);
  const after = decide(changed, conversation, call);
  if (after.kind === "refused" || (isGated && !isStricter(decision.gate, after.gate))) return [NONE];
  const opened = movedBetween(tables, changed, conversation.row, call.tool);
  return [
    `least change, after which the answer is ${after.gate}:`,
    `  ${ruleWords(tables, rule)} becomes ${wanted}`,
    ...(opened.length === 0 ? ["it opens nothing else"] : ["what else that opens:"]),
    ...opened.slice(0, MOST_OPENED).map((line) => `  ${excerpt(line)}`),
    ...(opened.length > MOST_OPENED ? [`  and ${opened.length - MOST_OPENED} more`] : []),
    "whether the laws allow it, `capc why` tells, which has the page",
  ];
}

/** The same tables, with nothing on this line stricter than that. */
function loosened(tables: IndexedTables, rule: number, wanted: PermissionMode): IndexedTables {
  const looser = <Mode extends PermissionMode>(mode: Mode) => (isStricter(mode, wanted) ? wanted : mode);
  const decisions = tables.decisions.map((list) => {
    const { clauses, floors } = list;
    const isOn = [...clauses, ...floors].some((one) => one.rule === rule);
    if (!isOn) return list;
    return {
      clauses: clauses.map((one) =>
        one.rule === rule ? { ...one, met: looser(one.met), otherwise: looser(one.otherwise) } : one,
      ),
      floors: floors.map((one) => (one.rule === rule ? { ...one, mode: looser(one.mode) } : one)),
    };
  });
  return { ...tables, decisions };
}

/** What every other tool is offered as, in every row, where that is not what it was. */
function movedBetween(before: IndexedTables, after: IndexedTables, own: number, asked: string): readonly string[] {
  return before.rows.flatMap((row, at) =>
    before.tools.flatMap(({ name }, index) => {
      const cell = (row.cells[index] ?? 0) - FIRST_DECISION;
      const [old, now] = [before.decisions[cell], after.decisions[cell]];
      if (old === undefined || now === undefined || isDeepStrictEqual(old, now)) return [];
      if (at === own && name === asked) return [];
      const [was, is] = [old, now].map((list) => advertisedMode(list, row.starts, false));
      return [`${placeOf(row)} ${name}: ${was} → ${was === is ? `${is}, under other conditions` : is}`];
    }),
  );
}

/** `operator`, `operator.triage.look`, as the compiler names it. */
function placeOf({ session, task, phase, worker }: Row): string {
  return [session, task, phase, worker].filter((part) => part !== "").join(".");
}
