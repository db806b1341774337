import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDevelopmentKeyFile } from "../../host/development-key-file.ts";
import { readArguments } from "../arguments.ts";
import { createMemoryWorld } from "../memory-world.ts";
import { createKeysCommand } from "./keys.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-keys-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function say(...words: string[]): Promise<{ status: number; out: string; err: string }> {
  const command = createKeysCommand(() => openDevelopmentKeyFile(join(folder, "state/development.json")));
  const reading = readArguments(command, words);
  if (reading.kind !== "typed") throw new Error(JSON.stringify(reading));
  const world = createMemoryWorld({ folder });
  const status = await command.run(reading.typed, world);
  return { status, out: world.printed(), err: world.reported() };
}

test("new makes a key pair without a prompt, readable by its owner only, with the fingerprint that ssh-keygen prints", async () => {
  const made = await say("new", "alice");
  expect(made).toMatchObject({ status: 0, err: "" });
  expect(made.out).toMatch(/^public: keys\/alice\.pub\nprivate: keys\/alice$/m);
  expect(statSync(join(folder, "keys/alice")).mode & 0o777).toBe(0o600);
  const told = spawnSync("ssh-keygen", ["-l", "-f", join(folder, "keys/alice.pub")], { encoding: "utf8" }).stdout;
  const shown = JSON.parse((await say("show", "alice", "--json")).out);
  expect(told).toContain(shown.fingerprint);
  expect(readFileSync(join(folder, "keys/alice.pub"), "utf8")).toContain(shown.key);
  expect((await say("list")).out).toContain(`alice  ${shown.fingerprint}\n`);
});

test("new replaces no key: neither half of a pair, nor the development key", async () => {
  await say("new", "alice");
  const before = readFileSync(join(folder, "keys/alice"));
  expect(await say("new", "alice")).toMatchObject({ status: 3, err: expect.stringContaining("is there already") });
  rmSync(join(folder, "keys/alice.pub"));
  expect(await say("new", "alice")).toMatchObject({ status: 3 });
  expect(readFileSync(join(folder, "keys/alice"))).toEqual(before);
  expect(await say("new", "development")).toMatchObject({ status: 0 });
  expect(await say("new", "development")).toMatchObject({
    status: 3,
    err: expect.stringContaining("is there already"),
  });
});

test("list and show make no development key", async () => {
  expect((await say("list")).out).toBe("development  not made yet; the first build makes it\n");
  expect(await say("show", "development")).toMatchObject({ status: 3 });
  expect(existsSync(join(folder, "state"))).toBe(false);
  await say("new", "development");
  const { fingerprint } = JSON.parse((await say("show", "development", "--json")).out);
  expect(JSON.parse((await say("list", "--json")).out)).toMatchObject({ development: { fingerprint }, principals: [] });
});

test("list reports a file that is not a key, and lists the others", async () => {
  await say("new", "bob");
  writeFileSync(join(folder, "keys/eve.pub"), "hello\n");
  const { status, out, err } = await say("list");
  expect(status).toBe(1);
  expect(out).toContain("bob  SHA256:");
  expect(err).toContain("eve.pub");
});

test.each([
  [["new"], "NAME is missing"],
  [["list", "alice"], "list takes no name"],
  [["mend", "alice"], "'mend' is none of new, show, list"],
  [["new", "../alice"], "no name that a page could use"],
  [["new", "-f"], "no name that a page could use"],
])("%s is a usage error", async (words, reason) => {
  const wrong = words.includes("-f") ? [...words.slice(0, 1), "--", "-f"] : words;
  expect(await say(...wrong)).toMatchObject({ status: 2, out: "", err: expect.stringContaining(reason) });
});
