import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enrolCertificate } from "./enrolled.ts";

let folder: string;
let pem: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-enrolled-"));
  const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=nobody"];
  const files = ["-keyout", join(folder, "key"), "-out", join(folder, "crt")];
  execFileSync("openssl", [...words, ...files], { stdio: "ignore" });
  pem = readFileSync(join(folder, "crt"), "utf8");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns an empty variable store as in OVMF's package: it has the headers of a volume and of a store, but no records. */
function emptyStore(size = 262_144): Buffer {
  const store = Buffer.alloc(size, 0xff);
  store.fill(0, 0, 72);
  store.writeUInt16LE(72, 48);
  Buffer.from("782cf3aa7b949a43a1802e144ec37792", "hex").copy(store, 72);
  return store;
}

interface Variable {
  readonly name: string;
  readonly attributes: number;
  readonly vendor: string;
  readonly value: Buffer;
}

/** Parses the records of a store as the UEFI specification defines them. */
function variablesIn(store: Buffer): readonly Variable[] {
  const found: Variable[] = [];
  for (let at = 72 + 28; store.readUInt16LE(at) === 0x55aa; at = (at + 3) & ~3) {
    const [nameSize, size] = [store.readUInt32LE(at + 36), store.readUInt32LE(at + 40)];
    const value = store.subarray(at + 60 + nameSize, at + 60 + nameSize + size);
    const name = store.toString("utf16le", at + 60, at + 60 + nameSize - 2);
    expect(store[at + 2]).toBe(0x3f);
    found.push({
      name,
      attributes: store.readUInt32LE(at + 4),
      vendor: store.toString("hex", at + 44, at + 48),
      value,
    });
    at += 60 + nameSize + size;
  }
  return found;
}

test("the certificate is written as PK, KEK and db, and no other variable is written", () => {
  const made = enrolCertificate(emptyStore(), pem);
  const store = made.ok ? made.value : Buffer.alloc(0);
  const variables = variablesIn(store);
  expect(variables.map(({ name, attributes, vendor }) => [name, attributes, vendor])).toEqual([
    ["PK", 0x27, "61dfe48b"],
    ["KEK", 0x27, "61dfe48b"],
    ["db", 0x27, "cbb219d7"],
  ]);
  const der = new X509Certificate(pem).raw;
  for (const { value } of variables) {
    expect([value.readUInt32LE(16), value.readUInt32LE(20), value.readUInt32LE(24)]).toEqual([
      value.length,
      0,
      der.length + 16,
    ]);
    expect(value.subarray(44).equals(der)).toBe(true);
  }
  expect(store.length).toBe(262_144);
});

test.each<[string, () => Buffer, () => string, string]>([
  ["a file that is not a store", () => Buffer.alloc(262_144), () => pem, "not the empty one"],
  ["a store with variables", () => emptyStore().fill(0xaa, 100, 110), () => pem, "not the empty one"],
  ["a store that is too small", () => emptyStore(300), () => pem, "not the empty one"],
  ["an empty file", () => Buffer.alloc(0), () => pem, "not the empty one"],
  ["an invalid certificate", () => emptyStore(), () => "-----BEGIN", "no X.509 certificate"],
])("enrolling a certificate refuses %s", (_, store, certificate, reason) => {
  expect(enrolCertificate(store(), certificate())).toMatchObject({
    ok: false,
    reason: expect.stringContaining(reason),
  });
});
