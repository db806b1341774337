// Tests fields of upstream's schema that a page cannot express. The import must refuse each of them at its path, and
// all of them in one run.

import { expect, test } from "vitest";
import type {
  CueValue,
  SystemConfig,
  SystemManifest,
} from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { createUpstreamManifest, encodeUpstreamManifest } from "../../../../targets/capos-native/index.ts";
import { builtComparison, builtOracle } from "../../../../targets/capos-native/testing/oracle.ts";
import { compileExample, encodeTables } from "../../../dev/golden/golden.ts";
import { importUpstream } from "./index.ts";
import { changedAt, text, uint, valueAt } from "./testing/changed.ts";

const ask = builtOracle();
const compared = builtComparison();
const { policy } = await compileExample("upstream-capos");
const MEANT = createUpstreamManifest(policy, encodeTables(policy));
const { kernelParams: PARAMS, initConfig: INIT } = MEANT;

async function errorsOf(manifest: SystemManifest | Uint8Array): Promise<readonly string[]> {
  const bytes = manifest instanceof Uint8Array ? manifest : encodeUpstreamManifest(manifest);
  const imported = await importUpstream("manifest.bin", bytes, "read");
  if (imported.ok) return [];
  const errors = imported.diagnostics.filter(({ severity }) => severity === "error");
  return errors.map(({ code, message }) => `${code} ${message.match(/`([^`]*)`/)?.[1] ?? message}`);
}

const params = (changed: Partial<SystemConfig>): SystemManifest => ({
  ...MEANT,
  kernelParams: { ...PARAMS, ...changed },
});

/** Returns the manifest with the first element of a list changed. */
function first<K extends "seedAccounts" | "resourceProfiles" | "authorizedSshKeys">(
  list: K,
  changed: Partial<SystemConfig[K][number]>,
): SystemManifest {
  const [one, ...others] = PARAMS[list] as readonly SystemConfig[K][number][];
  return params({ [list]: [{ ...one, ...changed }, ...others] });
}

const BYTES = Uint8Array.of(1, 2, 3);
const pool = { poolId: 1, poolCpuMask: BYTES, poolMaxLeases: 1, poolMaxLeasesPerAccount: 1 };
const bound = { boundAccountId: 1n, boundPoolId: 1 };
const uart = (changed: Partial<SystemConfig["consoleUart"]>) => ({ ...PARAMS.terminalUart, ...changed });
const points = (changed: Partial<SystemManifest["extensionPoints"]>) => ({
  ...MEANT,
  extensionPoints: { ...MEANT.extensionPoints, ...changed },
});
const source = (developmentSoftware: Partial<SystemConfig["keySourceBootstrap"]["developmentSoftware"]>) =>
  params({
    keySourceBootstrap: {
      ...PARAMS.keySourceBootstrap,
      developmentSoftware: { ...PARAMS.keySourceBootstrap.developmentSoftware, ...developmentSoftware },
    },
  });
const host = (changed: Partial<SystemConfig["sshDevelopmentHostKey"]>) =>
  params({ sshDevelopmentHostKey: { ...PARAMS.sshDevelopmentHostKey, ...changed } });

const K = "kernelParams";
const SCALARS = PARAMS.resourceProfiles[0] ?? {};
/** All numbers and texts of a profile, except its name. */
const PROFILE_FIELDS = Object.entries(SCALARS)
  .filter(([key]) => key !== "name")
  .map(([key, value]): [string, SystemManifest] => {
    const other = typeof value === "string" ? "other" : typeof value === "bigint" ? value + 1n : Number(value) + 1;
    return [`${K}.resourceProfiles[0].${key}`, first("resourceProfiles", { [key]: other })];
  });

test("a resource profile has eighteen fields besides its name", () => expect(PROFILE_FIELDS).toHaveLength(18));

test.each<[string, SystemManifest]>([
  [`${K}.consolePasswordVerifierPhc`, params({ consolePasswordVerifierPhc: "$argon2id$" })],
  [`${K}.allowLocalDevelopmentShell`, params({ allowLocalDevelopmentShell: true })],
  [`${K}.consoleUart.baud`, params({ consoleUart: { ...uart({ baud: 9600 }), port: "com1" } })],
  [`${K}.consoleUart.port`, params({ consoleUart: uart({}) })],
  [`${K}.terminalUart.port`, params({ terminalUart: uart({ port: "com1" }) })],
  [`${K}.terminalUart.baud`, params({ terminalUart: uart({ baud: 9600 }) })],
  [`${K}.terminalUart.dataBits`, params({ terminalUart: uart({ dataBits: 7 }) })],
  [`${K}.terminalUart.stopBits`, params({ terminalUart: uart({ stopBits: 2 }) })],
  [`${K}.terminalUart.parity`, params({ terminalUart: uart({ parity: "even" }) })],
  [`${K}.initialRoleBindings[0]`, params({ initialRoleBindings: [{ principalId: BYTES, role: "developer" }] })],
  [`${K}.sshDevelopmentHostKey.nonProductionLabel`, host({ nonProductionLabel: "test" })],
  [`${K}.sshDevelopmentHostKey.algorithm`, host({ algorithm: "ssh-ed25519" })],
  [`${K}.sshDevelopmentHostKey.privateKeySeed`, host({ privateKeySeed: BYTES })],
  [`${K}.sshDevelopmentHostKey.publicKey`, host({ publicKey: BYTES })],
  [`${K}.sshDevelopmentHostKey.fingerprintSha256`, host({ fingerprintSha256: BYTES })],
  [`${K}.dmaBackendPolicy`, params({ dmaBackendPolicy: "bounceBuffer" })],
  [`${K}.cpuIsolationPools[0]`, params({ cpuIsolationPools: [pool] })],
  [`${K}.cpuIsolationPoolGrants[0]`, params({ cpuIsolationPoolGrants: [bound] })],
  [`${K}.cpuIsolationGrantMinterAllowlist[0]`, params({ cpuIsolationGrantMinterAllowlist: [bound] })],
  [
    `${K}.keySourceBootstrap.deploymentProfile`,
    params({ keySourceBootstrap: { ...PARAMS.keySourceBootstrap, deploymentProfile: "production" } }),
  ],
  [`${K}.keySourceBootstrap.developmentSoftware.enabled`, source({ enabled: true })],
  [`${K}.keySourceBootstrap.developmentSoftware.identifier`, source({ identifier: BYTES })],
  [`${K}.keySourceBootstrap.developmentSoftware.nonProductionLabel`, source({ nonProductionLabel: "test" })],
  [`${K}.keySourceBootstrap.developmentSoftware.allowedPurposes[0]`, source({ allowedPurposes: ["tls"] })],
  [
    `${K}.blockDeviceTarget.pci.device`,
    params({ blockDeviceTarget: { pci: { segment: 0, bus: 0, device: 3, function: 0 } } }),
  ],
  ["extensionPoints.allowAdditionalServices", points({ allowAdditionalServices: true })],
  ["extensionPoints.maxAdditionalServices", points({ maxAdditionalServices: 1 })],
  ["extensionPoints.allowedServiceCaps[0]", points({ allowedServiceCaps: ["timer"] })],
  ["extensionPoints.minOverlayEpoch", points({ minOverlayEpoch: 1n })],
  ["extensionPoints.allowNetworkSettings", points({ allowNetworkSettings: true })],
  ["extensionPoints.allowRuntimeSettings", points({ allowRuntimeSettings: true })],
  ["extensionPoints.allowAccountStoreLocation", points({ allowAccountStoreLocation: true })],
  [`${K}.seedAccounts[0].name`, first("seedAccounts", { name: "two words" })],
  [`${K}.seedAccounts[0].principalId`, first("seedAccounts", { principalId: new Uint8Array(32) })],
  [`${K}.seedAccounts[0].kind`, first("seedAccounts", { kind: "human" })],
  [`${K}.seedAccounts[0].displayName`, first("seedAccounts", { displayName: "Alice" })],
  [`${K}.seedAccounts[0].credentialRefs[0]`, first("seedAccounts", { credentialRefs: [Uint8Array.of(0xff)] })],
  [`${K}.seedAccounts[0].credentialRefs[1]`, first("seedAccounts", { credentialRefs: [Buffer.from("a"), BYTES] })],
  [`${K}.seedAccounts[0].policyProfile`, first("seedAccounts", { policyProfile: "operator" })],
  [`${K}.seedAccounts[0].serviceBinary`, first("seedAccounts", { serviceBinary: "desk" })],
  [`${K}.seedAccounts[0].directCaps[0]`, first("seedAccounts", { directCaps: ["timer"] })],
  [`${K}.resourceProfiles[0].name`, first("resourceProfiles", { name: "../operator" })],
  ...PROFILE_FIELDS,
  [`${K}.authorizedSshKeys[0].keyId`, first("authorizedSshKeys", { keyId: BYTES })],
  [`${K}.authorizedSshKeys[0].fingerprintSha256`, first("authorizedSshKeys", { fingerprintSha256: BYTES })],
  [
    `${K}.authorizedSshKeys[0].allowedShellProfiles[0]`,
    first("authorizedSshKeys", { allowedShellProfiles: ["guest"] }),
  ],
  [`${K}.authorizedSshKeys[0].disabledAtMs`, first("authorizedSshKeys", { disabledAtMs: 1n })],
  [`${K}.authorizedSshKeys[0].source`, first("authorizedSshKeys", { source: "by hand" })],
  [`${K}.authorizedSshKeys[0].comment`, first("authorizedSshKeys", { comment: "at work" })],
  [`${K}.sessionLifetimes.anonymousMs`, params({ sessionLifetimes: { ...PARAMS.sessionLifetimes, anonymousMs: 7n } })],
  ["binaries[2]", { ...MEANT, binaries: [...MEANT.binaries, { name: "spare", data: BYTES }] }],
])("the manifest field %s is refused at its path", async (path, manifest) => {
  expect(await errorsOf(manifest)).toContain(`upstream-unsayable $.${path}`);
});

/**
 * The second service imports from the first service by name. So if the first service's name is changed, the manifest is
 * refused.
 */
const REFUSED = "services[0].name";

test.each<[string, CueValue | undefined, string]>([
  ["init", undefined, "not-upstream-manifest"],
  ["init.binary", text("desk"), "upstream-unsayable"],
  ["init.binary", undefined, "not-upstream-manifest"],
  ["init.caps[0].name", text("two words"), "upstream-unsayable"],
  ["init.caps[0].source.service", text("clock"), "upstream-unsayable"],
  ["init.caps[0].source.kernel", text("consol"), "not-upstream-manifest"],
  ["init.colour", text("red"), "upstream-unsayable"],
  ["services[0].name", text("two words"), "upstream-unsayable"],
  ["services[1].name", text("clock"), "not-upstream-manifest"],
  ["services[0].name", uint(1n), "not-upstream-manifest"],
  ["services[0].binary", text("shelf"), "not-upstream-manifest"],
  ["services[0].restart", text("sometimes"), "not-upstream-manifest"],
  ["services[0].quota", uint(1n), "upstream-unsayable"],
  ["services[0].exports[0]", text("nothing"), "not-upstream-manifest"],
  ["services[1].caps[1].source.service", text("clock"), "not-upstream-manifest"],
  ["services[1].caps[1].expectedInterfaceId", uint(0xd5dc40d973e75b84n), "upstream-unsayable"],
  ["services[1].caps[0].expectedInterfaceId", uint(1n), "not-upstream-manifest"],
  ["services[1].caps[0].badge", { which: "intValue", intValue: -1n }, "not-upstream-manifest"],
  ["services[1].caps[1].disclosureScope[0]", text("everything"), "not-upstream-manifest"],
  ["exitWhenServiceExits", text("nobody"), "not-upstream-manifest"],
])("initConfig.%s: %o is %s", async (path, value, code) => {
  const keys = path.replace(/\[(\d+)\]/g, ".$1").split(".");
  const manifest = { ...MEANT, initConfig: changedAt(INIT, keys, value) };
  expect(await errorsOf(manifest)).toContain(`${code} $.initConfig.${path}`);
  // If a finding states that upstream's crate refuses the manifest, the crate must refuse it.
  expect(ask([encodeUpstreamManifest(manifest)])[0]?.kind).toBe(
    code === "upstream-unsayable" && path !== REFUSED ? "accepted" : "refused",
  );
});

test.each<[string, CueValue]>([
  ["badge-unfit", changedAt(INIT, ["services", "1", "caps", "0", "badge"], uint(7n))],
  ["not-held-by-init", changedAt(INIT, ["init", "caps", "3"], undefined)],
  ["export-unfit", changedAt(INIT, ["services", "1", "exports"], { which: "list", list: [text("log_reader")] })],
])("a manifest that breaks the law %s of pages is refused with that law's code", async (code, initConfig) => {
  const errors = await errorsOf({ ...MEANT, initConfig });
  expect(errors.map((each) => each.split(" ")[0])).toContain(code);
});

test.each(["../desk", "/etc/passwd", "desk/..", ".desk", "a\0b", "a\nb", "desk.js", "\u202edesk", ""])(
  "a program called %j cannot become a file beside the page",
  async (name) => {
    const binaries = MEANT.binaries.map((each) => (each.name === "desk" ? { ...each, name } : each));
    const one = changedAt(INIT, ["services", "0", "binary"], text(name));
    const initConfig = changedAt(one, ["services", "1", "binary"], text(name));
    expect(await errorsOf({ ...MEANT, binaries, initConfig })).toContain("upstream-unsayable $.binaries[0].name");
  },
);

test.each<[string, SystemManifest, string]>([
  ["another schema version", { ...MEANT, schemaVersion: 2 }, "$.schemaVersion"],
  [
    "a duplicate program",
    { ...MEANT, binaries: [...MEANT.binaries, ...MEANT.binaries.slice(0, 1)] },
    "$.binaries[2].name",
  ],
  [
    "a program called init",
    { ...MEANT, binaries: [...MEANT.binaries, { name: "init", data: BYTES }] },
    "$.binaries[2].name",
  ],
  ["a program without bytes", { ...MEANT, binaries: [{ name: "desk", data: new Uint8Array() }] }, "$.binaries[0].data"],
  [
    "an account with an unknown profile",
    first("seedAccounts", { resourceProfile: "nobody" }),
    "$.kernelParams.seedAccounts[0].resourceProfile",
  ],
  [
    "a key of an unknown principal",
    first("authorizedSshKeys", { principalId: BYTES }),
    "$.kernelParams.authorizedSshKeys[0].principalId",
  ],
  [
    "a public key with too few bytes",
    first("authorizedSshKeys", { publicKey: BYTES }),
    "$.kernelParams.authorizedSshKeys[0].publicKey",
  ],
])("%s makes the manifest invalid", async (_, manifest, path) => {
  expect(await errorsOf(manifest)).toContain(`not-upstream-manifest ${path}`);
  expect(ask([encodeUpstreamManifest(manifest)])[0]?.kind).toBe("refused");
});

test("a manifest with a duplicate key is invalid, for upstream's crate as well", async () => {
  if (INIT.which !== "fields") throw new Error("a record is wanted");
  const manifest: SystemManifest = {
    ...MEANT,
    initConfig: { which: "fields", fields: [...INIT.fields, ...INIT.fields] },
  };
  expect(await errorsOf(manifest)).toContain("not-upstream-manifest $.initConfig.services");
  expect(ask([encodeUpstreamManifest(manifest)])[0]?.kind).toBe("refused");
});

/**
 * Returns the message of a manifest, with a struct whose only set bit is cleared. So the struct is present but empty.
 */
function emptied(said: SystemManifest): Uint8Array {
  const [bytes, without] = [encodeUpstreamManifest(said), encodeUpstreamManifest(MEANT)];
  const first = new DataView(bytes.buffer, bytes.byteOffset);
  // This function does not know where the struct is in the message. The only set bit of the struct gives a word with
  // the value 1, and the struct has the last such word of the message.
  for (let at = bytes.length - 8; at > 0; at -= 8) {
    if (first.getBigUint64(at, true) !== 1n) continue;
    first.setBigUint64(at, 0n, true);
    expect(bytes.length).toBeGreaterThan(without.length);
    return bytes;
  }
  throw new Error("nothing was said");
}

test.each<[string, SystemManifest]>([
  ["extensionPoints", points({ allowAdditionalServices: true })],
  [`${K}.blockDeviceTarget`, params({ blockDeviceTarget: { pci: { segment: 1, bus: 0, device: 0, function: 0 } } })],
])("an empty %s differs from an absent one", async (path, said) => {
  const bytes = emptied(said);
  expect(await errorsOf(bytes)).toEqual([`upstream-unsayable $.${path}`]);
  expect(compared([[bytes, encodeUpstreamManifest(MEANT)]])).toEqual([[path.split(".")[0]]]);
});

test("services out of start order are refused with the right order, and reordered accounts are only reported", async () => {
  const [first, second] = ["0", "1"].map((index) => valueAt(INIT, ["services", index]));
  if (first === undefined || second === undefined) throw new Error("two services are wanted");
  const swapped = changedAt(INIT, ["services"], { which: "list", list: [second, first] });
  const imported = await importUpstream(
    "manifest.bin",
    encodeUpstreamManifest({ ...MEANT, initConfig: swapped }),
    "read",
  );
  const errors = imported.ok ? [] : imported.diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ help }) => help)).toEqual(["write them in this order: clock, journal"]);
  const accounts = [...PARAMS.seedAccounts].reverse();
  const told = await importUpstream("manifest.bin", encodeUpstreamManifest(params({ seedAccounts: accounts })), "read");
  if (!told.ok) throw new Error("refused");
  expect(told.findings.map(({ message }) => message)).toContain(
    "`$.kernelParams.seedAccounts`: the page gives them in another order; upstream's crate finds them by their names",
  );
});

test("all errors are reported in one run, and a password verifier is not shown", async () => {
  const secret = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA";
  const manifest = {
    ...params({ consolePasswordVerifierPhc: secret, allowLocalDevelopmentShell: true }),
    initConfig: changedAt(INIT, ["services", "1", "caps", "0", "badge"], uint(7n)),
  };
  const bytes = encodeUpstreamManifest({
    ...manifest,
    extensionPoints: { ...MEANT.extensionPoints, minOverlayEpoch: 9n },
  });
  const imported = await importUpstream("manifest.bin", bytes, "read");
  if (imported.ok) throw new Error("accepted");
  const errors = imported.diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code }) => code).sort()).toEqual([
    "badge-unfit",
    "upstream-unsayable",
    "upstream-unsayable",
    "upstream-unsayable",
  ]);
  for (const { help, because } of errors) expect([help, because]).not.toContain(undefined);
  const shown = imported.diagnostics.map(({ span, message }) => `${span.source.text} ${message}`).join("\n");
  expect(shown).toContain("$.kernelParams.consolePasswordVerifierPhc = not shown");
  expect(shown).not.toContain("argon2id");
});

test("undecodable tables and an inconvertible policy are refused; without the tables the import writes a page", async () => {
  const strange = {
    ...MEANT,
    binaries: MEANT.binaries.map((each) => (each.name === "desk" ? each : { ...each, data: BYTES })),
  };
  const tables = { ...policy.tables, rows: policy.tables.rows.map((row) => ({ ...row, task: "sorting" })) };
  const tasks = createUpstreamManifest({ ...policy }, encodeTables({ ...policy, tables }));
  for (const manifest of [strange, tasks]) {
    const codes = (await errorsOf(manifest)).map((each) => each.split(" ")[0]);
    expect(new Set(codes)).toEqual(new Set(["upstream-policy-unread"]));
    expect((await importUpstream("manifest.bin", encodeUpstreamManifest(manifest), "left")).ok).toBe(true);
  }
});
