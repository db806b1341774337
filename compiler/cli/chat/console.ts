// The serial console as a stream of facts: whole lines, and the moments at which the machine waits for a person.
// The bytes are the guest's, so everything about them is bounded.

import { visible } from "../../../lang/diagnostics/index.ts";

/**
 * A whole line; a line so far; a question with the answer echoed behind it; or the machine asking: at its prompt, for approval with
 * the letters that allow, for a signature over a line, or for the passphrase of its data disk.
 */
export type Seen =
  | { readonly kind: "line" | "unfinished" | "echo"; readonly text: string }
  | { readonly kind: "asks"; readonly for: "line" }
  | { readonly kind: "asks"; readonly for: "passphrase" }
  | { readonly kind: "asks"; readonly for: "approval"; readonly letters: string }
  | { readonly kind: "asks"; readonly for: "signature"; readonly challenge: string };

export interface ConsoleReader {
  /** The facts that these bytes complete, in order. */
  readonly push: (bytes: Uint8Array) => readonly Seen[];
  /** What stands on the last line when the machine is off; empty if it ended its line. */
  readonly rest: () => string;
}

/** The longest line that is kept, in UTF-16 units; what goes beyond is dropped. No line of the console comes near. */
const LONGEST_LINE = 16_384;

/** A session is named unless it is the one that the machine is for. */
const PROMPT = /^you(?: \([\w-]+\))?> $/;
const MORE = "> ";
/** Opened by a `/` while nobody reads a line. It asks for nothing: what stands behind it was typed. */
const COMMAND = "command> ";
const SIGNATURE = "paste the signature> ";
/** The mark at the beginning is the console's own: no text of a model can stand behind it. */
const CHALLENGE = /^\* (?:\([\w-]+\) )?sign this line: (.*)$/;
const APPROVAL = /^allow\? type ([a-z]{3}) to allow, anything else refuses> $/;
/** init's own, before anything else runs. What looks so after the first prompt is somebody else's, and asks for nothing. */
const PASSPHRASE = /^(?:(?:new )?passphrase of [\w-]+|once more)> $/;
/** What init has to say stands on lines of its own; a prompt that they interrupt is drawn once more, with what was typed so far. */
const INIT = "capos: ";
const PROMPTED = /^you(?: \([\w-]+\))?> /;

export function readConsole(): ConsoleReader {
  const decoder = new TextDecoder();
  let line = "";
  // A waiting machine is told of once per line: what is typed then appears on the same line.
  let told = false;
  let challenge = "";
  let isPasted = false;

  // Whether a prompt is an old one, drawn once more: since what was typed at it nothing came but words of init.
  let isInterrupted = false;
  let wasTyped = false;
  let hasBegun = false;
  // What is typed unseen leaves no old prompt to be drawn once more.
  let isUnseen = false;

  const end = (): readonly Seen[] => {
    const text = asShown(line);
    // Each line of a signature comes back behind a prompt of its own.
    const isPaste = isPasted && line.startsWith(MORE);
    const isTyped = told || isPaste || line.startsWith(COMMAND) || (isInterrupted && PROMPTED.test(text));
    isInterrupted = wasTyped && text.startsWith(INIT);
    wasTyped = (isTyped && !isUnseen) || isInterrupted;
    isUnseen = false;
    isPasted &&= isTyped;
    told = false;
    challenge = CHALLENGE.exec(text)?.[1] ?? challenge;
    return [{ kind: isTyped ? "echo" : "line", text }];
  };
  const push = (bytes: Uint8Array): readonly Seen[] => {
    const seen: Seen[] = [];
    const [first = "", ...others] = decoder.decode(bytes, { stream: true }).split("\n");
    line = bounded(line + first);
    for (const next of others) {
      seen.push(...end());
      line = bounded(next);
    }
    if (told || line === "") return seen;
    const asks = question(asShown(line), challenge, hasBegun);
    told = asks !== undefined;
    isUnseen ||= asks?.kind === "asks" && asks.for === "passphrase";
    hasBegun ||= asks?.kind === "asks" && asks.for === "line";
    if (told && isInterrupted) return seen;
    isPasted ||= asks?.kind === "asks" && asks.for === "signature";
    seen.push(asks ?? { kind: "unfinished", text: asShown(line) });
    return seen;
  };
  return { push, rest: () => asShown(line) };
}

function question(line: string, challenge: string, hasBegun: boolean): Seen | undefined {
  if (!hasBegun && PASSPHRASE.test(line)) return { kind: "asks", for: "passphrase" };
  if (PROMPT.test(line)) return { kind: "asks", for: "line" };
  if (line === SIGNATURE) return { kind: "asks", for: "signature", challenge };
  const letters = APPROVAL.exec(line)?.[1];
  return letters === undefined ? undefined : { kind: "asks", for: "approval", letters };
}

function bounded(text: string): string {
  return text.length > LONGEST_LINE ? text.slice(0, LONGEST_LINE) : text;
}

// Firmware and boot loader move the cursor and clear the screen: that is dropped. Other control characters are spelt
// out, so that nothing a guest prints can act on the terminal that shows it.
const ESCAPE = String.fromCharCode(0x1b);
const CURSOR = new RegExp(`${ESCAPE}(?:\\[[0-9;?=]*[A-Za-z]|c)`, "g");

/** A line as a person sees it; a text that is to be compared with one goes through this too. */
export function asShown(text: string): string {
  return visible(text.replace(CURSOR, "").replaceAll("\r", "").replaceAll("\t", "    "));
}
