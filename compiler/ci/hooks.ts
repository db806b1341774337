// What hooks ask. Files are those that a commit changes, named from the root of its repository. Of those that it deletes
// pre-commit says nothing: git is asked for them.

import { pagesAbove } from "./above.ts";
import { capc, type Ran } from "./programs.ts";
import { type Change, filesGone, isIn, knownCommit } from "./repository.ts";

const HOOKS: Readonly<Record<string, (root: string, files: readonly string[]) => Promise<Ran>>> = {
  fmt: async (root, files) => (files.length === 0 ? all([]) : capc(root, ["fmt", "--", ...files])),
  lint: (root, files) => onPages("lint", root, files),
  check: (root, files) => onPages("check", root, files),
  widening: async (root, files) => {
    const ran: Ran[] = [];
    for (const page of pagesAbove(root, files)) ran.push(await widening(root, page));
    return all(ran);
  },
};

export async function runHook(name: string, root: string, files: readonly string[], change: Change = {}): Promise<Ran> {
  const hook = Object.hasOwn(HOOKS, name) ? HOOKS[name] : undefined;
  if (hook === undefined)
    return { status: 2, out: "", err: `capc hook: there is ${Object.keys(HOOKS).join(", ")}, and no '${name}'\n` };
  // What is gone has no form.
  const gone = name === "fmt" ? { ok: true as const, paths: [] } : filesGone(root, change);
  return gone.ok ? hook(root, [...files, ...gone.paths]) : { status: 3, out: "", err: gone.reason };
}

async function onPages(command: string, root: string, files: readonly string[]): Promise<Ran> {
  const pages = pagesAbove(root, files);
  return pages.length === 0 ? all([]) : capc(root, [command, "--", ...pages]);
}

/** A first commit of a page has nothing to be compared with: whoever reviews it reads all of it. */
async function widening(root: string, page: string): Promise<Ran> {
  const commit = knownCommit(root, "HEAD");
  if (commit === undefined || !isIn(root, commit, page)) return { status: 0, out: `${page} is new\n`, err: "" };
  return capc(root, ["diff", "--from", "HEAD", "--deny-widening", "--", page]);
}

function all(ran: readonly Ran[]): Ran {
  const text = ran.map(({ out, err }) => `${out}${err}`).join("");
  return { status: Math.max(0, ...ran.map(({ status }) => status)), out: text, err: "" };
}
