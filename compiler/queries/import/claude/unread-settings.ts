// Finds keys and values of settings that have no effect. Undocumented keys are reported too, because their author
// believes that they work.

import { type Diagnostic, findNearest } from "../../../../lang/diagnostics/index.ts";
import type { FindingText } from "../finding-text.ts";
import { settingsUnread } from "../rules/settings-unread/codes.ts";
import { getPath, getProperty, isObject, isTextList, type PlaceOf } from "../value.ts";
import { GLOBAL_ONLY, KNOWN_KEYS, MANAGED_ONLY, MODES } from "./known-keys.ts";

/**
 * Returns findings about the settings that Claude Code does not read. `kind` states whether the file contains managed
 * settings.
 */
export function findUnreadSettings(
  settings: unknown,
  placeOf: PlaceOf,
  kind: "managed" | "ordinary",
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const tell = (path: readonly string[], said: FindingText | undefined): void => {
    if (said !== undefined) found.push(settingsUnread.at(placeOf(path), { rule: path.join("."), ...said }));
  };
  for (const [place, known] of KNOWN_KEYS) {
    const path = place === "" ? [] : place.split(".");
    const value = getPath(settings, path);
    if (value === undefined) continue;
    if (!isObject(value)) {
      tell(path, { why: "it is an object, and no other value is read", instead: `write { ${[...known][0]}: … }` });
      continue;
    }
    for (const [key, held] of Object.entries(value)) {
      if (known.has(key))
        tell([...path, key], explainWrongFile(path, key, kind) ?? explainUnreadValue([...path, key], held));
      else tell([...path, key], explainUnknownKey(path, key, held, known));
    }
  }
  return found;
}

const NESTED_MANAGED: ReadonlySet<string> = new Set([
  "sandbox.bwrapPath",
  "sandbox.socatPath",
  "sandbox.filesystem.allowManagedReadPathsOnly",
  "sandbox.network.allowManagedDomainsOnly",
]);

function explainWrongFile(path: readonly string[], key: string, kind: "managed" | "ordinary"): FindingText | undefined {
  const whole = [...path, key].join(".");
  if (GLOBAL_ONLY.has(whole)) return { why: "it counts in ~/.claude.json alone", instead: "write it there" };
  if (kind === "ordinary" && (MANAGED_ONLY.has(whole) || NESTED_MANAGED.has(whole)))
    return { why: "it counts in managed settings alone", instead: "write it in managed-settings.json" };
  return undefined;
}

function explainUnknownKey(
  path: readonly string[],
  key: string,
  value: unknown,
  known: ReadonlySet<string>,
): FindingText {
  if (path.length === 0 && key === "mcpServers")
    return { why: "settings hold no servers", instead: "write them in .mcp.json, or add them with claude mcp add" };
  const lists = ["deny", "ask", "allow"].filter((list) => getProperty(value, list) !== undefined);
  if (path[0] === "permissions" && lists.length > 0)
    return {
      why: `rules are lists of texts in permissions.${lists.join(", permissions.")}, and not sorted by tools`,
      instead: `write permissions.${lists[0]}: ["${key.slice(0, 1).toUpperCase()}${key.slice(1)}(…)"]`,
    };
  const [home] = [...KNOWN_KEYS].find(([place, keys]) => place !== path.join(".") && keys.has(key)) ?? [];
  if (home !== undefined)
    return home === ""
      ? { why: "it counts beside this object, and not in it", instead: `write ${key} at the top` }
      : { why: `it counts in ${home} alone`, instead: `write ${home}.${key}` };
  const near = findNearest(key, known);
  return {
    why: "no documented setting has this name",
    instead: near === undefined ? "leave it out" : `did you mean ${[...path, near].join(".")}?`,
  };
}

const BOOLEANS: ReadonlySet<string> = new Set([
  "allowManagedHooksOnly",
  "allowManagedMcpServersOnly",
  "allowManagedPermissionRulesOnly",
  "disableAllHooks",
  "disableClaudeAiConnectors",
  "disableSkillShellExecution",
  "enableAllProjectMcpServers",
  "autoMode.classifyAllShell",
  "permissions.blockReadsOutsideWorkingDirectories",
  "permissions.blockWritesOutsideWorkingDirectories",
  "permissions.denyInsteadOfPrompting",
  "sandbox.enabled",
  "sandbox.failIfUnavailable",
  "sandbox.autoAllowBashIfSandboxed",
  "sandbox.allowUnsandboxedCommands",
  "sandbox.filesystem.allowManagedReadPathsOnly",
  "sandbox.filesystem.disabled",
  "sandbox.network.allowAllUnixSockets",
  "sandbox.network.strictAllowlist",
  "sandbox.network.allowManagedDomainsOnly",
]);

const LISTS_OF_TEXTS: ReadonlySet<string> = new Set([
  "permissions.additionalDirectories",
  "sandbox.excludedCommands",
  "sandbox.filesystem.allowWrite",
  "sandbox.filesystem.denyWrite",
  "sandbox.filesystem.denyRead",
  "sandbox.filesystem.allowRead",
  "sandbox.network.allowUnixSockets",
  "sandbox.network.allowedDomains",
  "sandbox.network.deniedDomains",
]);

const DISABLE: ReadonlySet<string> = new Set([
  "permissions.disableBypassPermissionsMode",
  "permissions.disableAutoMode",
  "disableAutoMode",
]);

function explainUnreadValue(path: readonly string[], value: unknown): FindingText | undefined {
  const name = path.join(".");
  if (DISABLE.has(name) && value !== "disable")
    return { why: 'the text "disable" alone counts', instead: `write ${name}: "disable"` };
  if (BOOLEANS.has(name) && typeof value !== "boolean")
    return { why: "it is true or false, without quotation marks", instead: `write ${name}: true` };
  if (LISTS_OF_TEXTS.has(name) && !isTextList(value))
    return { why: "it is a list of texts", instead: `write ${name}: ["…"]` };
  if (name === "permissions.defaultMode" && !(typeof value === "string" && MODES.has(value))) {
    const near = typeof value === "string" ? findNearest(value, MODES) : undefined;
    return {
      why: "no mode has this name, and the value or the whole file is left out",
      instead: near === undefined ? `write one of ${[...MODES].join(", ")}` : `did you mean ${near}?`,
    };
  }
  return undefined;
}
