// Tests that keys that sign images are encrypted, that other processes cannot see the passphrase, and that an image
// trusts its key.

import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../memory-world.ts";
import { LEAST_PASSPHRASE, readPublicKey, readSigningKey } from "./image.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/first-agent", import.meta.url));
const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const PASSPHRASE = "correct horse battery";
const environment = { CAPC_KEY_PASSPHRASE: PASSPHRASE };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-image-key-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(words, { folder, environment });
const keyFile = (name: string): string => join(folder, `keys/${name}.image.pem`);

test("a new key is encrypted, readable by its owner only, listed, shown and never replaced", async () => {
  const made = JSON.parse((await say("keys", "new", "release", "--image", "--json")).out);
  expect(made).toMatchObject({ public: "keys/release.image.public.pem", private: "keys/release.image.pem" });
  expect(statSync(keyFile("release")).mode & 0o777).toBe(0o600);
  expect(readFileSync(keyFile("release"), "utf8")).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
  expect((await say("keys", "list")).out).toContain(`release, for images  ${made.fingerprint}\n`);
  expect(JSON.parse((await say("keys", "list", "--json")).out)).toMatchObject({
    images: [{ name: "release", key: made.key }],
  });
  expect(JSON.parse((await say("keys", "show", "release", "--image", "--json")).out).key).toBe(made.key);
  const again = await say("keys", "new", "release", "--image");
  expect(again).toMatchObject({ status: 3, err: expect.stringContaining("is there already; no key is ever replaced") });
});

test("the right passphrase opens a key, a wrong passphrase does not, and a short passphrase is refused for a new key", async () => {
  await say("keys", "new", "release", "--image");
  const read = (value: string) => readSigningKey(keyFile("release"), () => ({ ok: true, value }));
  expect(read(PASSPHRASE)).toMatchObject({ ok: true, value: { development: false } });
  for (const wrong of ["", "wrong", `${PASSPHRASE} `])
    expect(read(wrong)).toMatchObject({ ok: false, reason: expect.stringContaining("the passphrase is wrong") });
  const short = { folder, environment: { CAPC_KEY_PASSPHRASE: "x".repeat(LEAST_PASSPHRASE - 1) } };
  expect(await runCommand(["keys", "new", "other", "--image"], short)).toMatchObject({ status: 3, out: "" });
  expect(await runCommand(["keys", "new", "other", "--image"], { folder })).toMatchObject({
    status: 3,
    err: expect.stringContaining("--passphrase-fd N or CAPC_KEY_PASSPHRASE"),
  });
});

test("reads a passphrase from the first line of a descriptor", async () => {
  await say("keys", "new", "release", "--image");
  writeFileSync(join(folder, "secret"), `${PASSPHRASE}\nmore`);
  const file = openSync(join(folder, "secret"), "r");
  const words = ["build", "none.cap", "--key", keyFile("release"), "--passphrase-fd", `${file}`];
  expect((await runCommand(words, { folder })).err).toContain("none.cap does not exist");
  closeSync(file);
  const gone = await runCommand([...words.slice(0, -1), "99"], { folder });
  expect(gone).toMatchObject({ status: 3, err: expect.stringContaining("nothing to be read from descriptor 99") });
});

test("asks twice for a new passphrase at a terminal", () => {
  const command = [process.execPath, MAIN, "keys", "new", "typed", "--image"].join(" ");
  const typed = (first: string, second: string) =>
    spawnSync("script", ["-qec", command, "/dev/null"], {
      cwd: folder,
      input: `${first}\n${second}\n`,
      encoding: "utf8",
    });
  expect(typed(PASSPHRASE, "another passphrase").stdout).toContain("the two passphrases differ");
  const { stdout, status } = typed(PASSPHRASE, PASSPHRASE);
  expect(status).toBe(0);
  expect(stdout).toContain("fingerprint: ");
  expect(readSigningKey(keyFile("typed"), () => ({ ok: true, value: PASSPHRASE })).ok).toBe(true);
});

test("a file that is not a public image key is refused in one sentence", async () => {
  await say("keys", "new", "release", "--image");
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(join(folder, "rsa.pem"), rsa.publicKey.export({ type: "spki", format: "pem" }));
  writeFileSync(join(folder, "text"), "hello");
  const reason = (path: string): string => {
    const read = readPublicKey(path);
    return read.ok ? "" : read.reason.slice(path.length);
  };
  expect(reason(join(folder, "rsa.pem"))).toBe(" is no public Ed25519 key as PEM");
  expect(reason(join(folder, "text"))).toBe(" is no public Ed25519 key as PEM");
  expect(reason(keyFile("release"))).toBe(" holds a private key; the public half is what others need");
  expect(reason(join(folder, "gone"))).toBe(" does not exist");
});

test("an image signed by a release key is not a development image, also trusts the key of --also-trust, and verifies against its page", async () => {
  cpSync(EXAMPLE, join(folder, "page"), { recursive: true });
  for (const name of ["old", "next"]) await say("keys", "new", name, "--image");
  const options = ["--key", keyFile("old"), "--also-trust", "keys/next.image.public.pem"];
  const built = await say("build", "page/system.cap", "--out", "out", ...options);
  const { fingerprint } = JSON.parse((await say("keys", "show", "old", "--image", "--json")).out);
  expect(built).toMatchObject({ status: 0, err: `capc build: signed with the key ${fingerprint}\n` });
  expect((await say("keys", "list", "--image")).out).toContain(`old, for images  ${fingerprint}\n`);
  for (const file of ["system.iso", "manifest.bin.sig"])
    expect((await say("inspect", `out/${file}`)).out).toContain(
      `key     ${fingerprint}, a key that this checkout does not`,
    );
  const { trusted, holds } = JSON.parse((await say("inspect", "out/system.iso", "--json")).out);
  expect([holds, trusted.development]).toEqual([true, false]);
  const keys = await Promise.all(["old", "next"].map((name) => say("keys", "show", name, "--image", "--json")));
  expect(trusted.keys.map(({ publicKey }: { publicKey: string }) => publicKey)).toEqual(
    keys.map(({ out }) => JSON.parse(out).key),
  );
  const verified = await runCommand(["verify", "out/system.iso", "--source", "page"], { folder });
  const signed = `signed by ${fingerprint}, a key of its own: holds`;
  expect(verified).toMatchObject({ status: 0, err: "", out: expect.stringContaining(signed) });
});
