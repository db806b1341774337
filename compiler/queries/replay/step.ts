import { beginIn, enterPhase, type IndexedTables, openTask, type Passage } from "../../../engine/lib/policy/index.ts";
import type { Result } from "../../../engine/lib/result/result.ts";
import type { ConversationBounds, PlaceNames } from "./conversation-bounds.ts";
import type { Counting, Turn } from "./counting.ts";
import type { RecordedStep, Step } from "./events.ts";
import { type Judgement, settle } from "./judgement.ts";

interface Surroundings {
  readonly tables: IndexedTables;
  readonly standing: ConversationBounds;
  readonly counting: Counting;
}

/**
 * Returns the decision of the replayed policy about a person's step into a task or a phase. If a person is asked, the
 * question is charged to quotas.
 */
export function judgeStep(around: Surroundings, step: Step & PlaceNames, was: RecordedStep, turn: Turn): Judgement {
  const { tables, counting } = around;
  const passage = findPassage(around, step);
  if (!passage.ok) return settle("notThere", passage.reason);
  const { gate, rule, conversation } = passage.value;
  const row = tables.rows[conversation.row];
  if (row === undefined || row.phase !== step.phase)
    return settle("notThere", `task ${step.task} begins in phase ${row?.phase}, and the record names ${step.phase}`);
  const asked = gate !== "auto";
  const reason = rule === undefined ? gate : `${gate} by "${tables.rules[rule]?.words}"`;
  const charge = { ...turn, row, tool: undefined, prompts: asked ? 1 : 0, argumentBytes: 0 };
  const charged = asked ? counting.charge(charge, was.isMade ? "ran" : "notRun") : ({ kind: "charged" } as const);
  switch (charged.kind) {
    case "exhausted":
      return settle("refusedByPolicy", charged.reason, charged.rule);
    case "unknown":
      return { kind: "open", because: charged.because, answers: [gate, "refusedByPolicy"] };
    case "charged":
      return { ...settle(gate, reason, rule), asked };
  }
}

function findPassage(
  { tables, standing }: Surroundings,
  { session, task, phase, isTask }: Step & PlaceNames,
): Result<Passage> {
  if (isTask) return openTask(tables, session, task);
  const [only, ...more] = standing.rows;
  const first = tables.rows.findIndex((row) => row.session === session && row.task === task && row.phaseIndex === 0);
  const at = only !== undefined && more.length === 0 ? only : first;
  const row = tables.rows[at];
  if (row === undefined) return { ok: false, reason: `the policy has no task ${task} in session ${session}` };
  return enterPhase(tables, beginIn(row, at), phase);
}
