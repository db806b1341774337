// Runs the checks of the hooks. A hook gets the files that a commit changes, relative to the root of the repository. pre-commit does not
// list deleted files, so git lists them.

import { accept } from "../../engine/lib/result/result.ts";
import { findPagesAbove } from "./affected-pages.ts";
import { type ProgramResult, runCapc } from "./programs.ts";
import { type Change, explainNoRepository, findHead, findInCommit, listDeletedFiles } from "./repository.ts";

const HOOKS: Readonly<Record<string, (root: string, files: readonly string[]) => Promise<ProgramResult>>> = {
  fmt: async (root, files) => (files.length === 0 ? combineRuns([]) : runCapc(root, ["fmt", "--", ...files])),
  lint: (root, files) => runOnPages("lint", root, files),
  check: (root, files) => runOnPages("check", root, files),
  widening: async (root, files) => {
    const ran: ProgramResult[] = [];
    for (const page of findPagesAbove(root, files)) ran.push(await checkWidening(root, page));
    return combineRuns(ran);
  },
};

export async function runHook(
  name: string,
  root: string,
  files: readonly string[],
  change: Change = {},
): Promise<ProgramResult> {
  const hook = Object.hasOwn(HOOKS, name) ? HOOKS[name] : undefined;
  if (hook === undefined)
    return { status: 2, out: "", err: `capc hook: there is ${Object.keys(HOOKS).join(", ")}, and no '${name}'\n` };
  // Deleted files are listed only for the other hooks, because a deleted file cannot be formatted.
  const gone = name === "fmt" ? { ok: true as const, value: [] } : listDeletedFiles(root, change);
  if (gone.ok) return hook(root, [...files, ...gone.value]);
  const reason = explainNoRepository(root);
  return { status: 3, out: "", err: reason === undefined ? gone.reason : `capc hook: ${reason}\n` };
}

async function runOnPages(command: string, root: string, files: readonly string[]): Promise<ProgramResult> {
  const pages = findPagesAbove(root, files);
  return pages.length === 0 ? combineRuns([]) : runCapc(root, [command, "--", ...pages]);
}

/**
 * Checks whether a change widens a page. The first commit of a page has no earlier state to compare with, so it passes: its reviewer reads
 * the whole page. Fails if git cannot read the last commit.
 */
async function checkWidening(root: string, page: string): Promise<ProgramResult> {
  const head = findHead(root);
  if (!head.ok) return refuseUnread(page, head.reason);
  const known = head.value === undefined ? accept(false) : findInCommit(root, head.value, page);
  if (!known.ok) return refuseUnread(page, known.reason);
  if (!known.value) return { status: 0, out: `${page} is new\n`, err: "" };
  return runCapc(root, ["diff", "--from", "HEAD", "--deny-widening", "--", page]);
}

function refuseUnread(page: string, reason: string): ProgramResult {
  const way = "`git fsck` lists what the repository lacks";
  return {
    status: 3,
    out: "",
    err: `capc hook: ${page} cannot be compared, because git cannot read the last commit: ${reason}; ${way}\n`,
  };
}

function combineRuns(ran: readonly ProgramResult[]): ProgramResult {
  const text = ran.map(({ out, err }) => `${out}${err}`).join("");
  return { status: Math.max(0, ...ran.map(({ status }) => status)), out: text, err: "" };
}
