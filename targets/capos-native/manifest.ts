// Builds the boot manifest of upstream's kernel from a checked policy.

import { decodeMessage, encodeMessage } from "../../engine/lib/wire/index.ts";
import {
  type ManifestExtensionPoints,
  type NamedBlob,
  type SystemConfig,
  SystemManifest,
  type UartConfig,
} from "../../engine/lib/wire/upstream/generated/upstream.ts";
import { bug } from "../../lang/diagnostics/index.ts";
import type { Policy } from "../contract/policy.ts";
import type { UpstreamPlan } from "../contract/upstream-plan.ts";
import { collectAccounts, orderSessionRows } from "./accounts.ts";
import { initConfigOf } from "./init-config.ts";
import { computeLifetimes, createProfile } from "./profiles.ts";
import { collectSshKeys } from "./ssh-keys.ts";

/** The schema version that upstream accepts (capos-config 0.1.0, src/manifest.rs). */
const SCHEMA_VERSION = 1;

/** Name under which the manifest lists the policy tables among its programs; upstream's code does not read the tables. */
export const TABLES_BINARY = "policy-tables";

/** Maximum bytes of a manifest that upstream's kernel accepts (src/validation.rs, BOOT_MANIFEST_MAX_BYTES). */
export const MOST_UPSTREAM_BYTES = 5 * 1024 * 1024;
/** Maximum bytes of a manifest that older kernels of upstream accept. Upstream's proposals state the same maximum. */
export const MANY_UPSTREAM_BYTES = 2_883_584;

/**
 * Encodes the manifest as one unpacked Cap'n Proto message with a stream header. The message consists of whole words, and no bytes follow
 * it.
 */
export function encodeUpstreamManifest(manifest: SystemManifest): Uint8Array {
  return encodeMessage(SystemManifest, manifest);
}

/** Decodes a manifest from untrusted bytes. Returns `undefined` if upstream's kernel would not accept the bytes. */
export function decodeUpstreamManifest(bytes: Uint8Array): SystemManifest | undefined {
  const read = bytes.length > MOST_UPSTREAM_BYTES ? undefined : decodeMessage(SystemManifest, bytes);
  return read?.ok === true && read.value.schemaVersion === SCHEMA_VERSION ? read.value : undefined;
}

/** Returns the manifest. `tables` are the bytes of tables.bin. */
export function createUpstreamManifest(policy: Policy, tables: Uint8Array): SystemManifest {
  const plan = policy.image.upstream ?? bug("a manifest for upstream's kernel of a page for another");
  return {
    schemaVersion: SCHEMA_VERSION,
    binaries: collectBinaries(plan, tables),
    initConfig: initConfigOf(plan),
    kernelParams: createKernelParams(policy, plan),
    extensionPoints: CLOSED,
  };
}

/** Returns each program once, in code-unit order of names. */
function collectBinaries({ services, carriesTables }: UpstreamPlan, tables: Uint8Array): readonly NamedBlob[] {
  const named = new Map(services.map(({ binary, bytes }) => [binary, bytes]));
  if (carriesTables) named.set(TABLES_BINARY, tables);
  const blobs = [...named].map(([name, data]): NamedBlob => ({ name, data }));
  return blobs.sort((left, right) => (left.name < right.name ? -1 : 1));
}

function createKernelParams(policy: Policy, { hostname, motd, logLevel }: UpstreamPlan): SystemConfig {
  const { accounts } = collectAccounts(policy);
  const profiles = orderSessionRows(policy).map(({ session }) => session);
  return {
    logLevel,
    ...PORTS,
    motd,
    seedAccounts: accounts.map(({ seed }) => seed),
    resourceProfiles: profiles.sort().map(createProfile),
    authorizedSshKeys: collectSshKeys(accounts).keys,
    sessionLifetimes: computeLifetimes(policy),
    hostname,
    ...UNSAID,
  };
}

const NO_BYTES = new Uint8Array();
/**
 * Value of the host key for a system without a host key. A key with only default values is encoded as a null pointer, which tells upstream
 * that there is no key.
 */
const NO_HOST_KEY = { privateKeySeed: NO_BYTES, publicKey: NO_BYTES, fingerprintSha256: NO_BYTES };

/**
 * States that no services or settings may be added to an installed system, because a page cannot list such additions.
 */
const CLOSED: ManifestExtensionPoints = {
  allowAdditionalServices: false,
  maxAdditionalServices: 0,
  allowedServiceCaps: [],
  minOverlayEpoch: 0n,
  allowNetworkSettings: false,
  allowRuntimeSettings: false,
  allowAccountStoreLocation: false,
};

/** Returns the only serial settings that upstream accepts. Upstream requires different ports for the console and the terminal. */
function configureUart(port: UartConfig["port"]): UartConfig {
  return { port, baud: 115_200, dataBits: 8, stopBits: 1, parity: "none" };
}

const PORTS = { consoleUart: configureUart("com1"), terminalUart: configureUart("com2") };

/** Settings of upstream's manifest that no page can state, so they have the same values for every page. */
const UNSAID = {
  consolePasswordVerifierPhc: "",
  allowLocalDevelopmentShell: false,
  initialRoleBindings: [],
  sshDevelopmentHostKey: { nonProductionLabel: "", algorithm: "", ...NO_HOST_KEY },
  dmaBackendPolicy: "unspecified",
  cpuIsolationPools: [],
  cpuIsolationPoolGrants: [],
  cpuIsolationGrantMinterAllowlist: [],
  keySourceBootstrap: {
    deploymentProfile: "localDevelopment",
    developmentSoftware: { enabled: false, identifier: NO_BYTES, nonProductionLabel: "", allowedPurposes: [] },
  },
  blockDeviceTarget: { pci: { segment: 0, bus: 0, device: 0, function: 0 } },
} as const satisfies Partial<SystemConfig>;

/** Parts that are the same in every manifest, whatever the page. */
export const FIXED: {
  readonly kernelParams: Partial<SystemConfig>;
  readonly extensionPoints: ManifestExtensionPoints;
} = {
  kernelParams: { ...PORTS, ...UNSAID },
  extensionPoints: CLOSED,
};
