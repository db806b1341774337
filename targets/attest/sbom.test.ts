import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { createSbom, formatInstant, type Part } from "./sbom.ts";
import { examplePolicy } from "./testing/policy.ts";
import { SPDX_DOCUMENT } from "./testing/spdx.ts";

const part = (name: string, more: Partial<Part> = {}): Part => ({
  name,
  package: "libc6",
  version: "2.36-9+deb12u14",
  sha256: "ab".repeat(32),
  licence: "LGPL-2.1-or-later",
  source: "source: glibc 2.36",
  purl: "pkg:deb/debian/libc6@2.36-9%2Bdeb12u14?arch=amd64",
  ...more,
});

const PARTS = [part("lib/libc.so.6"), part("lib/libc-so.6"), part("own.js", { package: "lab-own" })];

function textOf(parts: readonly Part[], sourceDateEpoch = 0): string {
  const outcome = createSbom(examplePolicy(), { parts, capc: "1.2.3", sourceDateEpoch });
  const [artifact] = outcome.ok ? outcome.value : [];
  if (artifact === undefined || !(artifact.bytes instanceof Uint8Array)) throw new Error("no document");
  expect(artifact.path).toBe("sbom.spdx.json");
  return Buffer.from(artifact.bytes).toString("utf8");
}

const documentOf = (...given: Parameters<typeof textOf>) => JSON.parse(textOf(...given));

test("the document has the form of SPDX 2.3, even if a part of the image has no licence", () => {
  const validate = new Ajv({ allErrors: true }).compile(SPDX_DOCUMENT);
  for (const parts of [PARTS, [], [{ name: "a", package: "b", version: "1", sha256: "0".repeat(64), source: "here" }]])
    expect([validate(documentOf(parts)), validate.errors]).toEqual([true, null]);
  expect(validate({ ...documentOf(PARTS), spdxVersion: "SPDX-2.2" })).toBe(false);
});

test("the document describes the image, and lists each part once as contained in the image", () => {
  const { packages, relationships } = documentOf(PARTS);
  const identifiers = packages.map(({ SPDXID }: { SPDXID: string }) => SPDXID);
  expect(new Set(identifiers).size).toBe(PARTS.length + 1);
  expect(relationships.map((each: Record<string, string>) => Object.values(each).join(" "))).toEqual([
    "SPDXRef-DOCUMENT DESCRIBES SPDXRef-Image",
    ...identifiers.slice(1).map((identifier: string) => `SPDXRef-Image CONTAINS ${identifier}`),
  ]);
});

test("known licences are declared and concluded, and an unknown licence is NOASSERTION", () => {
  const unread: Part = { name: "a", package: "b", version: "1", sha256: "0".repeat(64), source: "here" };
  const licences = documentOf([part("lib/libc.so.6"), unread]).packages.map(
    ({ name, licenseConcluded, licenseDeclared }: Record<string, string>) => [name, licenseConcluded, licenseDeclared],
  );
  expect(licences).toEqual([
    ["lab", "NOASSERTION", "NOASSERTION"],
    ["b", "NOASSERTION", "NOASSERTION"],
    ["libc6", "LGPL-2.1-or-later", "LGPL-2.1-or-later"],
  ]);
});

test("a library without a digest has no checksum, and the document stays valid SPDX", () => {
  const { sha256: _, ...linked } = part("node/openssl", { package: "openssl", within: ["lib/libc.so.6"] });
  const document = documentOf([part("lib/libc.so.6"), linked]);
  const openssl = document.packages.find(({ name }: { name: string }) => name === "openssl");
  expect(openssl).not.toHaveProperty("checksums");
  expect(new Ajv({ allErrors: true }).compile(SPDX_DOCUMENT)(document)).toBe(true);
});

test("a linked library is listed as linked into its part, and not as a file of the image", () => {
  const linked = part("crate/aes", { package: "aes", within: ["lib/libc.so.6"], purl: "pkg:cargo/aes@0.9.2" });
  const { packages, relationships } = documentOf([...PARTS, linked]);
  const aes = packages.find(({ name }: { name: string }) => name === "aes");
  expect(aes).toMatchObject({ primaryPackagePurpose: "LIBRARY" });
  expect(aes).not.toHaveProperty("packageFileName");
  const about = relationships.filter((each: { relatedSpdxElement: string }) => each.relatedSpdxElement === aes.SPDXID);
  const libc = packages.find((each: { packageFileName?: string }) => each.packageFileName === "lib/libc.so.6");
  expect(about).toEqual([
    { spdxElementId: libc.SPDXID, relationshipType: "STATIC_LINK", relatedSpdxElement: aes.SPDXID },
  ]);
});

test("the document does not depend on the order of the parts, and its namespace depends on the parts", () => {
  expect(textOf(PARTS.toReversed())).toBe(textOf(PARTS));
  const namespace = documentOf(PARTS).documentNamespace;
  expect(namespace).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(documentOf([part("lib/libc.so.6")]).documentNamespace).not.toBe(namespace);
});

test("the document has the time of the build", () => {
  expect(documentOf([], 1_700_000_000).creationInfo.created).toBe("2023-11-14T22:13:20Z");
  expect(formatInstant(5_869_583_999)).toBe("2155-12-31T23:59:59Z");
});
