// Replays a witness with the functions of the image that decide calls, admit results, and move a conversation to
// another row.
import {
  admit,
  type Conversation,
  decide,
  endWorker,
  enterPhase,
  evaluateBackends,
  type IndexedTables,
  indexTables,
  openConversation,
  openIngress,
  openTask,
  startTurn,
  startWorker,
} from "../../../../engine/lib/policy/index.ts";
import type { Result } from "../../../../engine/lib/result/result.ts";
import type { PolicyTables } from "../../../../engine/lib/wire/generated/policy.ts";
import { assumeSources } from "../arguments/heard.ts";
import type { Witness, WitnessCall, WitnessConversation, WitnessStep } from "../index.ts";
import { isSame, together } from "./labels.ts";

class Refused extends Error {}
export type Pace = "together" | "apart";

interface Image {
  readonly tables: IndexedTables;
  readonly pace: Pace;
}

/**
 * Replays a witness with the functions of the image. If a step ends otherwise than the witness states, returns the
 * reason; otherwise returns `undefined`. If `pace` is `together`, repeated calls are made in one turn; otherwise each
 * call is a separate turn.
 */
export function enacted(tables: PolicyTables, witness: Witness, pace: Pace): string | undefined {
  const indexed = indexTables(tables);
  if (!indexed.ok) return indexed.reason;
  try {
    for (const played of witness.conversations) hold({ tables: indexed.value, pace }, played);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

function hold(image: Image, { session, task, chosen, steps }: WitnessConversation): void {
  const { tables } = image;
  let conversation =
    task === ""
      ? openConversation(tables, session)
      : made(openTask(tables, session, task, new Map(chosen?.map(({ name, value }) => [name, value])))).conversation;
  if (conversation === undefined) throw new Refused(`no session ${session}`);
  for (const step of steps) conversation = startTurn(tables, taken(image, conversation, step));
}

function made<T>(checked: Result<T>): T {
  if (!checked.ok) throw new Refused(checked.reason);
  return checked.value;
}

function taken(image: Image, before: Conversation, step: WitnessStep): Conversation {
  const after = next(image, before, step);
  if (!isSame(after.label, step.label)) throw new Refused(`${step.kind} comes to another label`);
  return after;
}

function next(image: Image, now: Conversation, step: WitnessStep): Conversation {
  const { tables } = image;
  switch (step.kind) {
    case "call":
      return called(image, now, step);
    case "phase": {
      const { gate, conversation } = made(enterPhase(tables, now, step.phase));
      if (gate !== step.gate) throw new Refused(`${step.phase} is entered by ${gate}`);
      return conversation;
    }
    case "ingress": {
      const coming = made(openIngress(tables, step.name)).conversation;
      if (coming.row !== now.row) throw new Refused(`${step.name} comes in elsewhere`);
      return { ...now, label: together(now.label, coming.label) };
    }
    case "worker": {
      let worker = made(startWorker(tables, now, step.worker));
      for (const inner of step.steps) worker = startTurn(tables, taken(image, worker, inner));
      return made(endWorker(tables, now, worker));
    }
    case "infer": {
      const backend = tables.backends.findIndex(({ name }) => name === step.backend);
      const standing = evaluateBackends(tables, now, new Set()).find((one) => one.backend === backend);
      const usable = standing?.use !== "never" && standing?.mode === step.gate;
      if (!usable) throw new Refused(`${step.backend} may not be used: ${standing?.reason}`);
      return now;
    }
  }
}

function called({ tables, pace }: Image, before: Conversation, step: WitnessCall): Conversation {
  let now = before;
  for (let time = 0; time < (step.times ?? 1); time++) {
    if (time > 0 && pace === "apart") now = startTurn(tables, now);
    const heard = { ...now, sources: assumeSources(step.heard ?? []) };
    const decision = decide(tables, heard, { tool: step.tool, arguments: step.arguments });
    if (decision.kind === "refused") throw new Refused(`${step.tool}: ${decision.reason}`);
    const { gate, release, rule, spent } = decision;
    if (gate !== step.gate || release !== step.release || rule !== step.rule) {
      throw new Refused(`${step.tool} is behind ${gate} by ${rule}, release ${release}`);
    }
    now = { ...now, spent };
    if (step.returning === undefined) continue;
    now = admit(tables, now, decision.tool, step.returning).conversation;
  }
  return now;
}
