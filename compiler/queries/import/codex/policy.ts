// Computes what a configuration of Codex decides about the tools of a page. If a decision depends on facts outside of
// the file, the page gets the stricter mode. Such facts are whether Codex trusts the project, and a server's statements
// about its own tools.

import type { FilePlace } from "../file-places.ts";
import type { HostPolicy, ServerDecision } from "../host-policy.ts";
import { createStance, type Mode, pickStricter, type Stance } from "../stance.ts";
import { collectTexts, getPath, getProperty, isObject, listEntries } from "../value.ts";

/**
 * The values of the approval policy and of the sandbox mode that may apply: those of the file, and of its selected
 * profile. The stricter value counts.
 */
interface Effective {
  readonly approvals: readonly unknown[];
  readonly sandboxes: readonly unknown[];
}

/** Derives decisions about the tools of a page from a `config.toml`. */
export function decideByConfig(config: unknown): HostPolicy {
  const effective = readEffective(config);
  const asked = decideAsked(effective, "sandbox_approval");
  const write = decideWrite(config, effective, asked);
  return {
    host: "Codex",
    files: {
      read: createStance(decideRead(config)),
      list: createStance(decideRead(config)),
      write,
      delete: createStance("forbidden"),
    },
    web: isNetworkOpen(config, effective) ? createStance("consent") : undefined,
    methods: new Map(),
    decideServerTool: (server, tool) =>
      decideServerTool(getPath(config, ["mcp_servers", server]), tool, decideAsked(effective, "mcp_elicitations")),
  };
}

function readEffective(config: unknown): Effective {
  const profile = getProperty(config, "profile");
  // Depending on the version, a profile takes precedence over the file, or is read from another file. So the stricter
  // value counts.
  const layers = [config, ...(typeof profile === "string" ? [getPath(config, ["profiles", profile])] : [])];
  const collect = (name: string): readonly unknown[] =>
    layers.map((layer) => getProperty(layer, name)).filter((value) => value !== undefined);
  return { approvals: collect("approval_policy"), sandboxes: collect("sandbox_mode") };
}

/** Returns the mode of a call that needs approval. `flow` is the name of this kind of call in a granular policy. */
function decideAsked({ approvals }: Effective, flow: string): Mode {
  return approvals.map((each) => decideAskedBy(each, flow)).reduce<Mode>(pickStricter, "consent");
}

function decideAskedBy(approval: unknown, flow: string): Mode {
  if (isObject(approval)) return getPath(approval, ["granular", flow]) === true ? "consent" : "forbidden";
  return approval === "untrusted" || approval === "on-request" || approval === "on-failure" ? "consent" : "forbidden";
}

/** Folders of a project that commands in the sandbox cannot change. */
const PROTECTED = ["/.agents", "/.codex", "/.git"];

function decideWrite(config: unknown, { approvals, sandboxes }: Effective, asked: Mode): Stance<FilePlace> {
  const profile = getProperty(config, "default_permissions");
  const modes = sandboxes.length > 0 ? sandboxes : [typeof profile === "string" ? PROFILES.get(profile) : undefined];
  const isWriting = modes.every((mode) => mode === "workspace-write" || mode === "danger-full-access");
  if (!isWriting || approvals.includes("untrusted")) return createStance(asked);
  return { base: "auto", lines: PROTECTED.map((place) => ({ mode: pickStricter("consent", asked), place })) };
}

/** The built-in permission profiles, as sandbox modes. */
const PROFILES: ReadonlyMap<string, string> = new Map([
  [":read-only", "read-only"],
  [":workspace", "workspace-write"],
  [":danger-full-access", "danger-full-access"],
]);

/**
 * Returns the mode of reading. In every sandbox mode commands may read all files, but a permission profile may deny
 * some files.
 */
function decideRead(config: unknown): Mode {
  const chosen = getProperty(config, "default_permissions");
  if (chosen === undefined || (typeof chosen === "string" && PROFILES.has(chosen))) return "auto";
  const profile = typeof chosen === "string" ? getPath(config, ["permissions", chosen]) : undefined;
  const entries = getProperty(profile, "filesystem");
  const isOpen = isReading(entries) && listEntries(entries).some(([name, entry]) => isWhole(name, entry));
  return isOpen && getProperty(profile, "extends") === undefined ? "auto" : "forbidden";
}

const ROOTS = ["/", ":root", ":project_roots", ":workspace_roots"];

/**
 * Returns whether an entry in the `filesystem` of a permission profile covers the whole project. Commands cannot read
 * files that no entry covers.
 */
function isWhole(name: string, entry: unknown): boolean {
  return ROOTS.includes(name) && (!isObject(entry) || getProperty(entry, ".") !== undefined);
}

/** Returns whether all entries in the `filesystem` of a profile allow commands to read. Entries may be nested. */
function isReading(entries: unknown): boolean {
  if (entries === "read" || entries === "write") return true;
  return (
    isObject(entries) && listEntries(entries).length > 0 && listEntries(entries).every(([, entry]) => isReading(entry))
  );
}

export function isNetworkOpen(config: unknown, { sandboxes } = readEffective(config)): boolean {
  if (sandboxes.length === 0) return false;
  return sandboxes.every(
    (mode) =>
      mode === "danger-full-access" ||
      (mode === "workspace-write" && getPath(config, ["sandbox_workspace_write", "network_access"]) === true),
  );
}

function decideServerTool(server: unknown, tool: string, asked: Mode): ServerDecision {
  if (!isObject(server)) return { mode: "forbidden", isNamed: false };
  const enabled = getProperty(server, "enabled_tools");
  const hasTool = enabled === undefined || collectTexts(enabled).some(([, name]) => name === tool);
  const isLeftOut = collectTexts(getProperty(server, "disabled_tools")).some(([, name]) => name === tool);
  const isOff = ![undefined, true].includes(getProperty(server, "enabled") as boolean | undefined);
  if (isOff || !hasTool || isLeftOut) return { mode: "forbidden", isNamed: true };
  const approval =
    getPath(server, ["tools", tool, "approval_mode"]) ?? getProperty(server, "default_tools_approval_mode");
  // With `auto`, Codex decides by the server's own description of the tool. A page does not trust this description, so
  // `auto` counts like the setting to ask for approval.
  return { mode: approval === "approve" ? "auto" : asked, isNamed: true };
}
