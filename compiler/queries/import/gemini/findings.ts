// Finds settings of Gemini CLI that are ignored, inert, dangerous, easy to evade or misleading.

import { findNearest } from "../../../../lang/diagnostics/index.ts";
import { findExtraAuthority } from "../commands.ts";
import { type FindingText, SERVER_LOST } from "../finding-text.ts";
import type { FindingList } from "../findings.ts";
import { reportUnknownNames, reportUnknownWord } from "../known-names.ts";
import { is, isFalse, isThere, isTrue, type Opening, open, reportOpenings } from "../openings.ts";
import { isMachinePlace, normalizeFolder } from "../places.ts";
import { explainLostCommand } from "../programs.ts";
import { collectTexts, getPath, getProperty, listEntries, type Path } from "../value.ts";
import { reportVariable } from "../variables.ts";
import { type Entry, type ListName, readEntries } from "./entries.ts";
import { isToolName, NAMES, OLD_NAMES, SERVER_NAMES, SHELL, TOOLS } from "./names.ts";
import { collectCommandRules, createRule } from "./policy.ts";

const OPENINGS: readonly Opening[] = [
  open("general.defaultApprovalMode", is("auto_edit"), "files are changed unasked", 'write "default"'),
  open("tools.sandbox", isFalse, "commands reach all that the person reaches", "leave it out, or name a sandbox"),
  open("tools.sandboxNetworkAccess", isTrue, "commands in the sandbox send to every address", "leave it out"),
  open("tools.discoveryCommand", isThere, "a command runs unasked, and decides which tools there are", "read it"),
  open("tools.callCommand", isThere, "a command runs for each call of a discovered tool", "read it"),
  open("mcp.serverCommand", isThere, "a command runs unasked", "read it"),
  open("mcp.autoAllowInHeadless", isTrue, "without a person, tools of every server run", "leave it out"),
  open(
    "security.folderTrust.enabled",
    isFalse,
    "settings and servers of any project that is opened count",
    "leave it out",
  ),
  open(
    "security.enablePermanentToolApproval",
    isTrue,
    "one answer allows a tool for all later sessions",
    "leave it out",
  ),
  open("security.autoAddToPolicyByDefault", isTrue, "one answer allows a tool for all later sessions", "leave it out"),
  open(
    "context.includeDirectories",
    isThere,
    "files outside of the project are read unasked",
    "leave it out, or name what is needed alone",
  ),
  open("hooks", isThere, "commands run at each event, unasked and with all rights of the person", "read each of them"),
  open("telemetry.logPrompts", isTrue, "what a person types is told to others", "write false"),
  open("policyPaths", isThere, "rules of other files go before these lists", "read them, and import them too"),
];

/** Reports the findings about a `settings.json`. */
export function collectSettingFindings(settings: unknown, found: FindingList): void {
  reportOldNames(settings, found);
  reportUnknownNames(NAMES, settings, found);
  reportUnknownWord(
    ["general", "defaultApprovalMode"],
    getPath(settings, ["general", "defaultApprovalMode"]),
    ["default", "auto_edit", "plan"],
    found,
  );
  reportOpenings(OPENINGS, settings, found);
  const paths = ["tools", "sandboxAllowedPaths"];
  for (const [index, text] of collectTexts(getPath(settings, paths)))
    if (isMachinePlace(normalizeFolder(text)))
      found.add(
        "open",
        [...paths, index],
        "commands in the sandbox change what other programs run and read",
        "name a folder of the project",
      );
  for (const list of ["exclude", "confirmationRequired", "allowed", "core"] as const) reportList(settings, list, found);
  reportCore(settings, found);
  for (const [name, server] of listEntries(getProperty(settings, "mcpServers"))) reportServer(name, server, found);
  const allowed = ["mcp", "allowed"];
  for (const [index] of collectTexts(getPath(settings, allowed)))
    found.add(
      "otherwise",
      [...allowed, index],
      "newer versions also run the tools of this server unasked",
      "name the tools in tools.allowed, and leave this list out",
    );
  if (isThere(getProperty(settings, "hooks")))
    found.add("unsayable", ["hooks"], "a page runs nothing beside its tools");
}

function reportOldNames(settings: unknown, found: FindingList): void {
  for (const [name] of listEntries(settings)) {
    const place = OLD_NAMES.get(name);
    if (place !== undefined) found.add("unread", [name], "newer versions do not read this name", `write ${place}`);
  }
}

function reportList(settings: unknown, list: ListName, found: FindingList): void {
  const entries = readEntries(settings, list) ?? [];
  const commands = collectCommandRules(settings);
  const stricter = {
    exclude: [],
    confirmationRequired: ["exclude"],
    allowed: ["exclude", "confirmationRequired"],
    core: ["exclude"],
  } as const;
  const before = new Map(
    stricter[list].flatMap((other) =>
      (readEntries(settings, other) ?? []).map((entry) => [entry.text, other] as const),
    ),
  );
  const first = new Map<string, Path>();
  for (const entry of entries) {
    const { path, text } = entry;
    const over = before.get(text) ?? before.get(entry.tool);
    if (first.has(text)) found.add("inert", path, "the same list says it already", "leave it out");
    else if (over !== undefined) found.add("inert", path, `tools.${over} goes before it`, "take one of the two out");
    else reportEntry(entry, list, found);
    first.set(text, path);
    const why = explainUnsayable(entry, list, commands);
    if (why !== undefined) found.add("unsayable", path, why);
  }
}

function reportEntry(entry: Entry, list: ListName, found: FindingList): void {
  const { path, tool, what } = entry;
  if (!isToolName(tool)) {
    const near = findNearest(tool, TOOLS);
    found.add("inert", path, "no tool has this name", near === undefined ? "leave it out" : `did you mean ${near}?`);
    return;
  }
  if (list === "exclude" && tool === SHELL && what !== undefined)
    found.add(
      "inert",
      path,
      "newer versions compare the whole text with the name of a tool, and deny no command",
      'write a rule with commandPrefix and decision = "deny" in a policy file',
    );
  if (list === "exclude" && tool === SHELL && what !== undefined)
    found.add(
      "passable",
      path,
      "another spelling, path or program does the same",
      "allow only commands that are needed",
    );
  if (tool !== SHELL && what !== undefined && list !== "exclude")
    found.add(
      "otherwise",
      path,
      "what stands in parentheses is not compared: the rule is about the whole tool",
      `write ${tool}`,
    );
  if (list === "allowed" || list === "core") reportDanger(entry, list, found);
}

function reportDanger({ path, tool, what }: Entry, list: "allowed" | "core", found: FindingList): void {
  const lead = list === "core" ? "newer versions run the tools of this list unasked: " : "";
  if (tool === "*") found.add("dangerous", path, `${lead}every tool runs unasked`, "name the tools");
  else if (tool === SHELL) {
    const extra =
      what === undefined
        ? { why: "every command runs unasked", instead: `write ${SHELL}(COMMAND)` }
        : findExtraAuthority(`${what} *`);
    if (extra !== undefined) found.add("dangerous", path, `${lead}${extra.why}`, extra.instead);
  } else if (tool === "write_file" || tool === "replace")
    found.add("dangerous", path, `${lead}every file is changed unasked`, "leave it out, so that it is asked about");
  else if (tool === "web_fetch")
    found.add(
      "dangerous",
      path,
      `${lead}every address is read unasked, and may be told things`,
      "leave it out, so that it is asked about",
    );
  else if (/^mcp_(?:\*|[^_]+_\*)$/.test(tool))
    found.add(
      "dangerous",
      path,
      `${lead}all tools of a server run unasked, those that it has later too`,
      "name the tools",
    );
}

const SAYABLE = new Set(["list_directory", "read_file", "web_fetch", "write_file"]);

function explainUnsayable(
  entry: Entry,
  list: ListName,
  commands: ReturnType<typeof collectCommandRules>,
): string | undefined {
  const { tool, what } = entry;
  if (SAYABLE.has(tool) || tool === "*") return undefined;
  if (tool === SHELL) {
    if (what === undefined && list !== "allowed") return undefined;
    const mode = list === "exclude" ? "forbidden" : list === "allowed" ? "auto" : "consent";
    return explainLostCommand(createRule(mode, entry), commands);
  }
  if (tool.startsWith("mcp_")) return SERVER_LOST;
  if (tool === "google_web_search") return "the library has no search of the web";
  if (tool === "replace") return "Files.write replaces whole files: the rules about write_file decide";
  if (/^(?:glob|grep_search|search_file_content|read_many_files)$/.test(tool))
    return "the rules about read_file and list_directory decide";
  return "a page has no such tool";
}

function reportCore(settings: unknown, found: FindingList): void {
  if (readEntries(settings, "core") === undefined || !isThere(getProperty(settings, "mcpServers"))) return;
  found.add(
    "otherwise",
    getPath(settings, ["tools", "core"]) === undefined ? ["coreTools"] : ["tools", "core"],
    "newer versions refuse tools of servers too that this list does not name",
    "name them, or leave the list out and deny tools in a policy file",
  );
}

const SECRET: FindingText = {
  why: "a secret stands in the file",
  instead: "write $NAME, and set the variable outside of it",
};

function reportServer(name: string, server: unknown, found: FindingList): void {
  const at = ["mcpServers", name];
  for (const [key] of listEntries(server))
    if (!SERVER_NAMES.has(key))
      found.add("unread", [...at, key], "no documented setting of a server has this name", "leave it out");
  if (getProperty(server, "trust") === true)
    found.add(
      "open",
      [...at, "trust"],
      "all tools of the server run unasked, those that it has later too",
      "leave it out, and name tools in tools.allowed",
    );
  if (name.includes("_"))
    found.add(
      "otherwise",
      at,
      "in rules the name of a server ends at its first underscore, so rules about this one may not apply",
      "write the name with hyphens",
    );
  for (const part of ["env", "headers"])
    for (const [key, value] of listEntries(getProperty(server, part)))
      reportVariable([...at, part, key], value, SECRET, found);
  const include = collectTexts(getProperty(server, "includeTools"));
  const exclude = new Set(collectTexts(getProperty(server, "excludeTools")).map(([, text]) => text));
  for (const [index, text] of include)
    if (exclude.has(text))
      found.add("inert", [...at, "includeTools", index], "excludeTools goes before it", "leave it out");
  if (exclude.size > 0 && include.length === 0)
    found.add(
      "passable",
      [...at, "excludeTools"],
      "a tool of the server with another name does the same, and is offered",
      "list the tools that are needed in includeTools",
    );
  found.add("unsayable", at, SERVER_LOST);
}
