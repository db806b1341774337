// Runs the hooks as pre-commit does: the entry of each, in the root of a repository, with the files that a commit changes.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { findPagesAbove } from "./affected-pages.ts";
import { runHook } from "./hooks.ts";
import { explainNoRepository, findHead } from "./repository.ts";
import { committed, git, PAGE, WIDER } from "./testing/repository.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly files: string;
  readonly always_run?: boolean;
}
const HOOKS: readonly Hook[] = parse(readFileSync(join(CHECKOUT, ".pre-commit-hooks.yaml"), "utf8"));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-hook-"));
  git(folder, "init", "--quiet");
});
afterEach(() => rmSync(folder, { recursive: true }));

/**
 * Returns the command line of a hook with the files that pre-commit would pass, which are only those that match the
 * hook's pattern.
 */
function asked(id: string, files: readonly string[]): readonly string[] {
  const hook = HOOKS.find((each) => each.id === id);
  const wanted = files.filter((file) => new RegExp(hook?.files ?? "").test(file));
  return [...(hook?.entry ?? "").split(" "), ...wanted];
}

async function started(id: string, files: readonly string[]) {
  const [, name = "", ...given] = asked(id, files);
  const { status, out, err } = await runHook(name, folder, given);
  return { status, said: `${out}${err}` };
}

test("each hook has the fields that pre-commit requires", () => {
  expect(HOOKS.map(({ id }) => id)).toEqual(["capc-fmt", "capc-lint", "capc-check", "capc-widening"]);
  expect(HOOKS.filter(({ language }) => language !== "script")).toEqual([]);
});

test("fmt formats the changed pages, and leaves other pages alone", async () => {
  const odd = PAGE.replace("  session", "session");
  committed(folder, { "a/system.cap": odd, "b/system.cap": odd });
  expect(await started("capc-fmt", ["a/system.cap", "a/README.md"])).toEqual({ status: 0, said: "a/system.cap\n" });
  expect(readFileSync(join(folder, "a/system.cap"), "utf8")).toBe(PAGE);
  expect(readFileSync(join(folder, "b/system.cap"), "utf8")).toBe(odd);
});

test("lint and check read only the pages that a change affects", async () => {
  const page = PAGE.replace("stub\n", 'stub "replies.json"\n');
  committed(folder, { "a/system.cap": page, "a/replies.json": "[]", "b/system.cap": "nothing", "c.cap": "nothing" });
  expect(await started("capc-lint", ["a/replies.json", "c.cap"])).toEqual({ status: 0, said: "" });
  expect(await started("capc-lint", ["b/system.cap"])).toMatchObject({ status: 1 });
  rmSync(join(folder, "a/replies.json"));
  const { status, said } = await started("capc-check", ["a/system.cap"]);
  expect(status).toBe(1);
  expect(said).toContain("a/system.cap:");
  expect(said).toContain("file-unreadable");
});

test("a widening without a reason stops a commit, and a new page does not", async () => {
  expect(await started("capc-widening", ["system.cap"])).toEqual({ status: 0, said: "" });
  writeFileSync(join(folder, "system.cap"), PAGE);
  expect(await started("capc-widening", ["system.cap"])).toEqual({ status: 0, said: "system.cap is new\n" });
  committed(folder, { "system.cap": PAGE });
  expect(await started("capc-widening", ["system.cap"])).toMatchObject({ status: 0 });
  writeFileSync(join(folder, "system.cap"), WIDER);
  const { status, said } = await started("capc-widening", ["system.cap"]);
  expect(status).toBe(1);
  expect(said).toContain("quota of calls per turn");
});

test("a hook gives the same result as a separate program, even with git's variables in its environment", async () => {
  committed(folder, { "system.cap": PAGE });
  writeFileSync(join(folder, "system.cap"), WIDER);
  const [program = "", ...words] = asked("capc-widening", ["system.cap"]);
  const ofGit = { GIT_DIR: join(folder, "elsewhere"), GIT_INDEX_FILE: ".git/index" };
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, ...ofGit };
  const ran = spawnSync(join(CHECKOUT, program), words, { cwd: folder, encoding: "utf8", env });
  expect({ status: ran.status, said: `${ran.stdout}${ran.stderr}` }).toEqual(
    await started("capc-widening", ["system.cap"]),
  );
});

test("a commit that only deletes files is checked, because the deletion may break or change a page", async () => {
  const page = PAGE.replace("stub\n", 'stub "replies.json"\n');
  committed(folder, { "a/system.cap": page, "a/replies.json": "[]", "b/system.cap": "nothing" });
  for (const { id, always_run: always } of HOOKS)
    expect([id, always]).toEqual([id, id === "capc-fmt" ? undefined : true]);
  expect(await started("capc-check", [])).toEqual({ status: 0, said: "" });
  git(folder, "rm", "--quiet", "a/replies.json");
  for (const id of ["capc-check", "capc-lint"]) {
    const { status, said } = await started(id, []);
    expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining("file-unreadable") });
    expect(said).not.toContain("b/system.cap");
  }
  // If pre-commit checks a range of commits instead of the index, it passes the names of two commits.
  const before = git(folder, "rev-parse", "HEAD");
  git(folder, "commit", "--quiet", "-m", "gone");
  expect(await started("capc-check", [])).toEqual({ status: 0, said: "" });
  const range = await runHook("check", folder, [], { from: before, to: "HEAD" });
  expect(range).toMatchObject({ status: 1, err: expect.stringContaining("file-unreadable") });
});

test("a moved file counts as missing at its old path, and the checks read the index that git uses for the commit", async () => {
  committed(folder, { "a/system.cap": PAGE.replace("stub\n", 'stub "replies.json"\n'), "a/replies.json": "[]" });
  git(folder, "mv", "a/replies.json", "replies.json");
  expect(await started("capc-check", ["replies.json"])).toMatchObject({ status: 1 });
  const index = join(folder, ".git/other");
  cpSync(join(folder, ".git/index"), index);
  git(folder, "reset", "--quiet");
  expect(await started("capc-check", [])).toEqual({ status: 0, said: "" });
  expect(await runHook("check", folder, [], { index })).toMatchObject({ status: 1 });
});

test("a hook without a git repository fails", async () => {
  rmSync(join(folder, ".git"), { recursive: true });
  expect(await runHook("check", folder, [])).toMatchObject({ status: 3, err: expect.stringContaining("git") });
});

test("a repository of another user is refused, and the message says how to trust it", async () => {
  process.env["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1";
  try {
    const { status, err } = await runHook("widening", folder, ["system.cap"]);
    expect(status).toBe(3);
    expect(err).toMatch(
      /^capc hook: git cannot read .*dubious ownership.*; if you trust it: git config --global .*\n$/,
    );
    expect(err).toContain(`safe.directory ${folder}\n`);
  } finally {
    delete process.env["GIT_TEST_ASSUME_DIFFERENT_OWNER"];
  }
});

test("the command that trusts a repository quotes the name of a folder if a shell would split it", () => {
  const odd = join(folder, "it's a folder");
  mkdirSync(odd);
  git(odd, "init", "--quiet");
  process.env["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1";
  try {
    const quoted = `'${odd.replaceAll("'", "'\\''")}'`;
    expect(explainNoRepository(odd)?.endsWith(`safe.directory ${quoted}`)).toBe(true);
  } finally {
    delete process.env["GIT_TEST_ASSUME_DIFFERENT_OWNER"];
  }
});

test("the check of widenings fails with the reason if git cannot read the last commit", async () => {
  committed(folder, { "system.cap": PAGE });
  committed(folder, { "system.cap": PAGE, "other.txt": "other" });
  const [tree = "", commit = "", first] = ["HEAD^{tree}", "HEAD", "HEAD~"].map((name) =>
    git(folder, "rev-parse", name).trim(),
  );
  const removeObject = (hash: string): void => rmSync(join(folder, ".git/objects", hash.slice(0, 2), hash.slice(2)));
  removeObject(tree);
  const { status, out } = await runHook("widening", folder, ["system.cap"], { from: first, to: first });
  expect(status).toBe(3);
  expect(out).toMatch(/^capc hook: system\.cap cannot be compared, .* last commit: .+; `git fsck` lists .*\n$/);
  expect(findHead(folder)).toEqual({ ok: true, value: commit });
  removeObject(commit);
  expect(findHead(folder)).toEqual({ ok: false, reason: expect.stringMatching(/./) });
});

test("if the branch has no commit, the search for the commit at HEAD finds none and does not fail", () => {
  expect(findHead(folder)).toEqual({ ok: true, value: undefined });
});

test("an unknown hook is a usage error", async () => {
  expect(await runHook("bake", folder, ["a.cap"])).toEqual({
    status: 2,
    out: "",
    err: "capc hook: there is fmt, lint, check, widening, and no 'bake'\n",
  });
});

test("a file belongs to the pages in all folders above it", () => {
  committed(folder, { "system.cap": "", "a/b/system.cap": "", "a/b/keys/alice.pub": "", "c/system.cap": "" });
  expect(findPagesAbove(folder, ["a/b/keys/alice.pub", "../outside.cap", "/etc/passwd"])).toEqual([
    "a/b/system.cap",
    "system.cap",
  ]);
  expect(findPagesAbove(folder, ["a/x.json"])).toEqual(["system.cap"]);
});
