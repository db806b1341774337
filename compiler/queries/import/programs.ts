// Converts rules about commands to decisions about methods of the standard library that do the same as a command. A
// page has no shell, so no other command becomes a rule.

import { type AddressPlace, parseOrigin } from "./addresses.ts";
import type { ServerDecision } from "./host-policy.ts";
import { type Line, type Mode, pickStricter } from "./stance.ts";

/** A rule about commands that begin with `words`. */
export interface CommandRule {
  /** Effect of the rule; `consent` asks a person. */
  readonly mode: Mode;
  /** First words of the command; empty for a rule about every command. */
  readonly words: readonly string[];
  /** Whether further words may follow. */
  readonly isOpen: boolean;
}

/**
 * Methods of the library, each with the programs that do the same. `needs` states whether the programs need arguments
 * to do the same.
 */
const METHODS: readonly {
  readonly method: string;
  readonly programs: readonly string[];
  readonly needs: "arguments" | "nothing";
}[] = [
  { method: "Calculator.calc", programs: ["bc", "dc", "expr"], needs: "arguments" },
  { method: "Clock.now", programs: ["date"], needs: "nothing" },
  { method: "Echo.echo", programs: ["echo", "printf"], needs: "arguments" },
  { method: "Files.delete", programs: ["rm", "unlink"], needs: "arguments" },
  { method: "Logs.tail", programs: ["dmesg", "journalctl"], needs: "nothing" },
  { method: "Status.show", programs: ["free", "uptime"], needs: "nothing" },
];

/**
 * Programs that read, list or write files, or request addresses. The agent's own tools do the same, so rules about
 * these tools decide.
 */
const OWN_TOOLS = new Set(
  "cat head tail less more nl wc grep rg ls find tree tee touch cp mv mkdir sed awk curl wget".split(" "),
);

const REQUESTING = new Set(["curl", "wget"]);
/** Options of curl that send no data and write no file. */
const HARMLESS = new Set(["-s", "-S", "-sS", "-L", "-f", "-fsSL", "-sSL", "-sL", "--silent", "--location", "--fail"]);

/** Determines which of several rules about one command decides: the strictest rule, or the first rule. */
type Combination = "strictest" | "first";

/**
 * Returns the decisions of rules about commands, by the method that does the same as the command, such as `Clock.now`.
 */
export function decideMethods(
  rules: readonly CommandRule[],
  combination: Combination = "strictest",
): ReadonlyMap<string, ServerDecision> {
  const decided = new Map<string, ServerDecision>();
  for (const { method, programs, needs } of METHODS) {
    // An `auto` rule for only some forms of the command does not count, because the method does more than these forms.
    const counting = rules.filter(
      (rule) =>
        (rule.words.length === 0 || programs.includes(getProgram(rule))) &&
        (rule.mode !== "auto" || isWhole(rule, needs)),
    );
    const used = combination === "first" ? cutAfterWhole(counting) : counting;
    if (used.length === 0) continue;
    const mode = used.reduce<Mode>((strictest, rule) => pickStricter(strictest, rule.mode), "auto");
    decided.set(method, { mode, isNamed: used.some(({ words }) => words.length > 0) });
  }
  return decided;
}

/**
 * Returns the rules about the programs of one method, up to the first rule for all calls of a program: it states only
 * the program's name, such as `git`, or no word. Later rules do not count.
 */
function cutAfterWhole(rules: readonly CommandRule[]): readonly CommandRule[] {
  const whole = rules.findIndex(({ words }) => words.length <= 1);
  return whole === -1 ? rules : rules.slice(0, whole + 1);
}

function isWhole({ words, isOpen }: CommandRule, needs: "arguments" | "nothing"): boolean {
  if (words.length === 0) return true;
  return words.length === 1 && (isOpen || needs === "nothing");
}

/**
 * Returns the lines about web requests that rules such as `curl URL` allow. If a rule denies such commands or asks
 * about them, returns no lines.
 */
export function collectRequestLines(rules: readonly CommandRule[]): readonly Line<AddressPlace>[] {
  const denied = rules.filter((rule) => rule.mode !== "auto" && isRequesting(rule));
  if (denied.length > 0) return [];
  return rules.flatMap((rule) => {
    const place = rule.mode === "auto" ? readRequest(rule) : undefined;
    return place === undefined ? [] : [{ mode: rule.mode, place }];
  });
}

function isRequesting(rule: CommandRule): boolean {
  return rule.words.length === 0 || REQUESTING.has(getProgram(rule));
}

function readRequest(rule: CommandRule): AddressPlace | undefined {
  if (!REQUESTING.has(getProgram(rule))) return undefined;
  const rest = rule.words.slice(1).filter((word) => !HARMLESS.has(word));
  return rest.length === 1 && rule.isOpen ? parseOrigin(rest[0] ?? "") : undefined;
}

/** Explains why a rule about commands is not on the page. Returns `undefined` if the rule is on the page. */
export function explainLostCommand(rule: CommandRule, rules: readonly CommandRule[]): string | undefined {
  const program = getProgram(rule);
  const method = METHODS.find(({ programs }) => programs.includes(program));
  if (method !== undefined)
    return rule.mode !== "auto" || isWhole(rule, method.needs)
      ? undefined
      : `${method.method} does more than this command, so the rule does not loosen it`;
  if (readRequest(rule) !== undefined && collectRequestLines(rules).length > 0 && rule.mode === "auto")
    return undefined;
  if (OWN_TOOLS.has(program))
    return "an image has no shell: a tool of the page does what this program does, and other rules decide about that tool";
  return "an image has no shell: make a tool for this command";
}

function getProgram({ words }: CommandRule): string {
  const [program = ""] = words;
  return program.slice(program.lastIndexOf("/") + 1);
}
