// Makes the products of a page with `target capos`: upstream's manifest, the tables in it, and an image that starts
// upstream's kernel. Also lists the parts of the page that none of these products expresses.

import { accept } from "../../../engine/lib/result/result.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { buildNative, type Loss } from "../../../targets/capos-native/index.ts";
import type { Artifact } from "../../../targets/contract/artifact.ts";
import { isImageNeeded, type Product } from "./emit.ts";
import { makeNativeImage, type NativeImage } from "./native-image.ts";
import type { Order } from "./order.ts";

type NativeMade =
  | {
      readonly ok: true;
      readonly artifacts: readonly Artifact[];
      readonly losses: readonly Loss[];
      readonly signer?: NativeImage["signer"];
    }
  | { readonly ok: false; readonly reason: string };

export async function makeNative(order: Order, tables: Artifact): Promise<NativeMade> {
  const { emit, policy, caution } = order;
  const bytes = tables.bytes instanceof Uint8Array ? tables.bytes : bug("the tables are not in memory");
  const native = buildNative(policy, bytes);
  if (!native.ok) return native;
  if (native.warning !== undefined) caution?.(native.warning);
  const finished = isImageNeeded(emit)
    ? await makeNativeImage(order, native.manifest, { path: tables.path, bytes })
    : accept(undefined);
  if (!finished.ok) return finished;
  const image = finished.value;
  const made: Readonly<Record<Product, readonly Artifact[]>> = {
    tables: [tables],
    manifest: [native.manifest, ...(image?.parts ?? [])],
    iso: image?.forms ?? [],
    attestation: image?.attestations ?? [],
    proofs: order.proofs ?? [],
  };
  return {
    ok: true,
    ...(image && { signer: image.signer }),
    artifacts: [...emit].flatMap((product) => made[product]),
    losses: [...native.losses, ...(image === undefined ? UNATTESTED : UNSEALED)],
  };
}

const ALONE = "they are made of images alone: give `--emit` no list, or name iso in it";
const UNATTESTED: readonly Loss[] = [{ subject: "build", what: "list of parts and attestation", why: ALONE }];

const UNSEALED: readonly Loss[] = [
  {
    subject: "image",
    what: "who wrote it",
    why: "Limine checks its files by digests that lie beside them unsigned: corruption is found, a writer of the medium is not",
  },
  { subject: "image", what: "the attestation", why: "nothing reads it at the start: `capc inspect` does" },
  { subject: "image", what: "a start by BIOS from a disk", why: "that needs Limine's own `limine bios-install`" },
];
