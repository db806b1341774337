import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { World } from "../../host/world.ts";
import { runCommand } from "../memory-world.ts";

const UGLY = '// who\r\nsystem   x version "1"{use std.tools\n\n\n\n}';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-fmt-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (words: readonly string[], changes: Partial<World> = {}) =>
  runCommand(["fmt", ...words], { folder, ...changes });

const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");

test("fmt, check, lint and export refuse YAML and JSON, name the command that reads them, and leave the file unchanged", async () => {
  writeFileSync(join(folder, "a.yaml"), "form: capc-page-1\r\nitems: []\n");
  for (const command of ["fmt", "check", "lint", "export"]) {
    const { status, err } = await runCommand([command, "a.yaml", ...(command === "export" ? ["--to", "json"] : [])], {
      folder,
    });
    expect({ status, err }).toEqual({ status: 3, err: expect.stringContaining("`capc import`") });
  }
  expect(textOf("a.yaml")).toContain("\r");
});

test("formats a page once, names it in the output, and keeps its comment", async () => {
  writeFileSync(join(folder, "a.cap"), UGLY);
  expect(await say(["a.cap"])).toEqual({ status: 0, out: "a.cap\n", err: "" });
  const formed = textOf("a.cap");
  expect(formed).not.toBe(UGLY);
  expect(formed.startsWith("// who\nsystem x version")).toBe(true);
  expect(await say(["a.cap"])).toEqual({ status: 0, out: "", err: "" });
  expect(textOf("a.cap")).toBe(formed);
  expect(readdirSync(folder)).toEqual(["a.cap"]);
});

test("--check writes nothing and names the files that fmt would change", async () => {
  writeFileSync(join(folder, "a.cap"), UGLY);
  writeFileSync(join(folder, "b.cap"), UGLY);
  await say(["b.cap"]);
  expect(await say(["--check", "a.cap", "b.cap"])).toMatchObject({
    status: 1,
    out: "a.cap\n",
    err: expect.stringContaining("not formatted"),
  });
  expect(JSON.parse((await say(["--check", "--json", "a.cap", "b.cap"])).out)).toEqual({ changed: ["a.cap"] });
  expect(textOf("a.cap")).toBe(UGLY);
  expect(await say(["--check", "b.cap"])).toMatchObject({ status: 0 });
});

test("prints the formatted standard input, or checks its format", async () => {
  const typed = (text: string) => ({ readInput: async () => new TextEncoder().encode(text) });
  const { status, out } = await say(["--stdin"], typed(UGLY));
  expect(status).toBe(0);
  expect(await say(["--stdin"], typed(out))).toEqual({ status: 0, out, err: "" });
  expect(await say(["--stdin", "--check"], typed(UGLY))).toEqual({ status: 1, out: "", err: "" });
  expect(await say(["--stdin"], typed("system {"))).toMatchObject({ status: 1, out: "" });
});

test("leaves a file with an error unchanged, and formats the others", async () => {
  writeFileSync(join(folder, "bad.cap"), "system {{");
  writeFileSync(join(folder, "good.cap"), UGLY);
  const { status, out, err } = await say(["bad.cap", "none.cap", "good.cap"]);
  expect({ status, out }).toEqual({ status: 3, out: "good.cap\n" });
  expect(err).toContain("bad.cap:1:");
  expect(err).toContain("none.cap does not exist");
  expect(textOf("bad.cap")).toBe("system {{");
});

test("keeps permissions and symbolic links", async () => {
  writeFileSync(join(folder, "real.cap"), UGLY);
  chmodSync(join(folder, "real.cap"), 0o640);
  symlinkSync("real.cap", join(folder, "link.cap"));
  expect(await say(["link.cap"])).toMatchObject({ status: 0 });
  expect(textOf("real.cap")).not.toBe(UGLY);
  expect(statSync(join(folder, "real.cap")).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())).toHaveLength(1);
});

test("fmt needs either files or standard input, and refuses both together", async () => {
  expect(await say([])).toMatchObject({ status: 2, err: expect.stringContaining("FILE is missing") });
  expect(await say(["--stdin", "a.cap"])).toMatchObject({ status: 2 });
});
