// Parses the audit records of a session that are not about calls, such as a login or the start of a task. It parses
// only events that affect the state of a conversation.

import type { Answer } from "./answers.ts";

export type SessionEvent =
  /** A person moves the conversation into a task, or into a later phase. */
  | { readonly kind: "step"; readonly step: Step; readonly was: RecordedStep | undefined }
  | {
      readonly kind: "conversation";
      readonly name: string;
      readonly label: string;
      readonly task: string;
      readonly phase: string;
    }
  | { readonly kind: "attendance"; readonly isThere: boolean }
  | { readonly kind: "login"; readonly principal: string }
  | { readonly kind: "consentTakenBack"; readonly number: number }
  /** A person takes up a waiting call, so a person is present. */
  | { readonly kind: "takenUp"; readonly callId: string };

export interface Step {
  readonly task: string;
  /** Empty if the task has no phases. */
  readonly phase: string;
  /** Whether the step starts a task, and so a new conversation. */
  readonly isTask: boolean;
}

export interface RecordedStep {
  readonly answer: Answer;
  readonly asked: boolean;
  /** Whether the conversation is in the new task or phase after the step. */
  readonly isMade: boolean;
  readonly words: string;
}

const NAME = "[A-Za-z_][\\w-]*";
/**
 * Matches the details of an event about a task. The text after `with` is the values of the task's parameters, as JSON.
 */
const TASK = new RegExp(`^(${NAME})(?: in phase (${NAME}))?(?: with \\{.*\\})?: (.*)$`, "s");
const PHASE = new RegExp(`^(${NAME}) of task (${NAME}): (.*)$`, "s");
const CONVERSATION = /^(\S+) at (\S.*), in (.+)$/;
const IN_TASK = new RegExp(`^(?:task (${NAME})|phase (${NAME}) of task (${NAME}))$`);
const IN_SESSION = new RegExp(`^session ${NAME}$`);
/**
 * The gate's reasons for a refused step about which a person was asked. The reasons that end with "in time" are from
 * logs of earlier versions.
 */
const DENIALS: ReadonlySet<string> = new Set([
  "the person said no",
  "the person's answer was not understood twice, so it was refused",
  "nobody answered",
  "nobody answered in time",
]);
const UNSIGNED: ReadonlySet<string> = new Set(["no signature was given", "nobody signed", "nobody signed in time"]);
const TAKEN_UP = /^\d+: \S+, call ([\w.-]{1,64}) in turn \d+ of \S+$/;

/** Returns the event, or `undefined` if no decision depends on the event or its text has an unknown form. */
export function parseEvent(event: string, detail: string): SessionEvent | undefined {
  switch (event) {
    case "task":
    case "task refused": {
      const [, task, phase = "", words = ""] = TASK.exec(detail) ?? [];
      if (task === undefined) return undefined;
      return {
        kind: "step",
        step: { task, phase, isTask: true },
        was: stepWas(words, event === "task" ? "made" : "refused"),
      };
    }
    case "phase":
    case "phase refused": {
      const [, phase, task = "", words = ""] = PHASE.exec(detail) ?? [];
      if (phase === undefined) return undefined;
      return {
        kind: "step",
        step: { task, phase, isTask: false },
        was: stepWas(words, event === "phase" ? "made" : "refused"),
      };
    }
    case "conversation":
      return parseConversation(detail);
    case "away":
      return { kind: "attendance", isThere: false };
    case "back":
      return { kind: "attendance", isThere: true };
    case "login":
      return { kind: "login", principal: detail };
    case "consent taken back":
      return /^\d{1,9}$/.test(detail) ? { kind: "consentTakenBack", number: Number(detail) } : undefined;
    case "parked call taken up": {
      const [, callId] = TAKEN_UP.exec(detail) ?? [];
      return callId === undefined ? undefined : { kind: "takenUp", callId };
    }
    default:
      return undefined;
  }
}

function parseConversation(detail: string): SessionEvent | undefined {
  const [, name, label, place = ""] = CONVERSATION.exec(detail) ?? [];
  if (name === undefined || label === undefined) return undefined;
  if (IN_SESSION.test(place)) return { kind: "conversation", name, label, task: "", phase: "" };
  const [, task, phase, ofTask] = IN_TASK.exec(place) ?? [];
  if (task === undefined && ofTask === undefined) return undefined;
  return { kind: "conversation", name, label, task: task ?? ofTask ?? "", phase: phase ?? "" };
}

/**
 * Returns the decision about a step, and whether a person was asked. Returns `undefined` if the machine, not the page,
 * refused the step.
 */
function stepWas(words: string, step: "made" | "refused"): RecordedStep | undefined {
  const [said = ""] = words.split(" ", 1);
  const makeStepWas = (answer: Answer, question: "asked" | "unasked"): RecordedStep => ({
    answer,
    asked: question === "asked",
    isMade: step === "made",
    words,
  });
  if (step === "made") {
    if (said === "auto") return makeStepWas("auto", "unasked");
    if (said === "consented") return makeStepWas("consent", "asked");
    return said === "stepUpSucceeded" ? makeStepWas("stepUp", "asked") : undefined;
  }
  if (DENIALS.has(words)) return makeStepWas("consent", "asked");
  if (UNSIGNED.has(words)) return makeStepWas("stepUp", "asked");
  return words.startsWith("used up: ") ? makeStepWas("refusedByPolicy", "unasked") : undefined;
}
