// Writes the provenance of an image: an in-toto statement with SLSA provenance v1.

import { createOutcome, type Outcome } from "../../lang/diagnostics/index.ts";
import type { Artifact } from "../contract/artifact.ts";
import type { Policy } from "../contract/policy.ts";
import type { EnvelopeSigner } from "./dsse.ts";
import { formatInstant } from "./sbom.ts";
import { createStatementArtifact, type ResourceDigest } from "./statement.ts";

/**
 * A material of the build: a file with its digest, or an installed program of the machine that runs capc, with package and version.
 */
export type Material = ResourceDigest | { readonly name: string; readonly purl: string };

export interface ProvenanceContext {
  /** Products of the build, as paths in the image. */
  readonly subjects: readonly ResourceDigest[];
  /** Materials and tools of the build: files of the page first, then inputs of the engine, then the programs that the build used. */
  readonly materials: readonly Material[];
  readonly key: EnvelopeSigner;
  /** Version of capc, and version of the Node.js that ran capc. The version of Node.js matters because Node.js compresses the initrd. */
  readonly versions: { readonly capc: string; readonly node: string };
  readonly sourceDateEpoch: number;
}

const ATTESTATION_PATH = "attestation.intoto.json";

/** Names of the kind of build and of the builder. The names are URNs and not web addresses, and are not registered. */
const BUILD_TYPE = "urn:capos:capc:build:1";
const BUILDER = "urn:capos:capc:whoever-ran-it";

/** Returns attestation.intoto.json for the output folder; in the image it is below /capos. */
export function createProvenance(policy: Policy, context: ProvenanceContext): Outcome<readonly Artifact[]> {
  const { subjects, key } = context;
  const statement = {
    subjects,
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: createPredicate(policy, context),
  };
  return createOutcome([createStatementArtifact(ATTESTATION_PATH, statement, key)], []);
}

function createPredicate(policy: Policy, { sourceDateEpoch, versions, materials }: ProvenanceContext): object {
  const { systemId, version } = policy.tables;
  const time = formatInstant(sourceDateEpoch);
  return {
    buildDefinition: {
      buildType: BUILD_TYPE,
      externalParameters: { page: "system.cap", systemId, version, sourceDateEpoch },
      internalParameters: describeMachine(policy.image),
      resolvedDependencies: materials.map(describeDependency),
    },
    runDetails: { builder: { id: BUILDER, version: versions }, metadata: { startedOn: time, finishedOn: time } },
  };
}

/** Returns the kind of the machine. For upstream's kernel, which does not distinguish kinds of machines, returns the target instead. */
function describeMachine({ target, machine }: Policy["image"]): object {
  return target === "capos" ? { target } : { machine };
}

function describeDependency(material: Material): object {
  const { name, purl } = material;
  const digest = "sha256" in material ? { digest: { sha256: material.sha256 } } : {};
  return { ...(purl === undefined ? {} : { uri: purl }), name, ...digest };
}
