import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { isSigned, withSections } from "./pe.ts";
import { signProgram } from "./sign.ts";

const STUB = readFileSync(new URL("../prebuilt/uefi/linuxx64.efi.stub", import.meta.url));
const MADE = withSections(STUB, [{ name: ".cmdline", bytes: Buffer.from("quiet") }]);
const PROGRAM = MADE.ok ? MADE.program : Buffer.alloc(0);

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

/** Whether a verifier of others takes the program as signed by that key. */
function isTaken(program: Buffer): boolean {
  const path = join(folder, "asked.efi");
  writeFileSync(path, program);
  return spawnSync("sbverify", ["--cert", signer().certificate, path], { stdio: "ignore" }).status === 0;
}

test("a signed program is verified, and with any of its sections changed it is not", () => {
  const made = signProgram(PROGRAM, signer(), folder);
  const program = made.ok ? made.program : Buffer.alloc(0);
  expect([isSigned(program), isTaken(program)]).toEqual([true, true]);
  expect([isSigned(PROGRAM), isTaken(PROGRAM)]).toEqual([false, false]);
  for (const word of ["quiet", "SecureBoot", "sdmagic"]) {
    const at = program.indexOf(Buffer.from(word, word === "SecureBoot" ? "utf16le" : "latin1"));
    const changed = Buffer.from(program);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect([word, at > 0, isTaken(changed)]).toEqual([word, true, false]);
  }
});

test("a key that is not there, one that is none, and a missing sbsign are told", () => {
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
