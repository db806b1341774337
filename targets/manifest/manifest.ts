// Makes the signed graph of processes from policy and digests. This module decides nothing: the grants of a process follow from the tables,
// and the bytes from canonical encoding.

import { type Blob, Manifest, type Process, type Verity } from "../../engine/lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../engine/lib/wire/index.ts";
import { bug, createOutcome, type Outcome } from "../../lang/diagnostics/index.ts";
import { type Artifact, IMAGE_PATHS, listKernelParameters, MOST_MANIFEST_BYTES } from "../contract/artifact.ts";
import type { Origins, Policy } from "../contract/policy.ts";
import { createBlob } from "./blob.ts";
import { EGRESS, encodeEgress } from "./egress.ts";
import { getReplies, isStub, listWeightsBlobs, listWeightsFiles, type PreparedWeights } from "./model.ts";
import { encodeMethods, listOwnServices } from "./own.ts";
import { planProcesses } from "./processes.ts";
import { type SigningKey, signArtefact } from "./signing.ts";

/** The schema version that init accepts. */
const MANIFEST_SCHEMA_VERSION = 2;

interface ManifestContext {
  /** Bytes of tables.bin. */
  readonly tables: Uint8Array;
  /** The root file system. */
  readonly root: { readonly size: number; readonly sha256: Uint8Array; readonly verity: Verity };
  /** The list of the image's parts; no process gets it. */
  readonly sbom?: Uint8Array;
  /** Weights of each model in the machine, by the name of the model. */
  readonly weights?: ReadonlyMap<string, PreparedWeights>;
  /** Positions, on the page, of the declarations from which the grants come. */
  readonly origins: Origins;
  readonly key: SigningKey;
  /** Number of the page's assertions that are not proved; present only if the image was requested in spite of such assertions. */
  readonly unproved?: number;
}

/**
 * Returns manifest.bin, its signature, and the artefacts that the manifest names, except root and weights. The paths are relative to the
 * output folder; in the image the files are below /capos.
 */
export function createManifestArtifacts(policy: Policy, context: ManifestContext): Outcome<readonly Artifact[]> {
  const { systemId, version } = policy.tables;
  const manifest = planManifest(policy, context);
  const bytes = encodeMessage(Manifest, manifest);
  const reached = encodeEgress(policy, manifest.processes);
  if (bytes.length > MOST_MANIFEST_BYTES) bug(`a manifest of ${bytes.length} bytes`);
  const signature = signArtefact({ purpose: "image", systemId, version }, bytes, context.key);
  return createOutcome(
    [
      { path: "manifest.bin", bytes },
      { path: "manifest.bin.sig", bytes: signature },
      ...policy.backends
        .filter(isStub)
        .map((backend) => ({ path: `replies/${backend.name}.json`, bytes: getReplies(backend) })),
      ...listWeightsFiles(context.weights),
      ...(reached === undefined ? [] : [{ path: "egress.bin", bytes: reached }]),
      ...listOwnServices(policy).flatMap(({ name, own }) => [
        { path: `services/${name}.js`, bytes: own.bytes },
        { path: `services/${name}.bin`, bytes: encodeMethods(own) },
      ]),
    ],
    [],
  );
}

export function planManifest(policy: Policy, context: Omit<ManifestContext, "key">): Manifest {
  const { systemId, version } = policy.tables;
  const { size, sha256, verity } = context.root;
  const processes = planProcesses(policy, context.origins, context.weights);
  return {
    schemaVersion: MANIFEST_SCHEMA_VERSION,
    systemId,
    version,
    kernelParameters: listKernelParameters(policy.image.console, context.unproved),
    root: { name: "root", path: IMAGE_PATHS.root, size: BigInt(size), sha256, verity, card: "" },
    artefacts: listArtefacts(policy, context, processes),
    processes,
    storage: policy.storage ?? { disk: "", encrypted: false, create: false },
    session: policy.image.boot,
    trust: policy.image.trust,
    network: policy.network ?? { which: "none" },
    memoryBytes: BigInt(policy.image.memoryBytes),
  };
}

function listArtefacts(
  policy: Policy,
  { tables, sbom, weights }: Pick<ManifestContext, "tables" | "sbom" | "weights">,
  processes: readonly Process[],
): readonly Blob[] {
  const replies = policy.backends
    .filter(isStub)
    .map((backend) => createBlob(`replies.${backend.name}`, IMAGE_PATHS.replies(backend.name), getReplies(backend)));
  const programs = listOwnServices(policy).flatMap(({ name, own }) => [
    createBlob(`program.${name}`, IMAGE_PATHS.program(name), own.bytes),
    createBlob(`methods.${name}`, IMAGE_PATHS.methods(name), encodeMethods(own)),
  ]);
  const list = sbom === undefined ? [] : [createBlob("sbom", IMAGE_PATHS.sbom, sbom)];
  const reached = encodeEgress(policy, processes);
  const network = reached === undefined ? [] : [createBlob(EGRESS, IMAGE_PATHS.egress, reached)];
  return [
    createBlob("tables", IMAGE_PATHS.tables, tables),
    ...replies,
    ...listWeightsBlobs(weights),
    ...programs,
    ...network,
    ...list,
  ];
}
