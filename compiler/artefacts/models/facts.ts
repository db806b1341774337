// Collects facts about weights: lines for people, and values for programs in the form of `schemas/model.ts`.

import { Card } from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import { computeFingerprint, encodeHex } from "../inspect/description.ts";
import { isSignatureValid, readSignature } from "../inspect/signature.ts";
import { readCardFiles } from "./card-file.ts";
import type { WeightsHeader } from "./weights-file.ts";

export interface WeightsFacts {
  readonly file: string;
  readonly bytes: number;
  readonly name: string;
  readonly arch: string;
  readonly quantisation: string;
  readonly contextTokens: number;
  readonly vocabulary: number;
  readonly knowsChatMl: boolean;
  /** Number of nats by which the engine lowers the likelihood of a call, because the model overestimates how often calls occur. */
  readonly reluctance: number;
  /**
   * Number of nats by which the engine raises the likelihood that an argument copies earlier text, because the model underestimates how
   * often arguments do this.
   */
  readonly copying: number;
  /** Identifier that the card beside the weights states; `null` without a card. */
  readonly id: string | null;
  /** Public key with a valid signature over the card, as 64 hexadecimal digits; `null` if there is none. */
  readonly signedBy: string | null;
}

/**
 * Returns the facts about weights. `file` is the name that the person wrote, and `path` is the resolved path. The card
 * is not compared with the bytes here; `findWeightsFaults` compares it.
 */
export function readWeightsFacts(file: string, path: string, { bytes, header }: WeightsHeader): WeightsFacts {
  const { name, arch, quantisation, contextTokens, vocabulary, knowsChatMl, reluctance, copying } = header;
  const { card, signature } = readCardFiles(path);
  const read = card === undefined ? undefined : decodeMessage(Card, card);
  const id = read?.ok === true ? read.value.id : null;
  const signed = signature === undefined ? undefined : readSignature(signature);
  const isOfCard = signed?.purpose === "weights" && signed.systemId === id;
  const holds = card !== undefined && isOfCard && isSignatureValid(signed, card);
  return {
    file,
    bytes,
    name,
    arch,
    quantisation,
    contextTokens,
    vocabulary,
    knowsChatMl,
    reluctance,
    copying,
    id,
    signedBy: holds ? encodeHex(signed.publicKey) : null,
  };
}

/**
 * Returns the reasons why these weights are not ready for an image: their vocabulary lacks ChatML, or their card or its
 * signature is missing, wrong or not trusted. `card` is computed from the weights.
 */
export function findWeightsFaults(
  path: string,
  card: Uint8Array,
  facts: WeightsFacts,
  trusted: readonly string[],
): string[] {
  const beside = readCardFiles(path);
  const faults: string[] = [];
  if (!facts.knowsChatMl)
    faults.push("its vocabulary lacks <|im_start|> and <|im_end|>, without which no image runs it");
  if (beside.card === undefined) faults.push("it has no card: capc model sign makes one");
  else if (Buffer.compare(beside.card, card) !== 0) faults.push("its card is the card of other weights");
  if (beside.signature === undefined) faults.push("nobody has signed its card");
  else if (facts.signedBy === null) faults.push("its signature is none over this card, for weights");
  else if (trusted.length > 0 && !trusted.includes(facts.signedBy))
    faults.push(
      `it is signed by a key that is not trusted here (${computeFingerprint(Buffer.from(facts.signedBy, "hex"))})`,
    );
  return faults;
}

export function renderWeightsFacts(facts: WeightsFacts): readonly string[] {
  const { file, bytes, name, arch, quantisation, contextTokens, reluctance, copying, id, signedBy } = facts;
  return [
    `${file}: ${name === "" ? "without a name" : name}`,
    `  ${arch}, ${quantisation}, ${contextTokens} tokens, ${(bytes / 1e6).toFixed(1)} MB`,
    ...(reluctance === 0 ? [] : [`  calls      ${reluctance} nats less likely than they think`]),
    ...(copying === 0 ? [] : [`  arguments  ${copying} nats likelier to copy what was said than they think`]),
    `  id         ${id ?? "none: it has no card"}`,
    `  signed by  ${signedBy === null ? "nobody" : computeFingerprint(Buffer.from(signedBy, "hex"))}`,
  ];
}

/**
 * Returns a `model` declaration for these weights, which an author can copy into a page. Weights can call tools only if
 * their vocabulary has ChatML; the grammar then forces the form of each call.
 */
export function renderDeclaration(
  name: string,
  { file, arch, quantisation, contextTokens, knowsChatMl }: WeightsFacts,
): string {
  const tools = knowsChatMl ? "  tools true" : "";
  return `model ${name} { weights ${JSON.stringify(file)}  arch ${arch}  quantisation ${quantisation}  context ${contextTokens} tokens${tools} }`;
}
