// Prints findings for commands, and decides how the path of a file is shown in them. It is separate from the code that compiles pages. Otherwise commands that compile no page,
// such as fmt, would load the whole compiler.

import { relative } from "node:path";
import { type Diagnostic, drawDiagnostics, reportOf, SHOWN_AT_ONCE } from "../../lang/diagnostics/index.ts";
import type { World } from "../host/world.ts";
import { hasColour } from "./colour.ts";
import type { ParsedArguments } from "./command.ts";

/** Prints errors and warnings to standard error: the first 50, or as many as `limit` allows. */
export function tellFindings(
  diagnostics: readonly Diagnostic[],
  typed: ParsedArguments,
  world: World,
  limit = SHOWN_AT_ONCE,
): void {
  if (diagnostics.length > 0) world.report(drawDiagnostics(diagnostics, { colour: hasColour(typed, world), limit }));
}

/** Prints the findings of a page if the command has no other result; with --json, the findings are the only JSON value. */
export function tellOnly(diagnostics: readonly Diagnostic[], typed: ParsedArguments, world: World): void {
  if (typed.switches.has("json")) world.print(`${JSON.stringify(reportOf(diagnostics))}\n`);
  else tellFindings(diagnostics, typed, world);
}

/**
 * Returns a path relative to the user's folder; or the absolute path, if the relative one would begin with `../../`.
 */
export function formatPath(path: string, world: Pick<World, "folder">): string {
  const short = relative(world.folder, path);
  return short === "" ? "." : short.startsWith("../../") ? path : short;
}
