// Plays a .chat script in a trial. The player of scripts sees the same lines and prompts as on a machine, and types the
// lines of the script.

import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { AcknowledgedRecord } from "../../machine/chat/acknowledged-record.ts";
import { parseAcknowledged } from "../../machine/chat/acknowledged-record.ts";
import { type ConsoleEvent, readConsole } from "../../machine/chat/console.ts";
import { playScript, type Signer } from "../../machine/chat/play.ts";
import type { Script } from "../../machine/chat/script.ts";
import type { Verdict } from "../../machine/chat/verdict.ts";
import type { Front, Person } from "../../trial/console.ts";

export interface Player extends Front {
  /** Ends the play, and returns the verdicts in the order of the script. */
  readonly end: () => readonly Verdict[];
  /** Each record that the console reported as the newest record of the audit log. */
  readonly acknowledged: readonly AcknowledgedRecord[];
}

const [COLUMNS, ROWS] = [80, 24];
const CONTROL_C = "\u0003";
/** Key that deletes the line that is typed after the prompt. */
const CONTROL_U = "\u0015";

/** Returns why a script cannot be played at a trial, or `undefined` if it can. */
export function findUnplayable(script: Script): { readonly line: number; readonly reason: string } | undefined {
  for (const { act, line, interrupts } of script.stretches) {
    if (act.kind === "press" || interrupts.some(({ keys }) => keys !== undefined))
      return { line, reason: "keys are pressed at a machine alone" };
    if (act.kind === "passphrase") return { line, reason: "a passphrase is typed at a machine alone" };
  }
  const [collected] = script.collector;
  if (collected !== undefined) return { line: collected.line, reason: "a collector is beside a machine alone" };
  const followed = script.audit.find(({ kind }) => kind === "followed");
  if (followed !== undefined) return { line: followed.line, reason: "a log is followed on a machine alone" };
  if (script.hasNoDisk || script.isStopped || script.leavesBlank)
    return { line: 0, reason: "its claims are about a machine" };
  return undefined;
}

/** Returns the script without its expectations about a machine's start, and the number of these expectations. */
export function leaveStart(script: Script): { readonly script: Script; readonly left: number } {
  const [boot, ...others] = script.stretches;
  const isOwn = boot?.act.kind === "boot";
  const stretches = boot !== undefined && isOwn ? [{ ...boot, expectations: [] }, ...others] : script.stretches;
  return { script: { ...script, stretches }, left: isOwn ? boot.expectations.length : 0 };
}

/** Creates a player. `show` receives each line of the console, `left` is called when the conversation is over. */
export function createPlayer(script: Script, sign: Signer, show: (line: string) => void, left: () => void): Player {
  const play = playScript(script, sign);
  const reader = readConsole();
  const acknowledged: AcknowledgedRecord[] = [];
  let person: Person | undefined;
  let typed = "";
  /**
   * Output before the next line that the script enters. If the prompt still shows a line that nobody has sent, this is
   * a line end and the prompt without that line. Otherwise it is empty.
   */
  let filled = "";
  const take = (seen: ConsoleEvent): void => {
    if (seen.kind === "line" || seen.kind === "echo") show(seen.text);
    if (seen.kind === "line") acknowledged.push(...[parseAcknowledged(seen.text)].filter((one) => one !== undefined));
    const keystrokes = play.see(seen);
    if (keystrokes !== undefined) type(keystrokes);
  };
  const draw = (text: string): void => {
    for (const seen of reader.push(new TextEncoder().encode(text))) take(seen);
  };
  /** Types the keystrokes after the console has printed its current output, as a person does who reads first. */
  const type = (keystrokes: string): void => {
    setImmediate(() => {
      if (keystrokes === CONTROL_C) {
        person?.interrupt();
        return;
      }
      typed += keystrokes;
      const lines = typed.split("\r").map((line) => line.slice(line.lastIndexOf(CONTROL_U) + 1));
      typed = lines.pop() ?? "";
      for (const line of lines) {
        person?.enter({ text: line, pieces: line.trim() === "" ? [] : [{ text: line.trim(), isPasted: false }] });
      }
    });
  };
  return {
    attach: (given) => {
      person = given;
    },
    write: draw,
    columns: () => COLUMNS,
    rows: () => ROWS,
    status: () => {},
    prompt: (next) => {
      filled = next?.kept === undefined ? "" : `\n${next.text}`;
      if (next !== undefined) draw(`${next.text}${escapeInvisible(next.kept?.text ?? "")}`);
    },
    taken: (line) => draw(`${filled}${line}\n`),
    isLive: true,
    isRewritable: false,
    isPainted: false,
    setColours: () => {},
    left,
    acknowledged,
    end: () => {
      for (const seen of reader.end()) take(seen);
      return play.end();
    },
  };
}
