import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { loadDevelopmentKey } from "../../targets/manifest/development-key.ts";
import { openDevelopmentKeyFile } from "./development-key-file.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "capc-development-key-"));
afterAll(() => rmSync(folder, { recursive: true }));

const git = (...words: string[]): string =>
  execFileSync("git", ["-C", CHECKOUT, ...words], { encoding: "utf8" }).trim();

test("each checkout has its own permanent key, which only its owner can read", () => {
  const publicKeys = ["one", "other", "one"].map((name) => {
    const key = loadDevelopmentKey(openDevelopmentKeyFile(join(folder, name, "keys/development.json")));
    return !key.ok ? key.reason : Buffer.from(key.value.publicKey).toString("hex");
  });
  expect(publicKeys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(publicKeys[1]).not.toBe(publicKeys[0]);
  expect(publicKeys[2]).toBe(publicKeys[0]);
  expect(statSync(join(folder, "one/keys/development.json")).mode & 0o777).toBe(0o600);
});

test("git ignores development keys and private keys of people, and the repository contains none", () => {
  const places = [".capos/keys/development.json", "examples/first-agent/keys/alice", "examples/another/keys/bob"];
  expect(git("check-ignore", "--no-index", ...places).split("\n")).toEqual(places);
  expect(git("ls-files", ".capos", "examples/*/keys")).toBe("");
  expect(readFileSync(join(CHECKOUT, ".gitignore"), "utf8").split("\n")).toContain(".capos/");
});
