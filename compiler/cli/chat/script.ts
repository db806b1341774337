// A .chat script: what a person types at the agent's prompt, and what must come of it. README.md has the format.
// Reading one decides nothing about a conversation; it only refuses lines that mean nothing.

/** What a person does when the machine asks. The first stretch of a script is begun by the boot itself. */
export type Act =
  | { readonly kind: "boot" }
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "allow" }
  | { readonly kind: "refuse" }
  | { readonly kind: "sign"; readonly key: string; readonly what: SignedText }
  | { readonly kind: "replay" }
  | { readonly kind: "other"; readonly text: string };

/** What a step-up is answered with a signature over: the line that is shown, or that line with one character changed. */
export type SignedText = "shown" | "changed";

/** A claim about the lines between one act and the next time that the machine asks. `line` is 1-based. */
export interface Expectation {
  readonly line: number;
  readonly kind: "present" | "absent";
  readonly text: string;
}

/** Ctrl-C, pressed as soon as the console shows the text, on a line that may not have ended yet. */
export interface Interrupt {
  readonly line: number;
  readonly text: string;
}

export interface Stretch {
  readonly line: number;
  readonly act: Act;
  /** Lines that are typed right behind the act, without waiting to be asked. */
  readonly ahead: readonly string[];
  readonly interrupts: readonly Interrupt[];
  readonly expectations: readonly Expectation[];
}

/** A claim about the data disk after the machine is off. Paths are absolute on the disk. */
export type Effect = Claim & { readonly line: number };

type Claim =
  | { readonly kind: "holds"; readonly path: string; readonly text: string }
  | { readonly kind: "missing" | "unchanged"; readonly path: string };

export interface Script {
  readonly stretches: readonly Stretch[];
  readonly effects: readonly Effect[];
}

export interface ScriptFault {
  readonly line: number;
  readonly reason: string;
}

type Item =
  | { readonly is: "act"; readonly act: Act }
  | { readonly is: "ahead" | "interrupt"; readonly text: string }
  | { readonly is: "expectation"; readonly kind: "present" | "absent"; readonly text: string }
  | { readonly is: "effect"; readonly claim: Claim };

/** Every line that means nothing is reported, not only the first. */
export function readScript(
  source: string,
): { ok: true; script: Script } | { ok: false; faults: readonly ScriptFault[] } {
  const faults: ScriptFault[] = [];
  const effects: Effect[] = [];
  const stretches = [stretch(0, { kind: "boot" })];
  for (const [index, raw] of source.split("\n").entries()) {
    const line = index + 1;
    const item = readLine(raw.trimEnd());
    if (typeof item === "string") faults.push({ line, reason: item });
    else if (item?.is === "act") stretches.push(stretch(line, item.act));
    else if (item?.is === "effect") effects.push({ line, ...item.claim });
    else if (item !== undefined) add(stretches.at(-1), line, item);
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, script: { stretches, effects } };
}

interface Growing extends Stretch {
  readonly ahead: string[];
  readonly interrupts: Interrupt[];
  readonly expectations: Expectation[];
}

function stretch(line: number, act: Act): Growing {
  return { line, act, ahead: [], interrupts: [], expectations: [] };
}

function add(to: Growing | undefined, line: number, item: Exclude<Item, { is: "act" | "effect" }>): void {
  switch (item.is) {
    case "ahead":
      to?.ahead.push(item.text);
      return;
    case "interrupt":
      to?.interrupts.push({ line, text: item.text });
      return;
    case "expectation":
      to?.expectations.push({ line, kind: item.kind, text: item.text });
  }
}

/** Nothing for blank lines and comments, a reason for what means nothing. */
function readLine(line: string): Item | string | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  const text = line.slice(2);
  if (line[1] !== " " || text === "") return "a line is a mark (> + ^ < ! ? @ #), a space and a text";
  switch (line[0]) {
    case ">":
      return { is: "act", act: { kind: "say", text } };
    case "<":
      return { is: "expectation", kind: "present", text };
    case "!":
      return { is: "expectation", kind: "absent", text };
    case "+":
      return { is: "ahead", text };
    case "^":
      return { is: "interrupt", text };
    case "?":
      return readAnswer(text);
    case "@":
      return readEffect(text);
    default:
      return `'${line[0]}' is no mark; marks are > + ^ < ! ? @ #`;
  }
}

function readAnswer(text: string): Item | string {
  if (text === "allow" || text === "refuse") return { is: "act", act: { kind: text } };
  if (text === "replay") return { is: "act", act: { kind: "replay" } };
  const [, key, changed] = /^sign ([\w.-]+)( changed)?$/.exec(text) ?? [];
  if (key !== undefined)
    return { is: "act", act: { kind: "sign", key, what: changed === undefined ? "shown" : "changed" } };
  const other = /^other (".*")$/.exec(text)?.[1];
  const typed = other === undefined ? undefined : quoted(other);
  return typed === undefined
    ? 'an answer is allow, refuse, sign KEY, sign KEY changed, replay or other "TEXT"'
    : { is: "act", act: { kind: "other", text: typed } };
}

/** debugfs takes paths on a command line of its own, so only plain ones are let through. */
const EFFECT = /^(file|nofile|same) (\/[\w./-]+)(?: = (.*))?$/;

function readEffect(text: string): Item | string {
  const [, word, path, given] = EFFECT.exec(text) ?? [];
  const form = "an effect is file /PATH = TEXT, nofile /PATH or same /PATH";
  if (path === undefined || (word === "file") !== (given !== undefined)) return form;
  if (given === undefined) return { is: "effect", claim: { kind: word === "same" ? "unchanged" : "missing", path } };
  const content = given.startsWith('"') ? quoted(given) : given;
  return content === undefined
    ? "the text is not a JSON string"
    : { is: "effect", claim: { kind: "holds", path, text: content } };
}

function quoted(json: string): string | undefined {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === "string" ? read : undefined;
  } catch {
    return undefined;
  }
}
