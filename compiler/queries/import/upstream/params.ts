// Reads `kernelParams` and `extensionPoints` as upstream's crate does (capos-config 0.1.0, src/manifest.rs,
// SystemConfig::from_reader). For each key that a page cannot express, this file states the reason.

import type {
  SystemConfig,
  SystemManifest,
  UartConfig,
} from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { FIXED, UPSTREAM_MS } from "../../../../targets/capos-native/index.ts";
import { findDifferences } from "./differing.ts";
import type { Findings } from "./findings.ts";
import type { ReadManifest } from "./read.ts";

/** Returns the manifest with upstream's defaults for values that are 0 or absent. */
export function applyDefaults({ manifest, there }: ReadManifest): SystemManifest {
  const { kernelParams } = manifest;
  const { operatorMs, guestMs, anonymousMs } = kernelParams.sessionLifetimes;
  const isThere = there.includes("$.kernelParams.terminalUart");
  const terminal: UartConfig = isThere ? kernelParams.terminalUart : { ...kernelParams.terminalUart, port: "com2" };
  const params: SystemConfig = {
    ...kernelParams,
    consoleUart: normalizeUart(kernelParams.consoleUart),
    terminalUart: normalizeUart(terminal),
    sessionLifetimes: {
      operatorMs: operatorMs || BigInt(UPSTREAM_MS.operator),
      guestMs: guestMs || BigInt(UPSTREAM_MS.guest),
      anonymousMs: anonymousMs || BigInt(UPSTREAM_MS.anonymous),
    },
  };
  return { ...manifest, kernelParams: params };
}

function normalizeUart({ port, baud, dataBits, stopBits, parity }: UartConfig): UartConfig {
  return { port, baud: baud || 115_200, dataBits: dataBits || 8, stopBits: stopBits || 1, parity };
}

type Said =
  | "logLevel"
  | "motd"
  | "hostname"
  | "seedAccounts"
  | "resourceProfiles"
  | "authorizedSshKeys"
  | "sessionLifetimes";

/** For each key that a page cannot express: the reason, and the remedy. */
const UNSAID: Readonly<Record<Exclude<keyof SystemConfig, Said>, readonly [why: string, instead: string]>> = {
  consolePasswordVerifierPhc: [
    "no line gives the console a password",
    "leave it there, and let people log in by their keys",
  ],
  allowLocalDevelopmentShell: ["no line opens a shell to whoever is there", "write false"],
  consoleUart: ["upstream takes one port and one framing for its console, which every page has", "leave it out"],
  terminalUart: ["no line says how fast the terminal is", "leave it out"],
  initialRoleBindings: ["a page has sessions and no roles, and upstream 0.1.0 gives roles no power", "leave it out"],
  sshDevelopmentHostKey: ["no page carries a private key", "leave it out"],
  dmaBackendPolicy: ["no line speaks of devices", "leave it out"],
  cpuIsolationPools: ["no line speaks of processors", "leave it out"],
  cpuIsolationPoolGrants: ["no line speaks of processors", "leave it out"],
  cpuIsolationGrantMinterAllowlist: ["no line speaks of processors", "leave it out"],
  keySourceBootstrap: ["no line gives the kernel a source of keys", "leave it out"],
  blockDeviceTarget: ["no line names a device by its place on the bus", "leave it out"],
};

const CLOSED: readonly [string, string] = [
  "nothing is added to the system of a page once it is installed",
  "leave it out",
];

/** Reports each value that differs from the only value that a page can give. */
export function checkFixed({ there }: ReadManifest, manifest: SystemManifest, findings: Findings): void {
  const { kernelParams, extensionPoints } = manifest;
  const check = (path: string, found: unknown, fixed: unknown, told: readonly [why: string, instead: string]) => {
    const places = findDifferences(path, found, fixed).map((each) => each.path);
    for (const at of places.length === 0 && OPTIONAL.has(path) && there.includes(path) ? [path] : places)
      findings.reportUnsayable(at, ...told);
  };
  for (const key of listKeys(UNSAID))
    check(`$.kernelParams.${key}`, kernelParams[key], FIXED.kernelParams[key], UNSAID[key]);
  check("$.extensionPoints", extensionPoints, FIXED.extensionPoints, CLOSED);
}

/** Structs for which upstream distinguishes an empty struct from an absent struct. */
const OPTIONAL: ReadonlySet<string> = new Set([
  "$.kernelParams.sshDevelopmentHostKey",
  "$.kernelParams.blockDeviceTarget",
  "$.extensionPoints",
]);

function listKeys<T extends object>(record: T): readonly (keyof T & string)[] {
  return Object.keys(record) as (keyof T & string)[];
}
