// Rules of Gemini CLI's policy engine: https://geminicli.com/docs/reference/policy-engine. The rule with the highest priority that
// matches decides. The import treats the file as a file of the user.

import { isStricter } from "../../../../engine/lib/policy/index.ts";
import type { HostPolicy, ServerDecision } from "../host-policy.ts";
import { type CommandRule, decideMethods } from "../programs.ts";
import { createStance, type Mode, pickStricter } from "../stance.ts";
import { collectTexts, getProperty, isObject, isTextList, type Path } from "../value.ts";
import { isStrictlyNaming, nameServerTool } from "./entries.ts";
import { normalizeTool, SHELL } from "./names.ts";
import { decideBuiltIn } from "./policy.ts";

export interface EngineRule {
  readonly path: Path;
  readonly value: object;
  readonly mode: Mode;
  readonly priority: number;
  /** Names of tools; empty if the rule names a server and no tool, and so applies to all tools of the server. */
  readonly tools: readonly string[];
  readonly server: string | undefined;
  /** First words of commands; empty if the rule does not concern single commands. */
  readonly prefixes: readonly string[];
  /** Names of the rule's conditions that a page cannot express. */
  readonly conditions: readonly string[];
  /** Whether the rule applies in the default mode, with a person at the terminal. */
  readonly isActive: boolean;
}

type RulesRead =
  | { readonly ok: true; readonly value: readonly EngineRule[] }
  | { readonly ok: false; readonly path: Path; readonly reason: string };

const DECISIONS: ReadonlyMap<unknown, Mode> = new Map<unknown, Mode>([
  ["allow", "auto"],
  ["ask_user", "consent"],
  ["deny", "forbidden"],
]);

const CONDITIONS = ["argsPattern", "commandRegex", "toolAnnotations", "subagent"] as const;

/** Maximum number of rules. It is limited, because each decision compares all rules. */
const MOST_RULES = 2000;

/**
 * Reads the rules of a file, highest priority first. A file with one invalid rule is invalid as a whole, as in Gemini
 * CLI.
 */
export function readRules(file: unknown): RulesRead {
  const listed = getProperty(file, "rule") ?? [];
  if (!Array.isArray(listed)) return { ok: false, path: ["rule"], reason: "rules are written as [[rule]]" };
  if (listed.length > MOST_RULES)
    return { ok: false, path: ["rule"], reason: `there are more than ${MOST_RULES} rules` };
  const rules: EngineRule[] = [];
  for (const [index, value] of listed.entries()) {
    const path = ["rule", index];
    const reason = explainInvalid(value);
    if (reason !== undefined) return { ok: false, path, reason };
    rules.push(readRule(path, value));
  }
  // Rules with the same priority have no documented order, so the strictest rule counts as the first.
  const value = rules.sort(
    (left, right) =>
      right.priority - left.priority ||
      Number(isStricter(right.mode, left.mode)) - Number(isStricter(left.mode, right.mode)),
  );
  return { ok: true, value };
}

function explainInvalid(value: unknown): string | undefined {
  if (!isObject(value)) return "a rule is a table";
  if (!DECISIONS.has(getProperty(value, "decision"))) return 'a rule has decision = "allow", "ask_user" or "deny"';
  const priority = getProperty(value, "priority");
  if (typeof priority !== "number" || !Number.isInteger(priority) || priority < 0 || priority > 999)
    return "a rule has a priority from 0 to 999";
  if (getProperty(value, "commandPrefix") !== undefined && getProperty(value, "commandRegex") !== undefined)
    return "a rule has commandPrefix or commandRegex, and not both";
  for (const name of ["toolName", "commandPrefix"])
    if (!isNames(getProperty(value, name))) return `${name} is a text, or a list of at least one text`;
  for (const name of ["mcpName", "commandRegex"])
    if (!["undefined", "string"].includes(typeof getProperty(value, name))) return `${name} is a text`;
  const modes = getProperty(value, "modes");
  return modes === undefined || isTextList(modes) ? undefined : "modes is a list of texts";
}

/** Returns whether a property of a rule is missing, or contains at least one name. */
function isNames(part: unknown): boolean {
  return part === undefined || typeof part === "string" || (isTextList(part) && part.length > 0);
}

function readRule(path: Path, value: object): EngineRule {
  const modes = collectTexts(getProperty(value, "modes")).map(([, text]) => text);
  const server = getProperty(value, "mcpName");
  const prefixes = readTexts(getProperty(value, "commandPrefix"));
  const tools = readTexts(getProperty(value, "toolName")).map(normalizeTool);
  const isOfShell = prefixes.length > 0 || getProperty(value, "commandRegex") !== undefined;
  return {
    path,
    value,
    mode: DECISIONS.get(getProperty(value, "decision")) ?? "forbidden",
    priority: Number(getProperty(value, "priority")),
    tools: tools.length > 0 ? tools : isOfShell ? [SHELL] : server === undefined ? ["*"] : [],
    server: typeof server === "string" ? server : undefined,
    prefixes,
    conditions: CONDITIONS.filter((name) => getProperty(value, name) !== undefined),
    isActive: (modes.length === 0 || modes.includes("default")) && getProperty(value, "interactive") !== false,
  };
}

function readTexts(value: unknown): readonly string[] {
  return typeof value === "string" ? [value] : collectTexts(value).map(([, text]) => text);
}

/** Derives decisions about the tools of a page from the rules of a file. */
export function decideByRules(rules: readonly EngineRule[]): HostPolicy {
  const active = rules.filter(({ isActive }) => isActive);
  const methods = decideMethods(collectCommandRules(active), "first");
  const write = decideTool(active, "write_file");
  const removal = methods.get("Files.delete");
  const web = decideTool(active, "web_fetch");
  const hasWeb = web !== "forbidden" && active.some(({ tools }) => tools.includes("web_fetch"));
  return {
    host: "Gemini CLI",
    files: {
      read: createStance(decideTool(active, "read_file")),
      list: createStance(decideTool(active, "list_directory")),
      write: createStance(write),
      delete: createStance(removal?.isNamed === true ? pickStricter(write, removal.mode) : "forbidden"),
    },
    web: hasWeb ? createStance(web) : undefined,
    methods,
    decideServerTool: (server, tool) => decideServerTool(active, server, tool),
  };
}

function decideTool(rules: readonly EngineRule[], tool: string): Mode {
  const isNaming = ({ tools, server }: EngineRule): boolean =>
    server === undefined && (tools.includes(tool) || tools.includes("*"));
  return decideFirst(rules.filter(isNaming)) ?? decideBuiltIn(tool, "default");
}

/**
 * Returns the decision of the first rule without conditions. If a rule with conditions before it is stricter, returns the
 * decision of this stricter rule.
 */
function decideFirst(rules: readonly EngineRule[]): Mode | undefined {
  let floor: Mode = "auto";
  for (const rule of rules) {
    if (rule.conditions.length === 0 && rule.prefixes.length === 0) return pickStricter(floor, rule.mode);
    floor = pickStricter(floor, rule.mode);
  }
  return floor === "auto" ? undefined : floor;
}

/** Returns the rules about commands, highest priority first. */
export function collectCommandRules(rules: readonly EngineRule[]): readonly CommandRule[] {
  const ofShell = rules.filter(
    ({ tools, server }) => server === undefined && (tools.includes(SHELL) || tools.includes("*")),
  );
  return ofShell.flatMap(({ mode, prefixes, conditions }) => {
    if (mode === "auto" && conditions.length > 0) return [];
    const commands = prefixes.length === 0 ? [""] : prefixes;
    return commands.map((prefix) => ({ mode, words: prefix.split(/\s+/).filter(Boolean), isOpen: true }));
  });
}

function decideServerTool(rules: readonly EngineRule[], server: string, tool: string): ServerDecision {
  const naming = rules.filter((rule) => isNamingServerTool(rule, server, tool));
  const mode = decideFirst(naming);
  return mode === undefined ? { mode: "consent", isNamed: false } : { mode, isNamed: true };
}

/**
 * Returns whether a rule is about a tool of a server. A rule that allows the tool must use a documented name or
 * pattern, such as `mcp_SERVER_TOOL` or `mcp_SERVER_*`.
 */
function isNamingServerTool(rule: EngineRule, server: string, tool: string): boolean {
  const { tools, mode } = rule;
  if (rule.server !== undefined) {
    const isOfServer = rule.server === "*" || rule.server === server;
    return isOfServer && (tools.length === 0 || tools.includes("*") || tools.includes(tool));
  }
  if (mode !== "auto") return tools.some((name) => isStrictlyNaming(name, server, tool));
  if (server.includes("_")) return tools.includes("*") || tools.includes("mcp_*");
  return tools.some((name) => ["*", "mcp_*", `mcp_${server}_*`, nameServerTool(server, tool)].includes(name));
}
