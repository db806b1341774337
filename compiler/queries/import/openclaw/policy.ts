// Computes what a configuration of OpenClaw decides about the tools of a page. A tool that its lists allow runs without
// asking; OpenClaw asks only about commands. Each list that may apply to a conversation counts, because the importer
// does not know which model answers and who writes.

import type { HostPolicy, ServerDecision } from "../host-policy.ts";
import { createStance, type Mode } from "../stance.ts";
import { collectTexts, getAt, getPath, getProperty, isObject, listEntries, type Path } from "../value.ts";
import { isNaming, nameServer, normalizeEntry, PROFILES, SANDBOX_TOOLS } from "./names.ts";

/** A list of tools, with its path in the file. */
export interface Scope {
  readonly path: Path;
  readonly value: object;
}

/** Derives decisions about the tools of a page from an `openclaw.json`. */
export function decideByConfig(config: unknown): HostPolicy {
  const scopes = collectScopes(config);
  const lists = [...scopes.map(({ value }) => value), ...listSandboxDefaults(config, scopes)];
  const decide = (tool: string): Mode => (lists.every((list) => isAllowed(list, tool)) ? "auto" : "forbidden");
  const isReadOnly = getEffectiveSandbox(config, "workspaceAccess") !== "rw" && isSandboxed(config);
  const isUnseen =
    isSandboxed(config) &&
    getEffectiveSandbox(config, "workspaceAccess") !== "rw" &&
    getEffectiveSandbox(config, "workspaceAccess") !== "ro";
  const read = isUnseen ? "forbidden" : decide("read");
  const fetching = getPath(config, ["tools", "web", "fetch", "enabled"]) === false ? "forbidden" : decide("web_fetch");
  return {
    host: "OpenClaw",
    files: {
      read: createStance(read),
      // OpenClaw has no tool that lists files. If a tool may read all files, the page also allows listing.
      list: createStance(read),
      write: createStance(isReadOnly ? "forbidden" : decide("write")),
      delete: createStance("forbidden"),
    },
    web: fetching === "auto" ? createStance(fetching) : undefined,
    methods: new Map(),
    decideServerTool: (server, tool) => decideServerTool(config, decide, { server, tool }),
  };
}

/**
 * Returns the agent that answers if no binding chooses another agent: the agent marked as default, or the first agent.
 */
export function findDefaultAgent(config: unknown): Scope | undefined {
  const list = getPath(config, ["agents", "list"]);
  if (Array.isArray(list)) {
    const marked = list.findIndex((agent) => getProperty(agent, "default") === true);
    const index = marked === -1 ? 0 : marked;
    const value: unknown = list[index];
    return isObject(value) ? { path: ["agents", "list", index], value } : undefined;
  }
  const entries = listEntries(getPath(config, ["agents", "entries"]));
  const [name, value] = entries.find(([, agent]) => getProperty(agent, "default") === true) ?? entries[0] ?? [];
  return name !== undefined && isObject(value) ? { path: ["agents", "entries", name], value } : undefined;
}

/** Returns every list of tools that may apply to a conversation of the default agent. */
export function collectScopes(config: unknown): readonly Scope[] {
  const agent = findDefaultAgent(config);
  const tops: readonly Path[] = [["tools"], ...(agent === undefined ? [] : [[...agent.path, "tools"]])];
  const paths = tops.flatMap((top) => [
    top,
    ...["byProvider", "toolsBySender"].flatMap((part) =>
      listEntries(getAt(config, [...top, part])).map(([name]): Path => [...top, part, name]),
    ),
    ...(isSandboxed(config) ? [[...top, "sandbox", "tools"]] : []),
  ]);
  return paths.flatMap((path) => {
    const value = getAt(config, path);
    return isObject(value) ? [{ path, value }] : [];
  });
}

/**
 * Returns the default list of tools in a sandbox. The result is empty if no sandbox is used, or if a list in the settings
 * of the sandbox has `allow`.
 */
function listSandboxDefaults(config: unknown, scopes: readonly Scope[]): readonly object[] {
  const own = scopes.filter(({ path }) => path.at(-2) === "sandbox").map(({ value }) => value);
  if (!isSandboxed(config) || own.some((list) => getProperty(list, "allow") !== undefined)) return [];
  const more = own.flatMap((list) => collectTexts(getProperty(list, "alsoAllow")).map(([, text]) => text));
  return [{ allow: SANDBOX_TOOLS, alsoAllow: more }];
}

/** Returns whether a list allows a tool. */
export function isAllowed(scope: object, tool: string): boolean {
  const read = (name: string): readonly string[] =>
    collectTexts(getProperty(scope, name)).map(([, text]) => normalizeEntry(text));
  const isIn = (entries: readonly string[]): boolean => entries.some((entry) => isNaming(entry, tool));
  const denied = read("deny");
  // `deny: ["write"]` does not deny `apply_patch`. A page has one tool for `write`, `edit` and `apply_patch`. If the
  // settings deny one of the three, the page denies this tool.
  if (isIn(denied) || (tool === "write" && ["edit", "apply_patch"].some((other) => denied.includes(other))))
    return false;
  const profile = getProperty(scope, "profile");
  const also = read("alsoAllow");
  const isInProfile =
    profile === undefined || isIn(typeof profile === "string" ? (PROFILES[profile] ?? []) : []) || isIn(also);
  const allow = read("allow");
  return isInProfile && (allow.length === 0 || isIn(allow) || isIn(also));
}

export function isSandboxed(config: unknown): boolean {
  const mode = getEffectiveSandbox(config, "mode");
  return mode === "all" || mode === "non-main";
}

/** Returns a setting of the sandbox of the default agent. */
function getEffectiveSandbox(config: unknown, name: string): unknown {
  const own = getPath(findDefaultAgent(config)?.value, ["sandbox", name]);
  return own ?? getPath(config, ["agents", "defaults", "sandbox", name]);
}

function decideServerTool(
  config: unknown,
  decide: (tool: string) => Mode,
  { server, tool }: { readonly server: string; readonly tool: string },
): ServerDecision {
  const entry = getPath(config, ["mcp", "servers", server]);
  if (!isObject(entry)) return { mode: "forbidden", isNamed: false };
  if (getProperty(entry, "enabled") === false || getProperty(entry, "disabled") === true)
    return { mode: "forbidden", isNamed: true };
  return { mode: decide(`${nameServer(server)}__${tool.toLowerCase()}`), isNamed: true };
}
