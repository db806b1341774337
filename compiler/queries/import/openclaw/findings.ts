// Finds settings of OpenClaw that are ignored, inert, dangerous, easy to evade or misleading.

import { findNearest } from "../../../../lang/diagnostics/index.ts";
import { findExtraAuthority } from "../commands.ts";
import { type FindingText, SERVER_LOST } from "../finding-text.ts";
import type { FindingList } from "../findings.ts";
import { reportUnknownWord } from "../known-names.ts";
import { is, isFalse, isThere, isTrue, type Opening, open, reportOpenings } from "../openings.ts";
import { collectTexts, getAt, getPath, getProperty, isObject, listEntries, type Path } from "../value.ts";
import { isSecret, reportVariable } from "../variables.ts";
import { isKnownEntry, isNaming, isUnknownGroup, NESTED, normalizeEntry, PROFILES, TOOL_NAMES, TOP } from "./names.ts";
import { collectScopes, findDefaultAgent, isAllowed, isSandboxed, type Scope } from "./policy.ts";

const EXEC: readonly Opening[] = [
  open("mode", is("full"), "every command runs unasked", 'write "ask"'),
  open("mode", is("auto"), "a model decides in place of a person", 'write "ask"'),
  open("security", is("full"), "every command may run", 'write "allowlist"'),
  open("ask", is("off"), "no command is asked about", 'write "on-miss"'),
  open("pathPrepend", isThere, "programs of these folders run in place of those that a list names", "leave it out"),
  open("safeBinTrustedDirs", isThere, "programs of these folders run unasked", "leave it out"),
  open("applyPatch.workspaceOnly", isFalse, "changes reach files outside of the project", "leave it out"),
];

const OPENINGS: readonly Opening[] = [
  open("tools.fs.workspaceOnly", isFalse, "files outside of the project are read and changed", "write true"),
  open("agents.defaults.sandbox.mode", is("off"), "commands reach all that the gateway reaches", 'write "all"'),
  open(
    "agents.defaults.sandbox.docker.network",
    is("host"),
    "commands in the sandbox reach the network of the machine",
    'write "none"',
  ),
  open(
    "agents.defaults.sandbox.docker.binds",
    isThere,
    "commands in the sandbox reach these folders of the machine",
    "leave it out, or end each with :ro",
  ),
  open("gateway.auth.mode", is("none"), "whoever reaches the gateway steers it", 'write "token"'),
  open("gateway.bind", is("lan", "custom", "auto"), "other machines reach the gateway", 'write "loopback"'),
  open("gateway.controlUi.allowInsecureAuth", isTrue, "the token travels unencrypted", "leave it out"),
  open("commands.bash", isTrue, "whoever may write runs commands of the machine", "leave it out"),
  open("hooks.enabled", isTrue, "requests from outside start the agent", "leave it out"),
  open("env.shellEnv.enabled", isTrue, "secrets of the person's shell are taken over", "leave it out"),
  open("tools.agentToAgent.enabled", isTrue, "one agent has another one act for it", "leave it out"),
];

/** Reports the findings about an `openclaw.json`. */
export function collectConfigFindings(config: unknown, found: FindingList): void {
  reportNames(config, found);
  reportOpenings(OPENINGS, config, found);
  reportDangerousNames(config, found);
  reportSenders(config, found);
  reportEnvironment(config, found);
  const scopes = collectScopes(config);
  for (const scope of scopes) reportScope(scope, found);
  reportWriting(scopes, found);
  for (const path of listExecPaths(config)) reportExec(path, config, found);
  const hasExec = listExecPaths(config).some((path) => getAt(config, path) !== undefined);
  if (!hasExec && !isSandboxed(config) && scopes.every(({ value }) => isAllowed(value, "exec")))
    found.add(
      "open",
      ["tools", "exec"],
      "without this setting every command runs unasked",
      'write tools.exec.mode: "ask"',
    );
  reportServers(config, found);
  reportOthers(config, found);
}

function reportNames(config: unknown, found: FindingList): void {
  for (const [name] of listEntries(config)) {
    const near = TOP.has(name) ? undefined : findNearest(name, TOP);
    if (near !== undefined)
      found.add(
        "unread",
        [name],
        "no documented setting has this name, and OpenClaw does not start",
        `did you mean ${near}?`,
      );
  }
  for (const [place, names] of NESTED) {
    const path = place.split(".");
    for (const [name] of listEntries(getPath(config, path)).filter(([each]) => !names.has(each))) {
      const near = findNearest(name, names);
      found.add(
        "unread",
        [...path, name],
        "no documented setting has this name, and OpenClaw does not start",
        near === undefined ? "leave it out" : `did you mean ${[...path, near].join(".")}?`,
      );
    }
  }
}

/** Reports switches with names that call them dangerous, anywhere in the file. */
function reportDangerousNames(value: unknown, found: FindingList, path: Path = []): void {
  const parts: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((each: unknown, index) => [index, each])
    : listEntries(value);
  for (const [name, part] of parts) {
    if (typeof name === "string" && /^dangerously/i.test(name) && part === true)
      found.add("open", [...path, name], "its own name says that it is dangerous", "leave it out");
    else if (typeof part === "object") reportDangerousNames(part, found, [...path, name]);
  }
}

function reportSenders(config: unknown, found: FindingList): void {
  for (const [name, channel] of listEntries(getProperty(config, "channels"))) {
    const at = ["channels", name];
    for (const key of ["dmPolicy", "groupPolicy"])
      if (getProperty(channel, key) === "open")
        found.add("open", [...at, key], "whoever writes there steers the agent", 'write "allowlist"');
    for (const key of ["allowFrom", "groupAllowFrom"])
      for (const [index, text] of collectTexts(getProperty(channel, key)))
        if (text === "*")
          found.add("open", [...at, key, index], "whoever writes there steers the agent", "name the people");
  }
  for (const [channel, senders] of listEntries(getPath(config, ["tools", "elevated", "allowFrom"])))
    for (const [index, text] of collectTexts(senders))
      if (text === "*")
        found.add(
          "open",
          ["tools", "elevated", "allowFrom", channel, index],
          "whoever writes there runs commands outside of the sandbox",
          "name the people",
        );
}

function reportEnvironment(config: unknown, found: FindingList): void {
  const places: readonly Path[] = [
    ["env", "vars"],
    ["env"],
    ...listEntries(getPath(config, ["mcp", "servers"])).flatMap(([name]): readonly Path[] => [
      ["mcp", "servers", name, "env"],
      ["mcp", "servers", name, "headers"],
    ]),
  ];
  for (const at of places)
    for (const [name, value] of listEntries(getAt(config, at)))
      if (typeof value === "string") reportVariable([...at, name], value, SECRET, found);
  for (const path of [
    ["gateway", "auth", "token"],
    ["gateway", "auth", "password"],
    ["hooks", "token"],
  ])
    if (isSecret("TOKEN", getPath(config, path))) found.add("open", path, SECRET.why, SECRET.instead);
}

const SECRET: FindingText = {
  why: "a secret stands in the file",
  instead: "write a reference to a variable that is set outside of it",
};

function reportScope({ path, value }: Scope, found: FindingList): void {
  const profile = getProperty(value, "profile");
  if (profile !== undefined && !(typeof profile === "string" && Object.hasOwn(PROFILES, profile)))
    found.add(
      "unread",
      [...path, "profile"],
      "no profile has this name, and OpenClaw does not start",
      `write one of ${Object.keys(PROFILES).join(", ")}`,
    );
  const read = (name: string): readonly (readonly [number, string])[] =>
    collectTexts(getProperty(value, name)).map(([index, text]) => [index, normalizeEntry(text)]);
  const deny = read("deny");
  if (read("allow").length > 0 && read("alsoAllow").length > 0)
    found.add(
      "unread",
      [...path, "alsoAllow"],
      "beside allow it is refused, and OpenClaw does not start",
      "write its entries in allow",
    );
  for (const list of ["deny", "allow", "alsoAllow"]) {
    const seen = new Set<string>();
    for (const [index, entry] of read(list)) {
      const at = [...path, list, index];
      const over = list === "deny" ? undefined : deny.find(([, denied]) => denied === entry || isNaming(denied, entry));
      if (seen.has(entry)) found.add("inert", at, "the same list says it already", "leave it out");
      else if (over !== undefined) found.add("inert", at, "deny goes before it", "take one of the two out");
      else reportEntry(entry, { list, at }, found);
      seen.add(entry);
      if (!SAYABLE.has(entry) && !isMade(entry)) found.add("unsayable", at, explainEntry(entry));
    }
  }
}

const SAYABLE = new Set(["*", "read", "write", "web_fetch", "group:fs", "group:web", "edit", "apply_patch"]);

/** Returns whether an entry names tools of servers, such as `bundle-mcp`. Another finding reports these entries. */
function isMade(entry: string): boolean {
  return entry === "bundle-mcp" || entry === "group:plugins" || entry.includes("__");
}

function explainEntry(entry: string): string {
  if (/^(?:exec|process|group:runtime|code_execution)$/.test(entry))
    return "an image has no shell: make a tool for each command";
  if (/search/.test(entry)) return "the library has no search of the web";
  return "a page has no such tool";
}

function reportEntry(
  entry: string,
  { list, at }: { readonly list: string; readonly at: Path },
  found: FindingList,
): void {
  if (!isKnownEntry(entry)) {
    const near = findNearest(entry, TOOL_NAMES);
    if (near !== undefined || isUnknownGroup(entry))
      found.add(
        "inert",
        at,
        "no tool of OpenClaw has this name, and no plugin may bring it",
        near === undefined ? "leave it out" : `did you mean ${near}?`,
      );
    return;
  }
  if (list === "deny") return;
  if (entry === "*")
    found.add("dangerous", at, "every tool runs unasked, those that a plugin brings later too", "name the tools");
  if (/^(?:group:plugins|bundle-mcp)$/.test(entry) || /^[^_*]+__\*$/.test(entry))
    found.add(
      "dangerous",
      at,
      "all tools of servers run unasked, those that they have later too",
      "name the tools: SERVER__TOOL",
    );
  if (/^(?:gateway|cron|automations|nodes|group:automation|group:nodes)$/.test(entry))
    found.add(
      "dangerous",
      at,
      "the agent changes its own settings, or acts later and elsewhere, unasked",
      "leave it out",
    );
}

/** Reports each denied tool that changes files if another tool that changes files is still allowed. */
function reportWriting(scopes: readonly Scope[], found: FindingList): void {
  const isLeft = (tool: string): boolean => scopes.every(({ value }) => isLeftIn(value, tool));
  for (const { path, value } of scopes)
    for (const [index, text] of collectTexts(getProperty(value, "deny"))) {
      const entry = normalizeEntry(text);
      const others = ["write", "edit", "apply_patch", "exec"].filter((tool) => tool !== entry && isLeft(tool));
      if (["write", "edit", "apply_patch"].includes(entry) && others.length > 0)
        found.add(
          "passable",
          [...path, "deny", index],
          `${others.join(", ")} changes files too`,
          "deny group:fs, and exec too",
        );
      if (entry === "web_fetch" && isLeft("exec"))
        found.add(
          "passable",
          [...path, "deny", index],
          "exec requests addresses too",
          "deny exec, or use a sandbox without a network",
        );
    }
}

/**
 * Returns whether a list allows a tool. For `isAllowed`, a denial of `edit` or `apply_patch` also denies `write`, but
 * not here.
 */
function isLeftIn(scope: object, tool: string): boolean {
  const isDenied = collectTexts(getProperty(scope, "deny")).some(([, text]) => isNaming(normalizeEntry(text), tool));
  return !isDenied && isAllowed({ ...scope, deny: [] }, tool);
}

function listExecPaths(config: unknown): readonly Path[] {
  const agent = findDefaultAgent(config);
  return [["tools", "exec"], ...(agent === undefined ? [] : [[...agent.path, "tools", "exec"]])];
}

function reportExec(path: Path, config: unknown, found: FindingList): void {
  const exec = getAt(config, path);
  if (exec === undefined) return;
  if (!isObject(exec)) {
    found.add("unread", path, "it is an object, and no other value is read");
    return;
  }
  const names = path.map(String);
  reportUnknownWord([...names, "security"], getProperty(exec, "security"), ["deny", "allowlist", "full"], found);
  reportUnknownWord([...names, "ask"], getProperty(exec, "ask"), ["off", "on-miss", "always"], found);
  reportUnknownWord([...names, "mode"], getProperty(exec, "mode"), ["deny", "allowlist", "ask", "auto", "full"], found);
  if (path.every((step) => typeof step === "string")) reportOpenings(EXEC, config, found, names);
  if (
    getProperty(exec, "mode") !== undefined &&
    (getProperty(exec, "security") ?? getProperty(exec, "ask")) !== undefined
  )
    found.add(
      "unread",
      [...path, "mode"],
      "beside security or ask it is refused, and OpenClaw does not start",
      "write one of them",
    );
  if (getProperty(exec, "security") === "deny" && getProperty(exec, "ask") !== undefined)
    found.add("inert", [...path, "ask"], "security refuses every command, so nothing is asked", "leave it out");
  if (getProperty(exec, "host") === "sandbox" && !isSandboxed(config))
    found.add(
      "otherwise",
      [...path, "host"],
      "without a sandbox, commands run on the gateway itself",
      'write agents.defaults.sandbox.mode: "all"',
    );
  const bins = [...path, "safeBins"];
  for (const [index, text] of collectTexts(getAt(config, bins))) {
    const extra = /^(?:cat|ls)$/.test(text)
      ? { why: "it reads any file unasked", instead: "leave it out" }
      : findExtraAuthority(`${text} *`);
    if (extra !== undefined) found.add("dangerous", [...bins, index], extra.why, extra.instead);
  }
  found.add("unsayable", path, "an image has no shell: make a tool for each command");
}

function reportServers(config: unknown, found: FindingList): void {
  for (const [name] of listEntries(getPath(config, ["mcp", "servers"])))
    found.add("unsayable", ["mcp", "servers", name], SERVER_LOST);
}

function listIndexes(list: unknown): readonly number[] {
  return Array.isArray(list) ? [...list.keys()] : [];
}

function reportOthers(config: unknown, found: FindingList): void {
  const chosen = findDefaultAgent(config);
  const agents: readonly Path[] = [
    ...listIndexes(getPath(config, ["agents", "list"])).map((index): Path => ["agents", "list", index]),
    ...listEntries(getPath(config, ["agents", "entries"])).map(([name]): Path => ["agents", "entries", name]),
  ];
  for (const path of agents)
    if (
      chosen !== undefined &&
      JSON.stringify(path) !== JSON.stringify(chosen.path) &&
      getAt(config, [...path, "tools"]) !== undefined
    )
      found.add("unsayable", [...path, "tools"], "the page is of the default agent");
  for (const { path } of collectScopes(config))
    if (path.includes("byProvider") || path.includes("toolsBySender"))
      found.add(
        "unsayable",
        path,
        "which model answers, and who writes, is not known to a page: the list counts for everybody",
      );
  for (const [path, why] of [
    [["hooks"], "a page runs nothing beside its tools"],
    [["channels"], "the person of a page is at its console"],
    [["cron"], "the session of a page has no times of its own"],
  ] as const)
    if (isThere(getPath(config, path))) found.add("unsayable", path, why);
}
