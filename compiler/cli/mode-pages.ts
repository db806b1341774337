// Explains the modes of rules, for people who read one in a difference of two pages or in a report.

import { MODES } from "../../lang/grammar/index.ts";
import type { Mode } from "../../lang/tree/index.ts";

/** Explanation of a mode. */
export interface ModePage {
  readonly mode: Mode;
  readonly meaning: string;
  /** Advice for the person who reads the mode. */
  readonly next: string;
}

const TEXTS: Readonly<Record<Mode, readonly [meaning: string, next: string]>> = {
  auto: [
    "The call runs, and nobody is asked.",
    "A quota limits how often the call runs: `quota { 4 readOnly per turn }` on the page.",
  ],
  consent: [
    "The call waits until a person at the console allows or refuses it. Without a person it is refused.",
    "To allow the call, type the three letters that the console shows. A person may also refuse it.",
  ],
  stepUp: [
    "The call waits until a principal of the session signs it. Without a valid signature it does not run.",
    "Sign the shown line with the principal's key (`capc keys list` shows the keys), and paste the result.",
  ],
  forbidden: [
    "The call never runs. The tool is still advertised, so that the model can explain the refusal.",
    "`capc why FILE 'SESSION TOOL ARGUMENTS'` names the rule and the smallest change of the page.",
  ],
};

/** Returns the explanation of a mode, or `undefined` if there is no mode of this name. */
export function findModePage(name: string): ModePage | undefined {
  const mode = MODES.find((one) => one === name);
  if (mode === undefined) return undefined;
  const [meaning, next] = TEXTS[mode];
  return { mode, meaning, next };
}

/** Returns a sentence with all modes, from the loosest to the strictest. */
export function listModes(): string {
  return `The modes are, from the loosest to the strictest: ${MODES.join(", ")}.`;
}
