// Finds pages, changes and commits with git.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { accept, type Result, refuse } from "../../engine/lib/result/result.ts";
import { explainGitError, readGitReason } from "../host/git-error.ts";
import { type ProgramResult, runGit } from "./programs.ts";

/**
 * Returns the tracked files that match git's path patterns, relative to `folder` and in code-unit order; none if `folder` is in no
 * repository.
 */
export function listPages(folder: string, patterns: readonly string[]): readonly string[] {
  return listFiles(folder, ["ls-files", "-z", "--", ...patterns.map(convertToPattern)]);
}

/**
 * Returns one line with the reason why git cannot read the repository of a folder, and what to do; `undefined` if git
 * can read it.
 */
export function explainNoRepository(folder: string): string | undefined {
  const { status, err } = runGit(folder, ["rev-parse", "--git-dir"]);
  return status === 0 ? undefined : `git cannot read ${folder}: ${explainGitError(err, folder)}`;
}

/**
 * Returns whether a page is a link. The author of a change chooses the target of a link. The target may be a file of
 * the runner, whose text would get into the log.
 */
export function isLink(folder: string, page: string): boolean {
  return lstatSync(join(folder, page), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Returns pages that existed in `commit` and were deleted since. */
export function listDeletedPages(folder: string, commit: string, patterns: readonly string[]): readonly string[] {
  return listFiles(folder, [...DELETED, commit, "--", ...patterns.map(convertToPattern)]);
}

const DELETED = [
  "diff",
  "-z",
  "--name-only",
  "--relative",
  "--no-renames",
  "--no-ext-diff",
  "--diff-filter=D",
] as const;

/** Change that a hook checks: the index of a commit in progress (the standard index if none is named), or a range of commits. */
export interface Change {
  readonly index?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Returns the files that a change deletes, relative to the root of the repository. A moved file counts as deleted at
 * its old path. Fails if git cannot compare the states.
 */
export function listDeletedFiles(root: string, { index, from, to }: Change): Result<readonly string[]> {
  if (!from || !to)
    return parseDeleted(runGit(root, [...DELETED, "--cached", "--"], index ? { GIT_INDEX_FILE: index } : {}));
  const listBetween = (dots: string): Result<readonly string[]> =>
    parseDeleted(runGit(root, [...DELETED, "--end-of-options", `${from}${dots}${to}`, "--"]));
  // With `...`, git compares from the common ancestor. If the clone lacks the common ancestor, all differences between
  // both commits count, as in pre-commit.
  const known = listBetween("...");
  return known.ok ? known : listBetween("..");
}

function parseDeleted({ status, out, err }: ProgramResult): Result<readonly string[]> {
  return status === 0 ? accept(split(out)) : refuse(err);
}

/** Converts a pattern to git's glob form. A pattern with git's own prefix stays unchanged. */
function convertToPattern(pattern: string): string {
  return pattern.startsWith(":") ? pattern : `:(glob)${pattern}`;
}

function listFiles(folder: string, words: readonly string[]): readonly string[] {
  const { status, out } = runGit(folder, words);
  return status === 0 ? [...new Set(split(out))].sort() : [];
}

function split(out: string): readonly string[] {
  return out.split("\0").filter((path) => path !== "");
}

/**
 * Returns the full hash of the commit that a revision names, or `undefined` if it cannot be found. A full hash is used because the name of
 * a branch or a tag may look like a short hash. If the checkout is shallow and lacks the commit, the commit is fetched.
 */
export function commitOf(folder: string, revision: string): string | undefined {
  const known = findCommit(folder, revision);
  if (known !== undefined) return known;
  const words = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--depth=1", "origin", revision];
  return runGit(folder, words).status === 0 ? findCommit(folder, "FETCH_HEAD") : undefined;
}

/** Returns the full hash of the commit that a revision names, or `undefined` if git does not know it. Does not fetch the commit. */
function findCommit(folder: string, revision: string): string | undefined {
  const words = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const { status, out } = runGit(folder, words);
  return status === 0 ? out.trim() : undefined;
}

/** Returns the full hash of the commit at HEAD, or `undefined` if the branch has no commit yet. Fails if git cannot read the commit. */
export function findHead(folder: string): Result<string | undefined> {
  const commit = findCommit(folder, "HEAD");
  if (commit !== undefined) return accept(commit);
  // HEAD names a branch even if the branch has no commits; git then has no reference of that name.
  const branch = runGit(folder, ["symbolic-ref", "--quiet", "HEAD"]);
  const name = branch.out.trim();
  const isUnborn = branch.status === 0 && runGit(folder, ["show-ref", "--verify", "--quiet", "--", name]).status === 1;
  if (isUnborn) return accept(undefined);
  const { err } = runGit(folder, ["rev-parse", "--verify", "HEAD^{commit}"]);
  return refuse(readGitReason(err) || "HEAD names no commit");
}

/**
 * Returns whether a commit contains `path`, which is relative to `folder`. Fails if git cannot read the commit. The
 * function lists the tree of the commit instead of reading the file: if reading fails, git's status does not show
 * whether the path or an object of the repository is missing.
 */
export function findInCommit(folder: string, commit: string, path: string): Result<boolean> {
  const { status, out, err } = runGit(folder, ["ls-tree", "-z", "--name-only", commit, "--", `./${path}`]);
  return status === 0 ? accept(out !== "") : refuse(readGitReason(err));
}
