import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
/** Products of a build, in the order in which they are made. */
export const PRODUCTS = ["tables", "manifest", "iso", "attestation", "proofs"] as const;

export type Product = (typeof PRODUCTS)[number];

/**
 * Returns the products of `--emit a,b`, or all products if the option is missing. Fails if a word does not name a
 * product.
 */
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

/** Returns whether an image has to be made. Attestations need an image too, because they are about its files. */
export function isImageNeeded(emit: ReadonlySet<Product>): boolean {
  return emit.has("iso") || emit.has("attestation");
}
