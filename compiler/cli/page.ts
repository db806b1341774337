// Compiles the page that a person named, for the commands that need the whole page with its imports.

import { realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { bug, type Diagnostic, isError, reportOf } from "../../lang/diagnostics/index.ts";
import type { SourceText, Span } from "../../lang/text/index.ts";
import type { FileTree } from "../../lang/tree/index.ts";
import { type Compiled, type CompileOptions, compile } from "../compile.ts";
import { readOwnForm } from "../host/files.ts";
import type { World } from "../host/world.ts";
import type { Proofs } from "../phases/prove/index.ts";
import { createDiskHost } from "../phases/source/index.ts";
import { type Readings, recordReadings } from "./recording-host.ts";
import { formatPath } from "./render-findings.ts";

/** Result of reading the page that a person named. */
type PageResult = PageCompiled | { readonly kind: "unreadable"; readonly reason: string; readonly readings: Readings };

/**
 * Page that was read; its findings say whether it is valid. The paths of findings are relative to the user's folder.
 */
export interface PageCompiled {
  readonly kind: "compiled";
  readonly compiled: Compiled;
  readonly readings: Readings;
  /** Absolute path of the page itself. */
  readonly path: string;
  readonly view: Viewpoint;
}

/** Names files relative to the user's folder, so that an editor or a CI job finds them. */
export interface Viewpoint {
  /** Returns whether a file belongs to the package and not to the standard library. */
  readonly isFile: (source: SourceText) => boolean;
  readonly span: (span: Span) => Span;
  readonly diagnostic: (found: Diagnostic) => Diagnostic;
}

/**
 * Compiles a page. `file` is the path as the user typed it. A page that cannot be opened is an error of the machine, not a
 * finding about the page.
 */
export async function compilePage(file: string, world: World, options: CompileOptions): Promise<PageResult> {
  const path = resolve(world.folder, file);
  const readings = recordReadings(createDiskHost());
  const real = (await readings.host.realPath(path)) ?? path;
  const there = readOwnForm(path, 0);
  if (!there.ok) return { kind: "unreadable", reason: there.reason, readings };
  const compiled = await compile(readings.host, path, { advice: "left", ...options });
  const view = createViewpoint(dirname(real), readings, world);
  const diagnostics = compiled.diagnostics.map(view.diagnostic);
  const advice = compiled.advice.map(view.diagnostic);
  const silenced = compiled.silenced.map((each) => ({ ...each, diagnostic: view.diagnostic(each.diagnostic) }));
  return { kind: "compiled", compiled: { ...compiled, diagnostics, advice, silenced }, readings, path, view };
}

/**
 * Returns a viewpoint that names files relative to the user's folder. Files outside of the package belong to the
 * standard library, and keep their names.
 */
function createViewpoint(folder: string, readings: Readings, world: World): Viewpoint {
  const asked = new Set(readings.paths());
  const known = new Map<SourceText, SourceText>();
  const isFile = (source: SourceText): boolean => asked.has(join(folder, source.path));
  const here = (span: Span): Span => {
    const { source } = span;
    const named = (): SourceText => ({ ...source, path: formatPath(join(folder, source.path), world) });
    const renamed = known.get(source) ?? (isFile(source) ? named() : source);
    known.set(source, renamed);
    return { ...span, source: renamed };
  };
  const diagnostic = (found: Diagnostic): Diagnostic => ({
    ...found,
    span: here(found.span),
    ...(found.fix === undefined ? {} : { fix: { ...found.fix, span: here(found.fix.span) } }),
    related: found.related.map((related) => ({ ...related, span: here(related.span) })),
  });
  return { isFile, span: here, diagnostic };
}

/** Returns whether the page has errors, so that nothing may be built from it. */
export function hasErrors(compiled: Compiled): boolean {
  return compiled.policy === undefined || compiled.diagnostics.some(isError);
}

/** Page without errors. */
export interface CheckedPage extends Readonly<Required<Pick<Compiled, "policy" | "origins" | "model">>> {
  /** Files of the page as read; only they contain the comments. */
  readonly trees: readonly FileTree[];
}

/** Returns the parts of a page for which `hasErrors` returned false. */
export function requireLawful({ policy, origins, model, understood }: Compiled): CheckedPage {
  if (policy === undefined || origins === undefined || model === undefined)
    return bug("a page without errors has no policy");
  return { policy, origins, model, trees: understood?.package.pages ?? [] };
}

/** Returns the parts of a page without errors, with its proofs. */
export function requireProved(compiled: Compiled): CheckedPage & { readonly proofs: Proofs } {
  return { ...requireLawful(compiled), proofs: compiled.proofs ?? bug("nothing was proved of a page without errors") };
}

/** Returns the findings as a value for JSON, in the form of `capc schema diagnostics`. */
export function convertFindingsToJson(compiled: Compiled): object {
  return reportOf(compiled.diagnostics);
}

/** Returns the name of the folder below `build` for the output of a page: the name of the page's own folder. */
export function nameOfSystem(file: string, world: World): string {
  const parts = resolve(world.folder, file).split("/");
  return parts.at(-2) || "system";
}

/** Returns the files from which a page was read, relative to the folder of the page, in code-unit order. */
export function listSources({
  path,
  readings,
}: PageCompiled): readonly { readonly name: string; readonly sha256: string }[] {
  const folder = dirname(realpathSync(path));
  const named = [...readings.files()].map(([file, sha256]) => ({ name: relative(folder, file), sha256 }));
  return named.sort((left, right) => (left.name < right.name ? -1 : 1));
}
