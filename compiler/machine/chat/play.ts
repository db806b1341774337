// Plays a script against a console. The player is a pure state machine: it receives events of the console, and returns
// keystrokes and verdicts. The player uses no time, process or terminal.

import { type ConsoleEvent, isPrompted } from "./console.ts";
import { isEntered } from "./keys.ts";
import type { Act, Script, ScriptStep } from "./script.ts";
import { failUnreached, judge, type Verdict } from "./verdict.ts";

interface Play {
  /**
   * Returns the text or keys to type now, or `undefined` if there is nothing to type. A whole line has its line end.
   */
  readonly see: (seen: ConsoleEvent) => string | undefined;
  /** Ends the play when the machine is off, and returns the verdicts in the order of the script. */
  readonly end: () => readonly Verdict[];
}

/** Text that ends a scripted conversation after the last line of the script. */
const LEAVE = "/exit\r";
const CONTROL_C = "\u0003";
/** Key that deletes the text that is already typed at the prompt. */
const CONTROL_U = "\u0015";
const NEXT_PAGE = " ";

/** Signs a line with the named key, as a person does on another machine. Returns the armoured signature, or the reason if there is none. */
export type Signer = (key: string, line: string) => { readonly armour: string } | { readonly reason: string };

/**
 * Plays a script. If init asks for the passphrase of the data disk and the script has no `?` line for it, `passphrase`
 * is typed. If `passphrase` is absent too, the player types Ctrl-C and reports a failure.
 */
export function playScript(script: Script, sign: Signer, passphrase?: string): Play {
  const verdicts: Verdict[] = [];
  let [current, ...ahead]: readonly (ScriptStep | undefined)[] = script.stretches;
  let lines: string[] = [];
  let unpressed = current?.interrupts ?? [];
  let lastSignature = "";
  // Whether a line is typed but not yet sent. If the console then prints its prompt again, it does not request new input.
  let isTyping = false;

  const close = (): void => {
    if (current !== undefined) verdicts.push(...judge(current, lines, unpressed));
    current = undefined;
    lines = [];
    unpressed = [];
  };
  /**
   * Returns the input of the section's next interrupt (Ctrl-C, a command or keys), or `undefined` while this input has
   * to wait. It waits until `shown` contains the text of the interrupt. Then keys also wait until a line is being typed
   * at a prompt, and other input waits until none is being typed.
   */
  const interrupt = (shown: string): string | undefined => {
    const [next, ...later] = unpressed;
    if (next === undefined || !shown.includes(next.text)) return undefined;
    // Keys are pressed only while a line is being typed at a prompt. Ctrl-C or a command waits until no line is being
    // typed.
    const isForKeys = next.keys !== undefined;
    if (isForKeys !== isTyping || isForKeys !== isPrompted(shown)) return undefined;
    unpressed = later;
    if (next.keys !== undefined) {
      isTyping = !isEntered(next.keys);
      return next.keys;
    }
    return next.command === undefined ? CONTROL_C : `${next.command}\r`;
  };
  const begin = (next: ScriptStep): void => {
    ahead = ahead.slice(1);
    current = next;
    unpressed = next.interrupts;
    isTyping = next.act.kind === "press" && !isEntered(next.act.keys);
  };
  const unlock = (): string => {
    const next = ahead[0];
    if (next?.act.kind === "other" || next?.act.kind === "passphrase") {
      close();
      begin(next);
      if (next.act.kind === "other") return `${next.act.text}\r`;
    }
    if (passphrase !== undefined) return `${passphrase}\r`;
    verdicts.push({
      line: 0,
      passed: false,
      words: "the machine asked for a passphrase, and --passphrase-file gives none",
    });
    return CONTROL_C;
  };
  const answer = (asks: Asks): string | undefined => {
    if (isTyping && asks.for === "line") return undefined;
    const next = ahead[0];
    // If the script expects that the machine stops by itself, the player waits for this; until then, all output belongs to the last act.
    if (next === undefined && script.isStopped && asks.for === "line") return undefined;
    close();
    const typed = next === undefined ? undefined : (chooseKeystrokes(next.act, asks) ?? createSignature(next, asks));
    if (next !== undefined && typed !== undefined) {
      begin(next);
      return typed + next.ahead.map((line) => `${line}\r`).join("");
    }
    // The machine asks a question that the next act of the script does not answer.
    if (asks.for !== "line") {
      const words = `${ASKED[asks.for]} was requested, and no ? line answers it`;
      verdicts.push({ line: next?.line ?? 0, passed: false, words });
      return chooseKeystrokes({ kind: "refuse" }, asks);
    }
    if (next === undefined) return asks.isFilled === true ? `${CONTROL_U}${LEAVE}` : LEAVE;
    verdicts.push(...failUnreached(next, "the machine did not ask"));
    ahead = ahead.slice(1);
    return answer(asks);
  };
  /** Returns the pasted lines that answer a step-up, or `undefined` if this act provides none. */
  const createSignature = ({ act, line }: ScriptStep, asks: Asks): string | undefined => {
    if (asks.for !== "signature") return undefined;
    if (act.kind === "sign") {
      const signed = sign(act.key, act.what === "shown" ? asks.challenge : changeOneCharacter(asks.challenge));
      if ("reason" in signed) verdicts.push({ line, passed: false, words: signed.reason });
      else lastSignature = signed.armour;
      return "reason" in signed ? "\r" : renderPaste(signed.armour);
    }
    return act.kind === "replay" ? renderPaste(lastSignature) : undefined;
  };
  return {
    see(seen) {
      // Scripts do not state how many screens a question fills, so the player always shows the next screen.
      if (seen.kind === "asks" && seen.for === "page") return NEXT_PAGE;
      if (seen.kind === "asks") return seen.for === "passphrase" ? unlock() : answer(seen);
      // Typed text that the console echoes satisfies no expectation.
      if (seen.kind === "echo") return undefined;
      if (seen.kind === "typing") return isTyping ? interrupt(seen.text) : undefined;
      if (seen.kind === "line") lines.push(seen.text);
      return interrupt(seen.text);
    },
    end() {
      close();
      for (const stretch of ahead) {
        if (stretch !== undefined) verdicts.push(...failUnreached(stretch, "the machine was off by then"));
      }
      return verdicts;
    },
  };
}

type Asks = Exclude<ConsoleEvent & { readonly kind: "asks" }, { readonly for: "page" | "passphrase" }>;

/** Returns the text to type, or `undefined` if the act does not answer the question or needs a signature. */
function chooseKeystrokes(act: Act, asks: Asks): string | undefined {
  if (asks.for === "line" && act.kind === "press") return act.keys;
  if (asks.for === "line") {
    // The script states the whole line, so text that the console has filled in is deleted first.
    return act.kind === "say" ? `${asks.isFilled === true ? CONTROL_U : ""}${act.text}\r` : undefined;
  }
  switch (act.kind) {
    case "allow":
      return asks.for === "approval" ? `${asks.letters}\r` : undefined;
    case "remember":
      return asks.for === "approval" && asks.remembering !== undefined ? `${asks.remembering}\r` : undefined;
    case "refuse":
      // An empty line refuses a request for a signature, because it is not a signature.
      return asks.for === "approval" ? "no\r" : "\r";
    case "other":
      // This text is a wrong answer, which a person might type by mistake, or a program in advance. It is not typed if
      // it equals the letters that the console shows.
      return asks.for === "approval" && [asks.letters, asks.remembering].includes(act.text)
        ? undefined
        : `${act.text}\r`;
    case "say":
    case "press":
    case "boot":
    case "sign":
    case "replay":
    case "passphrase":
      return undefined;
  }
}

const ASKED = { approval: "an approval", signature: "a signature", unseen: "a passphrase" } as const;

function renderPaste(armour: string): string {
  return armour
    .trimEnd()
    .split("\n")
    .map((line) => `${line}\r`)
    .join("");
}

/** Changes the last digit or letter to another one. */
function changeOneCharacter(line: string): string {
  return line.replace(/[0-9a-z](?=[^0-9a-z]*$)/, (letter) => (letter === "0" ? "1" : "0"));
}
