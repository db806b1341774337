// Names files relative to the root of their repository, as forges and code scanning expect in a report.

import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import type { SourceText, Span } from "../../lang/text/index.ts";
import type { World } from "../host/world.ts";
import { isStandard } from "../phases/source/index.ts";

/** Names of files and findings relative to the root of the user's repository. */
export interface RepositoryView {
  readonly path: (path: string) => string;
  readonly diagnostic: (found: Diagnostic) => Diagnostic;
}

/**
 * Returns the view. If the user's folder is in no repository, paths are relative to the root of the file's repository.
 * A file in no repository is named relative to the user's folder.
 */
export function createRepositoryView(world: Pick<World, "folder">): RepositoryView {
  const here = existsSync(world.folder) ? realpathSync(world.folder) : world.folder;
  const ownRoot = findRoot(here);
  const path = (from: string): string => {
    const root = ownRoot ?? findRoot(dirname(resolve(here, from)));
    if (root === undefined || (isStandard(from) && !existsSync(resolve(here, from)))) return from;
    const seen = relative(root, resolve(here, from));
    return seen === "" || seen === ".." || seen.startsWith("../") ? from : seen;
  };
  const known = new Map<SourceText, SourceText>();
  const span = (at: Span): Span => {
    const source = known.get(at.source) ?? { ...at.source, path: path(at.source.path) };
    known.set(at.source, source);
    return { ...at, source };
  };
  const diagnostic = (found: Diagnostic): Diagnostic => ({
    ...found,
    span: span(found.span),
    ...(found.fix === undefined ? {} : { fix: { ...found.fix, span: span(found.fix.span) } }),
    related: found.related.map((related) => ({ ...related, span: span(related.span) })),
  });
  return { path, diagnostic };
}

/**
 * Returns the folder or the nearest folder above it that contains `.git` (a folder or a file); `undefined` if none
 * does.
 */
function findRoot(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : findRoot(above);
}
