import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { appendSections, isSigned, readSections, removeSignatures } from "./pe.ts";
import { signProgram } from "./sign.ts";
import { readSigners } from "./signers.ts";

const STUB = readFileSync(new URL("../../prebuilt/uefi/linuxx64.efi.stub", import.meta.url));
const MADE = appendSections(STUB, [{ name: ".cmdline", bytes: Buffer.from("quiet") }]);
const PROGRAM = MADE.ok ? MADE.value : Buffer.alloc(0);

let folder: string;
const signer = () => ({ key: join(folder, "db.key"), certificate: join(folder, "db.crt") });
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-sign-"));
  const { key, certificate } = signer();
  const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=nobody", "-keyout", key];
  execFileSync("openssl", [...words, "-out", certificate], { stdio: "ignore" });
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

/** Returns whether sbverify accepts the signature of the program. */
function isTaken(program: Buffer): boolean {
  const path = join(folder, "asked.efi");
  writeFileSync(path, program);
  return spawnSync("sbverify", ["--cert", signer().certificate, path], { stdio: "ignore" }).status === 0;
}

test("verifies a signed program, and refuses it if any of its sections changes", () => {
  const made = signProgram(PROGRAM, signer(), folder);
  const program = made.ok ? made.value : Buffer.alloc(0);
  expect([isSigned(program), isTaken(program)]).toEqual([true, true]);
  expect([isSigned(PROGRAM), isTaken(PROGRAM)]).toEqual([false, false]);
  for (const word of ["quiet", "SecureBoot", "sdmagic"]) {
    const at = program.indexOf(Buffer.from(word, word === "SecureBoot" ? "utf16le" : "latin1"));
    const changed = Buffer.from(program);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect([word, at > 0, isTaken(changed)]).toEqual([word, true, false]);
  }
});

test("removing a signature restores the unsigned program, and the removed signature names its signer", () => {
  const made = signProgram(PROGRAM, signer(), folder);
  const before = made.ok ? removeSignatures(made.value) : undefined;
  expect(before?.program.equals(PROGRAM)).toBe(true);
  const [signed, ...more] = readSigners(before?.signatures ?? Buffer.alloc(0));
  expect([signed?.subject, more]).toEqual(["CN=nobody", []]);
  expect(signed?.toString()).toBe(readFileSync(signer().certificate, "utf8"));
  expect(removeSignatures(PROGRAM)).toBeUndefined();
  // `removeSignatures` returns nothing if bytes follow the signature, or if a signature begins within the program.
  const longer = Buffer.concat([made.ok ? made.value : PROGRAM, Buffer.alloc(8)]);
  expect(removeSignatures(longer)).toBeUndefined();
  const earlier = Buffer.from(made.ok ? made.value : PROGRAM);
  const directory = earlier.readUInt32LE(0x3c) + 24 + 144;
  earlier.writeUInt32LE(4096, directory);
  earlier.writeUInt32LE(earlier.length - 4096, directory + 4);
  expect(removeSignatures(earlier)).toBeUndefined();
});

test("property: any bytes in the place of signatures give at most 16 certificates, and no exception", () => {
  const made = signProgram(PROGRAM, signer(), folder);
  const table = (made.ok ? removeSignatures(made.value)?.signatures : undefined) ?? Buffer.alloc(0);
  expect(table.length).toBeGreaterThan(100);
  const places = fc.array(fc.tuple(fc.nat({ max: table.length - 1 }), fc.nat({ max: 255 })), { maxLength: 8 });
  fc.assert(
    fc.property(
      fc.oneof(places, fc.uint8Array({ maxLength: 300 })),
      fc.nat({ max: table.length }),
      (changes, length) => {
        const bytes = changes instanceof Uint8Array ? Buffer.from(changes) : Buffer.from(table.subarray(0, length));
        if (!(changes instanceof Uint8Array)) for (const [at, to] of changes) if (at < length) bytes[at] = to;
        expect(readSigners(bytes).length).toBeLessThanOrEqual(16);
      },
    ),
    { numRuns: 500 },
  );
});

test("one changed bit in the headers, the stub or either end of a section breaks the signature", () => {
  const parts = [".osrel", ".cmdline", ".linux", ".initrd"].map((name) => ({ name, bytes: Buffer.alloc(700, name) }));
  const plain = appendSections(STUB, parts);
  const made = signProgram(plain.ok ? plain.value : STUB, signer(), folder);
  const program = made.ok ? made.value : Buffer.alloc(0);
  expect(isTaken(program)).toBe(true);
  const read = readSections(program);
  const sections = read.ok ? read.value : [];
  expect(sections.map(({ name }) => name)).toEqual(expect.arrayContaining([...parts.map(({ name }) => name), ".text"]));
  const ends = sections.flatMap(({ offset, size }) => [offset, offset + size - 1]);
  // The offsets are those of the entry point, the number of sections, and the address of the first section in memory.
  const coff = program.readUInt32LE(0x3c);
  const headers = [coff + 24 + 16, coff + 6, coff + 24 + program.readUInt16LE(coff + 20) + 12];
  for (const at of [...headers, ...ends]) {
    const changed = Buffer.from(program);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect([at, isTaken(changed)]).toEqual([at, false]);
  }
});

test("fails with the reason if the key is missing or malformed, or sbsign is not installed", () => {
  const none = { ...signer(), key: join(folder, "none.key") };
  expect(signProgram(PROGRAM, none, folder)).toEqual({ ok: false, reason: `${none.key} is not there` });
  writeFileSync(join(folder, "text.key"), "no key");
  const text = { ...signer(), key: join(folder, "text.key") };
  rmSync(join(folder, "signed.efi"), { force: true });
  expect(signProgram(PROGRAM, text, folder)).toMatchObject({
    ok: false,
    reason: expect.stringContaining("sbsign failed"),
  });
  vi.stubEnv("PATH", join(folder, "nowhere"));
  const reason = "sbsign is not installed (Debian package sbsigntool)";
  expect(signProgram(PROGRAM, signer(), folder)).toEqual({ ok: false, reason });
});
