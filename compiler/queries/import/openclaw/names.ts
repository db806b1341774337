// The documented settings and tools of OpenClaw: https://docs.openclaw.ai/gateway/config-tools, November 2026.

import { isNamedBy, splitWords } from "../names.ts";

/**
 * Names at the top of a configuration. New versions add names, so an unknown name is reported only if it resembles one
 * of these names.
 */
export const TOP: ReadonlySet<string> =
  splitWords(`acp agents approvals audio auth bindings broadcast browser canvasHost channels cli commands cron
diagnostics discovery env gateway hooks logging mcp media memory messages meta models nodeHost plugins proxy secrets session skills talk
tools ui update vault web wizard`);

/** Names that only some objects contain, by the object's path. */
export const NESTED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "tools",
    splitWords(`agentToAgent allow alsoAllow byProvider codeMode deny elevated exec experimental fs links loopDetection media message
    profile sandbox sessions sessions_spawn subagents swarm toolSearch toolsBySender web`),
  ],
  [
    "tools.exec",
    splitWords(`applyPatch approvalRunningNoticeMs ask backgroundMs cleanupMs commandHighlighting host mode node notifyOnExit
    notifyOnExitEmptySuccess pathPrepend remote reviewer safeBinProfiles safeBinTrustedDirs safeBins security strictInlineEval timeoutSec
    timeoutSeconds`),
  ],
  ["tools.fs", splitWords("workspaceOnly")],
  ["tools.elevated", splitWords("allowFrom enabled")],
]);

const GROUPS: Readonly<Record<string, string>> = {
  "group:runtime": "exec process runtime code_execution",
  "group:fs": "read write edit apply_patch",
  "group:web": "web_search x_search web_fetch",
  "group:memory": "memory_search memory_get",
  "group:sessions": `sessions sessions_list sessions_history sessions_search conversations_list conversations_send conversations_turn
    sessions_send sessions_spawn sessions_yield subagents session_status spawn_task suggest_task dismiss_task`,
  "group:ui": "browser screen theme dashboard terminal portal canvas show_widget",
  "group:automation": "heartbeat_respond cron automations gateway plugins openclaw",
  "group:messaging": "message",
  "group:nodes": "nodes computer",
  "group:agents": "agents_list get_goal create_goal update_goal update_plan progress_card ask_user skill_workshop",
  "group:media": "image view_image image_generate music_generate video_generate transcripts tts pdf",
};

/** The groups and tools that each profile allows. `full` allows all. */
export const PROFILES: Readonly<Record<string, readonly string[]>> = {
  minimal: ["session_status"],
  coding: ["group:fs", "group:runtime", "group:web", "group:sessions", "group:memory", "bundle-mcp"],
  messaging: ["group:messaging", "bundle-mcp"],
  full: ["*"],
};

/** Tools that are allowed in a sandbox by default. Tools of servers and of the web are not allowed by default. */
export const SANDBOX_TOOLS: readonly string[] = ["group:runtime", "group:fs", "group:sessions", "image"];

const GROUP_TOOLS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(GROUPS).map(([group, names]) => [group, splitWords(names.trim())]),
);
const BUILT_IN = new Set([...GROUP_TOOLS.values()].flatMap((names) => [...names]));
const NAMED_GROUPS = new Set([...Object.keys(GROUPS), "group:openclaw", "group:plugins"]);

/** Names of tools and groups, from which corrections of misspelt names are chosen. */
export const TOOL_NAMES: ReadonlySet<string> = new Set([
  ...BUILT_IN,
  ...NAMED_GROUPS,
  "bash",
  "apply-patch",
  "bundle-mcp",
]);

export function isKnownEntry(entry: string): boolean {
  return TOOL_NAMES.has(entry) || entry.includes("*") || entry.includes("__");
}

/** Returns whether a name has the form of a group but is not the name of a group. */
export function isUnknownGroup(entry: string): boolean {
  return entry.startsWith("group:") && !NAMED_GROUPS.has(entry);
}

const OUTSIDE_OF_OPENCLAW = new Set(["read", "write", "edit", "apply_patch", "exec", "process", "canvas"]);

/** Returns the form in which entries and tools are compared. */
export function normalizeEntry(text: string): string {
  const name = text.trim().toLowerCase();
  return name === "bash" ? "exec" : name === "apply-patch" ? "apply_patch" : name;
}

/**
 * Returns whether an entry of a list names a tool, by its name, a wildcard or a group. `entry` and `tool` must be
 * normalized.
 */
export function isNaming(entry: string, tool: string): boolean {
  const isOfServer = tool.includes("__");
  if (entry === "bundle-mcp" || entry === "group:plugins") return isOfServer;
  if (entry === "group:openclaw") return BUILT_IN.has(tool) && !OUTSIDE_OF_OPENCLAW.has(tool);
  const group = GROUP_TOOLS.get(entry);
  if (group !== undefined) return group.has(tool);
  return isNamedBy(entry, tool);
}

/**
 * Returns the part before `__` in the names of a server's tools. Characters that are not allowed become hyphens, and
 * the part begins with a letter.
 */
export function nameServer(server: string): string {
  const safe = server
    .trim()
    .toLowerCase()
    .replace(/[^a-z\d_-]/g, "-");
  return /^[a-z]/.test(safe) ? safe : `mcp-${safe}`;
}
