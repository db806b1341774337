// Converts the SSH keys of people to upstream's form. Only Ed25519 keys are converted, and each key only once. The form
// follows the crate capos-config 0.1.0 (src/validation.rs, validate_authorized_ssh_key_record).

import { createHash } from "node:crypto";
import type { AuthorizedSshKey } from "../../engine/lib/wire/upstream/generated/upstream.ts";
import type { Account } from "./accounts.ts";

interface SshKeys {
  readonly keys: readonly AuthorizedSshKey[];
  readonly left: readonly { readonly principal: string; readonly why: string }[];
}

const ALGORITHM = "ssh-ed25519";
const KEY_BYTES = 32;

export function collectSshKeys(accounts: readonly Account[]): SshKeys {
  const keys: AuthorizedSshKey[] = [];
  const left: SshKeys["left"][number][] = [];
  const seen = new Set<string>();
  for (const { seed, keys: lines } of accounts) {
    for (const line of lines) {
      const [algorithm = "", base64 = ""] = line.split(" ");
      const profile = PROFILES[seed.kind];
      const leave = (why: string) => left.push({ principal: seed.name, why });
      if (algorithm !== ALGORITHM) leave(`upstream knows ${ALGORITHM} alone, and this key is ${algorithm}`);
      else if (profile === undefined) leave(`upstream lets no key open a shell of kind ${seed.kind}`);
      else if (seen.has(base64)) leave("upstream has each key once, and it is another account's already");
      else keys.push(createKey(Buffer.from(base64, "base64"), seed, profile));
      seen.add(base64);
    }
  }
  return { keys, left };
}

/** Shell profile that the key of an account may open, by the kind of the account; `undefined` if a key opens none. */
const PROFILES: Readonly<Record<Account["seed"]["kind"], string | undefined>> = {
  human: "operator",
  operator: "operator",
  guest: "guest",
  anonymous: "anonymous",
  pseudonymous: "anonymous",
  service: undefined,
};

/** Returns the record of an account's key; `undefined` for an account that no key opens. `blob` is the key as OpenSSH encodes it. */
export function createSshKey(blob: Buffer, account: Account["seed"]): AuthorizedSshKey | undefined {
  const profile = PROFILES[account.kind];
  return profile === undefined ? undefined : createKey(blob, account, profile);
}

/** Returns the record of a key. `blob` is the key as OpenSSH encodes it; its last 32 bytes are the Ed25519 public key. */
function createKey(blob: Buffer, { name, principalId }: Account["seed"], profile: string): AuthorizedSshKey {
  return {
    keyId: createHash("sha256").update("capos ssh key ").update(blob).digest(),
    principalId,
    algorithm: ALGORITHM,
    publicKey: blob.subarray(-KEY_BYTES),
    fingerprintSha256: createHash("sha256").update(blob).digest(),
    allowedShellProfiles: [profile],
    disabledAtMs: 0n,
    source: "capc",
    comment: name,
  };
}
