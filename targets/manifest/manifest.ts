// Policy and digests in, the signed graph of processes out. It decides nothing: what a process holds follows from the
// tables, and what the bytes are from canonical encoding.

import { type Blob, Manifest, type Process, type Verity } from "../../engine/lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../engine/lib/wire/index.ts";
import { bug, type Outcome, outcomeOf } from "../../lang/diagnostics/index.ts";
import { type Artifact, IMAGE_PATHS, kernelParameters, MOST_MANIFEST_BYTES } from "../contract/artifact.ts";
import type { Origins, Policy } from "../contract/policy.ts";
import { blob } from "./blob.ts";
import { EGRESS, egressBytes } from "./egress.ts";
import { isStub, type PreparedWeights, repliesOf, weightsBlobs, weightsFiles } from "./model.ts";
import { methodsBytes, ownServices } from "./own.ts";
import { processesOf } from "./processes.ts";
import { type SigningKey, signatureOf } from "./signing.ts";

/** The version that init knows. */
const MANIFEST_SCHEMA_VERSION = 2;

interface ManifestContext {
  /** Bytes of tables.bin. */
  readonly tables: Uint8Array;
  /** The root file system. */
  readonly root: { readonly size: number; readonly sha256: Uint8Array; readonly verity: Verity };
  /** The list of what the image is made of; no process is handed it. */
  readonly sbom?: Uint8Array;
  /** Of each model in the machine, by its name. */
  readonly weights?: ReadonlyMap<string, PreparedWeights>;
  /** Where the page asks for what is granted. */
  readonly origins: Origins;
  readonly key: SigningKey;
  /** How many assertions of the page do not hold; none unless somebody asked for an image all the same. */
  readonly unproved?: number;
}

/** manifest.bin, its signature, and what it names but the root and weights, as in the output folder; in the image they lie below /capos. */
export function manifestTarget(policy: Policy, context: ManifestContext): Outcome<readonly Artifact[]> {
  const { systemId, version } = policy.tables;
  const manifest = planManifest(policy, context);
  const bytes = encodeMessage(Manifest, manifest);
  const reached = egressBytes(policy, manifest.processes);
  if (bytes.length > MOST_MANIFEST_BYTES) bug(`a manifest of ${bytes.length} bytes`);
  const signature = signatureOf({ purpose: "image", systemId, version }, bytes, context.key);
  return outcomeOf(
    [
      { path: "manifest.bin", bytes },
      { path: "manifest.bin.sig", bytes: signature },
      ...policy.backends
        .filter(isStub)
        .map((backend) => ({ path: `replies/${backend.name}.json`, bytes: repliesOf(backend) })),
      ...weightsFiles(context.weights),
      ...(reached === undefined ? [] : [{ path: "egress.bin", bytes: reached }]),
      ...ownServices(policy).flatMap(({ name, own }) => [
        { path: `services/${name}.js`, bytes: own.bytes },
        { path: `services/${name}.bin`, bytes: methodsBytes(own) },
      ]),
    ],
    [],
  );
}

export function planManifest(policy: Policy, context: Omit<ManifestContext, "key">): Manifest {
  const { systemId, version } = policy.tables;
  const { size, sha256, verity } = context.root;
  const processes = processesOf(policy, context.origins, context.weights);
  return {
    schemaVersion: MANIFEST_SCHEMA_VERSION,
    systemId,
    version,
    kernelParameters: kernelParameters(policy.image.console, context.unproved),
    root: { name: "root", path: IMAGE_PATHS.root, size: BigInt(size), sha256, verity, card: "" },
    artefacts: artefactsOf(policy, context, processes),
    processes,
    storage: policy.storage ?? { disk: "", encrypted: false, create: false },
    session: policy.image.boot,
    trust: policy.image.trust,
    network: policy.network ?? { which: "none" },
    memoryBytes: BigInt(policy.image.memoryBytes),
  };
}

function artefactsOf(
  policy: Policy,
  { tables, sbom, weights }: Pick<ManifestContext, "tables" | "sbom" | "weights">,
  processes: readonly Process[],
): readonly Blob[] {
  const replies = policy.backends
    .filter(isStub)
    .map((backend) => blob(`replies.${backend.name}`, IMAGE_PATHS.replies(backend.name), repliesOf(backend)));
  const programs = ownServices(policy).flatMap(({ name, own }) => [
    blob(`program.${name}`, IMAGE_PATHS.program(name), own.bytes),
    blob(`methods.${name}`, IMAGE_PATHS.methods(name), methodsBytes(own)),
  ]);
  const list = sbom === undefined ? [] : [blob("sbom", IMAGE_PATHS.sbom, sbom)];
  const reached = egressBytes(policy, processes);
  const network = reached === undefined ? [] : [blob(EGRESS, IMAGE_PATHS.egress, reached)];
  return [
    blob("tables", IMAGE_PATHS.tables, tables),
    ...replies,
    ...weightsBlobs(weights),
    ...programs,
    ...network,
    ...list,
  ];
}
