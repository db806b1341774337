// Explains the outcomes of calls, for people who read one in a conversation or in a log.

import { Outcome } from "../../engine/lib/wire/generated/capos.ts";

/** Explanation of an outcome. */
export interface OutcomePage {
  readonly outcome: Outcome;
  readonly meaning: string;
  /** Advice for the person who reads the outcome. */
  readonly next: string;
}

const TEXTS: Readonly<Record<Outcome, readonly [meaning: string, next: string]>> = {
  ok: ["The call ran, and its provider returned a result.", "Nothing needs to be done."],
  refusedByPolicy: [
    "A rule, a label, a quota, a grant of the network or the absence of a person refused the call. The call did not run.",
    "`capc why FILE 'SESSION TOOL ARGUMENTS'` names the reason and the smallest change of the page. In a conversation, type /why.",
  ],
  deniedByUser: [
    "The call needed a person's approval, and the person denied it or did not answer in time. The call did not run.",
    "Ask the agent again, and approve the call.",
  ],
  stepUpFailed: [
    "The call needed a signature, and the signature was missing, wrong or too late. The call did not run.",
    "Sign the shown line with the principal's key (`capc keys list` shows the keys), and paste the result.",
  ],
  executionError: [
    "The call was sent, and its provider failed. If the tool changes data, the change may have happened in part.",
    "Read the error, and look at the data before you repeat the call.",
  ],
  timedOut: [
    "The call was sent, and its provider did not answer in time. If the tool changes data, the change may have happened.",
    "Look at the data before you repeat the call.",
  ],
  cancelled: [
    "A person cancelled the turn, or the session ended, before the call had ended.",
    "If the call was sent already, look at the data before you repeat it: the log states whether it was.",
  ],
  invalidArguments: [
    "The arguments do not fit the schema of the tool. The call did not run.",
    "`capc doc FILE` prints the arguments of each tool.",
  ],
  unknownTool: [
    "The session offers no tool of this name in this conversation. The call did not run.",
    "In a conversation, /tools lists the tools. `capc report FILE` shows the tools of each session, and which are hidden.",
  ],
};

/** Returns the explanation of an outcome, or `undefined` if there is no outcome of this name. */
export function findOutcomePage(name: string): OutcomePage | undefined {
  const outcome = Outcome.members.find((one) => one === name);
  if (outcome === undefined) return undefined;
  const [meaning, next] = TEXTS[outcome];
  return { outcome, meaning, next };
}
