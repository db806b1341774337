// Attacks on egress over a real network: a network namespace with the addresses that attacks aim at, and with a server at each
// address that reports connections. Without the right to create a namespace the tests fail and say why: untested attacks prove
// nothing.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { attacks } from "./testing/attacks.ts";

interface Came {
  readonly name: string;
  readonly ok: boolean;
  readonly said: string;
  readonly caught: readonly string[];
}

function tried(): readonly Came[] {
  const program = fileURLToPath(new URL("testing/namespace.ts", import.meta.url));
  // Root needs no user namespace to create a network namespace, and could not create one in a chroot. So only other users get a user
  // namespace.
  const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const words = [...asRoot, "--net", process.execPath, program];
  const { stdout, stderr, status } = spawnSync("unshare", words, { encoding: "utf8", timeout: 240_000 });
  if (status !== 0) throw new Error(`these attacks need a network namespace of their own (unshare, ip): ${stderr}`);
  return stdout
    .trim()
    .split("\n")
    .map((line): Came => JSON.parse(line));
}

const came = tried();

test("the program in the network namespace reports a result for every attack in the list", () => {
  expect(attacks.length).toBeGreaterThan(55);
  expect(came.map(({ name }) => name)).toEqual(attacks.map(({ name }) => name));
});

test.each(attacks.map((attack, index) => [attack.name, attack, came[index]] as const))("%s", (_, attack, one) => {
  expect(one).toMatchObject({ said: expect.stringMatching(attack.expect.said), caught: attack.caught ?? [] });
  if (attack.expect.ok !== undefined) expect(one?.ok).toBe(attack.expect.ok);
});
