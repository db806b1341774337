// Computes what settings of Gemini CLI decide about the tools of a page. Its policy engine treats the lists of the
// settings as rules, in this order: excluded servers, excluded tools, tools to confirm, allowed tools, `core`, trusted
// servers, and the built-in rules.

import type { HostPolicy, ServerDecision } from "../host-policy.ts";
import { type CommandRule, decideMethods } from "../programs.ts";
import { createStance, type Mode, pickStricter } from "../stance.ts";
import { collectTexts, getPath, getProperty, isObject } from "../value.ts";
import { type Entry, isStrictlyNaming, nameServerTool, readEntries, SERVER_LISTS } from "./entries.ts";
import { SHELL } from "./names.ts";

/** Derives decisions about the tools of a page from a `settings.json`. */
export function decideBySettings(settings: unknown): HostPolicy {
  const commands = collectCommandRules(settings);
  const methods = decideMethods(commands);
  const read = decideTool(settings, "read_file");
  const write = decideTool(settings, "write_file");
  const removal = methods.get("Files.delete");
  const web = decideTool(settings, "web_fetch");
  return {
    host: "Gemini CLI",
    files: {
      read: createStance(read),
      list: createStance(decideTool(settings, "list_directory")),
      write: createStance(write),
      delete: createStance(removal?.isNamed === true ? pickStricter(write, removal.mode) : "forbidden"),
    },
    web: web !== "forbidden" && isNamed(settings, "web_fetch") ? createStance(web) : undefined,
    methods,
    decideServerTool: (server, tool) => decideServerTool(settings, server, tool),
  };
}

function readLists(settings: unknown): Readonly<
  Record<"core" | "exclude" | "allowed" | "confirm", readonly Entry[]>
> & {
  readonly hasCore: boolean;
} {
  const core = readEntries(settings, "core");
  return {
    core: core ?? [],
    hasCore: core !== undefined,
    exclude: readEntries(settings, "exclude") ?? [],
    allowed: readEntries(settings, "allowed") ?? [],
    confirm: readEntries(settings, "confirmationRequired") ?? [],
  };
}

function isNamed(settings: unknown, tool: string): boolean {
  const { core, exclude, allowed, confirm } = readLists(settings);
  return [...core, ...exclude, ...allowed, ...confirm].some((entry) => entry.tool === tool);
}

type ApprovalMode = "default" | "autoEdit" | "plan";

function readApprovalMode(settings: unknown): ApprovalMode {
  const mode = getPath(settings, ["general", "defaultApprovalMode"]);
  return mode === "auto_edit" ? "autoEdit" : mode === "plan" ? "plan" : "default";
}

/** Returns the mode of all calls of a tool of the agent, whatever their arguments. */
function decideTool(settings: unknown, tool: string): Mode {
  const { core, hasCore, exclude, allowed, confirm } = readLists(settings);
  const mode = readApprovalMode(settings);
  const has = (list: readonly Entry[]): boolean => list.some((entry) => entry.tool === tool || entry.text === "*");
  if (has(exclude)) return "forbidden";
  // Newer versions run a tool of `core` without asking, and older versions ask. The stricter behaviour counts.
  const isOffered = !hasCore || has(core) || (has(allowed) && mode !== "plan");
  if (!isOffered) return "forbidden";
  const builtIn = decideBuiltIn(tool, mode);
  if (builtIn === "forbidden") return "forbidden";
  if (has(confirm)) return "consent";
  return has(allowed) ? "auto" : builtIn;
}

const READING = new Set(["glob", "grep_search", "list_directory", "read_file"]);

/** Returns the decision of the rules that Gemini CLI contains by default. */
export function decideBuiltIn(tool: string, mode: ApprovalMode): Mode {
  if (READING.has(tool)) return "auto";
  if (tool === "web_fetch") return "consent";
  if (mode === "plan") return "forbidden";
  return mode === "autoEdit" && (tool === "write_file" || tool === "replace") ? "auto" : "consent";
}

/** Returns the rules about commands: rules about all commands, and rules about single commands. */
export function collectCommandRules(settings: unknown): readonly CommandRule[] {
  const { core, hasCore, exclude, allowed, confirm } = readLists(settings);
  const ofShell = (list: readonly Entry[]): readonly Entry[] => list.filter(({ tool }) => tool === SHELL);
  const inCore = ofShell(core);
  const isInCore = (entry: Entry): boolean =>
    !hasCore || inCore.some(({ what }) => what === undefined || `${entry.what ?? ""} `.startsWith(`${what} `));
  return [
    ...ofShell(exclude).map((entry) => createRule("forbidden", entry)),
    ...(exclude.some(({ text }) => text === "*") || (hasCore && inCore.length === 0) ? [EVERY] : []),
    ...ofShell(confirm).map((entry) => createRule("consent", entry)),
    ...(readApprovalMode(settings) === "plan" ? [EVERY] : []),
    ...ofShell(allowed)
      .filter(isInCore)
      .map((entry) => createRule("auto", entry)),
  ];
}

const EVERY: CommandRule = { mode: "forbidden", words: [], isOpen: true };

/** Returns the rule of an entry. The text in parentheses is the first words of a command. */
export function createRule(mode: Mode, { what }: Pick<Entry, "what">): CommandRule {
  const words = (what ?? "").split(/\s+/).filter((word) => word !== "");
  return { mode, words, isOpen: true };
}

function decideServerTool(settings: unknown, server: string, tool: string): ServerDecision {
  const config = getPath(settings, ["mcpServers", server]);
  if (!isObject(config)) return { mode: "forbidden", isNamed: false };
  return { mode: decideTools(settings, { server, tool, config }), isNamed: true };
}

interface ServerTool {
  readonly server: string;
  readonly tool: string;
  readonly config: object;
}

function decideTools(settings: unknown, { server, tool, config }: ServerTool): Mode {
  const { hasCore, core, exclude, allowed, confirm } = readLists(settings);
  const strictly = (list: readonly Entry[]): boolean => list.some(({ text }) => isStrictlyNaming(text, server, tool));
  // Gemini CLI reads `mcp_a_b_c` as the tool `b_c` of the server `a`. So a rule about the server `a_b` may match a tool
  // of the server `a`.
  const isUnclear = server.includes("_");
  const exactly = (list: readonly Entry[]): boolean =>
    !isUnclear && list.some(({ text }) => text === nameServerTool(server, tool));
  if (!isServerOffered(settings, server) || !isToolOffered(config, tool) || strictly(exclude)) return "forbidden";
  const isListed = exactly(allowed);
  if (hasCore && !isListed && !exactly(core)) return "forbidden";
  if (readApprovalMode(settings) === "plan") return "forbidden";
  if (strictly(confirm)) return "consent";
  const isTrusted = getProperty(config, "trust") === true && !isUnclear && !hasCore;
  return isListed || isTrusted ? "auto" : "consent";
}

function isServerOffered(settings: unknown, server: string): boolean {
  const named = (path: readonly string[]): readonly string[] | undefined => {
    const list = getPath(settings, path);
    return list === undefined ? undefined : collectTexts(list).map(([, text]) => text);
  };
  const isLeftOut = SERVER_LISTS.excluded.some((path) => named(path)?.some((name) => name === server || name === "*"));
  const isMissing = SERVER_LISTS.allowed.some((path) => {
    const names = named(path);
    return names !== undefined && !names.includes(server) && !names.includes("*");
  });
  return !isLeftOut && !isMissing && getPath(settings, ["admin", "mcp", "enabled"]) !== false;
}

function isToolOffered(config: object, tool: string): boolean {
  const strip = ([, text]: readonly [number, string]): string => text.replace(/\(.*$/s, "");
  const include = getProperty(config, "includeTools");
  const isLeftOut = collectTexts(getProperty(config, "excludeTools")).map(strip).includes(tool);
  return !isLeftOut && (include === undefined || collectTexts(include).map(strip).includes(tool));
}
