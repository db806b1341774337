import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { said } from "../memory-world.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/mcp-import", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-check-"));
  cpSync(EXAMPLE, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => said(["check", "system.cap", ...words], { folder });

const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");

test("what is pinned already is pinned again without a word, to the same bytes", async () => {
  const before = textOf("cap.lock");
  const { status, out } = await say("--update-lock");
  expect({ status, out }).toEqual({ status: 0, out: "" });
  expect(textOf("cap.lock")).toBe(before);
});

test("a list of tools that has changed is refused until somebody pins it, and reads what is different", async () => {
  const changed = textOf("github.tools.json").replace("Get details of one issue", "Get all about one issue");
  writeFileSync(join(folder, "github.tools.json"), changed);
  expect(await say()).toMatchObject({ status: 1, err: expect.stringContaining("import-changed") });
  const { status, out } = await say("--update-lock");
  expect(status).toBe(0);
  expect(out).toContain("get_issue");
  expect(await say("--json")).toMatchObject({ status: 0 });
});

test("a first lock is written, and told in JSON", async () => {
  const before = textOf("cap.lock");
  rmSync(join(folder, "cap.lock"));
  expect(await say()).toMatchObject({ status: 1 });
  const { changes } = JSON.parse((await say("--update-lock", "--json")).out);
  expect(changes.length).toBeGreaterThan(0);
  expect(textOf("cap.lock")).toBe(before);
});

test("pinning is done by somebody who looks: not while watching, and not for a page that is not there", async () => {
  expect(await say("--update-lock", "--watch")).toMatchObject({ status: 2, out: "" });
  rmSync(join(folder, "system.cap"));
  expect(await say("--update-lock")).toMatchObject({ status: 3, out: "" });
});
