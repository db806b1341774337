// What git knows of the pages.

import { git } from "./programs.ts";

/** Paths from `folder`, in code-unit order; none where it is no repository. Patterns are git's, `**` among them. */
export function pagesIn(folder: string, patterns: readonly string[]): readonly string[] {
  return listed(folder, ["ls-files", "-z", "--", ...patterns.map(asPattern)]);
}

/** Pages that were there in `commit` and are not any more. */
export function pagesGone(folder: string, commit: string, patterns: readonly string[]): readonly string[] {
  const words = ["diff", "-z", "--name-only", "--relative", "--no-renames", "--diff-filter=D", commit];
  return listed(folder, [...words, "--", ...patterns.map(asPattern)]);
}

/** A pattern of git's that says itself how it is meant is left as it is. */
function asPattern(pattern: string): string {
  return pattern.startsWith(":") ? pattern : `:(glob)${pattern}`;
}

function listed(folder: string, words: readonly string[]): readonly string[] {
  const { status, out } = git(folder, words);
  const paths = out.split("\0").filter((path) => path !== "");
  return status === 0 ? [...new Set(paths)].sort() : [];
}

/**
 * The commit that a revision names, by its whole number: a branch or a tag may be called like a short one. A checkout of one commit
 * alone does not know what it comes from: that one commit is fetched then. Nothing where neither helps.
 */
export function commitOf(folder: string, revision: string): string | undefined {
  const known = knownCommit(folder, revision);
  if (known !== undefined) return known;
  const words = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--depth=1", "origin", revision];
  return git(folder, words).status === 0 ? knownCommit(folder, "FETCH_HEAD") : undefined;
}

/** The same, and nothing is fetched. */
export function knownCommit(folder: string, revision: string): string | undefined {
  const words = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const { status, out } = git(folder, words);
  return status === 0 ? out.trim() : undefined;
}

/** `path` is from `folder`. */
export function isIn(folder: string, commit: string, path: string): boolean {
  return git(folder, ["cat-file", "-e", `${commit}:./${path}`]).status === 0;
}
