// Explains the assertions that every page inherits, for people who read their names in the output of `capc prove`.

import { VALUE_MEANINGS } from "../../lang/spec/words.ts";
import { type InheritedAssertion, WORDS } from "../phases/bind/index.ts";

/** Explanation of an inherited assertion. */
export interface AssertionPage {
  readonly assertion: InheritedAssertion;
  readonly meaning: string;
  /** Attack or accident that the assertion rules out. */
  readonly because: string;
  /** Advice for the author of a page of which the assertion is refuted. */
  readonly next: string;
}

const SHOWN = "`capc prove FILE` shows the shortest conversation that breaks it.";
const PLANNED =
  "capc plans the processes of every image so that the assertion holds, whatever the page says. If it is refuted, report a defect of capc.";

const TEXTS: Readonly<Record<InheritedAssertion, readonly [because: string, next: string]>> = {
  trifecta: [
    "A stranger's text can make a model send away the private data that it has read. Each of the three alone is harmless.",
    `${SHOWN} Put a gate on the tool that sends: \`consent TOOL\` in \`permit\`. Or take one of the three away, such as the private data, in a task of its own.`,
  ],
  "remote-clearance": [
    "The text of a conversation leaves the machine with each request to a remote backend.",
    `${SHOWN} Let a local backend answer conversations with such data, lower the label of the data, or raise the clearance of the backend.`,
  ],
  "anonymous-asks": [
    "Nobody knows who types in an anonymous session, so a person at the console decides about effects.",
    `${SHOWN} Permit the tool with \`consent\`, or not at all in this session.`,
  ],
  "guest-local": [
    "The operator pays for a remote backend, and its provider reads what a guest types.",
    `${SHOWN} Let a local or canned backend answer the session.`,
  ],
  "model-isolated": ["A model executes no text. Without this assertion its answers could act without a gate.", PLANNED],
  "no-self-widening": ["An agent must not be able to give itself rights that the page does not give it.", PLANNED],
  audited: ["A call without a record could not be found afterwards.", PLANNED],
};

/** Returns the explanation of an inherited assertion, or `undefined` if there is none of this name. */
export function findAssertionPage(name: string): AssertionPage | undefined {
  const assertion = WORDS.inherited.find((one) => one === name);
  if (assertion === undefined) return undefined;
  const [because, next] = TEXTS[assertion];
  return { assertion, meaning: VALUE_MEANINGS.inherited[assertion], because, next };
}
