import { expect, test } from "vitest";
import { Manifest } from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage, encodeMessage } from "../../../engine/lib/wire/index.ts";
import { CHECKED_WHOLE } from "../../../targets/contract/artifact.ts";
import { planManifest } from "../../../targets/manifest/manifest.ts";
import { compileExample, encodeTables } from "../../dev/golden/golden.ts";
import { computeNeeds } from "../../phases/policy/index.ts";
import { describeManifest } from "./manifest.ts";

function linesOf(network: Manifest["network"]): readonly string[] {
  // In Cap'n Proto, eight zero bytes are a whole message; here, a manifest in which all fields have their defaults.
  const empty = decodeMessage(Manifest, Buffer.from([0, 0, 0, 0, 1, 0, 0, 0, ...new Uint8Array(8)]));
  if (!empty.ok) throw new Error(empty.reason);
  const manifest = { ...empty.value, systemId: "lab", network };
  return describeManifest(encodeMessage(Manifest, manifest))?.lines.filter((line) => line.startsWith("network")) ?? [];
}

test("if the system has a network, egress is shown as the only process that uses it, with its address settings", () => {
  expect(linesOf({ which: "none" })).toEqual([]);
  expect(linesOf({ which: "dhcp" })).toEqual(["network for egress alone, at an address by DHCP"]);
  const fixed = { address: "10.0.2.15", prefix: 24, router: "10.0.2.2", resolvers: ["9.9.9.9", "1.1.1.1"] };
  expect(linesOf({ which: "fixed", fixed })).toEqual([
    "network for egress alone, at 10.0.2.15/24, router 10.0.2.2, name server 9.9.9.9, name server 1.1.1.1",
  ]);
  expect(linesOf({ which: "fixed", fixed: { ...fixed, router: "", resolvers: [] } })).toEqual([
    "network for egress alone, at 10.0.2.15/24",
  ]);
});

test("the memory, processes and descriptors that a machine must provide are shown, and the limits of each process", async () => {
  const { policy, origins } = await compileExample("first-agent");
  const tables = encodeTables(policy);
  const root = { size: 4096, sha256: new Uint8Array(32), verity: CHECKED_WHOLE };
  const read = describeManifest(encodeMessage(Manifest, planManifest(policy, { tables, root, origins })));
  const { descriptors, processes } = computeNeeds(policy);
  const most = Math.max(...processes.map(({ given, own }) => given + own));
  expect(read?.lines).toContainEqual(expect.stringMatching(/^machine 512 MiB of memory, 1 audit, .*, 2 gate, /));
  expect(read?.lines).toContainEqual(
    expect.stringMatching(new RegExp(`^open {4}descriptors: init ${descriptors} of 65536, \\S+ ${most} of 512$`)),
  );
  expect(read?.lines).toContain("  at most 128 MiB of memory, 33 MiB on the data disk");
  expect(read?.facts).toMatchObject({
    machine: { memoryBytes: `${512 * 1024 * 1024}`, processes: { gate: 2, loop: 2 } },
  });
});
