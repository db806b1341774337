// Selects the two sides of a comparison from the command line: two files, or one page at two times.

import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { World } from "../../host/world.ts";
import type { ParsedArguments } from "../command.ts";
import { isRevision, mergeBase, nameMergeBase, nameRevision, readRevisionSide } from "./revision.ts";
import { readSide, resolveInFolder, type SideRead } from "./side.ts";

/** The two sides as the command line names them, before they are read. */
type Sides =
  | { readonly ok: true; readonly before: () => Promise<SideRead>; readonly after: () => Promise<SideRead> }
  | { readonly ok: false; readonly reason: string };

/** The default page, in the user's folder. */
const HERE = "system.cap";

export function parseSides({ operands: [first = "", second], values }: ParsedArguments, world: World): Sides {
  const from = values.get("from");
  if (from !== undefined) {
    if (second !== undefined) return { ok: false, reason: "--from compares one page with what it was" };
    return resolveRevisions({ from, together: false, to: "" }, first, world);
  }
  const range = parseRange(first);
  if (range !== undefined) return resolveRevisions(range, second ?? HERE, world);
  if (second === undefined)
    return { ok: false, reason: "compared with what? OLD NEW, REVISION.. [FILE], or --from REVISION FILE" };
  if (!isFile(first, world) && isRevision(world.folder, first)) {
    const words = isFile(second, world) ? `${first}.. ${second}` : `${first}..${second} [FILE]`;
    return { ok: false, reason: `${first} is a revision of git and not a file; write capc diff ${words}` };
  }
  return { ok: true, before: () => readSide(first, world), after: () => readSide(second, world) };
}

function isFile(word: string, { folder }: World): boolean {
  return existsSync(resolve(folder, word));
}

/**
 * Reads the earlier state of a page. `word` names anything that `readSide` accepts, or is `REVISION..`, which means the
 * same page at that revision.
 */
export async function readPreviousSide(word: string, page: string, world: World): Promise<SideRead> {
  const range = parseRange(word);
  if (range === undefined || range.together || range.to !== "") {
    if (isFile(word, world) || !isRevision(world.folder, word)) return readSide(word, world);
    return { kind: "refused", status: 2, reason: `${word} is a revision of git and not a file; write ${word}..` };
  }
  return readRevisionSide(nameRevision(range.from), resolveInFolder(resolve(world.folder, page)));
}

/**
 * Range of revisions. An empty `to` means the work tree. If `together` is true, the comparison begins at the merge base
 * instead of `from`.
 */
interface Range {
  readonly from: string;
  readonly together: boolean;
  readonly to: string;
}

/**
 * Parses `main..`, `main..next` or `main...`. Returns `undefined` for a path such as `../a`: no revision of git begins
 * with a dot, and none begins or ends with a slash.
 */
function parseRange(word: string): Range | undefined {
  const [, from, third, to] = /^([^./-].*?)\.\.(\.?)([^./-].*)?$/.exec(word) ?? [];
  if (from === undefined || from.endsWith("/")) return undefined;
  return { from, together: third === ".", to: to ?? "" };
}

function resolveRevisions({ from, together, to }: Range, file: string, world: World): Sides {
  if (from.startsWith("-")) return { ok: false, reason: `${from} is no revision` };
  const path = resolveInFolder(resolve(world.folder, file));
  const base = together ? mergeBase(dirname(path), from, to === "" ? "HEAD" : to) : from;
  if (base === undefined)
    return { ok: false, reason: `git knows no revision that ${from} and ${to || "HEAD"} come from` };
  const after = () => (to === "" ? readSide(path, world) : readRevisionSide(nameRevision(to), path));
  return {
    ok: true,
    before: () => readRevisionSide(together ? nameMergeBase(from, base) : nameRevision(base), path),
    after,
  };
}
