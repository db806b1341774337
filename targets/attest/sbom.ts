// Writes the list of the parts of an image as SPDX 2.3.

import { createHash } from "node:crypto";
import { createOutcome, type Outcome } from "../../lang/diagnostics/index.ts";
import { compareCodeUnits } from "../../lang/text/index.ts";
import type { Artifact } from "../contract/artifact.ts";
import type { Policy } from "../contract/policy.ts";

/** A part of the image with an author of its own: a file, or a library that is linked into a file. */
export interface Part {
  /** Name of the part, unique among the parts. */
  readonly name: string;
  /** The package from which the part comes. */
  readonly package: string;
  readonly version: string;
  /** Digest in hexadecimal; absent for a library that has no file of its own and was not fetched as an archive. */
  readonly sha256?: string;
  /**
   * An SPDX expression, stated by the person who listed the part and read its terms; absent if nobody has read them.
   */
  readonly licence?: string;
  /** Address at which the source of the part can be found. */
  readonly source: string;
  /** A package-url.org URL, if the part comes from a package of another project. */
  readonly purl?: string;
  /** Names of the parts into which this part is linked, if it is not a separate file. */
  readonly within?: readonly string[];
}

interface SbomContext {
  readonly parts: readonly Part[];
  /** Version of capc. */
  readonly capc: string;
  readonly sourceDateEpoch: number;
}

const SBOM_PATH = "sbom.spdx.json";
const UNKNOWN = "NOASSERTION";
const DOCUMENT = "SPDXRef-DOCUMENT";
const IMAGE = "SPDXRef-Image";

/** Returns sbom.spdx.json for the output folder; in the image it is below /capos. */
export function createSbom(policy: Policy, context: SbomContext): Outcome<readonly Artifact[]> {
  const { systemId, version } = policy.tables;
  const parts = [...context.parts].sort((left, right) => compareCodeUnits(left.name, right.name));
  const packages = [describeImagePackage(systemId, version), ...parts.map(describePackage)];
  const document = {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: DOCUMENT,
    name: `${systemId} ${version}`,
    documentNamespace: deriveNamespace(packages),
    creationInfo: { created: formatInstant(context.sourceDateEpoch), creators: [`Tool: capc-${context.capc}`] },
    packages,
    relationships: [
      { spdxElementId: DOCUMENT, relationshipType: "DESCRIBES", relatedSpdxElement: IMAGE },
      ...parts.flatMap(describeRelationships),
    ],
  };
  return createOutcome([{ path: SBOM_PATH, bytes: Buffer.from(`${JSON.stringify(document, undefined, 1)}\n`) }], []);
}

function describeRelationships(part: Part): readonly object[] {
  const relatedSpdxElement = deriveIdentifier(part);
  if (part.within === undefined) return [{ spdxElementId: IMAGE, relationshipType: "CONTAINS", relatedSpdxElement }];
  return part.within.map((name) => ({
    spdxElementId: deriveIdentifier({ name }),
    relationshipType: "STATIC_LINK",
    relatedSpdxElement,
  }));
}

function describeImagePackage(systemId: string, version: string): object {
  return {
    SPDXID: IMAGE,
    name: systemId,
    versionInfo: version,
    downloadLocation: UNKNOWN,
    filesAnalyzed: false,
    licenseConcluded: UNKNOWN,
    licenseDeclared: UNKNOWN,
    copyrightText: UNKNOWN,
    primaryPackagePurpose: "OPERATING_SYSTEM",
  };
}

function describePackage(part: Part): object {
  return {
    SPDXID: deriveIdentifier(part),
    name: part.package,
    versionInfo: part.version,
    ...(part.within === undefined ? { packageFileName: part.name } : {}),
    downloadLocation: UNKNOWN,
    filesAnalyzed: false,
    ...(part.sha256 === undefined ? {} : { checksums: [{ algorithm: "SHA256", checksumValue: part.sha256 }] }),
    sourceInfo: part.source,
    // A person read the terms of each part before listing the part, so the declared licence is also the concluded licence.
    licenseConcluded: part.licence ?? UNKNOWN,
    licenseDeclared: part.licence ?? UNKNOWN,
    copyrightText: UNKNOWN,
    primaryPackagePurpose: part.within === undefined ? "FILE" : "LIBRARY",
    ...(part.purl === undefined ? {} : { externalRefs: [createPurlReference(part.purl)] }),
  };
}

function createPurlReference(purl: string): object {
  return { referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl };
}

/**
 * Returns the identifier of a part in the SPDX file. It may have only letters, digits, dots and dashes, so it ends with
 * a digest of the part's name.
 */
function deriveIdentifier({ name }: Pick<Part, "name">): string {
  const short = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `SPDXRef-${name.replace(/[^A-Za-z0-9.-]/g, "-")}-${short}`;
}

/** Returns a namespace that depends on the content: a UUID of version 8, whose bits may be chosen freely. */
function deriveNamespace(packages: readonly object[]): string {
  const digest = createHash("sha256").update(JSON.stringify(packages)).digest("hex");
  const [one, two, three, four, five] = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(13, 16),
    digest.slice(17, 20),
    digest.slice(20, 32),
  ];
  return `urn:uuid:${one}-${two}-8${three}-8${four}-${five}`;
}

/** Returns a time such as `2023-11-14T22:13:20Z`, without fractions of seconds. */
export function formatInstant(epoch: number): string {
  return new Date(epoch * 1000).toISOString().replace(".000Z", "Z");
}
