// Compiles the page that a person named, and tells the findings. Shared by the commands that take a page.

import { dirname, join, relative, resolve } from "node:path";
import { type Diagnostic, drawDiagnostics, isError, reportOf } from "../../lang/diagnostics/index.ts";
import type { SourceText, Span } from "../../lang/text/index.ts";
import { type Compiled, compile, type Purpose } from "../compile.ts";
import { diskHost } from "../source/index.ts";
import { readBytes } from "./files.ts";
import { type Readings, remembering } from "./readings.ts";
import type { World } from "./world.ts";

export type PageResult =
  | { readonly kind: "compiled"; readonly compiled: Compiled; readonly readings: Readings }
  | { readonly kind: "unreadable"; readonly reason: string; readonly readings: Readings };

/**
 * `file` is as it was typed. A page that cannot be opened is the machine's fault, not a finding about the page. Findings
 * name files as they are reached from where the person is, so that an editor or a CI job finds them.
 */
export async function compilePage(file: string, world: World, purpose: Purpose = "check"): Promise<PageResult> {
  const path = resolve(world.folder, file);
  const readings = remembering(diskHost());
  const real = (await readings.host.realPath(path)) ?? path;
  const there = readBytes(path, 0);
  if (!there.ok) return { kind: "unreadable", reason: there.reason, readings };
  const compiled = await compile(readings.host, path, { purpose });
  const here = fromHere(dirname(real), readings, world);
  const diagnostics = compiled.diagnostics.map(here);
  const advice = compiled.advice.map(here);
  const silenced = compiled.silenced.map(({ diagnostic, reason }) => ({ diagnostic: here(diagnostic), reason }));
  return { kind: "compiled", compiled: { ...compiled, diagnostics, advice, silenced }, readings };
}

/** Sources outside of the package, which are those of the standard library, keep their names. */
function fromHere(folder: string, readings: Readings, world: World): (found: Diagnostic) => Diagnostic {
  const asked = new Set(readings.paths());
  const known = new Map<SourceText, SourceText>();
  const here = (span: Span): Span => {
    const { source } = span;
    const path = join(folder, source.path);
    const renamed = known.get(source) ?? (asked.has(path) ? { ...source, path: spoken(path, world) } : source);
    known.set(source, renamed);
    return { ...span, source: renamed };
  };
  return (diagnostic) => ({
    ...diagnostic,
    span: here(diagnostic.span),
    ...(diagnostic.fix === undefined ? {} : { fix: { ...diagnostic.fix, span: here(diagnostic.fix.span) } }),
    related: diagnostic.related.map((related) => ({ ...related, span: here(related.span) })),
  });
}

/** Draws the findings, errors and warnings alike, where diagnostics belong. */
export function tellFindings(diagnostics: readonly Diagnostic[], colour: boolean, world: World): void {
  if (diagnostics.length > 0) world.report(drawDiagnostics(diagnostics, { colour }));
}

export function hasErrors(compiled: Compiled): boolean {
  return compiled.policy === undefined || compiled.diagnostics.some(isError);
}

export function findingsAsJson(compiled: Compiled): object {
  return reportOf(compiled.diagnostics);
}

/** The name of a system's output: that of the folder its page lies in. */
export function nameOfSystem(file: string, world: World): string {
  const parts = resolve(world.folder, file).split("/");
  return parts.at(-2) || "system";
}

/** A path as short as it can be said from where the person is. */
export function spoken(path: string, world: World): string {
  const short = relative(world.folder, path);
  return short === "" ? "." : short.startsWith("../../") ? path : short;
}
