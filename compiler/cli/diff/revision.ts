// Reads a page from a git revision. Files are read from git's objects, one by one and with limits, and never written to
// the disk. Ignored files have no revisions, and are read from the work tree.

import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, posix, relative } from "node:path";
import type { SourceText, Span } from "../../../lang/text/index.ts";
import { compile } from "../../compile.ts";
import { explainGitError } from "../../host/git-error.ts";
import { createDiskHost, type FileRead, type Host } from "../../phases/source/index.ts";
import { hasErrors, requireLawful } from "../page.ts";
import { createRenamer, createSide, type SideRead } from "./side.ts";

/** Maximum bytes of git's listing of one revision, which is enough for about 300,000 files. */
const MOST_LISTED = 64 * 1024 * 1024;
/** Maximum bytes of one file, whatever limit the caller has. */
const MOST_READ = 64 * 1024 * 1024;
const MOST_LINKS = 8;

/** A file of a revision. */
interface Entry {
  readonly mode: string;
  readonly object: string;
  readonly size: number;
}

/** A revision, and the name by which a person knows it. */
interface NamedRevision {
  readonly revision: string;
  readonly name: string;
}

/** Digits of a hash in a name; git shows about as many. */
const SHOWN_DIGITS = 12;

/** Returns the revision with the name that the user typed for it. A whole hash is shortened in this name. */
export function nameRevision(revision: string): NamedRevision {
  return { revision, name: shortenHash(revision) };
}

/** Returns the revision `base` with a name that states that it is a merge base of `from`. */
export function nameMergeBase(from: string, base: string): NamedRevision {
  return { revision: base, name: `${shortenHash(from)} (merge base ${shortenHash(base)})` };
}

function shortenHash(revision: string): string {
  return /^[0-9a-f]{40,64}$/.test(revision) ? revision.slice(0, SHOWN_DIGITS) : revision;
}

/** Reads a page from a revision. `path` is absolute; the file need not exist on the disk now. */
export async function readRevisionSide({ revision, name: shown }: NamedRevision, path: string): Promise<SideRead> {
  const folder = resolveFolder(dirname(path));
  const top = readGitText(folder, ["rev-parse", "--show-toplevel"]);
  if (top === undefined) return refuseSide(3, `git cannot read ${folder}: ${explainNoTree(folder)}`);
  const commit = readGitText(top, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
  if (commit === undefined) return refuseSide(2, `git knows no revision ${shown}`);
  const page = join(folder, basename(path));
  const entries = listEntries(top, commit);
  if (entries === undefined) return refuseSide(3, `git cannot list ${shown}`);
  const inTree = relative(top, page);
  if (!entries.has(page)) return refuseSide(3, `there is no ${inTree} in ${shown}`);
  // Expiry dates are compared with the day of the commit. So a widening that has expired since then still counts as
  // valid.
  const today = readGitText(top, ["show", "-s", "--format=%cd", "--date=format:%Y-%m-%d", commit]) ?? "";
  const host = createRevisionHost(top, entries, today);
  const compiled = await compile(host, page, {
    purpose: "check",
    advice: "left",
    proofs: "left",
  });
  const span = createSpanRenamer(shown, dirname(inTree), (file) => entries.has(join(folder, file)));
  if (hasErrors(compiled)) {
    const diagnostics = compiled.diagnostics.map((found) => ({ ...found, span: span(found.span) }));
    return { kind: "findings", diagnostics };
  }
  const name = `${shown}:${inTree}`;
  const side = createSide(name, { ...requireLawful(compiled), view: { span } });
  return { kind: "read", side: { ...side, rename: createRenamer(name, { host, path: page, view: { span } }) } };
}

/** Returns whether `word` names a revision in the git repository that contains the folder. */
export function isRevision(folder: string, word: string): boolean {
  const words = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${word}^{commit}`];
  return word !== "" && readGitText(resolveFolder(folder), words) !== undefined;
}

/** Returns the merge base of two revisions, or `undefined` if there is none. */
export function mergeBase(folder: string, one: string, other: string): string | undefined {
  return readGitText(resolveFolder(folder), ["merge-base", "--end-of-options", one, other]);
}

/** Returns git's message about the folder: it is outside of any work tree, or in a work tree of another user. */
function explainNoTree(folder: string): string {
  const { error, stderr } = spawnSync("git", ["-C", folder, "rev-parse"], { encoding: "utf8", maxBuffer: MOST_READ });
  if (error !== undefined) return "there is no git here";
  return explainGitError(stderr, folder);
}

function refuseSide(status: 2 | 3, reason: string): SideRead {
  return { kind: "refused", status, reason };
}

/** Resolves links, because git names its work tree without them; for a missing folder, it resolves the nearest existing parent. */
function resolveFolder(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  return dirname(folder) === folder ? folder : join(resolveFolder(dirname(folder)), basename(folder));
}

function runGit(folder: string, words: readonly string[], most: number): Buffer | undefined {
  const ran = spawnSync("git", ["-C", folder, ...words], { maxBuffer: most, stdio: ["ignore", "pipe", "ignore"] });
  return ran.error === undefined && ran.status === 0 ? ran.stdout : undefined;
}

function readGitText(folder: string, words: readonly string[]): string | undefined {
  return runGit(folder, words, MOST_LISTED)?.toString("utf8").trim();
}

/**
 * Returns the files of a commit by absolute path, or `undefined` if git cannot list them. `top` is the root of the work
 * tree.
 */
function listEntries(top: string, commit: string): ReadonlyMap<string, Entry> | undefined {
  const listed = runGit(top, ["ls-tree", "-r", "-l", "-z", "--full-tree", commit], MOST_LISTED);
  if (listed === undefined) return undefined;
  const lines = listed.toString("utf8").split("\0");
  return new Map(
    lines.flatMap((line): [string, Entry][] => {
      const [, mode, object, size, path] = /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(line) ?? [];
      if (mode === undefined || object === undefined || path === undefined) return [];
      return [[join(top, path), { mode, object, size: Number(size) }]];
    }),
  );
}

const LINK = "120000";

function createRevisionHost(top: string, entries: ReadonlyMap<string, Entry>, today: string): Host {
  const disk = createDiskHost(today);
  const read = (entry: Entry) => runGit(top, ["cat-file", "blob", entry.object], MOST_READ);
  const resolveLinks = (path: string, links = 0): string | undefined => {
    const entry = entries.get(path);
    if (entry?.mode !== LINK) return entry === undefined ? undefined : path;
    const target = read(entry)?.toString("utf8");
    return target === undefined || links === MOST_LINKS
      ? undefined
      : resolveLinks(posix.resolve(dirname(path), target), links + 1);
  };
  const isIgnored = (path: string) =>
    path.startsWith(`${top}/`) && runGit(top, ["check-ignore", "--quiet", "--", path], MOST_LISTED) !== undefined;
  const readFile = (path: string, limit: number): FileRead => {
    const entry = entries.get(path);
    if (entry === undefined) return { ok: false, reason: "there is no such file" };
    if (entry.size > limit) return { ok: false, reason: `it has ${entry.size} bytes, at most ${limit} are read` };
    const bytes = read(entry);
    return bytes === undefined ? { ok: false, reason: "git cannot read it" } : { ok: true, value: bytes };
  };
  return {
    ...disk,
    realPath: async (path) => resolveLinks(path) ?? (isIgnored(path) ? disk.realPath(path) : undefined),
    readFile: async (path, limit) => (entries.has(path) ? readFile(path, limit) : disk.readFile(path, limit)),
    readHead: async (path, most) => {
      const file = entries.has(path) ? readFile(path, MOST_READ) : undefined;
      if (file === undefined) return disk.readHead(path, most);
      return file.ok ? { ok: true, head: file.value.subarray(0, most), bytes: file.value.length } : file;
    },
  };
}

/** Returns a function that names files of the package as git does, for example `main:examples/a/system.cap`. */
function createSpanRenamer(revision: string, folder: string, isFile: (file: string) => boolean): (span: Span) => Span {
  const known = new Map<SourceText, SourceText>();
  return (span) => {
    const { source } = span;
    const renameSource = (): SourceText => ({ ...source, path: `${revision}:${posix.join(folder, source.path)}` });
    const renamed = known.get(source) ?? (isFile(source.path) ? renameSource() : source);
    known.set(source, renamed);
    return { ...span, source: renamed };
  };
}
