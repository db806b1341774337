// A hook's work: `hook.ts COMMAND FILE…`, where the files are those that a commit changes, from the root of its repository.

import { pagesAbove } from "./above.ts";
import { capc, type Ran } from "./programs.ts";
import { isIn, knownCommit } from "./repository.ts";

const HERE = process.cwd();

// git tells its hooks by variables which repository is meant, and would be told of that one wherever it is asked.
for (const name of ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"]) delete process.env[name];

const HOOKS: Readonly<Record<string, (files: readonly string[]) => Promise<Ran>>> = {
  fmt: (files) => capc(HERE, ["fmt", "--", ...files]),
  lint: (files) => onPages(["lint"], files),
  check: (files) => onPages(["check"], files),
  widening: async (files) => all(await Promise.all(pagesAbove(HERE, files).map(widening))),
};

async function onPages(words: readonly string[], files: readonly string[]): Promise<Ran> {
  const pages = pagesAbove(HERE, files);
  return pages.length === 0 ? all([]) : capc(HERE, [...words, "--", ...pages]);
}

/** A first commit of a page has nothing to be compared with: whoever reviews it reads all of it. */
async function widening(page: string): Promise<Ran> {
  const commit = knownCommit(HERE, "HEAD");
  if (commit === undefined || !isIn(HERE, commit, page)) return { status: 0, out: `${page} is new\n`, err: "" };
  return capc(HERE, ["diff", "--from", "HEAD", "--deny-widening", "--", page]);
}

function all(ran: readonly Ran[]): Ran {
  const text = ran.map(({ out, err }) => `${out}${err}`).join("");
  return { status: Math.max(0, ...ran.map(({ status }) => status)), out: text, err: "" };
}

const [name = "", ...files] = process.argv.slice(2);
const hook = Object.hasOwn(HOOKS, name) ? HOOKS[name] : undefined;
if (hook === undefined) {
  process.stderr.write(`capc hook: there is ${Object.keys(HOOKS).join(", ")}, and no '${name}'\n`);
  process.exitCode = 2;
} else if (files.length > 0) {
  const { status, out, err } = await hook(files);
  process.stdout.write(`${out}${err}`);
  process.exitCode = status;
}
