import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSigner } from "./signer.ts";

let keys: string;
beforeEach(() => {
  keys = mkdtempSync(join(tmpdir(), "capc-keys-"));
  expect(spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(keys, "alice")]).status).toBe(0);
});
afterEach(() => rmSync(keys, { recursive: true }));

/** Returns whether OpenSSH itself accepts a signature over `line`. */
function holds(armour: string, line: string): boolean {
  writeFileSync(join(keys, "allowed"), `alice ${readFileSync(join(keys, "alice.pub"), "utf8")}`);
  writeFileSync(join(keys, "line.sig"), armour);
  const words = [
    "-Y",
    "verify",
    "-f",
    join(keys, "allowed"),
    "-I",
    "alice",
    "-n",
    "stepup@capos",
    "-s",
    join(keys, "line.sig"),
  ];
  return spawnSync("ssh-keygen", words, { input: line }).status === 0;
}

test("a signature is valid only for the signed line", () => {
  const signed = createSigner(keys)("alice", '{"turn":1}');
  expect(signed).toHaveProperty("armour");
  const armour = "armour" in signed ? signed.armour : "";
  expect(armour).toMatch(/^-----BEGIN SSH SIGNATURE-----\n/);
  expect(holds(armour, '{"turn":1}')).toBe(true);
  expect(holds(armour, '{"turn":2}')).toBe(false);
});

test("a missing key, and a missing folder of keys, are reported", () => {
  expect(createSigner(keys)("bob", "x")).toEqual({ reason: expect.stringContaining("bob") });
  expect(createSigner(undefined)("alice", "x")).toEqual({ reason: "? sign alice needs --keys DIR" });
});
