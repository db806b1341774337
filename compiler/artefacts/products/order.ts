// Parameters of a build.

import type { SecureBootKey } from "../../../engine/image/uefi/sign.ts";
import type { NodeRole } from "../../../engine/lib/roles/index.ts";
import type { DifferencePredicate } from "../../../targets/attest/difference.ts";
import type { ResourceDigest } from "../../../targets/attest/statement.ts";
import type { Artifact } from "../../../targets/contract/artifact.ts";
import type { Origins, Policy } from "../../../targets/contract/policy.ts";
import type { EarlierImages } from "../../../targets/iso/make-iso.ts";
import type { Writer } from "../../../targets/iso/writer.ts";
import type { SigningKey } from "../../../targets/manifest/signing.ts";
import type { Product } from "./emit.ts";
import type { Format } from "./formats.ts";
import type { Progress } from "./progress.ts";

export interface Order {
  readonly policy: Policy;
  readonly origins: Origins;
  readonly emit: ReadonlySet<Product>;
  /** Key that signs the UEFI program; the program stays unsigned without it. */
  readonly secureBoot?: SecureBootKey;
  /** Signed UEFI program from elsewhere. It is used if, apart from the signature, it equals what the page gives. */
  readonly signedProgram?: Buffer;
  /** In which forms the image is wanted beside the ISO. */
  readonly formats?: ReadonlySet<Format>;
  /** For files that are made on the way; on the file system of the output. */
  readonly scratch: string;
  /** Seconds since 1970: the one time that artefacts carry. */
  readonly sourceDateEpoch: number;
  readonly progress: Progress;
  /** How many assertions of the page do not hold: the image says so. */
  readonly unproved?: number;
  /** Whether what is not as it is locked makes no image at all. */
  readonly locked?: boolean;
  /** Receives a sentence for each thing that differs from the lock, where the image is made all the same. */
  readonly warn?: (sentence: string) => void;
  /** Is told what of upstream's kernels may refuse what is made. */
  readonly caution?: (sentence: string) => void;
  /** Is told what of the page an image is made without. */
  readonly remark?: (sentence: string) => void;
  /** Descriptions of the proofs, made beside the other products. */
  readonly proofs?: readonly Artifact[];
  /** Programs in place of the engine's own, for images that measure something. */
  readonly roles?: readonly NodeRole[];
  /** Writer of the image; the project's own by default. */
  readonly writer?: Writer;
  /** Large files that no page makes, each with its digest; paths as in the image. */
  readonly weights?: readonly Weights[];
  /** Images that were built in the place of this one: what did not change is taken from them. */
  readonly earlier?: EarlierImages;
  /** Key that signs the image; the development key of this checkout by default. */
  readonly key?: SigningKey;
  /** Files that the page was read from, for the attestation. */
  readonly sources?: readonly ResourceDigest[];
  /** Differences in meaning from an earlier image, to be signed; or the record of them as an image contains it. */
  readonly difference?: DifferencePredicate | Uint8Array;
  /** Public keys that may sign images of this system too; 32 bytes each. */
  readonly alsoTrust?: readonly Uint8Array[];
  /** Public keys that may sign weights, beside the one that signs the image; 32 bytes each. */
  readonly trustWeights?: readonly Uint8Array[];
  /** Is told why an image is written whole that could have been made of the last one. */
  readonly explain?: (words: string) => void;
}

export interface Weights {
  readonly path: string;
  readonly bytes: { readonly file: string; readonly sha256: string };
}
