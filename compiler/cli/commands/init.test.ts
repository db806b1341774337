import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NAME_FORM } from "../../../lang/grammar/index.ts";
import { runCommand } from "../memory-world.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-init-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(words, { folder });

test("a new project passes its own check, and its page builds", async () => {
  const { status, out } = await say("init", "my-notes");
  expect(status).toBe(0);
  const files = readdirSync(join(folder, "my-notes"), { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  expect(out.trimEnd().split("\n").sort()).toEqual(paths.map((path) => path.slice(folder.length + 1)).sort());
  for (const words of [["check"], ["lint"], ["fmt", "--check"]])
    expect(await say(...words, "my-notes/system.cap")).toEqual({ status: 0, out: "", err: "" });
  expect(await say("test", "my-notes/system.cap")).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^1 passed, 0 failed$/m),
    err: "",
  });
  expect(await say("build", "my-notes/system.cap", "--emit", "tables")).toMatchObject({ status: 0, err: "" });
});

test("init writes the name into every file, and --name takes precedence over the name of the folder", async () => {
  await say("init", "x", "--name", "lab-one");
  const workflow = readFileSync(join(folder, "x/.github/workflows/capc.yml"), "utf8");
  expect(workflow).toContain("OWNER/REPOSITORY");
  for (const file of ["system.cap", "README.md"]) {
    const text = readFileSync(join(folder, "x", file), "utf8");
    expect(text).toContain("lab-one");
    expect(text).not.toMatch(/\bNAME\b/);
  }
});

test.each(["auto", "true", "in", "null", "x".repeat(70), "-", "operator", "notes", "canned", "std"])(
  "a project in the folder %s passes its own check",
  async (name) => {
    expect(await say("init", "--", name)).toMatchObject({ status: 0 });
    for (const words of [["check"], ["lint"], ["fmt", "--check"]])
      expect(await say(...words, `./${name}/system.cap`)).toEqual({ status: 0, out: "", err: "" });
  },
);

test.each(["auto", "x".repeat(65), "lab one", ""])(
  "refuses %j as the name of a system, and describes valid names",
  async (name) => {
    expect(await say("init", "y", "--name", name)).toEqual({
      status: 2,
      out: "",
      err: `capc init: '${name}' cannot be the name of a system: a name has ${NAME_FORM}\n`,
    });
  },
);

test("does not replace an existing file, and then writes no other file either", async () => {
  mkdirSync(join(folder, "old"));
  writeFileSync(join(folder, "old/Makefile"), "all:\n");
  expect(await say("init", "old")).toEqual({
    status: 2,
    out: "",
    err: "capc init: old has Makefile already; nothing was written: choose another folder\n",
  });
  expect(readdirSync(join(folder, "old"))).toEqual(["Makefile"]);
  expect(readFileSync(join(folder, "old/Makefile"), "utf8")).toBe("all:\n");
});

test("init accepts a folder that exists and contains other files", async () => {
  mkdirSync(join(folder, "old"));
  writeFileSync(join(folder, "old/notes.txt"), "");
  expect(await say("init", "old")).toMatchObject({ status: 0 });
  writeFileSync(join(folder, "file"), "");
  expect(await say("init", "file/x")).toMatchObject({ status: 3, out: "" });
});
