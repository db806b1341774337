// Reads and writes the cards of weights as files beside them: FILE.card, and FILE.card.sig with the signature.

import { existsSync } from "node:fs";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { MOST_CARD_BYTES } from "../../../engine/lib/weights/card.ts";
import { Card } from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import { type SigningKey, signArtefact } from "../../../targets/manifest/signing.ts";
import { readBytes } from "../../host/files.ts";
import { computeFingerprint } from "../inspect/description.ts";
import { isSignatureValid, readSignature } from "../inspect/signature.ts";

/**
 * Version in the signature of a card. The version never changes, because a changed file of weights gets a new card and
 * not a new version of the card.
 */
const CARD_VERSION = "1";

interface SignedCard {
  /** Identifier of the weights, such as "llama:sha256-…". */
  readonly id: string;
  readonly signature: Uint8Array;
  /** Public key of the signer, 32 bytes. */
  readonly signer: Uint8Array;
}

export const getCardPath = (weights: string): string => `${weights}.card`;
export const getSignaturePath = (weights: string): string => `${weights}.card.sig`;

/** Signs a card with a key. The signature names the identifier of the weights. */
export function signCard(card: Uint8Array, key: SigningKey): SignedCard {
  const { id } = decodeCard(card);
  const subject = { purpose: "weights", systemId: id, version: CARD_VERSION } as const;
  return { id, signature: signArtefact(subject, card, key), signer: key.publicKey };
}

interface Named {
  /** Path of the weights on this machine. */
  readonly file: string;
  /** Path of the weights as messages show it. */
  readonly path: string;
}

/**
 * Returns the card with a signature. If neither a card nor a signature is beside the weights, `key` signs the card.
 * Fails if only one of the two files exists, if they do not belong to the weights, or if the signer is not trusted.
 * `card` is computed from the weights.
 */
export function resolveSignedCard(
  { file, path }: Named,
  card: Uint8Array,
  key: SigningKey,
  trusted: readonly Uint8Array[],
): Result<SignedCard> {
  const { card: beside, signature } = readCardFiles(file);
  if (beside === undefined && signature === undefined) return accept(signCard(card, key));
  if (signature === undefined)
    return refuse(
      `nobody has signed ${path}.card: \`capc model sign ${path} --key FILE\` does; where the card is taken away, whoever builds vouches for the weights`,
    );
  if (beside === undefined)
    return refuse(`${path}.card.sig signs a card that is not there: ${path}.card and it belong together`);
  return verifySignedCard({ card, beside, signature }, [key.publicKey, ...trusted], path);
}

interface CardFiles {
  /** Card that was computed from the weights. */
  readonly card: Uint8Array;
  /** Card that the file beside the weights contains. */
  readonly beside: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Returns the signed card. Fails if the card differs from the computed one, its signature does not verify, or its
 * signer is not among `trusted`.
 */
function verifySignedCard(
  { card, beside, signature }: CardFiles,
  trusted: readonly Uint8Array[],
  path: string,
): Result<SignedCard> {
  if (Buffer.compare(card, beside) !== 0) return refuse(`${path}.card is the card of other weights`);
  const signed = readSignature(signature);
  if (signed === undefined) return refuse(`${path}.card.sig is no signature`);
  const { id } = decodeCard(card);
  const { purpose, systemId, publicKey } = signed;
  if (purpose !== "weights") return refuse(`${path}.card.sig is a signature for ${purpose}, not for weights`);
  if (systemId !== id) return refuse(`${path}.card.sig is a signature over other weights`);
  if (!isSignatureValid(signed, card)) return refuse(`${path}.card.sig does not hold`);
  if (!trusted.some((known) => Buffer.compare(known, publicKey) === 0))
    return refuse(
      `${path} is signed by a key that this system would not know: name it with --trust-weights (${computeFingerprint(publicKey)})`,
    );
  return accept({ id, signature, signer: publicKey });
}

/** Returns the files beside the weights that exist: the card, its signature, both or neither. The function does not read the weights. */
export function readCardFiles(file: string): { readonly card?: Uint8Array; readonly signature?: Uint8Array } {
  const [card, signature] = [readSmall(getCardPath(file)), readSmall(getSignaturePath(file))];
  return { ...(card && { card }), ...(signature && { signature }) };
}

function decodeCard(card: Uint8Array): Card {
  const read = decodeMessage(Card, card);
  if (read.ok) return read.value;
  throw new Error(`a card of our own cannot be read: ${read.reason}`);
}

/**
 * Returns the bytes of a file; `undefined` if the file is missing, and no bytes if it is too large or cannot be read.
 */
function readSmall(path: string): Uint8Array | undefined {
  if (!existsSync(path)) return undefined;
  const read = readBytes(path, MOST_CARD_BYTES);
  return read.ok && read.value.size <= MOST_CARD_BYTES ? read.value.bytes : new Uint8Array();
}
