// Tests `capc inspect` with small images that the test makes with xorriso. Each has a signed manifest.

import { spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { encodeArchive } from "../../../engine/image/rootfs/cpio.ts";
import { hashTree } from "../../../engine/image/rootfs/verity.ts";
import { buildEsp } from "../../../engine/image/uefi/esp.ts";
import { assembleUki } from "../../../engine/image/uefi/uki.ts";
import {
  type Blob,
  Manifest,
  Trust,
  type TrustPurpose,
  type Verity,
} from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage, encodeMessage } from "../../../engine/lib/wire/index.ts";
import { listKernelParameters } from "../../../targets/contract/artifact.ts";
import { readRecords, WHERE_IT_LIES } from "../../../targets/iso/records.ts";
import { createSigningKey, encodeTrust, type SigningKey, signArtefact } from "../../../targets/manifest/signing.ts";
import { findFileInArchive } from "./cpio-reader.ts";
import { computeFingerprint, type Description } from "./description.ts";
import { describeImage } from "./image.ts";
import type { ReadAt } from "./iso-reader.ts";
import { openImage } from "./opened.ts";
import { readUnproved } from "./unproved.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-image-"));
afterAll(() => rmSync(folder, { recursive: true }));

function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync("ed25519");
  return createSigningKey(privateKey, "development");
}

const SYSTEM = { systemId: "lab", version: "1.2.0" };
const key = newKey();
const ROOT = Buffer.from("a root file system");

function manifestOf(parameters: readonly string[], root?: Blob): Uint8Array {
  const none = decodeMessage(Manifest, new Uint8Array([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
  if (!none.ok) throw new Error(none.reason);
  const absent = { ...none.value.root, path: "" };
  const words = { kernelParameters: parameters, artefacts: [], root: root ?? absent };
  return encodeMessage(Manifest, { ...none.value, ...SYSTEM, ...words });
}

const manifest = manifestOf(listKernelParameters("serial"));

function initrd(trust: Uint8Array | undefined): Uint8Array {
  const files = [
    { path: "init", mode: 0o755, bytes: Buffer.from("x") },
    ...(trust === undefined ? [] : [{ path: "trust.bin", mode: 0o644, bytes: trust }]),
  ];
  return gzipSync(encodeArchive([{ path: "dev", mode: 0o755 }, ...files]));
}

let made = 0;

/** Returns an image that contains a manifest, its signature, and these files. */
function imageWith(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const tree = join(folder, `${made++}`);
  const signature = signArtefact({ ...SYSTEM, purpose: "image" }, manifest, key);
  const all = { "capos/manifest.bin": manifest, "capos/manifest.bin.sig": signature, root: ROOT, ...files };
  for (const [path, bytes] of Object.entries(all)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), bytes);
  }
  const words = ["-as", "mkisofs", "-quiet", "-R", "-J", "-V", "CAPOS", "-o", `${tree}.iso`, tree];
  expect(spawnSync("xorriso", words).status).toBe(0);
  return readFileSync(`${tree}.iso`);
}

const readerOf =
  (bytes: Buffer): ReadAt =>
  (at, length) =>
    bytes.subarray(at, at + length);

/** Returns the description of an image that contains these files. */
function seen(files: Readonly<Record<string, Uint8Array>>): Description {
  const image = imageWith(files);
  const description = describeImage(readerOf(image), image.length, key.publicKey);
  if (description === undefined) throw new Error("it is no image");
  return description;
}

/**
 * Returns all faults except the fault of the root file system, because no manifest of these tests names a root file
 * system.
 */
const faultsOf = ({ faults }: Description): readonly string[] => faults.filter((fault) => !fault.startsWith(" is not"));

test("an image's signer and the keys that its init trusts are shown", () => {
  const image = seen({ "boot/initrd.img": initrd(encodeTrust(SYSTEM, key)) });
  expect(faultsOf(image)).toEqual([]);
  const hex = Buffer.from(key.publicKey).toString("hex");
  expect(image.lines).toContain(`key     ${computeFingerprint(key.publicKey)}, the development key of this checkout`);
  expect(image.lines).toContain("trusts  these development keys, for lab from version 1.2.0 on:");
  expect(image.lines).toContain(`        ${computeFingerprint(key.publicKey)} for image`);
  expect(image.facts).toMatchObject({ trusted: { systemId: "lab", development: true, keys: [{ publicKey: hex }] } });
});

test("it is a fault if init would read a file from another position in the image than the listed one", () => {
  const image = imageWith({
    "boot/initrd.img": initrd(encodeTrust(SYSTEM, key)),
    "capos/other.bin": Buffer.from("other"),
  });
  const named = readRecords(readerOf(image))?.named;
  const [manifestAt, other] = [named?.get("/capos/manifest.bin")?.at ?? 0, named?.get("/capos/other.bin")];
  const described = (change: (bytes: Buffer) => void): readonly string[] => {
    const changed = Buffer.from(image);
    change(changed);
    return faultsOf(describeImage(readerOf(changed), changed.length, key.publicKey) ?? NOTHING);
  };
  expect(described(() => undefined)).toEqual([]);
  const elsewhere = described((bytes) => bytes.writeUInt32LE(other?.extent ?? 0, manifestAt + WHERE_IT_LIES));
  expect(elsewhere).toEqual(["/capos/manifest.bin is not what init finds under that name"]);
  const renamed = described((bytes) => bytes.write("\0x", (other?.at ?? 0) + 33, "latin1"));
  expect(renamed).toEqual(["/capos/other.bin is not what init finds under that name"]);
  const gone = described((bytes) => bytes.fill(0xff, 17 * 2048, 18 * 2048));
  expect(gone).toEqual(["the tree of names that init reads is not there, or cannot be read"]);
});

const NOTHING: Description = { kind: "image", facts: {}, lines: [], faults: ["it is no image"] };

const DISTRUST = "its own init does not trust its signature: ";

/** Returns a trust.bin in which the key of these images may sign only for these purposes. */
function trustFor(...purposes: readonly TrustPurpose[]): Uint8Array {
  const honest = decodeMessage(Trust, encodeTrust(SYSTEM, key));
  if (!honest.ok) throw new Error(honest.reason);
  return encodeMessage(Trust, { ...honest.value, keys: [{ publicKey: key.publicKey, purposes }] });
}

test("an image whose signature states another purpose is refused, even if the key may sign for this purpose and for images", () => {
  const image = seen({
    "boot/initrd.img": initrd(trustFor("image", "policy")),
    "capos/manifest.bin.sig": signArtefact({ ...SYSTEM, purpose: "policy" }, manifest, key),
  });
  expect(faultsOf(image)).toEqual([`${DISTRUST}it is one for policy, and manifests are signed for image`]);
});

test("a wrong hash tree is a fault, even if the file's digest equals the signed one", () => {
  const content = Buffer.alloc(3 * 4096, 7);
  const salt = new Uint8Array(32);
  const { tree, rootHash } = hashTree((at, length) => content.subarray(at, at + length), content.length, salt);
  const faultsWith = (bytes: Buffer, verity: Verity): readonly string[] => {
    const sha256 = createHash("sha256").update(bytes).digest();
    const root = { name: "root", path: "/root", size: BigInt(bytes.length), sha256, verity, card: "" };
    const image = seen({ root: bytes, "capos/manifest.bin": manifestOf([], root) });
    return image.faults.filter((fault) => fault.startsWith("/root"));
  };
  const honest = { contentBytes: BigInt(content.length), salt, rootHash };
  const whole = Buffer.concat([content, tree]);
  expect(faultsWith(whole, honest)).toEqual([]);
  const spoiled = Buffer.from(whole);
  spoiled[content.length] = 1;
  expect(faultsWith(spoiled, honest)).toEqual(["/root: its hash tree is not that of its content"]);
  expect(faultsWith(whole, { ...honest, rootHash: new Uint8Array(32) })).toEqual([
    "/root has another root hash than the manifest says",
  ]);
  for (const contentBytes of [4096n, 1n << 60n])
    expect(faultsWith(whole, { ...honest, contentBytes })).toEqual(["/root is not content and hash tree"]);
});

test.each([
  [
    "another key",
    encodeTrust(SYSTEM, newKey()),
    `${DISTRUST}it does not know the key ${computeFingerprint(key.publicKey)}`,
  ],
  ["another system", encodeTrust({ ...SYSTEM, systemId: "other" }, key), `${DISTRUST}it is for lab`],
  ["the key only for weights", trustFor("weights"), `${DISTRUST}the key may sign weights, and no image`],
  [
    "the key for everything except images",
    trustFor("policy", "weights", "update"),
    `${DISTRUST}the key may sign policy, weights, update, and no image`,
  ],
  ["the key for no purpose", trustFor(), `${DISTRUST}the key may sign nothing, and no image`],
  ["nothing", undefined, "there is no trust.bin in its initrd, so init trusts nobody"],
])("an image whose init trusts %s is reported as one that does not start", (_, trust, fault) => {
  expect(faultsOf(seen({ "boot/initrd.img": initrd(trust) }))).toEqual([fault]);
});

test.each([
  ["no initrd", {}],
  ["an uncompressed initrd", { "boot/initrd.img": encodeArchive([]) }],
  ["an initrd without an archive", { "boot/initrd.img": gzipSync("hello") }],
])("an image with %s trusts no key", (_, files) => {
  expect(faultsOf(seen(files))).toEqual(["there is no trust.bin in its initrd, so init trusts nobody"]);
});

/** Returns the EFI file system of an image whose UEFI program contains this initrd. */
function fileSystem(inner: Uint8Array): Uint8Array {
  const stub = readFileSync(new URL("../../../engine/prebuilt/uefi/linuxx64.efi.stub", import.meta.url));
  const uki = assembleUki({ stub, kernel: Buffer.from("k"), initrd: inner, kernelParameters: [], ...SYSTEM });
  const esp = buildEsp(uki.ok ? uki.value : Buffer.alloc(0));
  return esp.ok ? esp.value : Buffer.alloc(0);
}

test("the trusted keys are also read from the UEFI program, and it is a fault if the initrds for BIOS and UEFI differ", () => {
  const [one, other] = [initrd(encodeTrust(SYSTEM, key)), initrd(encodeTrust(SYSTEM, newKey()))];
  const alone = seen({ "boot/efi.img": fileSystem(one) });
  expect(faultsOf(alone)).toEqual([]);
  expect(alone.lines).toContain("trusts  these development keys, for lab from version 1.2.0 on:");
  expect(faultsOf(seen({ "boot/initrd.img": one, "boot/efi.img": fileSystem(one) }))).toEqual([]);
  const differing = seen({ "boot/initrd.img": one, "boot/efi.img": fileSystem(other) });
  expect(faultsOf(differing)).toEqual(["the initrds for BIOS and in /boot/efi.img differ"]);
  const none = seen({ "boot/initrd.img": one, "boot/efi.img": Buffer.alloc(5000) });
  expect(faultsOf(none)).toEqual(["/boot/efi.img holds no program with an initrd"]);
});

test("the signed manifest shows failed proofs of a page, and shows none for a proved page", () => {
  const unproved = { "capos/manifest.bin": manifestOf(listKernelParameters("serial", 2)) };
  expect(seen(unproved).lines).toContain("UNPROVED: assertions of its page that do not hold: 2");
  expect(seen(unproved).facts).toMatchObject({ unproved: "2" });
  expect(seen({}).facts).toMatchObject({ unproved: null });
  const asked = (bytes: Buffer) => {
    const image = openImage(readerOf(bytes), bytes.length);
    return image && readUnproved(image);
  };
  expect([imageWith(unproved), imageWith({}), Buffer.from("no image")].map(asked)).toEqual(["2", undefined, undefined]);
});

test("property: for any bytes, the search for a file in an archive returns the file or undefined", () => {
  const whole = encodeArchive([{ path: "trust.bin", mode: 0o644, bytes: Buffer.from("trust") }]);
  expect(Buffer.from(findFileInArchive(whole, "trust.bin") ?? []).toString()).toBe("trust");
  expect(findFileInArchive(whole, "trust")).toBeUndefined();
  const digits = fc.tuple(fc.nat(whole.length - 1), fc.constantFrom(..."0123456789abcdefF\u0000\u00ff"));
  fc.assert(
    fc.property(fc.array(digits, { maxLength: 8 }), fc.nat(whole.length), (changes, length) => {
      const changed = Buffer.from(whole);
      for (const [at, digit] of changes) changed.write(digit, at, "latin1");
      const found = findFileInArchive(changed.subarray(0, length), "trust.bin");
      expect(found === undefined || found.length <= length).toBe(true);
    }),
  );
});
