// Returns the results of compiling an example, as text that a person can review. This module writes no files; accept.ts
// writes them.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readTables, renderDecisionMatrix } from "../../../engine/lib/policy/index.ts";
import { viewFirstSources } from "../../../engine/lib/provenance/index.ts";
import type { Manifest } from "../../../engine/lib/wire/generated/manifest.ts";
import {
  collectLosses,
  createUpstreamManifest,
  encodeUpstreamManifest,
  renderLoss,
  renderManifest,
} from "../../../targets/capos-native/index.ts";
import { CHECKED_WHOLE } from "../../../targets/contract/artifact.ts";
import type { Origins, Policy, Target } from "../../../targets/contract/policy.ts";
import { planManifest } from "../../../targets/manifest/manifest.ts";
import { createTablesArtifact } from "../../../targets/tables/tables.ts";
import { renderTables } from "../../../targets/tables/text.ts";
import { computeMachineFacts, limitWords, renderMachine } from "../../artefacts/inspect/machine.ts";
import { findReadbackDifference } from "../../artefacts/readback/verify.ts";
import { compile } from "../../compile.ts";
import { createDiskHost, type Host } from "../../phases/source/index.ts";
import { buildMachineView } from "../../queries/report/views/machine.ts";
import { renderExports } from "./exports.ts";

const EXAMPLES = new URL("../../../examples/", import.meta.url);

/**
 * Placeholder for the root file system. The real digest changes with Node.js and Debian, and does not depend on the
 * page.
 */
const NO_ROOT = { size: 4096, sha256: new Uint8Array(32), verity: CHECKED_WHOLE };

/** Public key whose private half was deleted. */
export const PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIDY13iwB9txnkG92xdrlUHVkgfeKxuZsRxg03bzr+Vb\n";

export function listExampleNames(): readonly string[] {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).sort();
}

export function getGoldenFolder(example: string): string {
  return fileURLToPath(new URL(`../../../golden/${example}/`, import.meta.url));
}

/** Returns the lines of the example's committed table of decisions (`decisions.tsv`), the header first. */
export function readGoldenDecisions(example: string): readonly string[] {
  return readFileSync(join(getGoldenFolder(example), "decisions.tsv"), "utf8")
    .trimEnd()
    .split("\n");
}

/** Compiles an example; all its people have the key `publicKey`. Throws if it does not compile. */
export async function compileExample(
  example: string,
  publicKey = PUBLIC_KEY,
): Promise<{ readonly policy: Policy; readonly origins: Origins }> {
  const page = fileURLToPath(new URL(`${example}/system.cap`, EXAMPLES));
  const { policy, origins, diagnostics } = await compile(createExampleHost(publicKey), page);
  if (policy === undefined || origins === undefined)
    throw new Error(`${example}: ${diagnostics.map(({ message }) => message).join("; ")}`);
  return { policy, origins };
}

/** Returns the golden texts of an example by file name. */
export async function createGolden(example: string): Promise<ReadonlyMap<string, string>> {
  const { policy, origins } = await compileExample(example);
  const bytes = encodeTables(policy);
  const tables = readTables(bytes);
  if (!tables.ok) throw new Error(tables.reason);
  const fault = findReadbackDifference("PolicyTables", policy.tables, bytes);
  if (fault !== undefined) throw new Error(fault);
  return new Map([
    ["tables.txt", renderTables(policy.tables)],
    ["decisions.tsv", `${renderDecisionMatrix(tables.value, viewFirstSources(tables.value)).join("\n")}\n`],
    ...GOLDENS[policy.image.target](policy, bytes, origins),
    ...renderExports(example, tables.value, policy.image.boot),
  ]);
}

type Texts = readonly (readonly [string, string])[];

const GOLDENS: Readonly<Record<Target, (policy: Policy, tables: Uint8Array, origins: Origins) => Texts>> = {
  linux: createLinuxGolden,
  capos: createUpstreamGolden,
};

function createLinuxGolden(policy: Policy, tables: Uint8Array, origins: Origins): Texts {
  const manifest = planManifest(policy, { tables, root: NO_ROOT, origins });
  const digests = manifest.artefacts.map(({ path, sha256 }) => `${Buffer.from(sha256).toString("hex")}  ${path}`);
  return [
    ["processes.txt", renderProcesses(manifest)],
    ["machine.txt", formatMachine(policy, manifest)],
    ["digests.txt", `${digests.join("\n")}\n`],
  ];
}

/**
 * Returns the manifest as text (`upstream.txt`), the digest of its bytes (`accepted.txt`), and the parts of the page
 * that it cannot express (`not-expressed.txt`). Upstream's own crate has accepted these bytes.
 */
function createUpstreamGolden(policy: Policy, tables: Uint8Array): Texts {
  const manifest = createUpstreamManifest(policy, tables);
  const digest = createHash("sha256").update(encodeUpstreamManifest(manifest)).digest("hex");
  return [
    ["upstream.txt", renderManifest(manifest)],
    ["accepted.txt", `${digest}  manifest.bin\n`],
    ["not-expressed.txt", `${collectLosses(policy).map(renderLoss).join("\n")}\n`],
  ];
}

/**
 * Returns a host that reads files from the disk, on a day on which no widening has expired yet. Key files of examples
 * are not committed, because each machine makes its own; with this host all of them contain the same key.
 */
export function createExampleHost(publicKey = PUBLIC_KEY): Host {
  const host = createDiskHost("2026-01-01");
  const isKey = (path: string) => path.startsWith(fileURLToPath(EXAMPLES)) && path.endsWith(".pub");
  return {
    ...host,
    realPath: async (path) => (isKey(path) ? path : host.realPath(path)),
    readFile: async (path, limit) =>
      isKey(path) ? { ok: true, value: Buffer.from(publicKey) } : host.readFile(path, limit),
  };
}

/** Returns one text: the machine as a report shows it, followed by the manifest as `capc inspect` shows it. */
function formatMachine(policy: Policy, manifest: Manifest): string {
  const processes = manifest.processes.map(({ name, stateMaxBytes }) => ({ name, diskBytes: stateMaxBytes }));
  const view = buildMachineView({ policy, processes });
  if (view === null) throw new Error("an image of Linux has processes");
  const { needs, has, parts, descriptors, states } = view;
  return `${[
    `needs ${needs} of ${has}`,
    ...parts.map(({ part, processes, memory }) => `${memory} ${processes === 0 ? "" : `${processes} `}${part}`),
    ...descriptors.map(({ who, open, limit }) => `${who} has ${open} of ${limit} descriptors`),
    ...states.map(({ service, state, limit }) => `${service} keeps ${state}, at most ${limit} on the disk`),
    ...renderMachine(computeMachineFacts(manifest)),
    ...manifest.processes.map((process) => `${process.name}: ${limitWords(process)}`),
  ].join("\n")}\n`;
}

function renderProcesses({ processes, storage, session, kernelParameters }: Manifest): string {
  const lines = processes.flatMap(({ name, role, uid, exec, grants, files, memoryMaxBytes, restart, ...rest }) => [
    `${name} (${role}), uid ${uid}, ${memoryMaxBytes} bytes of memory, ${describeDisk(rest)}${restartWords(restart)}`,
    `  ${[exec, ...rest.arguments].join(" ")}`,
    ...grants.map(
      (grant) =>
        `  holds ${grant.name}: interface 0x${grant.interfaceId.toString(16)} of ${grant.provider}, badge ${grant.badge}, by ${grant.origin}`,
    ),
    ...files.map((file) => `  is handed ${file.name}: ${describeFile(file)}`),
  ]);
  const head = `boots ${session}, data disk ${storage.disk || "none"}, kernel ${kernelParameters.join(" ")}`;
  return `${[head, ...lines].join("\n")}\n`;
}

function describeDisk({ stateMaxBytes }: Pick<Manifest["processes"][number], "stateMaxBytes">): string {
  return stateMaxBytes === 0n ? "" : `${stateMaxBytes} bytes on the disk, `;
}

function restartWords({ most, withinSeconds, pauseMs }: Manifest["processes"][number]["restart"]): string {
  return most === 0 ? "stays dead" : `started again ${most} times in ${withinSeconds} s, first after ${pauseMs} ms`;
}

function describeFile(file: Manifest["processes"][number]["files"][number]): string {
  switch (file.which) {
    case "blob":
      return `blob ${file.blob}`;
    case "directory":
      return `directory ${file.directory}`;
    case "key":
      return `key ${file.key}`;
    case "partition":
      return "the audit partition";
    case "states":
      return `states ${file.states}`;
    case "terminal":
      return "the terminal";
    case "weights":
      return `weights ${file.weights}`;
  }
}

/** Returns the tables.bin of a compiled policy. */
export function encodeTables(policy: Policy): Uint8Array {
  const outcome = createTablesArtifact(policy);
  const bytes = outcome.ok ? outcome.value[0]?.bytes : undefined;
  if (bytes instanceof Uint8Array) return bytes;
  throw new Error("the tables were refused");
}
