// Tests that capc verify accepts an image if its page gives the same bytes again. Otherwise, it must name each file and
// field that differs.

import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeSignedText, readEnvelope } from "../../../targets/attest/dsse.ts";
import { createSigningKey } from "../../../targets/manifest/signing.ts";
import { computeFingerprint } from "../../artefacts/inspect/description.ts";
import {
  digestOf,
  type OpenedImage,
  openImage,
  readCreationTime,
  readImageFile,
} from "../../artefacts/inspect/opened.ts";
import { findImageKey } from "../../artefacts/verify/image-key.ts";
import { judgeImage } from "../../artefacts/verify/verdict.ts";
import { runCommand } from "../memory-world.ts";
import { verifySchema } from "../schemas/verify.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/first-agent", import.meta.url));
const EPOCH = 1_700_000_000;

let folder: string;
let image: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capc-verify-"));
  cpSync(EXAMPLE, join(folder, "page"), { recursive: true });
  const environment = { SOURCE_DATE_EPOCH: `${EPOCH}` };
  const { status } = await runCommand(["build", "page/system.cap", "--out", "out"], { folder, environment });
  expect(status).toBe(0);
  image = readFileSync(join(folder, "out/system.iso"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const verify = (...words: string[]) => runCommand(["verify", ...words], { folder });

function opened(bytes: Buffer): OpenedImage {
  const found = openImage((at, length) => bytes.subarray(at, at + length), bytes.length);
  if (found === undefined) throw new Error("it is no image");
  return found;
}

/** Returns the image with other bytes at an offset in a file, or in the image if no file is named. */
function changed(path: string | undefined, at: number, bytes: string): OpenedImage {
  const other = Buffer.from(image);
  const start = path === undefined ? 0 : (opened(image).files.find((file) => file.path === path)?.offset ?? 0);
  other.write(bytes, start + at, "latin1");
  return opened(other);
}

function faultsOf(other: OpenedImage): readonly string[] {
  const key = findImageKey(opened(image));
  if (!key.ok) throw new Error(key.reason);
  return judgeImage(other, opened(image), key.key).faults;
}

test("verify accepts an image built from its page at the time that the image states, and JSON matches its schema", async () => {
  expect(readCreationTime(opened(image))).toBe(EPOCH);
  const { status, out, err } = await verify("out/system.iso", "--source", "page", "--json");
  expect({ status, err }).toEqual({ status: 0, err: "" });
  const verdict = JSON.parse(out);
  expect(new Ajv2020().validate(verifySchema, verdict)).toBe(true);
  expect(verdict).toMatchObject({ reproduced: true, signatureHolds: true, sourceDateEpoch: EPOCH, firstByte: null });
  expect(verdict.files.length).toBeGreaterThan(10);
});

test("the attestation in an image is signed, and names the digests of the files of the image, including the list of parts", () => {
  const files = opened(image);
  const key = findImageKey(files);
  const read = readEnvelope(readImageFile(files, "/capos/attestation.intoto.json", 1 << 20) ?? new Uint8Array());
  if (!key.ok || read === undefined) throw new Error("no attestation");
  const signed = encodeSignedText(read.envelope.payloadType, read.payload);
  expect(Buffer.from(key.key.sign(signed)).toString("base64")).toBe(read.envelope.signatures[0]?.sig);
  const { subject } = JSON.parse(read.payload.toString("utf8"));
  const found = subject.map(({ name }: { name: string }) => {
    const file = files.files.find(({ path }) => path === `/${name}`);
    return { name, digest: { sha256: file === undefined ? "none" : digestOf(files, file) } };
  });
  expect(found).toEqual(subject);
  expect(found.map(({ name }: { name: string }) => name)).toContain("capos/sbom.spdx.json");
});

test("inspect lists the parts, the build, jails, tables, keys and every file of an image", async () => {
  const { status, out, err } = await runCommand(["inspect", "out/system.iso"], { folder });
  expect({ status, err }).toEqual({ status: 0, err: "" });
  for (const words of [
    /^parts {3}\d+ are listed$/m,
    /^made {4}as an attestation of \d+ files says, signed by the image's signer$/m,
    /^ {2}gate +\d+ system calls +no terminal, no directory +.*\/capos\/gate\.mjs \(read\)/m,
    /^tool +category +operator/m,
    /^[0-9a-f]{64} +\d+ +\/capos\/sbom\.spdx\.json$/m,
  ])
    expect(out).toMatch(words);
  const facts = JSON.parse((await runCommand(["inspect", "out/system.iso", "--json"], { folder })).out);
  expect(facts).toMatchObject({ provenanceHolds: true, faults: [], tables: { systemId: "first_agent" } });
  expect(facts.jails.map(({ role }: { role: string }) => role)).toContain("gate");
  expect(facts.sbom).toContainEqual(expect.objectContaining({ name: "lib/libc.so.6", licence: "LGPL-2.1-or-later" }));
});

test("names every file of the image that differs from the file that the given page would make, with the field that differs", async () => {
  const page = join(folder, "page/system.cap");
  const text = readFileSync(page, "utf8");
  writeFileSync(page, text.replace('version "0.2.0"', 'version "0.2.1"'));
  const { status, out, err } = await verify("out/system.iso", "--source", "page/system.cap");
  writeFileSync(page, text);
  expect(status).toBe(1);
  expect(out).toContain(": holds\n");
  expect(out).toMatch(/the page does not give this image: \d+ of \d+ files are the same\n$/);
  const version = 'version: "0.2.1" was meant, "0.2.0" is there\n';
  expect(err).toContain(`capc verify: /capos/manifest.bin differs: ${version}`);
  expect(err).toContain(`capc verify: /capos/policy/tables.bin differs: ${version}`);
  expect(err).toContain("/boot/efi.img differs: its program's .osrel\n");
  expect(err).toContain('/boot/initrd.img differs: trust.bin, leastVersion: "0.2.1" was meant, "0.2.0" is there\n');
});

test.each<[string, string | undefined, number, string]>([
  ["/boot/rootfs.erofs differs: from byte 40000000 on", "/boot/rootfs.erofs", 40_000_000, "x!"],
  ["/boot/vmlinuz differs: from byte 4096 on", "/boot/vmlinuz", 4096, "\u0001\u0002"],
  ["/capos/replies/canned.json differs: from byte 5 on", "/capos/replies/canned.json", 5, "\u0000"],
  ["all files are the same, but not what stands around them, from byte 100 on", undefined, 100, "x"],
])("%s", (fault, path, at, bytes) => {
  expect(faultsOf(changed(path, at, bytes))).toEqual([fault]);
});

test("reports a changed manifest with the field, and its signature does not verify any more", () => {
  const at = image.indexOf(
    "first_agent",
    opened(image).files.find(({ path }) => path.endsWith("manifest.bin"))?.offset,
  );
  expect(faultsOf(changed(undefined, at, "worst"))).toEqual([
    "the signature of its manifest does not hold",
    '/capos/manifest.bin differs: systemId: "first_agent" was meant, "worst_agent" is there',
  ]);
});

test("reports a signature by another key, and a signature by a key that init does not trust", () => {
  const signature = opened(image).files.find(({ path }) => path.endsWith(".sig"));
  const key = findImageKey(opened(image));
  if (!key.ok || signature === undefined) throw new Error("no signature");
  const at = image.subarray(signature.offset, signature.offset + signature.size).indexOf(key.key.publicKey);
  const { publicKey } = createSigningKey(generateKeyPairSync("ed25519").privateKey, "own");
  const strange = changed(signature.path, at, Buffer.from(publicKey).toString("latin1"));
  const reason = `its own init does not trust the key of its signature, ${computeFingerprint(publicKey)}`;
  expect(findImageKey(strange)).toEqual({ ok: false, reason });
  expect(faultsOf(strange)).toContain("the signature of its manifest does not hold");
});

test("an image signed for Secure Boot equals the image of its page except for that signature, and verify names the signer", async () => {
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=the operator"];
  execFileSync("openssl", [...request, "-keyout", join(folder, "db.key"), "-out", join(folder, "db.crt")], {
    stdio: "ignore",
  });
  const environment = { SOURCE_DATE_EPOCH: `${EPOCH}` };
  const signing = ["--secure-boot-key", "db.key", "--secure-boot-cert", "db.crt"];
  const built = await runCommand(["build", "page/system.cap", "--out", "signed", ...signing], { folder, environment });
  expect(built.status).toBe(0);
  const { status, out, err } = await verify("signed/system.iso", "--source", "page");
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toMatch(/^signed for Secure Boot by CN=the operator, certificate [0-9a-f]{64}: holds$/m);
  const json = JSON.parse((await verify("signed/system.iso", "--source", "page", "--json")).out);
  expect(new Ajv2020().validate(verifySchema, json)).toBe(true);
  expect(json).toMatchObject({ reproduced: true, secureBoot: { subject: "CN=the operator", holds: true } });
  // One bit of the kernel is changed. The image then differs from the image of the page, and the signature of its boot
  // program does not match either.
  const signed = readFileSync(join(folder, "signed/system.iso"));
  const files = opened(signed);
  const efi = files.files.find(({ path }) => path === "/boot/efi.img")?.offset ?? 0;
  signed[efi + 9_000_000] = (signed[efi + 9_000_000] ?? 0) ^ 1;
  writeFileSync(join(folder, "spoiled.iso"), signed);
  const spoiled = await verify("spoiled.iso", "--source", "page");
  expect(spoiled.status).toBe(1);
  expect(spoiled.err).toContain("capc verify: the signature of its program for UEFI does not hold\n");
  expect(spoiled.err).toMatch(/boot\/efi\.img differs: its program's \.(linux|initrd)/);
});

test("refuses wrong options, a file that is not an image, and pages that give no image", async () => {
  writeFileSync(join(folder, "text"), "text");
  writeFileSync(join(folder, "bad.cap"), "system");
  expect(await verify("out/system.iso")).toMatchObject({ status: 2, err: expect.stringContaining("--source DIR") });
  expect(await verify("gone.iso", "--source", "page")).toMatchObject({ status: 3 });
  expect(await verify("text", "--source", "page")).toMatchObject({
    status: 1,
    err: expect.stringContaining("is no image"),
  });
  expect(await verify("out/system.iso", "--source", "nowhere")).toMatchObject({ status: 3 });
  const bad = await verify("out/system.iso", "--source", "bad.cap");
  expect(bad).toMatchObject({ status: 1, out: "" });
  expect(bad.err).toMatch(/error\[[\s\S]*capc verify: the page has errors, so it gives no image\n$/);
});
