// Defines the parameters of a build, such as the policy, the signing keys and the requested formats of the image.

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
  /**
   * UEFI program that was signed elsewhere. The signed program is used if, apart from the signature, it equals the
   * UEFI program that this build makes from the page.
   */
  readonly signedProgram?: Buffer;
  /** Requested formats of the image in addition to the ISO. */
  readonly formats?: ReadonlySet<Format>;
  /** Folder for temporary files, on the file system of the output. */
  readonly scratch: string;
  /** The only time that artefacts contain, in seconds since 1970. */
  readonly sourceDateEpoch: number;
  readonly progress: Progress;
  /** Number of the page's assertions that are not proved; the image states this number. */
  readonly unproved?: number;
  /** Whether the build refuses to make an image if a file or a program differs from inputs.lock. */
  readonly locked?: boolean;
  /** Receives a sentence for each difference from inputs.lock, if the image is made in spite of it. */
  readonly warn?: (sentence: string) => void;
  /** Receives a sentence about anything in the image that upstream's kernels may refuse. */
  readonly caution?: (sentence: string) => void;
  /**
   * Receives a sentence for each prompt head without a prefilled state: its sessions, tasks and phases, and the reason.
   */
  readonly remark?: (sentence: string) => void;
  /** Documents about the page's proofs, which the caller has already made. */
  readonly proofs?: readonly Artifact[];
  /** Programs that replace the engine's own programs, for images that run measurements. */
  readonly roles?: readonly NodeRole[];
  /** Writer of the image; the project's own by default. */
  readonly writer?: Writer;
  /** Model weights, which the build only copies; each has its digest, and its path in the image. */
  readonly weights?: readonly Weights[];
  /** Images that were built earlier at the same path; the build copies unchanged parts from these images. */
  readonly earlier?: EarlierImages;
  /** Key that signs the image; the development key of this checkout by default. */
  readonly key?: SigningKey;
  /** Files of the page, which the attestation lists as sources. */
  readonly sources?: readonly ResourceDigest[];
  /**
   * Differences in meaning from an earlier image, to be signed; or the signed record of these differences from an
   * existing image.
   */
  readonly difference?: DifferencePredicate | Uint8Array;
  /** Public keys that may sign images of this system, in addition to the key that signs this image; 32 bytes each. */
  readonly alsoTrust?: readonly Uint8Array[];
  /** Public keys that may sign weights, in addition to the key that signs the image; 32 bytes each. */
  readonly trustWeights?: readonly Uint8Array[];
  /** Receives the reason for which a build writes a whole image instead of reusing the last one. */
  readonly explain?: (words: string) => void;
}

export interface Weights {
  readonly path: string;
  readonly bytes: { readonly file: string; readonly sha256: string };
}
