// Parses a .chat script: the input of a person at the agent's prompt, and the expected results. README.md describes the format. Parsing
// refuses malformed lines, but judges no conversation.

import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { findUnseen } from "../../../lang/grammar/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";
import {
  type AuditClaim,
  type CollectorClaim,
  type DiskClaim,
  parseQuoted,
  readClaim,
  type ScriptClaim,
} from "./claims.ts";
import { KEY_FORMS, parseKeys } from "./keys.ts";

/**
 * Action of a person when the machine asks. The first section of a script has no such action: it begins with the boot.
 */
export type Act =
  | { readonly kind: "boot" }
  | { readonly kind: "say"; readonly text: string }
  /** Presses keys at the prompt; the keys need not include Enter. */
  | { readonly kind: "press"; readonly keys: string }
  | { readonly kind: "allow" }
  /** Approval of the present call and later ones, if the console offers it. */
  | { readonly kind: "remember" }
  | { readonly kind: "refuse" }
  | { readonly kind: "sign"; readonly key: string; readonly what: SignedText }
  | { readonly kind: "replay" }
  | { readonly kind: "passphrase" }
  | { readonly kind: "other"; readonly text: string };

/** Text that a step-up's signature covers: the displayed line, or that line with one character changed. */
type SignedText = "shown" | "changed";

/**
 * A claim about the lines that the console prints after an act, until the machine asks again. `line` is the number of
 * the claim's line in the script, from 1.
 */
export type Expectation = { readonly line: number } & (
  | { readonly kind: "present" | "absent"; readonly text: string }
  /** Claim that the lines of the section that begin with `* ` are exactly the lines of the file. */
  | { readonly kind: "exactly"; readonly file: string; readonly lines: readonly string[] }
);

/** Input for which no question waits: it is typed as soon as the console shows `text`, even in an unfinished line. */
export interface Interrupt {
  readonly line: number;
  readonly text: string;
  /** Line to type; if absent, Ctrl-C is pressed. */
  readonly command?: string;
  /** Keys to press instead of a line, as soon as the line that is being typed at a prompt contains `text`. */
  readonly keys?: string;
}

export interface ScriptStep {
  readonly line: number;
  readonly act: Act;
  /** Lines that are typed directly after the act, before the machine asks for them. */
  readonly ahead: readonly string[];
  readonly interrupts: readonly Interrupt[];
  readonly expectations: readonly Expectation[];
}

/** A claim about the disk, with its line in the script. */
export type DiskEffect = DiskClaim & { readonly line: number };
export type AuditEffect = AuditClaim & { readonly line: number };
export type CollectorEffect = CollectorClaim & { readonly line: number };

export interface Script {
  readonly stretches: readonly ScriptStep[];
  /** The machine starts without a data disk, and no claim concerns a data disk. */
  readonly hasNoDisk: boolean;
  /** The machine stops because a process died, and does not report a clean power-off. */
  readonly isStopped: boolean;
  /** The machine writes nothing to its blank disk, and no other claim concerns a data disk. */
  readonly leavesBlank: boolean;
  readonly disk: readonly DiskEffect[];
  readonly audit: readonly AuditEffect[];
  readonly collector: readonly CollectorEffect[];
}

interface ScriptFault {
  readonly line: number;
  readonly reason: string;
}

type Item =
  | { readonly is: "act"; readonly act: Act }
  | { readonly is: "ahead"; readonly text: string }
  | { readonly is: "interrupt"; readonly text: string; readonly command?: string; readonly keys?: string }
  | { readonly is: "expectation"; readonly kind: "present" | "absent"; readonly text: string }
  | { readonly is: "listing"; readonly file: string; readonly lines: readonly string[] }
  | { readonly is: "claim"; readonly claimed: ScriptClaim };

/** Returns the text of a file that a script names, relative to the script's folder; `undefined` if it cannot be read. */
type OpenFile = (path: string) => string | undefined;

/** Parses a script. The function reports every malformed line, not only the first. */
export function readScript(
  source: string,
  open: OpenFile,
): { ok: true; script: Script } | { ok: false; faults: readonly ScriptFault[] } {
  const faults: ScriptFault[] = findUnseenFaults(source);
  const claims: (ScriptClaim & { readonly line: number })[] = [];
  const stretches = [createStretch(0, { kind: "boot" })];
  for (const [index, raw] of source.split("\n").entries()) {
    const line = index + 1;
    const item = readLine(raw.trimEnd(), open);
    if (!item.ok) faults.push({ line, reason: item.reason });
    else if (item.value?.is === "act") stretches.push(createStretch(line, item.value.act));
    else if (item.value?.is === "claim") claims.push({ line, ...item.value.claimed });
    else if (item.value !== undefined) add(stretches.at(-1), line, item.value);
  }
  const machine = claims.flatMap((one) => (one.about === "machine" ? [one.claim] : []));
  const [hasNoDisk, isStopped] = [machine.includes("hasNoDisk"), machine.includes("stopped")];
  const leavesBlank = machine.includes("leavesBlank");
  const disk = claims.flatMap(({ line, ...one }) => (one.about === "disk" ? [{ line, ...one.claim }] : []));
  const audit = claims.flatMap(({ line, ...one }) => (one.about === "audit" ? [{ line, ...one.claim }] : []));
  const collector = claims.flatMap(({ line, ...one }) => (one.about === "collector" ? [{ line, ...one.claim }] : []));
  if (hasNoDisk || leavesBlank)
    faults.push(
      ...[...disk, ...audit].map(({ line }) => ({ line, reason: "a machine without a data disk leaves nothing" })),
    );
  return faults.length > 0
    ? { ok: false, faults }
    : { ok: true, script: { stretches, hasNoDisk, isStopped, leavesBlank, disk, audit, collector } };
}

/**
 * Returns a fault if the script has a character that an editor would not show; for example, a carriage return in a typed line would be the
 * key Enter.
 */
function findUnseenFaults(script: string): ScriptFault[] {
  const source = createSourceText("", script);
  const unseen = findUnseen(source);
  return unseen === undefined ? [] : [{ line: source.position(unseen.span.start).line, reason: unseen.message }];
}

interface Growing extends ScriptStep {
  readonly ahead: string[];
  readonly interrupts: Interrupt[];
  readonly expectations: Expectation[];
}

function createStretch(line: number, act: Act): Growing {
  return { line, act, ahead: [], interrupts: [], expectations: [] };
}

function add(to: Growing | undefined, line: number, item: Exclude<Item, { is: "act" | "claim" }>): void {
  switch (item.is) {
    case "ahead":
      to?.ahead.push(item.text);
      return;
    case "interrupt": {
      const { is: _, ...interrupt } = item;
      to?.interrupts.push({ line, ...interrupt });
      return;
    }
    case "expectation":
      to?.expectations.push({ line, kind: item.kind, text: item.text });
      return;
    case "listing":
      to?.expectations.push({ line, kind: "exactly", file: item.file, lines: item.lines });
  }
}

/** Parses a line; returns `undefined` for blank lines and comments. Fails with the reason if the line is malformed. */
function readLine(line: string, open: OpenFile): Result<Item | undefined> {
  if (line === "" || line.startsWith("#")) return accept(undefined);
  const text = line.slice(2);
  if (line[1] !== " " || text === "") return refuse("a line is a mark (> + ~ ^ / < ! = ? @ #), a space and a text");
  switch (line[0]) {
    case ">":
      return accept({ is: "act", act: { kind: "say", text } });
    case "<":
      return accept({ is: "expectation", kind: "present", text });
    case "!":
      return accept({ is: "expectation", kind: "absent", text });
    case "=":
      return readListing(text, open);
    case "+":
      return accept({ is: "ahead", text });
    case "^":
      return accept({ is: "interrupt", text });
    case "/":
      return readCommand(text);
    case "~":
      return readKeys(text);
    case "?":
      return readAnswer(text);
    case "@": {
      const claimed = readClaim(text);
      return claimed.ok ? accept({ is: "claim", claimed: claimed.value }) : claimed;
    }
    default:
      return refuse(`'${line[0]}' is no mark; marks are > + ~ ^ / < ! = ? @ #`);
  }
}

function readCommand(words: string): Result<Item> {
  const [, command, text] = /^(\/.+) when (.+)$/.exec(words) ?? [];
  return command === undefined || text === undefined
    ? refuse("a command that is not waited for is /COMMAND when TEXT")
    : accept({ is: "interrupt", text, command });
}

function readKeys(words: string): Result<Item> {
  const [, pressed = "", text] = /^(.+?)(?: when (.+))?$/.exec(words) ?? [];
  const keys = parseKeys(pressed);
  if (keys === undefined) return refuse(KEY_FORMS);
  return text === undefined
    ? accept({ is: "act", act: { kind: "press", keys } })
    : accept({ is: "interrupt", text, keys });
}

function readListing(file: string, open: OpenFile): Result<Item> {
  const text = open(file);
  if (text === undefined) return refuse(`${file} cannot be read`);
  return accept({ is: "listing", file, lines: text.replace(/\n$/, "").split("\n") });
}

function readAnswer(text: string): Result<Item> {
  if (text === "allow" || text === "refuse" || text === "remember") return accept({ is: "act", act: { kind: text } });
  if (text === "replay" || text === "passphrase") return accept({ is: "act", act: { kind: text } });
  const [, key, changed] = /^sign ([\w.-]+)( changed)?$/.exec(text) ?? [];
  if (key !== undefined)
    return accept({ is: "act", act: { kind: "sign", key, what: changed === undefined ? "shown" : "changed" } });
  const other = /^other (".*")$/.exec(text)?.[1];
  const typed = other === undefined ? undefined : parseQuoted(other);
  return typed === undefined
    ? refuse('an answer is allow, refuse, sign KEY, sign KEY changed, replay, passphrase or other "TEXT"')
    : accept({ is: "act", act: { kind: "other", text: typed } });
}
