// What a page of `target capos` gives: upstream's manifest, the tables that it carries, and what it does not express.

import { bug } from "../../../lang/diagnostics/index.ts";
import { type Loss, nativeTarget } from "../../../targets/capos-native/index.ts";
import type { Artifact } from "../../../targets/contract.ts";
import type { Product } from "./emit.ts";
import type { Order } from "./order.ts";

export type NativeMade =
  | { readonly ok: true; readonly artifacts: readonly Artifact[]; readonly losses: readonly Loss[] }
  | { readonly ok: false; readonly reason: string };

export function makeNative(order: Order, tables: Artifact): NativeMade {
  const { emit, policy, warn } = order;
  const bytes = tables.bytes instanceof Uint8Array ? tables.bytes : bug("the tables are not in memory");
  const native = nativeTarget(policy, bytes);
  if (!native.ok) return native;
  if (native.warning !== undefined) warn?.(native.warning);
  if (emit.has("iso")) return { ok: false, reason: NO_IMAGE };
  const made: Readonly<Record<Product, readonly Artifact[]>> = {
    tables: [tables],
    manifest: [native.manifest],
    iso: [],
    attestation: [],
    proofs: order.proofs ?? [],
  };
  const unattested = emit.has("attestation") ? [UNATTESTED] : [];
  return {
    ok: true,
    artifacts: [...emit].flatMap((product) => made[product]),
    losses: [...native.losses, ...unattested],
  };
}

const NO_IMAGE = "an image for upstream's kernel is not made yet: give --emit tables,manifest,proofs";
const UNATTESTED: Loss = { subject: "build", what: "attestation", why: "it is made of images of `target linux` alone" };
