// Computes what the rules of Claude Code decide about the tools of a page. If a page cannot express a
// rule, the whole tool gets the stricter of its own mode and the rule's mode.

import { isStricter } from "../../../../engine/lib/policy/index.ts";
import type { Diagnostic } from "../../../../lang/diagnostics/index.ts";
import { type AddressPlace, parseHostPattern } from "../addresses.ts";
import { type FilePlace, parseFilePattern } from "../file-places.ts";
import { SERVER_LOST } from "../finding-text.ts";
import type { HostPolicy, ServerDecision } from "../host-policy.ts";
import { isNamedBy } from "../names.ts";
import { PROTECTED } from "../places.ts";
import { type CommandRule, collectRequestLines, decideMethods, explainLostCommand } from "../programs.ts";
import { settingsUnsayable } from "../rules/settings-unsayable/codes.ts";
import { type Line, type Mode, pickStricter, type Stance, tightenStance } from "../stance.ts";
import { getCommand, isServer, LISTS, type Rule } from "./rule.ts";

/** Tools that list files, but do not read the content of files. */
const LISTING = ["Glob", "LS"];

interface ClaudePolicy {
  readonly policy: HostPolicy;
  /** Findings about rules of the settings for which the page has no rule, at most one for each of them. */
  readonly lost: readonly Diagnostic[];
}

/**
 * Modes that depend on settings about all tools: `dontAsk` and `denyInsteadOfPrompting` refuse calls that would need
 * approval, and `plan` refuses every change.
 */
interface Otherwise {
  /** Mode of a call that no rule names. */
  readonly base: Mode;
  /** Mode of a call that an `ask` rule names. */
  readonly asked: Mode;
}

/** Parts of `permissions` other than the rules. */
interface Beside {
  /** Value of the setting `defaultMode`. */
  readonly mode: string;
  /** Whether the setting `denyInsteadOfPrompting` is on. */
  readonly isDenyingQuestions: boolean;
}

/** Decides about the tools of a page. `rules` contains only rules that have an effect. */
export function decideByRules(rules: readonly Rule[], { mode, isDenyingQuestions }: Beside): ClaudePolicy {
  const lost = new Map<Rule, string>();
  const asked: Mode = mode === "dontAsk" || isDenyingQuestions ? "forbidden" : "consent";
  const askedToChange = mode === "plan" ? "forbidden" : asked;
  const reads = rules.filter((rule) => isOf(rule, ["Read"]));
  const listings = rules.filter((rule) => rule.what === undefined && isOf(rule, LISTING));
  const writes = rules.filter((rule) => isOf(rule, ["Edit", "Write"]) && (mode !== "plan" || rule.list !== "allow"));
  const write = decideWriting(
    { base: mode === "acceptEdits" ? "auto" : askedToChange, asked: askedToChange },
    writes,
    lost,
  );
  const commands = rules.filter((rule) => isOf(rule, ["Bash"]) && (mode !== "plan" || rule.list !== "allow"));
  const commandRules = new Map(commands.map((rule) => [rule, readCommandRule(rule, asked)]));
  const all = [...commandRules.values()];
  const methods = decideMethods(all);
  for (const rule of rules) {
    const why = explainUnsayable(rule, commandRules);
    if (why !== undefined && !lost.has(rule)) lost.set(rule, why);
  }
  const fetches = rules.filter((rule) => isOf(rule, ["WebFetch"]));
  const policy: HostPolicy = {
    host: "Claude Code",
    files: {
      read: collectFileLines({ base: "auto", asked }, reads, lost),
      list: collectFileLines({ base: "auto", asked }, [...reads, ...listings], new Map()),
      write,
      delete: decideDeletion(write, methods.get("Files.delete")),
    },
    web: decideWeb(fetches, { base: asked, asked }, { requests: collectRequestLines(all), lost }),
    methods,
    decideServerTool: (server, tool) => decideServerTool(rules, { server, tool }, { base: asked, asked }),
  };
  return {
    policy,
    lost: [...lost].map(([rule, why]) => settingsUnsayable.at(rule.span, { rule: rule.text, why, instead: "" })),
  };
}

const STRICT_MODE = (list: Rule["list"], asked: Mode): Mode =>
  list === "deny" ? "forbidden" : list === "ask" ? asked : "auto";

/**
 * Decides about the deletion of files. Without a rule about `rm`, deletion is forbidden. The mode of a deletion is
 * never looser than the mode of a change.
 */
function decideDeletion(write: Stance<FilePlace>, removal: ServerDecision | undefined): Stance<FilePlace> {
  return tightenStance(
    { base: write.base, lines: write.lines.filter((line) => isStricter(line.mode, write.base)) },
    removal?.isNamed === true ? removal.mode : "forbidden",
  );
}

/**
 * Returns the mode that the rules about all calls of a tool give to this tool. If several of the lists `deny`, `ask`
 * and `allow` have such a rule, the first of these lists decides.
 */
function decideWhole(
  rules: readonly Rule[],
  { base, asked }: Otherwise,
  isAll: (what: string) => boolean = () => false,
): Mode {
  const list = LISTS.find((each) =>
    rules.some((rule) => rule.list === each && (rule.what === undefined || isAll(rule.what))),
  );
  return list === undefined ? base : STRICT_MODE(list, asked);
}

function collectFileLines(otherwise: Otherwise, rules: readonly Rule[], lost: Map<Rule, string>): Stance<FilePlace> {
  const base = decideWhole(rules, otherwise, isAllFiles);
  const lines: Line<FilePlace>[] = [];
  // `floor` is the strictest mode of the rules whose pattern, such as `*.env`, is not one file or folder of the
  // project. A page cannot express such a pattern, so this mode applies to the whole tool.
  let floor: Mode = "auto";
  for (const rule of rules.filter(({ what }) => what !== undefined)) {
    const mode = STRICT_MODE(rule.list, otherwise.asked);
    const pattern = parseFilePattern(rule.what ?? "");
    if (pattern.kind === "all") continue;
    if (pattern.kind === "place") lines.push({ mode, place: pattern.place });
    else if (pattern.kind === "outside") lost.set(rule, "the folder of a page is a project: it contains no such place");
    else if (mode === "auto") lost.set(rule, `it is not a folder of the project, so the page does not open it`);
    else {
      floor = pickStricter(floor, mode);
      lost.set(rule, `it is not one folder of the project: the tool is ${mode} as a whole`);
    }
  }
  // `ask Edit` has priority over `allow Edit(src/**)`.
  const strict = rules.filter(({ list }) => list !== "allow");
  const whole = decideWhole(strict, { base: "auto", asked: otherwise.asked }, isAllFiles);
  return tightenStance({ base, lines }, pickStricter(floor, whole));
}

const isAllFiles = (what: string): boolean => parseFilePattern(what).kind === "all";

const FOLDER_LOST =
  "Claude Code still asks about .git and similar folders in it, and a page cannot, so it does not open the folder";

/**
 * Decides about changes of files. Claude Code asks before it changes some files of every folder, whatever its rules
 * allow.
 */
function decideWriting(otherwise: Otherwise, rules: readonly Rule[], lost: Map<Rule, string>): Stance<FilePlace> {
  const { base, lines } = collectFileLines(otherwise, rules, lost);
  if (base === "auto") {
    const guards = PROTECTED.map((name) => ({ mode: otherwise.asked, place: `/${name}` }));
    return { base, lines: [...lines, ...guards] };
  }
  for (const rule of rules)
    if (rule.list === "allow" && parseFilePattern(rule.what ?? "").kind === "place") lost.set(rule, FOLDER_LOST);
  return { base, lines: lines.filter(({ mode }) => !isStricter(base, mode)) };
}

function decideWeb(
  rules: readonly Rule[],
  otherwise: Otherwise,
  { requests, lost }: { readonly requests: readonly Line<AddressPlace>[]; readonly lost: Map<Rule, string> },
): Stance<AddressPlace> | undefined {
  if (rules.length === 0 && requests.length === 0) return undefined;
  const base = decideWhole(rules, otherwise);
  const lines: Line<AddressPlace>[] = [...requests];
  let floor = decideWhole(
    rules.filter(({ list }) => list !== "allow"),
    { base: "auto", asked: otherwise.asked },
  );
  for (const rule of rules.filter(({ what }) => what !== undefined)) {
    const mode = STRICT_MODE(rule.list, otherwise.asked);
    const pattern = /^domain:(.*)$/s.exec(rule.what ?? "")?.[1] ?? "";
    const place = parseHostPattern(pattern, isStricter(base, mode) ? "loosens" : "tightens");
    if (place !== undefined) lines.push({ mode, place });
    else if (mode === "auto") lost.set(rule, "it is not the name of a host, so the page does not open it");
    else {
      floor = pickStricter(floor, mode);
      lost.set(rule, `it is not the name of a host: the tool is ${mode} as a whole`);
    }
  }
  return tightenStance({ base, lines }, floor);
}

function readCommandRule(rule: Rule, asked: Mode): CommandRule {
  const mode = STRICT_MODE(rule.list, asked);
  const command = getCommand(rule).trim();
  if (rule.what === undefined) return { mode, words: [], isOpen: true };
  const isOpen = /(?:^|\s)\*$/.test(command) || /\/\*$/.test(command);
  const words = command
    .replace(/(?:^|\s+)\*$/, "")
    .replace(/\/\*$/, "/")
    .split(/\s+/)
    .filter((word) => word !== "");
  // A page cannot express a wildcard before the end of a command. An `allow` rule then counts for no command. A
  // stricter rule counts for all commands that begin with the words before the wildcard.
  if (words.some((word) => word.includes("*")))
    return { mode, words: mode === "auto" ? ["*"] : stripWild(words), isOpen };
  return { mode, words, isOpen };
}

/**
 * Returns the words before the first wildcard. A rule that tightens the policy then covers all commands that begin with
 * these words.
 */
function stripWild(words: readonly string[]): readonly string[] {
  const wild = words.findIndex((word) => word.includes("*"));
  return words.slice(0, wild);
}

/**
 * Returns the decision about one tool of a server. The first of the lists `deny`, `ask` and `allow` that names the tool
 * decides.
 */
function decideServerTool(
  rules: readonly Rule[],
  { server, tool }: { readonly server: string; readonly tool: string },
  { base, asked }: Otherwise,
): ServerDecision {
  const name = `mcp__${server}__${tool}`;
  const naming = rules.filter(
    (rule) => rule.what === undefined && (rule.tool === `mcp__${server}` || isNamedBy(rule.tool, name)),
  );
  const list = LISTS.find((each) => naming.some((rule) => rule.list === each));
  if (list === undefined) return { mode: base, isNamed: false };
  return { mode: STRICT_MODE(list, asked), isNamed: true };
}

/**
 * Returns whether a rule applies to one of the tools `names`. A wildcard counts only in a rule that tightens the
 * policy, not in `allow`.
 */
function isOf({ tool, list }: Rule, names: readonly string[]): boolean {
  if (!tool.includes("*")) return names.includes(tool);
  return list !== "allow" && names.some((name) => isNamedBy(tool, name));
}

function explainUnsayable(rule: Rule, commands: ReadonlyMap<Rule, CommandRule>): string | undefined {
  if (isOf(rule, ["Read", "Edit", "Write", "WebFetch"]) || (rule.what === undefined && isOf(rule, LISTING)))
    return undefined;
  if (isServer(rule)) return SERVER_LOST;
  const command = commands.get(rule);
  if (command !== undefined) return explainLostCommand(command, [...commands.values()]);
  if (rule.tool === "Bash" || rule.tool === "PowerShell") return "an image has no shell: make a tool for this command";
  if (rule.tool === "WebSearch") return "the library has no search of the web";
  return "a page has no such tool";
}
