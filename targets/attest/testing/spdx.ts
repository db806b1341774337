// SPDX 2.3's rules for the fields of our SBOM. The schema is closed: an unexpected field is a mistake.

const text = { type: "string", minLength: 1 };
const identifier = { type: "string", pattern: "^SPDXRef-[A-Za-z0-9.-]+$" };
const closed = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

/** Name of a licence in the licence list of SPDX, with or without an exception. */
const NAMED = "[A-Za-z0-9.-]+( WITH [A-Za-z0-9.-]+)?";
const TERM = `(${NAMED}|\\(${NAMED}( (OR|AND) ${NAMED})*\\))`;
const licence = { type: "string", pattern: `^(NOASSERTION|${TERM}( (OR|AND) ${TERM})*)$` };

const checksum = closed({
  algorithm: { const: "SHA256" },
  checksumValue: { type: "string", pattern: "^[0-9a-f]{64}$" },
});
const reference = closed({
  referenceCategory: { const: "PACKAGE-MANAGER" },
  referenceType: { const: "purl" },
  referenceLocator: { type: "string", pattern: "^pkg:(cargo|deb|generic|github|npm)/\\S+@\\S+$" },
});

const part = closed(
  {
    SPDXID: identifier,
    name: text,
    versionInfo: text,
    packageFileName: text,
    downloadLocation: { const: "NOASSERTION" },
    filesAnalyzed: { const: false },
    checksums: { type: "array", items: checksum, minItems: 1 },
    sourceInfo: text,
    licenseConcluded: licence,
    licenseDeclared: licence,
    copyrightText: text,
    primaryPackagePurpose: { enum: ["FILE", "LIBRARY", "OPERATING_SYSTEM"] },
    externalRefs: { type: "array", items: reference, minItems: 1 },
  },
  ["packageFileName", "checksums", "sourceInfo", "externalRefs"],
);

const relationship = closed({
  spdxElementId: identifier,
  relationshipType: { enum: ["DESCRIBES", "CONTAINS", "STATIC_LINK"] },
  relatedSpdxElement: identifier,
});

export const SPDX_DOCUMENT = closed({
  spdxVersion: { const: "SPDX-2.3" },
  dataLicense: { const: "CC0-1.0" },
  SPDXID: { const: "SPDXRef-DOCUMENT" },
  name: text,
  documentNamespace: { type: "string", pattern: "^[a-z]+:[^#]+$" },
  creationInfo: closed({
    created: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$" },
    creators: { type: "array", minItems: 1, items: { type: "string", pattern: "^(Person|Organization|Tool): .+$" } },
  }),
  packages: { type: "array", items: part, minItems: 1 },
  relationships: { type: "array", items: relationship, minItems: 1 },
});
