// Finds rules that are inert, dangerous or easily bypassed, according to https://code.claude.com/docs/en/permissions.

import { type Diagnostic, findNearest } from "../../../../lang/diagnostics/index.ts";
import { hasMixedAlphabets, UNSEEN } from "../../../../lang/text/index.ts";
import { findExtraAuthority } from "../commands.ts";
import type { FindingText } from "../finding-text.ts";
import {
  explainMisreadPath,
  explainUnmatchedPath,
  isMachinePlace,
  isProtected,
  isSecretPlace,
  normalizeFolder,
} from "../places.ts";
import { settingsDenyPassable } from "../rules/settings-deny-passable/codes.ts";
import { settingsRuleDangerous } from "../rules/settings-rule-dangerous/codes.ts";
import { settingsRuleInert } from "../rules/settings-rule-inert/codes.ts";
import { settingsRuleOtherwise } from "../rules/settings-rule-otherwise/codes.ts";
import { TOOLS, WITH_SPECIFIER } from "./known-keys.ts";
import { getCommand, isCovering, isServer, LISTS, type Rule } from "./rule.ts";

/** Settings that are not rules, but change the effect of rules. */
interface Beside {
  /** Whether commands run in the sandbox. The sandbox enforces rules about files for commands too. */
  readonly isSandboxed: boolean;
  /** Whether commands need approval although they may run in the sandbox. */
  readonly isAskedInSandbox: boolean;
}

/** Returns the findings of rules, at most one of each kind for a rule. */
export function collectRuleFindings(rules: readonly Rule[], beside: Beside): readonly Diagnostic[] {
  const runsCommands = rules.some(({ list, tool }) => list === "allow" && tool === "Bash");
  return rules.flatMap((rule, index) => {
    const { span, list, text } = rule;
    const inert = explainInert(rule, beside);
    if (inert !== undefined) return [settingsRuleInert.at(span, { rule: text, ...inert })];
    const found: Diagnostic[] = [];
    const otherwise = explainMisreading(rule);
    if (otherwise !== undefined) found.push(settingsRuleOtherwise.at(span, { rule: text, ...otherwise }));
    const covered = explainCovered(rules, rule, index, beside);
    if (covered !== undefined) return [...found, settingsRuleInert.at(span, { rule: text, ...covered })];
    const danger = list === "allow" ? explainDanger(rule) : undefined;
    if (danger !== undefined) found.push(settingsRuleDangerous.at(span, { rule: text, ...danger }));
    const way =
      list === "deny" ? explainBypass(rule, runsCommands && !beside.isSandboxed ? "open" : "closed") : undefined;
    if (way !== undefined) found.push(settingsDenyPassable.at(span, { rule: text, ...way }));
    return found;
  });
}

const COMMANDS: ReadonlySet<string> = new Set(["Bash", "PowerShell", "Monitor"]);

/**
 * For each tool, the tool whose rules apply to its paths. Claude Code matches paths only in rules about `Read` and
 * `Edit`, and applies them to all tools that read or change files.
 */
const PATH_OF: Readonly<Record<string, string>> = {
  Write: "Edit",
  MultiEdit: "Edit",
  NotebookEdit: "Edit",
  Glob: "Read",
  Grep: "Read",
  LS: "Read",
};

/**
 * For each tool, the parameter that a rule states without a name: `Bash(git status)` states the parameter `command`.
 * Rules state other parameters as `name:value`.
 */
const CONTENT_OF: Readonly<Record<string, string>> = {
  Bash: "command",
  PowerShell: "command",
  Read: "file_path",
  Edit: "file_path",
  Write: "file_path",
  Grep: "path",
  Glob: "path",
  NotebookEdit: "notebook_path",
  WebFetch: "url",
};

function explainInert(rule: Rule, beside: Beside): FindingText | undefined {
  const { tool, what } = rule;
  if (what === "") return { why: "nothing stands in its parentheses", instead: `write ${tool}, or ${tool}(what)` };
  return (
    explainUnknownTool(rule) ??
    (what === undefined ? explainInertTool(rule, beside) : explainInertSpecifier(rule, what))
  );
}

function explainUnknownTool({ tool, list }: Rule): FindingText | undefined {
  if (list === "allow" && tool.includes("*") && !/^mcp__[\w-]+?__[\w*-]+$/.test(tool.replace(/^mcp__\*.*$/, "*")))
    return {
      why: "a wildcard in allow is skipped where it names no server",
      instead: "name the server: mcp__SERVER__*",
    };
  if (TOOLS.has(tool) || tool.includes("_") || tool.includes("*")) return undefined;
  const near = findNearest(tool, TOOLS);
  return {
    why: "no tool has this name, capitals included",
    instead:
      near === undefined ? "write the name of a tool, such as Bash, Read, Edit or WebFetch" : `did you mean ${near}?`,
  };
}

function explainInertTool({ list, tool }: Rule, { isAskedInSandbox }: Beside): FindingText | undefined {
  if (list !== "ask" || tool !== "Bash" || isAskedInSandbox) return undefined;
  return {
    why: "commands in the sandbox run without this question",
    instead: "write sandbox.autoAllowBashIfSandboxed: false, or name the commands to ask about",
  };
}

function explainInertSpecifier(rule: Rule, what: string): FindingText | undefined {
  const { tool, list } = rule;
  if (isServer(rule))
    return { why: "rules on tools of servers have no parentheses, and this one is skipped", instead: `write ${tool}` };
  const [, parameter = "", value = ""] = /^\s*([A-Za-z_]+)\s*:(?!\*$)(.*)$/s.exec(what) ?? [];
  if (parameter !== "" && parameter === CONTENT_OF[tool])
    return {
      why: `${parameter} is not named by a parameter, and the rule is ignored`,
      instead: tool === "WebFetch" ? "write WebFetch(domain:HOST)" : `write ${PATH_OF[tool] ?? tool}(${value.trim()})`,
    };
  const path = PATH_OF[tool];
  if (path !== undefined)
    return { why: `paths are asked of Read and Edit rules, and never of ${tool}`, instead: `write ${path}(${what})` };
  if (!WITH_SPECIFIER.has(tool) && (list === "allow" || parameter === ""))
    return { why: `${tool} takes nothing in parentheses`, instead: `write ${tool}` };
  if (COMMANDS.has(tool)) return explainInertCommand(rule, what);
  if (tool === "Read" || tool === "Edit") return explainUnmatchedPath(tool, what) ?? explainAlwaysAsked(rule, what);
  return tool === "WebFetch" ? explainInvalidHost(what) : undefined;
}

/**
 * Explains a rule such as `Bash(:*)`, which Claude Code skips. For an `allow` rule, the finding does not propose
 * `Bash`, which would allow every command.
 */
function explainEmptyPrefix(tool: string, list: Rule["list"]): FindingText {
  const named = `name the commands, such as ${tool}(npm test *); ${tool} alone allows every command`;
  return {
    why: "nothing stands before `:*`, and the rule is skipped",
    instead: list === "allow" ? named : `write ${tool}`,
  };
}

/** Parameters of a command other than its text. */
const OF_COMMANDS = /^(?:run_in_background|timeout|description|dangerouslyDisableSandbox)$/;

function explainInertCommand({ tool, list }: Rule, what: string): FindingText | undefined {
  if (what === ":*") return explainEmptyPrefix(tool, list);
  if (what.slice(0, -2).includes(":*"))
    return {
      why: "`:*` counts at the end alone, and a rule that has it elsewhere is skipped",
      instead: `write ${tool}(${what.replace(/:\*$/, " *").replaceAll(":*", " *")})`,
    };
  const [, name = "", rest = ""] = /^([A-Za-z_]{2,}):(\S.*)$/s.exec(what) ?? [];
  if (name !== "" && rest !== "*" && !rest.startsWith("//") && !(list !== "allow" && OF_COMMANDS.test(name)))
    return { why: "a colon parts no words of a command", instead: `write ${tool}(${name} ${rest})` };
  if (/\*/.test(what) && /(?:\|\||&&|[;|\n])/.test(what))
    return {
      why: "the commands of a line are asked one by one, and none has a separator in it",
      instead: "write one rule for each command",
    };
  if (list === "allow" && what.includes("*") && /^(?:watch|setsid|ionice|flock)\b/.test(what))
    return { why: "what it starts is asked about all the same", instead: "name the whole command" };
  return undefined;
}

function explainAlwaysAsked({ tool, list }: Rule, what: string): FindingText | undefined {
  if (tool !== "Edit" || list !== "allow" || !isProtected(what)) return undefined;
  return { why: "changes there are asked about whatever is allowed", instead: "leave it out" };
}

function explainInvalidHost(what: string): FindingText | undefined {
  const host = /^domain:(.*)$/s.exec(what)?.[1];
  if (host === undefined)
    return { why: "addresses are named as domain:HOST alone", instead: "write WebFetch(domain:HOST)" };
  // The colons within the brackets of an IPv6 address do not begin a port, so they are left out of the check.
  const named = host.startsWith("[") ? host.slice(host.indexOf("]") + 1) : host;
  if (!/[/@\s?#:]/.test(named)) return undefined;
  return {
    why: "only the name of the host is compared, without scheme, port and path",
    instead: "write WebFetch(domain:HOST)",
  };
}

function explainMisreading({ tool, what, text }: Rule): FindingText | undefined {
  const misspelt = explainMisspelling(text);
  if (misspelt !== undefined || what === undefined) return misspelt;
  if (tool === "Read" || tool === "Edit" || tool === "Cd") return explainMisreadPath(tool, what);
  if (!COMMANDS.has(tool)) return undefined;
  if (/^\^|\$$|\.\*|\\[dsw.]/.test(what))
    return {
      why: "it is no regular expression: every sign but * is one of the command",
      instead: `write ${tool}(PROGRAM *)`,
    };
  return undefined;
}

const HIDDEN = new RegExp(UNSEEN, "u");

/** Explains a misspelt name. Rules are compared by characters, so a name that only looks the same is another name. */
function explainMisspelling(text: string): FindingText | undefined {
  if (HIDDEN.test(text)) return { why: "it holds a character that nobody sees", instead: "write it again by hand" };
  if (/[^\S ]/.test(text)) return { why: "a space in it is not the usual one", instead: "write it again by hand" };
  if (!hasMixedAlphabets(text)) return undefined;
  return { why: "one word has letters of two alphabets", instead: "write the word in one alphabet" };
}

function explainCovered(rules: readonly Rule[], rule: Rule, index: number, beside: Beside): FindingText | undefined {
  const before = rules.find((other, at) => {
    if (other === rule || !isCovering(other, rule) || explainInert(other, beside) !== undefined) return false;
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

function explainDanger(rule: Rule): FindingText | undefined {
  const { tool, what } = rule;
  if (COMMANDS.has(tool)) return explainDangerousCommand(rule);
  if (tool === "WebFetch" && (what === undefined || /^domain:\*(?:\.\w+)?$/.test(what)))
    return { why: "every address is read unasked, and may be told things", instead: "write WebFetch(domain:HOST)" };
  if (tool === "Edit" || tool === "Write" || tool === "Read") return explainDangerousPath(tool, what);
  if (/^(?:Artifact|RemoteTrigger|ShareOnboardingGuide|SendUserFile)$/.test(tool))
    return { why: "it sends files or texts away unasked", instead: "ask" };
  if (isServer(rule) && (/__\*$/.test(tool) || tool.split("__").length === 2))
    return {
      why: "all tools of the server run unasked, those that it has later too",
      instead: "name the tools: mcp__SERVER__TOOL",
    };
  return undefined;
}

function explainDangerousCommand(rule: Rule): FindingText | undefined {
  const command = getCommand(rule);
  if (rule.what === undefined || command.trim() === "*")
    return { why: "every command runs unasked", instead: "name the commands, or ask" };
  const star = command.indexOf("*");
  if (star !== -1 && star < command.trimEnd().length - 1)
    return {
      why: "the wildcard stands for any words, other options and programs among them",
      instead: "write the wildcard last",
    };
  if (star !== -1 && command[star - 1] !== " ")
    return { why: "other programs begin with the same letters", instead: `write a space before the wildcard` };
  return findExtraAuthority(command);
}

function explainDangerousPath(tool: string, what: string | undefined): FindingText | undefined {
  const changes = tool !== "Read";
  if (what === undefined)
    return changes ? { why: "every file is changed unasked", instead: "write Edit(FOLDER/**)" } : undefined;
  if (/^(\/\/|~\/?)[*/]*$/.test(what))
    return { why: "it opens the whole disk, or all of a home", instead: "name the folder" };
  if (changes && /^(?:\.?\/)?\*\*[*/]*$/.test(what))
    return { why: "every file of the project is changed unasked", instead: "write Edit(FOLDER/**)" };
  if (changes && /^(?:\/\/|~\/)/.test(what) && isMachinePlace(normalizeFolder(what)))
    return { why: "programs and settings of the machine lie there", instead: "name a folder of the project" };
  if (!changes && isSecretPlace(what))
    return { why: "keys and passwords usually lie there", instead: "leave it out, so that it is asked about" };
  return undefined;
}

function explainBypass({ tool, what }: Rule, shell: "open" | "closed"): FindingText | undefined {
  if (COMMANDS.has(tool) && what !== undefined)
    return {
      why: "another spelling, path or program does the same",
      instead: "allow only commands that are needed, so that all others are asked about, or use the sandbox",
    };
  if ((tool === "Read" || tool === "Edit") && what !== undefined && shell === "open")
    return {
      why: "commands that are allowed open the same files",
      instead: "use the sandbox, which holds commands too",
    };
  return undefined;
}
