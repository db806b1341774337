// Permission rules of Claude Code: `Tool`, `Tool(what)`, `mcp__server`, `mcp__server__tool`.

import type { Span } from "../../../../lang/text/index.ts";
import { isNamedBy } from "../names.ts";

export const LISTS = ["deny", "ask", "allow"] as const;
/** A list of rules. `LISTS` has the order of evaluation: the first match decides. */
type List = (typeof LISTS)[number];

export interface Rule {
  readonly list: List;
  /** Text of the rule, as written. */
  readonly text: string;
  readonly span: Span;
  readonly tool: string;
  /** Text in parentheses; `undefined` if there is none or only `*`, which means the same. */
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

/** Returns the command that a rule on `Bash` names. `:*` at its end means a space and anything. */
export function getCommand({ what = "" }: Rule): string {
  return what.replace(/:\*$/, " *");
}

/** Returns whether the first rule covers all of the second: the same tool as a whole, or exactly the same words. */
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
