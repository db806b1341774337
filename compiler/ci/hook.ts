// Runs one hook of pre-commit, such as `fmt` or `check`, on files of a commit: `hook.ts HOOK FILE…`. hook.mjs starts
// this program.

import { runHook } from "./hooks.ts";

const { GIT_INDEX_FILE: index, PRE_COMMIT_FROM_REF: from, PRE_COMMIT_TO_REF: to } = process.env;
// For a hook, git sets environment variables that name the repository. They are deleted here, because every later git
// command would use them.
for (const name of ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"]) delete process.env[name];

const [name = "", ...files] = process.argv.slice(2);
const { status, out, err } = await runHook(name, process.cwd(), files, { index, from, to });
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = status;
