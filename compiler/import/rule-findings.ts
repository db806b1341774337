// What is inert, dangerous or easily got around among rules, by https://code.claude.com/docs/en/permissions.

import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import { commandOf, covers, isServer, LISTS, type Rule } from "./rule.ts";
import { settingsDenyPassable } from "./rules/settings-deny-passable/codes.ts";
import { settingsRuleDangerous } from "./rules/settings-rule-dangerous/codes.ts";
import { settingsRuleInert } from "./rules/settings-rule-inert/codes.ts";

/** At most one of each kind for a rule. */
export function findingsOf(rules: readonly Rule[]): readonly Diagnostic[] {
  const runsCommands = rules.some(({ list, tool }) => list === "allow" && tool === "Bash");
  return rules.flatMap((rule, index) => {
    const found: Diagnostic[] = [];
    const inert = inertIn(rule) ?? coveredBy(rules, rule, index);
    if (inert !== undefined) found.push(settingsRuleInert.at(rule.span, { rule: rule.text, ...inert }));
    else if (rule.list === "allow") {
      const danger = dangerIn(rule);
      if (danger !== undefined) found.push(settingsRuleDangerous.at(rule.span, { rule: rule.text, ...danger }));
    } else if (rule.list === "deny") {
      const way = wayAround(rule, runsCommands);
      if (way !== undefined) found.push(settingsDenyPassable.at(rule.span, { rule: rule.text, ...way }));
    }
    return found;
  });
}

interface Said {
  readonly why: string;
  readonly instead: string;
}

/** Paths are asked of `Read` and `Edit` alone, which stand for all tools that read and that change files. */
const PATH_OF: Readonly<Record<string, string>> = {
  Write: "Edit",
  MultiEdit: "Edit",
  NotebookEdit: "Edit",
  Glob: "Read",
  Grep: "Read",
  LS: "Read",
};

function inertIn(rule: Rule): Said | undefined {
  const { tool, what, list } = rule;
  const path = PATH_OF[tool];
  if (path !== undefined && what !== undefined)
    return { why: `paths are asked of Read and Edit rules, and never of ${tool}`, instead: `write ${path}(${what})` };
  if (isServer(rule) && what !== undefined)
    return { why: "rules on tools of servers have no parentheses, and this one is skipped", instead: `write ${tool}` };
  if (list === "allow" && tool.includes("*") && !/^mcp__[\w-]+?__[\w*-]+$/.test(tool.replace(/^mcp__\*.*$/, "*")))
    return {
      why: "a wildcard in allow is skipped where it names no server",
      instead: "name the server: mcp__SERVER__*",
    };
  if (tool === "Bash" && what?.startsWith("command:") === true)
    return {
      why: "a command is not named by its parameter, and the rule is ignored",
      instead: `write Bash(${what.slice(8).trim()})`,
    };
  if (tool === "WebFetch" && what !== undefined && !what.startsWith("domain:"))
    return { why: "addresses are named as domain:HOST alone", instead: "write WebFetch(domain:HOST)" };
  return undefined;
}

function coveredBy(rules: readonly Rule[], rule: Rule, index: number): Said | undefined {
  const before = rules.find((other, at) => {
    if (other === rule || inertIn(other) !== undefined || !covers(other, rule)) return false;
    const order = LISTS.indexOf(other.list) - LISTS.indexOf(rule.list);
    return order < 0 || (order === 0 && (at < index || other.what !== rule.what || other.tool !== rule.tool));
  });
  if (before === undefined) return undefined;
  return before.list === rule.list
    ? { why: `${before.text} in the same list says it already`, instead: "leave it out" }
    : {
        why: `${before.text} in ${before.list} goes before it, however much shorter`,
        instead: `take one of the two out`,
      };
}

/** Programs that run whatever they are given, or start others. */
const RUNNERS =
  /^(sudo|doas|su|env|xargs|find|awk|sed|sh|bash|zsh|fish|dash|node|deno|bun|npx|bunx|uvx|python[\d.]*|perl|ruby|php|ssh|docker|podman|kubectl|eval|exec|watch|parallel)\b/;
/** Those of a project, where the rule does not say which. */
const TASKS = /^(?:make|(?:npm|pnpm|yarn)(?: (?:run|exec|x|dlx))?) \*/;
const SENDERS = /^(curl|wget|nc|ncat|socat|scp|rsync|sftp|ftp|telnet|gh|aws|gcloud|az)\b/;

function dangerIn(rule: Rule): Said | undefined {
  const { tool, what } = rule;
  if (tool === "Bash" || tool === "PowerShell") {
    if (what === undefined || commandOf(rule).trim() === "*")
      return { why: "every command runs unasked", instead: "name the commands, or ask" };
    const command = commandOf(rule);
    const star = command.indexOf("*");
    if (star !== -1 && star < command.trimEnd().length - 1)
      return {
        why: "the wildcard stands for any words, other options and programs among them",
        instead: "write the wildcard last",
      };
    if (star !== -1 && command[star - 1] !== " ")
      return { why: "other programs begin with the same letters", instead: `write a space before the wildcard` };
    if (star !== -1 && (RUNNERS.test(command) || TASKS.test(command)))
      return { why: "what it is given to run runs unasked as well", instead: "name the whole command" };
    if (star !== -1 && SENDERS.test(command))
      return { why: "it sends anything anywhere unasked", instead: "ask, or use WebFetch(domain:HOST)" };
    return undefined;
  }
  if (tool === "WebFetch" && (what === undefined || what === "domain:*"))
    return { why: "every address is read unasked, and may be told things", instead: "write WebFetch(domain:HOST)" };
  if ((tool === "Edit" || tool === "Read") && what !== undefined && /^(\/\/|~\/?)[*/]*$/.test(what))
    return { why: "it opens the whole disk, or all of a home", instead: "name the folder" };
  if ((tool === "Edit" || tool === "Write") && what === undefined)
    return { why: "every file is changed unasked", instead: "write Edit(FOLDER/**)" };
  if (isServer(rule) && (/__\*$/.test(tool) || tool.split("__").length === 2))
    return {
      why: "all tools of the server run unasked, those that it has later too",
      instead: "name the tools: mcp__SERVER__TOOL",
    };
  return undefined;
}

function wayAround({ tool, what }: Rule, runsCommands: boolean): Said | undefined {
  if (tool === "Bash" && what !== undefined)
    return {
      why: "another spelling, path or program does the same",
      instead: "allow only commands that are needed, so that all others are asked about, or use the sandbox",
    };
  if ((tool === "Read" || tool === "Edit") && what !== undefined && runsCommands)
    return {
      why: "commands that are allowed open the same files",
      instead: "use the sandbox, which holds commands too",
    };
  return undefined;
}
