// Finds settings of Codex that are ignored, inert, dangerous, easy to evade or misleading.

import { type FindingText, SERVER_LOST } from "../finding-text.ts";
import type { FindingList } from "../findings.ts";
import { reportUnknownNames, reportUnknownWord } from "../known-names.ts";
import { is, isFalse, isThere, isTrue, type Opening, open, reportOpenings } from "../openings.ts";
import { isMachinePlace, normalizeFolder } from "../places.ts";
import { collectTexts, getPath, getProperty, listEntries } from "../value.ts";
import { reportVariable } from "../variables.ts";
import { APPROVALS, NAMES, SANDBOXES, SERVER_NAMES, TOOL_APPROVALS } from "./names.ts";
import { isNetworkOpen } from "./policy.ts";

/** Settings that weaken the protection, in the file or in one of its profiles. */
const LAYERED: readonly Opening[] = [
  open(
    "sandbox_mode",
    is("danger-full-access"),
    "commands reach all that the person reaches, and send anywhere",
    'write "workspace-write"',
  ),
  open("approval_policy", is("never"), "nothing is asked", 'write "on-request"'),
  open(
    "approvals_reviewer",
    is("auto_review", "guardian_subagent"),
    "a model decides in place of a person",
    'write "user"',
  ),
  open(
    "chatgpt_base_url",
    isThere,
    "conversations and credentials go to this address",
    "leave it out, unless that host is yours",
  ),
];

const OPENINGS: readonly Opening[] = [
  open(
    "sandbox_workspace_write.network_access",
    isTrue,
    "commands send to every address",
    "leave it out, so that the person is asked",
  ),
  open("default_permissions", is(":danger-full-access"), "commands run without a sandbox", 'write ":workspace"'),
  open(
    "openai_base_url",
    isThere,
    "conversations and credentials go to this address",
    "leave it out, unless that host is yours",
  ),
  open("hooks", isThere, "commands run at each event, unasked and with all rights of the person", "read each of them"),
  open("bypass_hook_trust", isTrue, "hooks of a project run without being looked at", "leave it out"),
  open("notify", isThere, "a command runs unasked at each event", "read it"),
  open(
    "shell_environment_policy.ignore_default_excludes",
    isTrue,
    "commands read the variables whose names say that they are secrets",
    "leave it out",
  ),
  open("plugins", isThere, "plugins bring servers and hooks of their own", "read what they bring"),
  open("marketplaces", isThere, "plugins are offered from there", "leave it out, or read what is offered"),
  open("features.hooks", isTrue, "commands of hooks run unasked", "leave it out"),
  open(
    "cli_auth_credentials_store",
    is("file"),
    "the credentials stand in a file that commands read",
    'write "keyring"',
  ),
  open("otel.log_user_prompt", isTrue, "what a person types is told to others", "leave it out"),
];

/** Returns the findings about a configuration. */
export function collectConfigFindings(config: unknown, found: FindingList): void {
  reportUnknownNames(NAMES, config, found);
  reportLayer(config, [], found);
  for (const [name] of listEntries(getProperty(config, "profiles"))) {
    reportLayer(config, ["profiles", name], found);
    if (name !== getProperty(config, "profile"))
      found.add("unsayable", ["profiles", name], "it is chosen at the start, and the page is of the rest", "");
  }
  reportOpenings(OPENINGS, config, found);
  reportSandbox(config, found);
  reportAddresses(config, found);
  for (const [name, server] of listEntries(getProperty(config, "mcp_servers"))) reportServer(name, server, found);
  reportUnsayable(config, found);
}

function reportLayer(config: unknown, at: readonly string[], found: FindingList): void {
  const approval = getPath(config, [...at, "approval_policy"]);
  if (typeof approval !== "object") reportUnknownWord([...at, "approval_policy"], approval, APPROVALS, found);
  reportUnknownWord([...at, "sandbox_mode"], getPath(config, [...at, "sandbox_mode"]), SANDBOXES, found);
  reportOpenings(LAYERED, config, found, at);
  if (approval === "untrusted")
    found.add(
      "unread",
      [...at, "approval_policy"],
      "newer versions have withdrawn it, and may not start",
      'write "on-request"',
    );
  if (approval === "on-failure")
    found.add(
      "otherwise",
      [...at, "approval_policy"],
      "every command runs unasked at first: only one that failed in the sandbox is asked about",
      'write "on-request"',
    );
  if (approval === "on-request" && getPath(config, [...at, "sandbox_mode"]) === "danger-full-access")
    found.add(
      "inert",
      [...at, "approval_policy"],
      "without a sandbox no command leaves one, so nothing is asked",
      'write sandbox_mode = "workspace-write"',
    );
}

function reportSandbox(config: unknown, found: FindingList): void {
  const mode = getProperty(config, "sandbox_mode");
  const written = listEntries(getProperty(config, "sandbox_workspace_write"));
  if (mode !== undefined && mode !== "workspace-write")
    for (const [name] of written)
      found.add(
        "inert",
        ["sandbox_workspace_write", name],
        'it counts with sandbox_mode = "workspace-write" alone',
        "leave it out",
      );
  const roots = ["sandbox_workspace_write", "writable_roots"];
  for (const [index, text] of collectTexts(getPath(config, roots))) {
    if (isMachinePlace(normalizeFolder(text)))
      found.add(
        "open",
        [...roots, index],
        "commands change what other programs run and read",
        "name a folder of the project",
      );
    found.add("unsayable", [...roots, index], "the folder of a page is one project: it contains no other folder", "");
  }
}

function reportAddresses(config: unknown, found: FindingList): void {
  for (const [name, provider] of listEntries(getProperty(config, "model_providers")))
    if (typeof getProperty(provider, "base_url") === "string")
      found.add(
        "open",
        ["model_providers", name, "base_url"],
        "conversations and credentials go to this address",
        "leave it out, unless that host is yours",
      );
  for (const [path] of listEntries(getProperty(config, "projects")))
    if (/^(?:\/|~|\/(?:home|Users)(?:\/[^/]+)?|\/root)\/?$/.test(path))
      found.add(
        "open",
        ["projects", path],
        "a home is trusted as a project, with all that lies in it",
        "name the project",
      );
  for (const [name, value] of listEntries(getPath(config, ["shell_environment_policy", "set"])))
    reportVariable(["shell_environment_policy", "set", name], value, SECRET, found);
}

const SECRET: FindingText = {
  why: "a secret stands in the file, and commands read it",
  instead: "name the variable in env_vars, or use bearer_token_env_var",
};

function reportServer(name: string, server: unknown, found: FindingList): void {
  const at = ["mcp_servers", name];
  for (const key of listEntries(server).map(([each]) => each))
    if (!SERVER_NAMES.has(key))
      found.add("unread", [...at, key], "no documented setting of a server has this name", "leave it out");
  for (const part of ["env", "http_headers"])
    for (const [key, value] of listEntries(getProperty(server, part)))
      reportVariable([...at, part, key], value, SECRET, found);
  reportServerTools(at, server, found);
  found.add("unsayable", at, SERVER_LOST, "");
}

function reportServerTools(at: readonly string[], server: unknown, found: FindingList): void {
  const approval = getProperty(server, "default_tools_approval_mode");
  reportUnknownWord([...at, "default_tools_approval_mode"], approval, TOOL_APPROVALS, found);
  const enabled = collectTexts(getProperty(server, "enabled_tools"));
  const disabled = collectTexts(getProperty(server, "disabled_tools"));
  const hasList = getProperty(server, "enabled_tools") !== undefined;
  if (approval === "approve" && !hasList)
    found.add(
      "dangerous",
      [...at, "default_tools_approval_mode"],
      "all tools of the server run unasked, those that it has later too",
      "list the tools in enabled_tools",
    );
  if (approval === "auto")
    found.add(
      "otherwise",
      [...at, "default_tools_approval_mode"],
      "it does not mean unasked: hints of the server itself decide whether the person is asked",
      'write "prompt" or "approve"',
    );
  if (disabled.length > 0 && !hasList)
    found.add(
      "passable",
      [...at, "disabled_tools"],
      "a tool of the server with another name does the same, and is offered",
      "list the tools that are needed in enabled_tools",
    );
  const isOff = getProperty(server, "enabled") === false;
  const leftOut = new Set(disabled.map(([, tool]) => tool));
  const offered = new Map(enabled.map(([index, tool]) => [tool, index] as const).reverse());
  for (const [index, tool] of enabled) {
    const why = leftOut.has(tool)
      ? "disabled_tools goes before it"
      : offered.get(tool) !== index
        ? "the same list says it already"
        : isOff
          ? "the server is switched off"
          : undefined;
    if (why !== undefined) found.add("inert", [...at, "enabled_tools", index], why, "leave it out");
  }
  for (const [tool, setting] of listEntries(getProperty(server, "tools"))) {
    const mode = getProperty(setting, "approval_mode");
    reportUnknownWord([...at, "tools", tool, "approval_mode"], mode, TOOL_APPROVALS, found);
    const isOffered = !hasList || offered.has(tool);
    if (!isOffered || leftOut.has(tool) || isOff)
      found.add("inert", [...at, "tools", tool], "the tool is not offered", "leave it out");
  }
}

const UNSAYABLE: readonly (readonly [path: string, why: string])[] = [
  ["hooks", "a page runs nothing beside its tools"],
  ["notify", "a page runs nothing beside its tools"],
  ["shell_environment_policy", "processes of an image have no environment of a person"],
  ["permissions", "the page has one folder: what a profile denies of it is denied as a whole"],
  ["apps", "a page has no such tools"],
  ["plugins", "a page has no such tools"],
];

function reportUnsayable(config: unknown, found: FindingList): void {
  for (const [name, why] of UNSAYABLE) if (isThere(getProperty(config, name))) found.add("unsayable", [name], why);
  if (isNetworkOpen(config))
    found.add(
      "unsayable",
      getPath(config, ["sandbox_workspace_write", "network_access"]) === undefined
        ? ["sandbox_mode"]
        : ["sandbox_workspace_write", "network_access"],
      "the page asks before each address, and requests only https",
    );
  const search = getProperty(config, "web_search");
  if (isThere(search) && search !== "disabled" && !isFalse(search))
    found.add("unsayable", ["web_search"], "the library has no search of the web");
}
