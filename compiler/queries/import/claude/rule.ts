// Permission rules of Claude Code: `Tool`, `Tool(what)`, `mcp__server`, `mcp__server__tool`.

import type { Span } from "../../../../lang/text/index.ts";
import { isNamedBy } from "../names.ts";

export const LISTS = ["deny", "ask", "allow"] as const;
/** Name of a list of rules. Claude Code evaluates the lists in the order of `LISTS`, and the first match decides. */
type List = (typeof LISTS)[number];

export interface Rule {
  readonly list: List;
  /** Text of the rule, as written. */
  readonly text: string;
  readonly span: Span;
  readonly tool: string;
  /** Text in parentheses; `undefined` if the rule has none, or only `*`, which means the same. */
  readonly what: string | undefined;
}

/** Returns the rule, or `undefined` if the text is not a rule. */
export function parseRule(list: List, text: string, span: Span): Rule | undefined {
  const [, tool, , what] = /^([A-Za-z_*][\w*-]*)(\((.*)\))?$/s.exec(text) ?? [];
  if (tool === undefined) return undefined;
  return { list, text, span, tool, what: what === "*" ? undefined : what };
}

export function isServer({ tool }: Rule): boolean {
  return tool.startsWith("mcp__");
}

/** Returns the command that a rule on `Bash` names. A final `:*` means a space and any text. */
export function getCommand({ what = "" }: Rule): string {
  return what.replace(/:\*$/, " *");
}

/**
 * Returns whether the first rule covers every call of the second rule: it names the same tool as a whole, or has
 * exactly the same text.
 */
export function isCovering(one: Rule, other: Rule): boolean {
  const isWhole = one.what === undefined;
  if (one.tool === other.tool) return isWhole || one.what === other.what;
  if (!isWhole) return false;
  if (isNamedBy(one.tool, other.tool)) return true;
  const server = one.tool.replace(/__\*$/, "");
  return (
    isServer(one) && !server.includes("*") && server.split("__").length === 2 && other.tool.startsWith(`${server}__`)
  );
}
