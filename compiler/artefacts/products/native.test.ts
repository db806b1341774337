// Tests building an image for upstream's kernel from the command line: its content, its documents, and refusals.

import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeSignedText, readEnvelope } from "../../../targets/attest/dsse.ts";
import { LIMINE_CATALOGUE } from "../../../targets/contract/artifact.ts";
import { writeLimineIso } from "../../../targets/iso/write-limine-iso.ts";
import { loadDevelopmentKey } from "../../../targets/manifest/development-key.ts";
import { importPublicKey } from "../../../targets/manifest/signing.ts";
import { type CommandOutput, runCommand } from "../../cli/memory-world.ts";
import { createBootable, createStandIns, PROGRAM } from "../../dev/fixtures/boot/stand-ins.ts";
import { openDevelopmentKeyFile } from "../../host/development-key-file.ts";
import { computeFingerprint, computeSha256 } from "../inspect/description.ts";
import { digestOf, type OpenedImage, openImage, readImageFile } from "../inspect/opened.ts";

const EPOCH = 1_700_000_000;

let folder: string;
let image: Buffer;
let built: CommandOutput;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capc-native-"));
  for (const [path, content] of Object.entries(createBootable())) {
    mkdirSync(dirname(join(folder, "page", path)), { recursive: true });
    writeFileSync(join(folder, "page", path), content);
  }
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(join(folder, "other.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(join(folder, "other.public.pem"), publicKey.export({ type: "spki", format: "pem" }));
  built = await build("out");
  image = readFileSync(join(folder, "out/system.iso"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function build(out: string, ...words: string[]): Promise<CommandOutput> {
  const environment = { SOURCE_DATE_EPOCH: `${EPOCH}` };
  return runCommand(["build", "page/system.cap", "--out", out, ...words], { folder, environment });
}

function opened(bytes: Buffer = image): OpenedImage {
  const found = openImage((at, length) => bytes.subarray(at, at + length), bytes.length);
  if (found === undefined) throw new Error("it is no image");
  return found;
}

function statement(name = "/capos/attestation.intoto.json") {
  const read = readEnvelope(readImageFile(opened(), name, 1 << 20) ?? new Uint8Array());
  if (read === undefined) throw new Error("it is no envelope");
  return { ...read, statement: JSON.parse(read.payload.toString("utf8")) };
}

test("a build writes the image with its parts list, attestation and proofs, and reports what the image lacks", () => {
  expect(built.status).toBe(0);
  expect(readdirSync(join(folder, "out")).sort()).toEqual(
    [
      "attestation.intoto.json",
      "manifest.bin",
      "policy",
      "proofs.json",
      "proofs.txt",
      "sbom.spdx.json",
      "system.iso",
    ].sort(),
  );
  expect(built.err).toContain("not expressed: image: a signature of the manifest");
  expect(built.err).toContain("not expressed: image: who wrote it");
  expect(built.err).toContain("not expressed: image: a start by BIOS from a disk");
  for (const name of ["manifest.bin", "sbom.spdx.json", "attestation.intoto.json", "policy/tables.bin"]) {
    const inImage = readImageFile(opened(), `/capos/${name}`, 1 << 20) ?? new Uint8Array();
    expect(readFileSync(join(folder, "out", name)).equals(inImage), name).toBe(true);
  }
});

test("the attestation is signed, and covers every file except those that change while the image is written", () => {
  const { envelope, payload, statement: said } = statement();
  const key = loadDevelopmentKey(openDevelopmentKeyFile());
  if (!key.ok) throw new Error(key.reason);
  const signature = Buffer.from(envelope.signatures[0]?.sig ?? "", "base64");
  const publicKey = importPublicKey(key.value.publicKey);
  const signed = encodeSignedText(envelope.payloadType, payload);
  expect(publicKey !== undefined && verify(null, signed, publicKey, signature)).toBe(true);
  const digests = new Map(opened().files.map((file) => [file.path, digestOf(opened(), file)]));
  const subjects: { name: string; digest: { sha256: string } }[] = said.subject;
  for (const { name, digest } of subjects) expect(digests.get(`/${name}`), name).toBe(digest.sha256);
  // The attestation lists all files except itself and two files that the image writer creates or changes.
  const unnamed = [...digests.keys()].filter((path) => !subjects.some(({ name }) => `/${name}` === path));
  expect(unnamed.sort()).toEqual([
    "/boot/limine/boot.cat",
    "/boot/limine/limine-bios-cd.bin",
    "/capos/attestation.intoto.json",
  ]);
});

test("the kernel and all four files of Limine are materials with their original digests", () => {
  const { buildDefinition } = statement().statement.predicate;
  const materials = new Map<string, string>(
    buildDefinition.resolvedDependencies.map((each: { name: string; digest?: { sha256: string } }) => [
      each.name,
      each.digest?.sha256 ?? "",
    ]),
  );
  for (const [name, bytes] of Object.entries(createStandIns()))
    expect(materials.get(`boot/limine/${name}`)).toBe(computeSha256(bytes));
  expect(materials.get("boot/kernel")).toBe(computeSha256(readFileSync(join(folder, "page/boot/kernel"))));
  expect(materials.has("targets/xorriso-wasm/generated/xorriso.wasm")).toBe(true);
  // An image for upstream's kernel contains no part of this project's own runtime.
  expect([...materials.keys()].filter((name) => /init|vmlinuz|node/.test(name))).toEqual([]);
  expect(buildDefinition.internalParameters).toEqual({ target: "capos" });
});

test("the parts list contains the programs of the manifest and the operator's files, and states no licence for them", () => {
  const { packages } = JSON.parse(readFileSync(join(folder, "out/sbom.spdx.json"), "utf8"));
  const parts = packages.filter(({ packageFileName }: { packageFileName?: string }) => packageFileName !== undefined);
  expect(
    parts.map((part: Record<string, string>) => [
      part["packageFileName"],
      part["versionInfo"],
      part["licenseDeclared"],
    ]),
  ).toEqual([
    ["EFI/BOOT/BOOTX64.EFI", "8.2.0", "NOASSERTION"],
    ["boot/kernel", "not said", "NOASSERTION"],
    ["boot/limine/limine-bios-cd.bin", "8.2.0", "NOASSERTION"],
    ["boot/limine/limine-bios.sys", "8.2.0", "NOASSERTION"],
    ["boot/limine/limine-uefi-cd.bin", "8.2.0", "NOASSERTION"],
    ["manifest.bin/journal", "1.2.3", "NOASSERTION"],
  ]);
});

test("the same page and files give the same bytes in any folder, and another kernel gives other bytes", async () => {
  await build("again");
  expect(readFileSync(join(folder, "again/system.iso")).equals(image)).toBe(true);
  cpSync(join(folder, "page"), join(folder, "copy/page"), { recursive: true });
  const there = { folder: join(folder, "copy"), environment: { SOURCE_DATE_EPOCH: `${EPOCH}` } };
  await runCommand(["build", "page/system.cap", "--out", "out"], there);
  expect(readFileSync(join(folder, "copy/out/system.iso")).equals(image)).toBe(true);
  appendFileSync(join(folder, "copy/page/boot/kernel"), "more");
  await runCommand(["build", "page/system.cap", "--out", "out"], there);
  expect(readFileSync(join(folder, "copy/out/system.iso")).equals(image)).toBe(false);
});

test("`capc inspect` shows the content of the image, and names a file with a changed byte", async () => {
  const inspected = await runCommand(["inspect", "out/system.iso"], { folder });
  expect({ ...inspected, out: "" }).toEqual({ status: 0, out: "", err: "" });
  expect(inspected.out).toContain("signed by the development key of this checkout");
  expect(inspected.out).toContain("programs journal (64 bytes), policy-tables (");
  const faults = {
    "/boot/kernel": ["/boot/kernel is not what Limine's settings say", "/boot/kernel is not what the attestation says"],
    "/capos/manifest.bin": ["/capos/manifest.bin is not what Limine's settings say"],
    "/boot/limine/limine-bios.sys": ["/boot/limine/limine-bios.sys is not what the attestation says"],
    "/capos/sbom.spdx.json": ["/capos/sbom.spdx.json is not what the attestation says"],
  };
  for (const [path, wanted] of Object.entries(faults)) {
    const other = Buffer.from(image);
    const { offset = 0, size = 0 } = opened().files.find((file) => file.path === path) ?? {};
    const at = offset + size - 3;
    other[at] = (other[at] ?? 0) ^ 1;
    writeFileSync(join(folder, "spoiled.iso"), other);
    const { status, err } = await runCommand(["inspect", "spoiled.iso"], { folder });
    expect(status, path).toBe(1);
    for (const words of wanted) expect(err).toContain(words);
  }
});

test("`capc inspect` names the files without a digest, and an added file", async () => {
  const { out } = await runCommand(["inspect", "out/system.iso"], { folder });
  expect(out).toContain(
    "it cannot say what /boot/limine/boot.cat, /boot/limine/limine-bios-cd.bin, /capos/attestation.intoto.json are",
  );
  // Limine searches several paths for its settings, and uses the first file that it finds.
  const more = { path: "/EFI/BOOT/limine.conf", bytes: Buffer.from("/else\n") };
  const written = opened().files.filter(({ path }) => path !== LIMINE_CATALOGUE);
  const files = [
    ...written.map(({ path }) => ({ path, bytes: readImageFile(opened(), path, 1 << 20) ?? Buffer.of() })),
    more,
  ];
  const plan = { files, out: join(folder, "added.iso"), sourceDateEpoch: EPOCH };
  expect(await writeLimineIso(plan)).toEqual({ ok: true });
  const { status, err } = await runCommand(["inspect", "added.iso"], { folder });
  expect(status).toBe(1);
  expect(err.trim().split("\n")).toEqual([
    expect.stringContaining("/EFI/BOOT/limine.conf is not among what the attestation is about"),
  ]);
});

test("`capc inspect` reports an unknown key that signed the image", async () => {
  expect(await build("foreign", "--key", "other.pem")).toMatchObject({ status: 0 });
  const { status, out } = await runCommand(["inspect", "foreign/system.iso"], { folder });
  const other = createPublicKey(readFileSync(join(folder, "other.pem"))).export({ type: "spki", format: "der" });
  const fingerprint = computeFingerprint(new Uint8Array(other.subarray(-32)));
  expect(status).toBe(0);
  expect(out).toContain(`signed by a key that this checkout does not know, which it names as ${fingerprint}`);
});

test("Limine settings without a digest of a file are a fault, and so is an attestation that cannot be read", async () => {
  const spoiled = (from: string, to: string): Buffer => {
    const text = image.toString("latin1");
    expect(text).toContain(from);
    return Buffer.from(text.replace(from, to.padEnd(from.length).slice(0, from.length)), "latin1");
  };
  writeFileSync(join(folder, "a.iso"), spoiled("module_path: boot():", "module_path: hdd(1):"));
  expect((await runCommand(["inspect", "a.iso"], { folder })).err).toContain(
    "not told to load /capos/manifest.bin by its digest",
  );
  writeFileSync(join(folder, "b.iso"), spoiled('"payloadType"', '"payloadTape"'));
  expect((await runCommand(["inspect", "b.iso"], { folder })).err).toContain(
    "there is no attestation that can be read",
  );
});

test("the raw image has the same bytes as the ISO, and an unsupported format is refused", async () => {
  expect(await build("raw", "--format", "raw")).toMatchObject({ status: 0 });
  expect(readFileSync(join(folder, "raw/system.raw")).equals(image)).toBe(true);
  const refused = await build("efi", "--format", "efi");
  expect(refused).toMatchObject({ status: 3, err: expect.stringContaining("nothing was written") });
  expect(existsSync(join(folder, "efi/manifest.bin"))).toBe(false);
});

test.each([
  [["--secure-boot-key", "k.pem", "--secure-boot-cert", "c.pem"], "Limine's program for UEFI is the operator's"],
  [["--also-trust", "other.public.pem"], "nothing in such an image checks a signature"],
  [["--trust-weights", "other.public.pem"], "such an image has no weights"],
])("%s is refused, because it is for another kind of image", async (words, reason) => {
  const { status, err } = await build("none", ...words);
  expect(status).toBe(3);
  expect(err).toContain(reason);
  expect(existsSync(join(folder, "none/manifest.bin"))).toBe(false);
});

test("a page with failed proofs gives no image, because upstream shows no warning at start", async () => {
  const page = readFileSync(join(folder, "page/system.cap"), "utf8");
  writeFileSync(join(folder, "page/failing.cap"), page.replace(/\}\n$/, "  assert always stepUp readOnly\n}\n"));
  const words = ["build", "page/failing.cap", "--out", "none", "--unproved"];
  const whole = await runCommand(words, { folder });
  expect(whole).toMatchObject({ status: 3, err: expect.stringContaining("no banner that would say so") });
  expect(await runCommand([...words, "--emit", "manifest"], { folder })).toMatchObject({ status: 0 });
});

test("a build without kernel or Limine fails, and a build of only a manifest reports that it makes no parts list and no attestation", async () => {
  rmSync(join(folder, "copy/page/boot"), { recursive: true, force: true });
  cpSync(join(folder, "page/system.cap"), join(folder, "copy/page/system.cap"));
  cpSync(join(folder, "page/journal"), join(folder, "copy/page/journal"));
  const there = { folder: join(folder, "copy") };
  const whole = await runCommand(["build", "page/system.cap", "--out", "none"], there);
  expect(whole.status).toBe(1);
  expect(whole.err).toContain("error[kernel-unfit] `boot/kernel` cannot be started: there is no such file");
  expect(whole.err).toContain("error[limine-unfit] the files in `boot/limine` cannot start a machine");
  expect(existsSync(join(folder, "copy/none"))).toBe(false);
  const alone = await runCommand(["build", "page/system.cap", "--out", "some", "--emit", "tables,manifest"], there);
  expect(alone.status).toBe(0);
  expect(alone.err).toContain("not expressed: build: list of parts and attestation: they are made of images alone");
  expect(readdirSync(join(folder, "copy/some")).sort()).toEqual(["manifest.bin", "policy"]);
});

test("a manifest that is too large for older kernels causes a warning that does not mention inputs.lock", async () => {
  const names = ["one", "two", "three"];
  const whole = createBootable(undefined, Object.fromEntries(names.map((name, at) => [`/${name}`, programOf(at)])));
  const services = names.map((name) => `service ${name} : Status { exec "${name}" }`).join("\n  ");
  for (const [path, content] of Object.entries(whole)) {
    mkdirSync(dirname(join(folder, "large", path)), { recursive: true });
    writeFileSync(join(folder, "large", path), content);
  }
  const page = `${whole["/system.cap"]}`.replace("service journal", `${services}\n  service journal`);
  writeFileSync(join(folder, "large/system.cap"), page);
  const words = ["build", "large/system.cap", "--out", "large/out", "--emit", "manifest"];
  const { status, err } = await runCommand(words, { folder });
  expect(status).toBe(0);
  expect(err).toMatch(/^capc build: WARNING: the manifest with its programs has \d{7} bytes: kernels of upstream's/m);
  expect(err).not.toContain("not as locked");
});

/**
 * Returns a program of 1 MiB, the maximum size of a file of a page. Its last bytes are `which`, so that programs
 * differ.
 */
function programOf(which: number): Buffer {
  return Buffer.concat([PROGRAM, Buffer.alloc(1024 * 1024 - PROGRAM.length, which)]);
}

test("`capc run` and `capc verify` refuse the image, and say what to do instead", async () => {
  const ran = await runCommand(["run", "out/system.iso", "--script", "none.chat"], { folder });
  expect(ran).toMatchObject({ status: 3, err: expect.stringContaining("give it to QEMU itself") });
  const verified = await runCommand(["verify", "out/system.iso", "--source", "page"], { folder });
  expect(verified).toMatchObject({ status: 2, err: expect.stringContaining("compare the bytes") });
});
