// Seals a stored credential to the keys of machines, for one server. The server is part of the sealed data, so that nobody can
// redirect the credential to another one.

import { createHash } from "node:crypto";
import { getDefaultPort } from "../../lib/reach/place.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { type Place, Secret } from "../../lib/wire/generated/egress.ts";
import { decodeMessage, encodeMessage } from "../../lib/wire/index.ts";
import { derivePublicKey, KEY_BYTES, openWith, sealTo } from "./hpke.ts";

const SECRET_SCHEMA_VERSION = 1;
/** Fewest bytes of a secret: shorter ones can be guessed, and occur in many answers by chance. */
export const LEAST_SECRET_BYTES = 8;
/**
 * Maximum bytes of a secret: servers accept no longer header, and a file with `MOST_COPIES` copies of such a
 * secret is smaller than `MOST_SEALED_BYTES`.
 */
export const MOST_SECRET_BYTES = 4096;
/** Maximum number of machines to which one file is sealed. */
export const MOST_COPIES = 16;
/** Maximum bytes of one file: the most copies of the longest value, with the fields around them. */
export const MOST_SEALED_BYTES = 128 * 1024;

/**
 * Returns the origin that a secret is sent to, such as "https://status.example.net". The secret is bound to this text,
 * which has the form that URLs have.
 */
export function formatOrigin({ scheme, host, port }: Pick<Place, "scheme" | "host" | "port">): string {
  return `${scheme}://${host}${port === getDefaultPort(scheme) ? "" : `:${port}`}`;
}

/** Returns why these bytes cannot be a header value, or `undefined` if they can. */
export function checkSecretValue(value: Uint8Array): string | undefined {
  if (value.length < LEAST_SECRET_BYTES) return `a secret has at least ${LEAST_SECRET_BYTES} characters`;
  if (value.length > MOST_SECRET_BYTES) return `a secret has at most ${MOST_SECRET_BYTES} characters`;
  return value.every((byte) => byte > 0x20 && byte < 0x7f)
    ? undefined
    : "a secret is of visible ASCII characters: no blank, no line break";
}

/** Seals a secret, with one copy for each machine. The value must pass `checkSecretValue`. */
export function sealSecret(name: string, origin: string, recipients: readonly Uint8Array[], value: Uint8Array): Secret {
  const copies = recipients.map((recipient) => ({ recipient, ...sealTo(recipient, value, makeBinding(name, origin)) }));
  return { schemaVersion: SECRET_SCHEMA_VERSION, name, origin, copies };
}

/** Returns the value of the copy for this machine; the caller wipes it. Fails if the secret is sealed to other machines. */
export function openSecret({ name, origin, copies }: Secret, privateKey: Uint8Array): Result<Buffer> {
  const own = derivePublicKey(privateKey);
  const copy = copies.find(({ recipient }) => own.equals(recipient));
  if (copy === undefined) return refuse("it is sealed to other machines");
  const opened = openWith(privateKey, copy, makeBinding(name, origin));
  const unfit = opened.ok ? checkSecretValue(opened.value) : undefined;
  return unfit === undefined ? opened : refuse(unfit);
}

function makeBinding(name: string, origin: string) {
  return { info: Buffer.from("capos-secret-v1"), data: Buffer.from(`${name}\0${origin}`) };
}

/** Returns the bytes of `secrets/NAME.sealed`. */
export function encodeSecret(secret: Secret): Uint8Array {
  return encodeMessage(Secret, secret);
}

export function readSecret(bytes: Uint8Array): Result<Secret> {
  const read = decodeMessage(Secret, bytes);
  if (!read.ok) return refuse("it is no sealed credential");
  const unsound = checkSecret(read.value);
  return unsound === undefined ? accept(read.value) : refuse(unsound);
}

export function checkSecret({ schemaVersion, copies }: Secret): string | undefined {
  if (schemaVersion !== SECRET_SCHEMA_VERSION) {
    return `it is of version ${schemaVersion}; this program reads ${SECRET_SCHEMA_VERSION}`;
  }
  const isSound = copies.length > 0 && copies.length <= MOST_COPIES && copies.every(isCopy);
  return isSound ? undefined : "its copies are not sound";
}

function isCopy({ recipient, encapsulated, sealed }: Secret["copies"][number]): boolean {
  return recipient.length === KEY_BYTES && encapsulated.length === KEY_BYTES && sealed.length <= MOST_SECRET_BYTES + 16;
}

const PREFIX = "capos-machine-";
const CHECK_BYTES = 4;

/** Returns a machine's public key in the form that people copy; its last characters are a checksum that reveals an incomplete copy. */
export function formatMachineKey(publicKey: Uint8Array): string {
  return `${PREFIX}${Buffer.concat([publicKey, checkOf(publicKey)]).toString("base64url")}`;
}

export function parseMachineKey(text: string): Result<Uint8Array> {
  const [, words] = /^capos-machine-([\w-]{48})$/.exec(text) ?? [];
  const bytes = Buffer.from(words ?? "", "base64url");
  const key = bytes.subarray(0, KEY_BYTES);
  if (words === undefined || !checkOf(key).equals(bytes.subarray(KEY_BYTES))) {
    return refuse(`this is no whole key of a machine (${PREFIX}…)`);
  }
  return accept(key);
}

function checkOf(publicKey: Uint8Array): Buffer {
  return createHash("sha256").update(PREFIX).update(publicKey).digest().subarray(0, CHECK_BYTES);
}
