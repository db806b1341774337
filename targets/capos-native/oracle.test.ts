// Tests that upstream's published crate reads our manifests: every example and random systems pass all stages of the crate and decode to
// the same manifest. The crate must also refuse invalid manifests.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileExample, encodeTables, listExampleNames } from "../../compiler/dev/golden/golden.ts";
import { decodeMessage } from "../../engine/lib/wire/index.ts";
import { SystemManifest } from "../../engine/lib/wire/upstream/generated/upstream.ts";
import { mergeSegments } from "../../engine/lib/wire/upstream/one-segment.ts";
import { createCueText } from "./cue.ts";
import { createUpstreamManifest, encodeUpstreamManifest } from "./manifest.ts";
import { builtOracle } from "./testing/oracle.ts";
import { systemsLike } from "./testing/systems.ts";

const ask = builtOracle();
const { policy } = await compileExample("upstream-capos");
const TABLES = encodeTables(policy);
const MEANT = createUpstreamManifest(policy, TABLES);
const BYTES = encodeUpstreamManifest(MEANT);

function understood(bytes: Uint8Array): SystemManifest {
  const one = mergeSegments(bytes, 64 * 1024 * 1024);
  const read = one.ok ? decodeMessage(SystemManifest, one.value) : one;
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

/**
 * Encodes and decodes the manifest. The byte arrays of a decoded manifest are views of the encoded bytes, so a manifest that is compared
 * with a decoded one must be decoded too.
 */
const plain = (manifest: SystemManifest): SystemManifest => understood(encodeUpstreamManifest(manifest));

test("upstream's crate accepts each example for its kernel, and the example's golden contains the manifest's digest", async () => {
  const named: string[] = [];
  const pages = new URL("../../examples/", import.meta.url);
  const isForUpstream = (name: string) =>
    readFileSync(new URL(`${name}/system.cap`, pages), "utf8").includes("target capos");
  for (const example of listExampleNames().filter(isForUpstream)) {
    const { policy } = await compileExample(example);
    const bytes = encodeUpstreamManifest(createUpstreamManifest(policy, encodeTables(policy)));
    expect(ask([bytes])[0]).toMatchObject({ kind: "accepted" });
    const digest = createHash("sha256").update(bytes).digest("hex");
    const golden = readFileSync(new URL(`../../golden/${example}/accepted.txt`, import.meta.url), "utf8");
    expect(golden).toBe(`${digest}  manifest.bin\n`);
    named.push(example);
  }
  expect(named).toContain("upstream-capos");
});

/** `make oracle` tests a thousand systems; `make test` tests as many as its CPU budget allows. */
const SYSTEMS = Number(process.env["SYSTEMS"] ?? 100);

/** Timeout in milliseconds for a thousand systems on a busy machine. */
const LONG = 900_000;

test(
  "upstream's crate accepts the manifests of random systems, and decodes each to the same manifest",
  () => {
    const systems = fc.sample(systemsLike(policy), SYSTEMS).map((each) => createUpstreamManifest(each, TABLES));
    const answers = ask(systems.map(encodeUpstreamManifest));
    for (const [index, manifest] of systems.entries()) {
      const answer = answers[index];
      if (answer?.kind !== "accepted") throw new Error(JSON.stringify(answer));
      expect(understood(answer.again)).toEqual(plain(manifest));
    }
  },
  LONG,
);

const params = (changed: Partial<SystemManifest["kernelParams"]>): SystemManifest => ({
  ...MEANT,
  kernelParams: { ...MEANT.kernelParams, ...changed },
});
const account = (changed: Partial<SystemManifest["kernelParams"]["seedAccounts"][number]>): SystemManifest =>
  params({ seedAccounts: MEANT.kernelParams.seedAccounts.map((one) => ({ ...one, ...changed })) });

/** Returns the manifest `MEANT`, in whose `initConfig` each CUE text `from` is replaced by `to`. */
function renamed(from: string, to: string): SystemManifest {
  const walk = (value: SystemManifest["initConfig"]): SystemManifest["initConfig"] => {
    if (value.which === "text") return value.text === from ? createCueText(to) : value;
    if (value.which === "list") return { which: "list", list: value.list.map(walk) };
    if (value.which !== "fields") return value;
    return { which: "fields", fields: value.fields.map(({ name, value }) => ({ name, value: walk(value) })) };
  };
  return { ...MEANT, initConfig: walk(MEANT.initConfig) };
}

test.each<readonly [string, SystemManifest | Uint8Array, string]>([
  ["nothing", new Uint8Array(), "size"],
  ["more than 5 MiB", { ...MEANT, binaries: [{ name: "large", data: new Uint8Array(5 * 1024 * 1024) }] }, "size"],
  ["the first half of a manifest", BYTES.subarray(0, BYTES.length / 2), "kernel"],
  ["another version", { ...MEANT, schemaVersion: 2 }, "kernel"],
  ["no initConfig", { ...MEANT, initConfig: { which: "null" } }, "kernel"],
  ["a program called init", { ...MEANT, binaries: [{ name: "init", data: Uint8Array.of(1) }] }, "kernel"],
  ["one program twice", { ...MEANT, binaries: [...MEANT.binaries, ...MEANT.binaries] }, "kernel"],
  ["a policy profile", account({ policyProfile: "operator" }), "kernel"],
  ["capabilities of an account", account({ directCaps: ["console"] }), "kernel"],
  ["a short principal", account({ principalId: new Uint8Array(31) }), "kernel"],
  ["one principal of two accounts", account({ principalId: new Uint8Array(32) }), "kernel"],
  ["an unknown profile", account({ resourceProfile: "nobody" }), "kernel"],
  ["an empty name", account({ name: "" }), "kernel"],
  ["a host name of two words", params({ hostname: "two words" }), "kernel"],
  ["a message with a control character", params({ motd: "\u0007" }), "kernel"],
  ["a console on another port", params({ consoleUart: MEANT.kernelParams.terminalUart }), "kernel"],
  ["an unknown source", renamed("boot_package", "boot_packages"), "kernel"],
  ["a source for measurements", renamed("boot_package", "park_bench"), "kernel"],
  ["a missing program", renamed("desk", "shelf"), "plan"],
  ["no programs", { ...MEANT, binaries: [] }, "plan"],
  ["an export that is bound to its process", renamed("endpoint", "virtual_memory"), "plan"],
  ["an unknown restart policy", renamed("always", "sometimes"), "plan"],
])("upstream's crate refuses %s", (_, wrong, stage) => {
  const bytes = wrong instanceof Uint8Array ? wrong : encodeUpstreamManifest(wrong);
  expect(ask([bytes])[0]).toMatchObject({ kind: "refused", stage });
});

test("upstream's crate accepts a service that is renamed everywhere, so it does not refuse every changed manifest", () => {
  expect(ask([encodeUpstreamManifest(renamed("journal", "diary"))])[0]?.kind).toBe("accepted");
});
