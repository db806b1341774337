// llm-osd in an image: this program serves `ActionPlans` if the page names no other program. The program parses a plan
// strictly, and proposes each action to the gate of the one session for which it works. The program holds only the
// connection to that gate. The gate decides, asks about, counts and records each action, like the calls that a model
// proposes.

import { getText, isRecord, readJson } from "../../lib/policy/index.ts";
import { accept, type Result as Outcome, refuse } from "../../lib/result/result.ts";
import type { PlanGateActResults, PlanGateLookResults } from "../../lib/wire/generated/service.ts";
import type { ActionFault, Answer, FailureAnswer, Result } from "./answer.ts";
import { redactPlan } from "./audit.ts";
import { type FileAct, readResult, writeResult } from "./file-results.ts";
import { findFloor } from "./floors.ts";
import type { Action, Plan } from "./plan.ts";
import { makeFailedAnswer, readPlan } from "./read-plan.ts";

/** The gate, as the page's grant gives it to a module. Each method rejects with one sentence if there is no answer. */
interface HeldGate {
  readonly look: (args: object) => Promise<object>;
  readonly begin: (args: object) => Promise<object>;
  readonly act: (args: object) => Promise<object>;
  readonly refused: (args: object) => Promise<object>;
}

interface Surroundings {
  readonly signal: AbortSignal;
  readonly held: Readonly<Record<string, HeldGate>>;
}

/** Resolves after the last request. Requests of all clients run in order: each is a turn, and a new turn would end the previous one. */
let last: Promise<unknown> = Promise.resolve();

export default {
  async submit({ plan }: { readonly plan: string }, surroundings: Surroundings): Promise<{ readonly answer: string }> {
    const mine = last.then(() => answered(plan, surroundings));
    last = mine.catch(() => undefined);
    return { answer: JSON.stringify(await mine) };
  },
};

async function answered(request: string, { signal, held }: Surroundings): Promise<Answer | FailureAnswer> {
  const [gate] = Object.values(held);
  if (gate === undefined) throw new Error("it holds no gate");
  const read = readPlan(Buffer.from(request));
  if (!read.ok) {
    await gate.refused({ words: JSON.stringify(read) });
    return read;
  }
  const { plan } = read;
  const { request_id, session_id, mode } = plan;
  const ids = { request_id, ...(session_id !== undefined && { session_id }) };
  if (mode === "plan_only") return { ok: true, ...ids, executed: false, results: await planned(plan, gate) };
  const turn = await begin(plan, gate);
  if (!turn.ok) return { ...makeFailedAnswer("audit_failed", turn.reason), ...ids };
  return { ok: true, ...ids, executed: true, results: await executed(plan, turn.value, gate, signal) };
}

/**
 * Begins the turn of a plan, and returns the number of the turn. Refuses if the request cannot be recorded, or if no
 * turn may begin.
 */
async function begin(plan: Plan, gate: HeldGate): Promise<Outcome<number>> {
  try {
    const begun = await gate.begin({ words: JSON.stringify(redactPlan(plan)) });
    const hasTurn = "turn" in begun && typeof begun.turn === "number";
    return hasTurn ? accept(Number(begun.turn)) : refuse("the gate gave no turn");
  } catch (error) {
    return refuse(wordsOf(error));
  }
}

async function planned({ actions }: Plan, gate: HeldGate): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const action of actions) {
    const { type } = action;
    const known = type === "ping" ? RUNS : await looked(action, gate);
    const needs = known.standing === "asks" || isCautious(action);
    const isRefused = known.standing === "refused";
    results.push(isRefused ? refused(action, denied(known.reason)) : { type, ok: true, needs_confirmation: needs });
  }
  return results;
}

const RUNS: PlanGateLookResults = { standing: "runs", reason: "" };

async function looked(action: Exclude<Action, { type: "ping" }>, gate: HeldGate): Promise<PlanGateLookResults> {
  if (action.type === "exec") return { standing: "refused", reason: NO_PROGRAMS };
  const fault = rightsFault(action);
  if (fault !== undefined) return { standing: "refused", reason: fault };
  const told = await gate.look({ action: wired(action) });
  return { standing: fieldOf(told, "standing"), reason: fieldOf(told, "reason") };
}

async function executed(plan: Plan, turn: number, gate: HeldGate, signal: AbortSignal): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [index, action] of plan.actions.entries()) {
    const isOver = results.at(-1)?.ok === false || signal.aborted;
    results.push(isOver ? refused(action, NOT_RUN) : await one(action, { plan, turn, index, gate }));
  }
  return results;
}

interface Step {
  readonly plan: Plan;
  readonly turn: number;
  readonly index: number;
  readonly gate: HeldGate;
}

async function one(action: Action, { plan, turn, index, gate }: Step): Promise<Result> {
  if (action.type === "ping") return { type: "ping", ok: true };
  if (action.type === "exec") return refused(action, denied(NO_PROGRAMS));
  const fault = rightsFault(action);
  if (fault !== undefined) return refused(action, denied(fault));
  const cautious = isCautious(action);
  // If the gate refuses the action, the gate itself returns the reason and records the refusal.
  const hasToken = plan.confirmation !== undefined;
  if (hasToken && (cautious || (await looked(action, gate)).standing === "asks")) return refused(action, NO_TOKEN);
  const id = `${plan.request_id.replace(/[^\w.-]/g, "_").slice(0, MOST_SHOWN_ID)}.${index}`;
  try {
    const told = await gate.act({ turn, id, action: wired(action), isCautious: cautious });
    return resultOf(action, {
      outcome: fieldOf(told, "outcome"),
      content: fieldOf(told, "content"),
      error: fieldOf(told, "error"),
    });
  } catch (error) {
    return refused(action, denied(wordsOf(error)));
  }
}

/** Maximum characters of a request id in the id of a call, which has at most 64. The record of the request contains the whole id. */
const MOST_SHOWN_ID = 48;

function resultOf(action: FileAct, { outcome, content, error }: PlanGateActResults): Result {
  switch (outcome) {
    case "ok":
      return action.type === "read_file" ? readResult(action, content) : writeResult(action);
    case "deniedByUser":
    case "stepUpFailed":
      return refused(action, { code: "confirmation_required", message: error });
    case "executionError":
    case "timedOut":
    case "cancelled":
      return refused(action, { code: action.type === "read_file" ? "read_failed" : "write_failed", message: error });
    default:
      return refused(action, denied(error));
  }
}

const NO_PROGRAMS = "an image has no programs to start: what a page's own program does is a tool of its own";
const NOT_RUN: ActionFault = { code: "not_run", message: "an action before it failed, or its client left" };
const NO_TOKEN: ActionFault = {
  code: "confirmation_invalid",
  message: "in an image a person confirms at the console, and no token does",
};
/** Mode that the file service gives every file, so that no process of another user can read it. */
const RIGHTS = 0o600;

function rightsFault(action: FileAct): string | undefined {
  if (action.type === "read_file" || action.mode === RIGHTS) return undefined;
  return "files of an image have the mode 0600, and no other";
}

function isCautious(action: Action): boolean {
  return action.type !== "ping" && action.type !== "exec" && findFloor(action, "") !== undefined;
}

function wired(action: FileAct): object {
  const { type, path } = action;
  return type === "read_file" ? { type, path } : { type, path, content: action.content };
}

function refused({ type }: Action, error: ActionFault): Result {
  return { type, ok: false, error };
}

function denied(message: string): ActionFault {
  return { code: "policy_denied", message };
}

function fieldOf(told: object, name: string): string {
  const read = readJson(JSON.stringify(told));
  return read.ok && isRecord(read.value) ? getText(read.value[name]) : "";
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
