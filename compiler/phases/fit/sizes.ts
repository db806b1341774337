// Compares the sizes of a policy's artefacts with the limits of their readers in the image.

import { MAX_TABLES_BYTES } from "../../../engine/lib/policy/index.ts";
import { Manifest, type Process } from "../../../engine/lib/wire/generated/manifest.ts";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { boundMessageBytes, encodeMessage } from "../../../engine/lib/wire/index.ts";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import { type Span, startOf } from "../../../lang/text/index.ts";
import { buildNative, MOST_UPSTREAM_BYTES } from "../../../targets/capos-native/index.ts";
import { MOST_MANIFEST_BYTES } from "../../../targets/contract/artifact.ts";
import type { Target } from "../../../targets/contract/policy.ts";
import { planManifest } from "../../../targets/manifest/manifest.ts";
import type { PreparedWeights } from "../../../targets/manifest/model.ts";
import type { LoweredPolicy, Origins, Policy } from "../policy/index.ts";
import { imageTooLarge } from "./codes.ts";

/** Maximum number of arguments of a process; init refuses more (engine/image/init/src/manifest/judge.rs). */
export const MOST_ARGUMENTS = 512;

/** Returns a finding for each artefact that is too large for its reader. `at` is the position of the system's name. */
export function checkSizes(
  { policy, origins }: Pick<LoweredPolicy, "policy" | "origins">,
  at: Span = startOf("system.cap"),
): Diagnostic[] {
  const { target } = policy.image;
  // The manifest for upstream's kernel contains the tables, so they must be encoded. For Linux, tables that are
  // certainly small enough are not encoded.
  const isSmall = target === "linux" && boundMessageBytes(PolicyTables, policy.tables) <= MAX_TABLES_BYTES;
  const tables = isSmall ? ANY_TABLES : encodeMessage(PolicyTables, policy.tables);
  const found = tables.length > MAX_TABLES_BYTES ? [reportLargeTables(policy, tables.length, at)] : [];
  const fits: Readonly<Record<Target, () => Diagnostic[]>> = {
    linux: () => checkManifestSize({ policy, origins }, tables, at),
    capos: () => checkUpstreamSize(policy, tables, at),
  };
  return [...found, ...fits[target]()];
}

function checkManifestSize(
  { policy, origins }: Pick<LoweredPolicy, "policy" | "origins">,
  tables: Uint8Array,
  at: Span,
): Diagnostic[] {
  const manifest = buildLongestManifest({ policy, origins }, tables);
  const crowded = manifest.processes.filter(({ arguments: words }) => words.length > MOST_ARGUMENTS);
  return [...checkManifestLength(manifest, at), ...crowded.map((process) => reportTooManyWords(process, origins, at))];
}

function checkManifestLength(manifest: Manifest, at: Span): Diagnostic[] {
  if (boundMessageBytes(Manifest, manifest) <= MOST_MANIFEST_BYTES) return [];
  const { length } = encodeMessage(Manifest, manifest);
  return length > MOST_MANIFEST_BYTES ? [reportLargeManifest(manifest.processes, length, at)] : [];
}

/** Placeholder tables, because a manifest names tables only by size and digest. */
const ANY_TABLES = new Uint8Array(1);

/** Placeholder for values that only a build knows. These values do not change the length of a manifest. */
const ANY_ROOT = {
  size: 1,
  sha256: new Uint8Array(32).fill(1),
  verity: { contentBytes: 1n, salt: new Uint8Array(32).fill(1), rootHash: new Uint8Array(32).fill(1) },
};

/** Returns the longest manifest that a build can make of a policy. `tables` are the bytes of the policy's tables. */
export function buildLongestManifest(
  { policy, origins }: Pick<LoweredPolicy, "policy" | "origins">,
  tables: Uint8Array,
): Manifest {
  const unproved = Number.MAX_SAFE_INTEGER;
  return planManifest(policy, {
    tables,
    root: ANY_ROOT,
    sbom: tables,
    weights: makePlaceholderWeights(policy),
    origins,
    unproved,
  });
}

const SHA256_DIGITS = "0".repeat(64);

/** Returns placeholder weights for each local model, with every file that can exist beside the weights. */
function makePlaceholderWeights({ backends, embedders }: Policy): ReadonlyMap<string, PreparedWeights> {
  const local = backends.flatMap((backend) => (backend.kind === "cpu" ? [backend.model] : []));
  const models = [...local, ...embedders.map(({ model }) => model)];
  return new Map(
    models.map(({ name, header }) => {
      const [card, signature, list] = [new Uint8Array(1), new Uint8Array(1), new Uint8Array(1)];
      const weights = { id: `${header.arch}:sha256-${SHA256_DIGITS}`, card, signature, states: { list, ...ANY_ROOT } };
      return [name, { ...weights, ...ANY_ROOT }];
    }),
  );
}

const formatBytes = (count: number): string => `${count} bytes`;

function reportLargeTables({ tables: { tools, rows } }: Policy, length: number, at: Span): Diagnostic {
  return imageTooLarge.at(at, {
    what: "`policy/tables.bin`",
    has: formatBytes(length),
    limit: formatBytes(MAX_TABLES_BYTES),
    instead: `leave out tools that no session needs (${tools.length} in ${rows.length} rows), or make several systems of the page`,
  });
}

function reportLargeManifest(processes: readonly Process[], length: number, at: Span): Diagnostic {
  const grants = processes.reduce((sum, process) => sum + process.grants.length, 0);
  return imageTooLarge.at(at, {
    what: "`manifest.bin`",
    has: formatBytes(length),
    limit: formatBytes(MOST_MANIFEST_BYTES),
    instead: `let fewer sessions call fewer services: each session has a grant of each service of which it may call a tool (${grants} grants in all)`,
  });
}

function checkUpstreamSize(policy: Policy, tables: Uint8Array, at: Span): Diagnostic[] {
  const native = buildNative(policy, tables);
  if (native.ok) return [];
  const facts = {
    what: "`manifest.bin` with its programs",
    has: formatBytes(native.bytes),
    limit: formatBytes(MOST_UPSTREAM_BYTES),
    instead: "make the programs smaller, or leave some out",
  };
  return [imageTooLarge.at(at, facts)];
}

/**
 * Reports a process with too many arguments. A gate is reported at its session. Any other process is reported at the
 * name of the system, because several declarations cause its arguments.
 */
function reportTooManyWords({ name, role, arguments: words }: Process, origins: Origins, at: Span): Diagnostic {
  const session = role === "gate" ? origins.sessions.get(name.slice(name.indexOf(".") + 1)) : undefined;
  return imageTooLarge.at(session ?? at, {
    what: `the command line of \`${name}\``,
    has: `${words.length} words`,
    limit: `${MOST_ARGUMENTS}`,
    instead:
      session === undefined
        ? "name an embedder in the backends of fewer sessions"
        : "name fewer backends in the `models` of this session",
  });
}
