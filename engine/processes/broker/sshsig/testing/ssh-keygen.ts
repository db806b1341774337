// Makes and checks signatures with the real ssh-keygen, with which people sign.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SshKey {
  /** "ssh-ed25519 AAAA…", without a comment. */
  readonly line: string;
  /** Returns the output of `ssh-keygen -Y sign` for these bytes. */
  readonly sign: (message: string, changes?: { readonly namespace?: string; readonly hash?: string }) => string;
  readonly remove: () => void;
}

/** Returns a new key in its own folder. */
export function newSshKey(type = "ed25519"): SshKey {
  const folder = mkdtempSync(join(tmpdir(), "capos-key-"));
  const file = join(folder, "key");
  sshKeygen(["-q", "-t", type, "-N", "", "-C", "", "-f", file], "");
  return {
    line: readFileSync(`${file}.pub`, "utf8").trim(),
    sign: (message, { namespace = "stepup@capos", hash = "sha512" } = {}) =>
      sshKeygen(["-Y", "sign", "-n", namespace, "-f", file, "-O", `hashalg=${hash}`, "-"], message),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Returns whether ssh-keygen itself accepts an armoured signature over these bytes, by any key. */
export function sshKeygenAccepts(armour: string, message: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), "capos-signature-"));
  const file = join(folder, "signature");
  writeFileSync(file, armour);
  const { status } = run(["-Y", "check-novalidate", "-n", "stepup@capos", "-s", file], message);
  rmSync(folder, { recursive: true });
  return status === 0;
}

function sshKeygen(args: readonly string[], input: string): string {
  const { status, stdout, stderr } = run(args, input);
  if (status !== 0) throw new Error(`ssh-keygen ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

function run(args: readonly string[], input: string) {
  const ended = spawnSync("ssh-keygen", args, { input, encoding: "utf8" });
  if (ended.error === undefined) return ended;
  throw new Error(`ssh-keygen cannot be run (${ended.error.message}): this test needs the package openssh-client`);
}
