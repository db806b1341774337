import { type Diagnostic, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { Import } from "../source/index.ts";
import { argumentLeftOut, limitUnchecked, toolLeftOut, toolRenamed } from "./codes.ts";
import { type Imports, locateWords, rejectImport } from "./imported.ts";
import { type ListedTool, readToolList } from "./mcp.ts";

/** Returns the interface of an MCP list under the page's name for it: `github.Tools`. */
export function importList(one: Import): Imports {
  const read = readToolList(one.path, one.files.get(one.path) ?? "");
  if (!read.ok) return rejectImport(one, read.reason);
  const { description, tools } = read.value;
  const name = `${one.alias.text}.${description.name}`;
  const hints = new Map(tools.map(({ method, hints: claimed }) => [method.name, claimed]));
  const face = {
    description: { ...description, name },
    alias: one.alias.text,
    at: one.at.span,
    said: new Map(),
    hints,
  };
  return {
    interfaces: [face],
    failed: new Set(),
    diagnostics: tools.flatMap((tool) => reportMissing(one, name, tool)),
  };
}

function reportMissing(one: Import, face: string, { method, listed, omitted, unheld }: ListedTool): Diagnostic[] {
  const tool = `${face}.${escapeInvisible(method.name)}`;
  const related = locateWords(one, JSON.stringify(listed), "it is listed here");
  if (!method.callable) {
    return [toolLeftOut.at(one.at.span, { tool, reason: escapeInvisible(method.reason) }, { related })];
  }
  const renamed = listed === method.name ? [] : [toolRenamed.at(one.at.span, { tool, listed }, { related })];
  const left = omitted.length === 0 ? [] : [argumentLeftOut.at(one.at.span, { tool, omitted }, { related })];
  const rules = unheld.length === 0 ? [] : [limitUnchecked.at(one.at.span, { tool, unheld }, { related })];
  return [...renamed, ...left, ...rules];
}
