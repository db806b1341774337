// Opens credentials; no other module does. Each credential is opened for one request, to the server that it is sealed
// for, over a private connection. Only the code of that request has the opened credential.

import { explainNotPublic, parseAddress } from "../../lib/reach/address.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { Egress, type Endpoint, type Place, type Secret } from "../../lib/wire/generated/egress.ts";
import { decodeMessage } from "../../lib/wire/index.ts";
import { listSecretForms } from "./echo.ts";
import { derivePublicKey } from "./hpke.ts";
import { checkSecret, formatMachineKey, formatOrigin, openSecret } from "./sealing.ts";

export interface Credential {
  /** The value of the Authorization field; if empty, the field is not sent. */
  readonly authorization: string;
  /** Forms of the secret that an answer must not contain. */
  readonly forms: readonly string[];
}

/**
 * Returns the credential for a request to this endpoint. Fails if the endpoint's credential may not be sent; the caller then makes no
 * request.
 */
export type Vault = (endpoint: Endpoint, place: Place) => Result<Credential>;

/** Credential of a request for which the page names none. */
export const NO_CREDENTIAL: Credential = { authorization: "", forms: [] };

/**
 * Returns the sealed credentials of the table. Fails if one of them is invalid: the table is signed, but checked
 * nevertheless.
 */
export function readSecrets(bytes: Uint8Array): Result<ReadonlyMap<string, Secret>> {
  const read = decodeMessage(Egress, bytes);
  if (!read.ok) return read;
  const byName = new Map<string, Secret>();
  for (const secret of read.value.secrets) {
    const unsound = byName.has(secret.name) ? "it stands twice" : checkSecret(secret);
    if (unsound !== undefined) return refuse(`the secret ${secret.name}: ${unsound}`);
    byName.set(secret.name, secret);
  }
  return accept(byName);
}

/** Creates a vault. `key`: the machine's private key, 32 bytes. */
export function createVault(secrets: ReadonlyMap<string, Secret>, key: Uint8Array): Vault {
  const machine = formatMachineKey(derivePublicKey(key));
  return ({ secret: name, secretInTheClear }, place) => {
    if (name === "") return accept(NO_CREDENTIAL);
    if (!isPrivate(place, secretInTheClear ? "allowed" : "never"))
      return refuse(`the secret ${name} goes over TLS alone`);
    const secret = secrets.get(name);
    if (secret === undefined) return refuse(`the secret ${name} is not sealed; the key of this machine is ${machine}`);
    if (secret.origin !== formatOrigin(place)) return refuse(`the secret ${name} was sealed for another server`);
    const opened = openSecret(secret, key);
    if (!opened.ok) return refuse(`the secret ${name}: ${opened.reason}; the key of this machine is ${machine}`);
    // From here on the secret is a string, which cannot be wiped: Node's requests accept nothing else. The string lives as long as
    // the request.
    const value = opened.value.toString("latin1");
    opened.value.fill(0);
    return accept({ authorization: `Bearer ${value}`, forms: listSecretForms(value) });
  };
}

/**
 * Returns whether the connection is private. It is private if it uses TLS, or if the page allows plain text and names
 * an address of a private network.
 */
export function isPrivate({ scheme, host }: Place, clear: "allowed" | "never"): boolean {
  if (scheme === "https") return true;
  const address = parseAddress(host);
  return clear === "allowed" && address !== undefined && explainNotPublic(address) !== undefined;
}
