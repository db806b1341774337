// Plays a script against a console. A pure state machine: facts of the console go in, keystrokes and verdicts come
// out; it knows no time, no process and no terminal.

import type { Seen } from "./console.ts";
import type { Act, Script, Stretch } from "./script.ts";
import { judge, neverReached, type Verdict } from "./verdict.ts";

export interface Play {
  /** What is to be typed now, if anything, a line end included. */
  readonly see: (seen: Seen) => string | undefined;
  /** The machine is off. Verdicts in the order of the script. */
  readonly end: () => readonly Verdict[];
}

/** How a scripted conversation ends when the script has no more to say. */
const LEAVE = "/exit\r";
const CONTROL_C = "\u0003";

export function playScript(script: Script): Play {
  const verdicts: Verdict[] = [];
  let [current, ...ahead]: readonly (Stretch | undefined)[] = script.stretches;
  let lines: string[] = [];
  let unpressed = current?.interrupts ?? [];

  const close = (): void => {
    if (current !== undefined) verdicts.push(...judge(current, lines, unpressed));
    current = undefined;
    lines = [];
    unpressed = [];
  };
  /** Ctrl-C, where the next interrupt of this stretch waits for what is shown. */
  const interrupt = (shown: string): string | undefined => {
    const [next, ...later] = unpressed;
    if (next === undefined || !shown.includes(next.text)) return undefined;
    unpressed = later;
    return CONTROL_C;
  };
  const answer = (asks: Seen & { kind: "asks" }): string => {
    close();
    const next = ahead[0];
    const typed = next === undefined ? undefined : keystrokes(next.act, asks);
    if (next !== undefined && typed !== undefined) {
      ahead = ahead.slice(1);
      current = next;
      unpressed = next.interrupts;
      return typed + next.ahead.map((line) => `${line}\r`).join("");
    }
    // The script and the machine disagree about whose turn it is.
    if (asks.for === "approval") {
      verdicts.push({ line: next?.line ?? 0, passed: false, words: "an approval was asked that no ? line answers" });
      return "\r";
    }
    if (next === undefined) return LEAVE;
    verdicts.push(...neverReached(next, "the machine did not ask for approval"));
    ahead = ahead.slice(1);
    return answer(asks);
  };
  return {
    see(seen) {
      if (seen.kind === "asks") return answer(seen);
      // What was typed is no answer to itself: an echo satisfies no expectation.
      if (seen.kind === "echo") return undefined;
      if (seen.kind === "line") lines.push(seen.text);
      return interrupt(seen.text);
    },
    end() {
      close();
      for (const stretch of ahead) {
        if (stretch !== undefined) verdicts.push(...neverReached(stretch, "the machine was off by then"));
      }
      return verdicts;
    },
  };
}

/** What to type, or nothing if this act is no answer to what the machine asks. */
function keystrokes(act: Act, asks: Seen & { kind: "asks" }): string | undefined {
  if (asks.for === "line") return act.kind === "say" ? `${act.text}\r` : undefined;
  switch (act.kind) {
    case "allow":
      return `${asks.letters}\r`;
    case "refuse":
      return "no\r";
    case "other":
      // What a person might type by mistake, or a program ahead of time; never the letters that are shown.
      return act.text === asks.letters ? undefined : `${act.text}\r`;
    case "say":
    case "boot":
      return undefined;
  }
}
