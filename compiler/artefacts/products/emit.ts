import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
/** What a build may give, in the order in which it is made. */
export const PRODUCTS = ["tables", "manifest", "iso", "attestation", "proofs"] as const;

export type Product = (typeof PRODUCTS)[number];

/** From `--emit a,b`; everything without it. A reason where a word is no product. */
export function readEmit(words: string | undefined): Result<ReadonlySet<Product>> {
  if (words === undefined) return accept(new Set(PRODUCTS));
  const wanted = new Set<Product>();
  for (const word of words.split(",")) {
    const product = PRODUCTS.find((known) => known === word.trim());
    if (product === undefined) return refuse(`'${word}' cannot be emitted; there are ${PRODUCTS.join(", ")}`);
    wanted.add(product);
  }
  return accept(wanted);
}

/** Whether an image has to be made: an attestation is of one. */
export function isImageNeeded(emit: ReadonlySet<Product>): boolean {
  return emit.has("iso") || emit.has("attestation");
}
