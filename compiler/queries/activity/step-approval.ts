// Reads a person's answer at the gate of a task, a phase or a backend from the event that the gate records. Other
// events, and the values of a task's parameters, contain texts of models and of services. Such texts never count as an
// answer.

import { parseEvent } from "../replay/index.ts";
import type { Approval } from "./activity.ts";

interface RecordedEvent {
  readonly event: string;
  readonly detail: string;
}

type StepApproval = Omit<Approval, "sequence" | "wallMs" | "session">;

/** Matches the gate's text about an approval, such as `stepUpSucceeded (alice) after 2140 ms at console, consent 1`. */
const PASSED =
  /^(consented|stepUpSucceeded)(?: \(([^()\s]+)\))?(?: after (\d{1,10}) ms at ([\w.-]+))?(?:, consent \d{1,10})?$/;
const OPENED = /^([A-Za-z_][\w-]*): (.*)$/s;

/** Returns the answer that an event records, or `undefined` if nobody was asked. */
export function parseStepApproval({ event, detail }: RecordedEvent): StepApproval | undefined {
  if (event === "model opened") {
    const [, backend, words = ""] = OPENED.exec(detail) ?? [];
    return backend === undefined ? undefined : parsePassed(`/model ${backend}`, words);
  }
  const heard = parseEvent(event, detail);
  if (heard?.kind !== "step" || heard.was?.asked !== true) return undefined;
  const { step, was } = heard;
  const what = step.isTask
    ? `/task ${step.task}${step.phase === "" ? "" : ` in phase ${step.phase}`}`
    : `/phase ${step.phase} of task ${step.task}`;
  if (was.isMade) return parsePassed(what, was.words);
  const gate = was.answer === "stepUp" ? "stepUp" : "consent";
  return { what, gate, isApproved: false, principal: "", surface: "", askedMs: null };
}

function parsePassed(what: string, words: string): StepApproval | undefined {
  const [, decision, principal = "", ms, surface = ""] = PASSED.exec(words) ?? [];
  if (decision === undefined) return undefined;
  const gate = decision === "stepUpSucceeded" ? "stepUp" : "consent";
  return { what, gate, isApproved: true, principal, surface, askedMs: ms === undefined ? null : Number(ms) };
}

/** Returns the principal whom an event of a session names; empty if the event names no principal. */
export function findPrincipal(said: RecordedEvent): string {
  switch (said.event) {
    case "login":
    case "passphrase chosen":
    case "passphrase changed":
      return said.detail;
    case "logout":
      return said.detail.split(": ", 1)[0] ?? "";
    default:
      return parseStepApproval(said)?.principal ?? "";
  }
}
