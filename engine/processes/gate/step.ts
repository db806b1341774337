// A person's step into another row of the policy tables: into a task, or into the next phase of a task. A step widens
// the set of tools that may be called, so it has a gate, is charged, and is recorded before it is made.

import {
  type ChosenParameter,
  type Conversation,
  type IndexedTables,
  isStricter,
  type JsonRecord,
  join,
  listAdvertisedTools,
  mayRecord,
  type Passage,
  renderCanonicalJson,
} from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Cancel } from "../../lib/wire/index.ts";
import { askOnce, describeApproval } from "./asking.ts";
import type { GateParts } from "./parts.ts";
import { canRecord, type EventDetail, recordEvent } from "./recording.ts";
import { getBrokersRow } from "./reserving.ts";
import { excerpt } from "./result.ts";
import { describeRow, describeRule } from "./sentences.ts";

export interface Step {
  /** Command of the person: `/task` or `/phase`. */
  readonly kind: "task" | "phase";
  /** Values that the person chose for the task's parameters. */
  readonly chosen: readonly ChosenParameter[];
  readonly before: Conversation;
  readonly passage: Passage;
  /** The conversation's name and its turn, as the broker and the audit know them. */
  readonly place: { readonly conversation: string; readonly turn: number };
  /** Fires when the step is cancelled. */
  readonly signal: Cancel;
}

/** Returns `undefined` if the step's gate is passed and recorded, otherwise the reason. */
export async function passStep(parts: GateParts, step: Step): Promise<string | undefined> {
  const isRecorded = await canRecord(parts.audit, parts.policyDigest);
  if (!isRecorded.ok) return isRecorded.reason;
  const { gate } = step.passage;
  if (!isRecorded.value) return gate === "auto" ? undefined : "nothing is recorded durably, so nobody is asked";
  const passed = gate === "auto" ? accept("auto") : await askForStep(parts, step);
  const event = passed.ok ? step.kind : `${step.kind} refused`;
  const end = passed.ok ? passed.value : passed.reason;
  const reply = await recordEvent(parts, event, describeStep(parts.tables, step, end));
  if (!passed.ok) return passed.reason;
  return reply.ok ? undefined : `the audit does not record the step: ${reply.reason}`;
}

/** Returns the text after the event's name in a record: "phase mend of task triage", "task triage in phase look". */
function describePlace(tables: IndexedTables, { kind, passage }: Step): string {
  const { task, phase } = getBrokersRow(tables, passage.conversation);
  if (kind === "phase") return `${phase} of task ${task}`;
  return phase === "" ? task : `${task} in phase ${phase}`;
}

/** Describes a step for the audit: `pay with {"limit":"100"}: auto`, without the values if the page keeps them out of the log. */
function describeStep(tables: IndexedTables, step: Step, end: string): EventDetail {
  const place = describePlace(tables, step);
  const values = renderChosen(step);
  const isKept = mayRecord(tables, join(step.before.label, step.passage.conversation.label));
  if (values === "" || !isKept) return { detail: `${place}: ${end}`, withheld: values };
  return { detail: `${place} with ${values}: ${end}`, withheld: "" };
}

/** Renders the values of a task's parameters: `{"limit":"100","recipient":"ACME GmbH"}`; empty if it has none. */
function renderChosen({ chosen }: Step): string {
  return chosen.length === 0
    ? ""
    : renderCanonicalJson(Object.fromEntries(chosen.map(({ name, words }) => [name, words])));
}

/** Returns the task's parameters and values as a member of the question's arguments; no member if there are none. */
function nameChosen({ chosen }: Step): { readonly parameters?: JsonRecord } {
  if (chosen.length === 0) return {};
  return { parameters: Object.fromEntries(chosen.map(({ name, words }) => [name, words])) };
}

/** Asks a person at the gate of a step. Returns how the gate was passed, in words for the record. Fails if it was not passed. */
async function askForStep(parts: GateParts, step: Step): Promise<Result<string>> {
  const { tables } = parts;
  const row = getBrokersRow(tables, step.passage.conversation);
  const { gate: mode, rule } = step.passage;
  const { task, phase } = row;
  const asking = {
    tool: `/${step.kind}`,
    arguments: renderCanonicalJson({ phase, task, ...nameChosen(step) }),
    sentence: renderSentence(tables, step),
    mode,
    rule: describeRule(tables, rule),
  };
  const asked = await askOnce(parts, asking, { ...step.place, ...row }, step.signal);
  if (!asked.ok) return asked;
  const { refusal } = asked.value;
  return refusal === undefined ? accept(describeApproval(asked.value)) : refuse(refusal.error);
}

/**
 * Returns which task or phase the step enters, and which tools may be called more freely after the step than before it.
 */
function renderSentence(tables: IndexedTables, { before, passage }: Step): string {
  const modes = new Map(listAdvertisedTools(tables, before).map(({ tool, mode }) => [tool.name, mode]));
  const freer = listAdvertisedTools(tables, passage.conversation).filter(({ tool, mode }) => {
    return mode !== "forbidden" && isStricter(modes.get(tool.name) ?? "forbidden", mode);
  });
  const names = freer.map(({ tool, mode }) => `${tool.name} (${mode})`);
  const more = names.length === 0 ? "nothing more may be called there" : `there may be called: ${names.join(", ")}`;
  return excerpt(`enter ${describeRow(tables, passage.conversation)}; ${more}`);
}
