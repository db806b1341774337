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
  /** UEFI program that was signed elsewhere. It must equal the program of this build, apart from the signature. */
  readonly signedProgram?: Buffer;
  /** Requested formats of the image beside the ISO. */
  readonly formats?: ReadonlySet<Format>;
  /** Folder for temporary files, on the file system of the output. */
  readonly scratch: string;
  /** The only time that artefacts contain, in seconds since 1970. */
  readonly sourceDateEpoch: number;
  readonly progress: Progress;
  /** Number of the page's assertions that do not hold, which the image states. */
  readonly unproved?: number;
  /** Whether the image is refused if an input differs from inputs.lock. */
  readonly locked?: boolean;
  /** Receives a sentence for each input that differs from inputs.lock, if the image is made nevertheless. */
  readonly warn?: (sentence: string) => void;
  /** Receives a sentence about each part of the image that some of upstream's kernels refuse. */
  readonly caution?: (sentence: string) => void;
  /** Receives a sentence about each part of the page that the image does not contain. */
  readonly remark?: (sentence: string) => void;
  /** Descriptions of the proofs, made beside the other products. */
  readonly proofs?: readonly Artifact[];
  /** Programs that replace the engine's own, for images that run measurements. */
  readonly roles?: readonly NodeRole[];
  /** Writer of the image; the project's own by default. */
  readonly writer?: Writer;
  /** Files of weights with their digests and their paths in the image. The files themselves are too large for memory. */
  readonly weights?: readonly Weights[];
  /** Images that were built earlier at the same path, whose unchanged parts are reused. */
  readonly earlier?: EarlierImages;
  /** Key that signs the image; the development key of this checkout by default. */
  readonly key?: SigningKey;
  /** Files that the page was read from, for the attestation. */
  readonly sources?: readonly ResourceDigest[];
  /** Policy changes since an earlier image, to be signed by this build, or the bytes of a record that is already signed. */
  readonly difference?: DifferencePredicate | Uint8Array;
  /** Additional public keys that may sign images of this system; 32 bytes each. */
  readonly alsoTrust?: readonly Uint8Array[];
  /** Additional public keys that may sign weights; 32 bytes each. */
  readonly trustWeights?: readonly Uint8Array[];
  /** Receives the reason for which an image is written whole instead of reusing the last one. */
  readonly explain?: (words: string) => void;
}

export interface Weights {
  readonly path: string;
  readonly bytes: { readonly file: string; readonly sha256: string };
}
