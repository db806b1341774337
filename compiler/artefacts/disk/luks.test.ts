import { execFileSync } from "node:child_process";
import { createCipheriv, randomBytes } from "node:crypto";
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeTable } from "./gpt.ts";
import { readDiskTable } from "./image.ts";
import { copyUnlocked } from "./luks.ts";
import { encryptDisk } from "./luks-create.ts";
import { judgeHeader } from "./luks-header.ts";

const MIB = 1024 * 1024;
const SIZE = 24 * MIB;
const DATA = 17 * MIB;
const PASSPHRASE = Buffer.from("correct horse battery");
const env = { PATH: `${process.env["PATH"]}:/usr/sbin:/sbin`, LC_ALL: "C" };
const CHEAP = ["--pbkdf", "argon2id", "--pbkdf-memory", "1024", "--pbkdf-force-iterations", "4"];

const folder = mkdtempSync(join(tmpdir(), "capos-luks-"));
const image = join(folder, "disk.img");
const content = randomBytes(8192);
let header = "";

/** Makes a disk whose partition cryptsetup has encrypted, and writes two sectors of data with the key that cryptsetup prints. */
beforeAll(() => {
  const partition = join(folder, "partition.img");
  writeFileSync(partition, Buffer.alloc(SIZE - 2 * MIB));
  const cryptsetup = (...words: readonly string[]): string =>
    execFileSync("cryptsetup", ["-q", "--key-file", "-", ...words], { env, input: PASSPHRASE, encoding: "utf8" });
  cryptsetup("luksFormat", "--type", "luks2", ...CHEAP, partition);
  cryptsetup("luksDump", "--dump-volume-key", "--volume-key-file", join(folder, "key"), partition);
  header = cryptsetup("luksDump", "--dump-json-metadata", partition);
  const id = "63617063-0000-4000-8000-000000000002";
  const one = { number: 4, kind: "encrypted", id, name: "capos-data", offset: MIB, size: SIZE - 2 * MIB } as const;
  const table = { disk: "63617063-0000-4000-8000-000000000001", partitions: [one] };
  const { first, second } = encodeTable(table, SIZE);
  const whole = Buffer.alloc(SIZE);
  whole.set(first, 0);
  whole.set(second, SIZE - second.length);
  whole.set(readFileSync(partition), MIB);
  const key = readFileSync(join(folder, "key"));
  for (const [index, at] of [0, 4096].entries()) {
    const vector = Buffer.alloc(16);
    vector.writeUInt32LE(index * 8);
    whole.set(createCipheriv("aes-256-xts", key, vector).update(content.subarray(at, at + 4096)), DATA + at);
  }
  writeFileSync(image, whole);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a disk that cryptsetup encrypted is copied in plain text, and unwritten blocks are zero", () => {
  const to = join(folder, "plain.img");
  expect(copyUnlocked(image, PASSPHRASE, to)).toEqual({ ok: true, value: undefined });
  const plain = readFileSync(to);
  expect(plain.length).toBe(SIZE - MIB - DATA);
  expect(plain.subarray(0, 8192).equals(content)).toBe(true);
  expect(plain.subarray(8192).every((byte) => byte === 0)).toBe(true);
});

test("a wrong passphrase and a disk without an encrypted partition are refused with a reason", () => {
  const to = join(folder, "never.img");
  expect(copyUnlocked(image, Buffer.from("another"), to)).toEqual({
    ok: false,
    reason: `${image}: its passphrase is another`,
  });
  expect(copyUnlocked(join(folder, "key"), PASSPHRASE, to)).toMatchObject({ ok: false });
});

test("the second copy of a header is used if the first is damaged, and two damaged copies are refused", () => {
  const spoiled = join(folder, "spoiled.img");
  writeFileSync(spoiled, readFileSync(image));
  const file = openSync(spoiled, "r+");
  writeSync(file, "x", MIB + 5000);
  expect(copyUnlocked(spoiled, PASSPHRASE, join(folder, "second.img"))).toMatchObject({ ok: true });
  writeSync(file, "x", MIB + 16384 + 5000);
  expect(copyUnlocked(spoiled, PASSPHRASE, join(folder, "none.img"))).toEqual({
    ok: false,
    reason: `${spoiled}: there is no sound LUKS2 header`,
  });
});

test.each([
  ["cipher_null-ecb", /"encryption":"aes-xts-plain64"/g, '"encryption":"cipher_null-ecb"', "its cipher is not"],
  ["pbkdf2", /"argon2id"/, '"pbkdf2"', "no keyslot of argon2id"],
  ["too much memory", /"memory":\d+/, '"memory":1048576', "no keyslot of argon2id"],
  ["no memory", /"memory":\d+/, '"memory":-1', "no keyslot of argon2id"],
  ["endless rounds", /"iterations":\d+/, '"iterations":4000000000', "exactly one digest"],
  ["data outside", /"offset":"16777216"/, '"offset":"67108864"', "does not lie in the partition"],
  ["a requirement", /"config":\{/, '"config":{"requirements":{"mandatory":["x"]},', "requires what is not known"],
])("a header with %s is refused", (_, what, instead, why) => {
  const text = JSON.stringify(JSON.parse(header));
  expect(judgeHeader(text, 16384, SIZE - 2 * MIB)).toMatchObject({ value: { dataAt: 16 * MIB, sector: 4096 } });
  const refused = judgeHeader(text.replace(what, instead), 16384, SIZE - 2 * MIB);
  expect(refused).toMatchObject({ reason: expect.stringContaining(why) });
});

test("the header check does not throw for any text", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(header.length), fc.string({ maxLength: 8 }), (json, at, between) => {
      const edited = `${header.slice(0, at)}${between}${header.slice(at)}`;
      for (const text of [json, edited]) expect(judgeHeader(text, 16384, SIZE).ok).toBeTypeOf("boolean");
    }),
  );
});

test("cryptsetup opens a disk that capc encrypted, and its content is restored", () => {
  const [from, to, back] = ["from.img", "made.img", "back.img"].map((name) => join(folder, name));
  if (from === undefined || to === undefined || back === undefined) throw new Error("three paths");
  const inner = Buffer.concat([content, Buffer.alloc(4 * MIB - content.length - 512), Buffer.alloc(512, 7)]);
  writeFileSync(from, inner);
  encryptDisk(from, PASSPHRASE, "capos-data", to);
  const partition = join(folder, "made-partition.img");
  writeFileSync(partition, readFileSync(to).subarray(MIB, -MIB));
  const cryptsetup = (...words: readonly string[]): string =>
    execFileSync("cryptsetup", [...words, partition], { env, input: PASSPHRASE, encoding: "utf8" });
  expect(cryptsetup("open", "--test-passphrase", "--key-file", "-")).toBe("");
  expect(cryptsetup("luksDump")).toContain("PBKDF:      argon2id");
  expect(() => cryptsetup("open", "--test-passphrase", "--key-file", join(folder, "key"))).toThrow();
  expect(copyUnlocked(to, PASSPHRASE, back)).toEqual({ ok: true, value: undefined });
  expect(readFileSync(back).equals(inner)).toBe(true);
  expect(readDiskTable(to)).toMatchObject({
    ok: true,
    value: { partitions: [{ kind: "encrypted", name: "capos-data" }] },
  });
});
