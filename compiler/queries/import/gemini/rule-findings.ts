// Finds rules of Gemini CLI's policy engine that are inert, dangerous, easy to evade or misleading.

import { findNearest } from "../../../../lang/diagnostics/index.ts";
import { findExtraAuthority } from "../commands.ts";
import { SERVER_LOST } from "../finding-text.ts";
import type { FindingList } from "../findings.ts";
import { explainLostCommand } from "../programs.ts";
import { getProperty, listEntries } from "../value.ts";
import { isToolName, RULE_NAMES, SHELL, TOOLS } from "./names.ts";
import { collectCommandRules, type EngineRule } from "./rules.ts";

/** Reports the findings about the rules of a policy file, which are in order of priority. */
export function collectRuleFindings(rules: readonly EngineRule[], found: FindingList): void {
  const commands = collectCommandRules(rules.filter(({ isActive }) => isActive));
  const whole = new Map<string, EngineRule>();
  for (const rule of rules) {
    const { path, value } = rule;
    for (const [name] of listEntries(value))
      if (!RULE_NAMES.has(name)) {
        const near = findNearest(name, RULE_NAMES);
        found.add(
          "unread",
          [...path, name],
          "no documented part of a rule has this name",
          near === undefined ? "leave it out" : `did you mean ${near}?`,
        );
      }
    if (!reportInert(rule, whole, found)) {
      reportDanger(rule, found);
      reportEvasion(rule, found);
    }
    reportMisreading(rule, found);
    reportUnsayable(rule, commands, found);
    if (rule.isActive && rule.conditions.length === 0 && rule.prefixes.length === 0)
      for (const name of listNames(rule)) if (!whole.has(name)) whole.set(name, rule);
  }
}

/** Returns the names of the tools of a rule, each after the name of the server if it names one; `*` means all tools. */
function listNames({ tools, server }: EngineRule): readonly string[] {
  const names = tools.length === 0 ? ["*"] : tools;
  return names.map((name) => (server === undefined ? name : `${server} ${name}`));
}

/** Returns whether a rule never decides a call, and reports such a rule. */
function reportInert(rule: EngineRule, whole: ReadonlyMap<string, EngineRule>, found: FindingList): boolean {
  const unknown = rule.server === undefined ? rule.tools.find((name) => !isToolName(name)) : undefined;
  if (unknown !== undefined) {
    const near = findNearest(unknown, TOOLS);
    found.add(
      "inert",
      rule.path,
      `no tool has the name ${unknown}`,
      near === undefined ? "leave it out" : `did you mean ${near}?`,
    );
    return true;
  }
  const over = [...listNames(rule), ...(rule.server === undefined ? ["*"] : [`${rule.server} *`, "*"])]
    .map((name) => whole.get(name))
    .find((other) => other !== undefined);
  if (over === undefined) return false;
  found.add(
    "inert",
    rule.path,
    "a rule with a higher priority decides about all of its calls",
    "raise its priority, or leave it out",
  );
  return true;
}

function reportDanger(rule: EngineRule, found: FindingList): void {
  const { mode, tools, path, prefixes, conditions, value } = rule;
  if (getProperty(value, "allowRedirection") === true)
    found.add(
      "open",
      [...path, "allowRedirection"],
      "a command writes any file, whatever the rules say of files",
      "leave it out",
    );
  if (mode !== "auto") return;
  if (tools.length === 0 || tools.includes("*"))
    found.add(
      "dangerous",
      path,
      rule.server === undefined
        ? "every tool runs unasked"
        : "all tools of the server run unasked, those that it has later too",
      "name the tools",
    );
  else if (tools.includes(SHELL)) {
    const extra =
      prefixes.length > 0
        ? prefixes.map((prefix) => findExtraAuthority(`${prefix} *`)).find((each) => each !== undefined)
        : conditions.length > 0
          ? undefined
          : { why: "every command runs unasked", instead: "write commandPrefix" };
    if (extra !== undefined) found.add("dangerous", path, extra.why, extra.instead);
  } else if (conditions.length === 0 && tools.some((name) => name === "write_file" || name === "replace"))
    found.add("dangerous", path, "every file is changed unasked", "leave it out, so that it is asked about");
}

function reportEvasion({ mode, prefixes, conditions, path }: EngineRule, found: FindingList): void {
  if (mode !== "forbidden") return;
  if (prefixes.length > 0 || conditions.includes("commandRegex"))
    found.add(
      "passable",
      path,
      "another spelling, path or program does the same",
      "allow only commands that are needed",
    );
  else if (conditions.includes("argsPattern"))
    found.add("passable", path, "other arguments do the same", "deny the tool as a whole");
}

function reportMisreading({ value, server, path }: EngineRule, found: FindingList): void {
  const regex = getProperty(value, "commandRegex");
  if (typeof regex === "string" && /^\^|\$$/.test(regex))
    found.add(
      "otherwise",
      [...path, "commandRegex"],
      "^ and $ stand for the ends of the arguments as JSON, and not of the command",
      "leave them out",
    );
  if (server?.includes("_"))
    found.add(
      "otherwise",
      [...path, "mcpName"],
      "the name of a server ends at its first underscore, so the rule may not apply",
      "write the name with hyphens",
    );
}

function reportUnsayable(rule: EngineRule, commands: ReturnType<typeof collectCommandRules>, found: FindingList): void {
  const why = explainUnsayable(rule, commands);
  if (why !== undefined) found.add("unsayable", rule.path, why);
}

const SAYABLE = new Set(["*", "list_directory", "read_file", "web_fetch", "write_file"]);

function explainUnsayable(rule: EngineRule, commands: ReturnType<typeof collectCommandRules>): string | undefined {
  const { isActive, conditions, mode, tools, server, prefixes } = rule;
  if (!isActive) return "it counts in other modes alone, and the page is of the default mode with a person there";
  if (conditions.length > 0)
    return mode === "auto"
      ? `a page has no ${conditions[0]}, so the rule does not loosen it`
      : `a page has no ${conditions[0]}: the tool is ${mode} as a whole`;
  if (server !== undefined || tools.some((name) => name.startsWith("mcp_"))) return SERVER_LOST;
  if (tools.includes(SHELL)) {
    if (prefixes.length === 0)
      return mode === "auto" ? "an image has no shell: make a tool for this command" : undefined;
    const words = prefixes[0]?.split(/\s+/).filter(Boolean) ?? [];
    return explainLostCommand({ mode, words, isOpen: true }, commands);
  }
  return tools.every((name) => SAYABLE.has(name))
    ? undefined
    : "a page has no such tool, or other rules decide about it";
}
