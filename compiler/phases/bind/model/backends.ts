import type { Span } from "../../../../lang/text/index.ts";
import type { BackendNode, ModelNode, Words } from "../../../../lang/tree/index.ts";
import type { Asset, PackageFile } from "../../source/index.ts";
import type { BoundQuota } from "../quota.ts";
import type { BoundLabel } from "./lattice.ts";

/** Price of a million tokens, in millionths of the currency. */
export interface Price {
  readonly currency: string;
  /** Price of input tokens. */
  readonly inputMicros: bigint;
  /** Price of output tokens. */
  readonly outputMicros: bigint;
}

/** A language model of the page: its weights, and facts about them. */
export interface Weights {
  readonly name: string;
  readonly path: Words | undefined;
  /** File of the weights; `undefined` if the page names none, or if the file does not exist. */
  readonly file: PackageFile | undefined;
  readonly arch: string | undefined;
  readonly quantisation: string | undefined;
  /** Context length in tokens; 0 if the page does not state it. */
  readonly contextTokens: number;
  /** Whether the model was trained to call tools. */
  readonly tools: boolean;
  /** Name by which a remote provider knows the model; `undefined` if the page states none. */
  readonly served: string | undefined;
  /** Price that the provider of the model charges; `undefined` if the page does not state one. */
  readonly price: Price | undefined;
  /** Minimum share of right answers of the model in its evaluation, in hundredths; 0 if the page demands none. */
  readonly acceptPercent: number;
  readonly node: ModelNode;
}

type BackendKind = "stub" | "cpu" | "gpu" | "remote" | "browser";

export interface Backend {
  readonly name: string;
  readonly kind: BackendKind;
  readonly clearance: BoundLabel | undefined;
  readonly replies: Asset | undefined;
  /** Name and address of the provider of a `remote` or `browser` backend; `undefined` for other backends. */
  readonly provider: { readonly name: string; readonly address: string } | undefined;
  readonly model: Weights | undefined;
  readonly embedder: Weights | undefined;
  /** Number of threads; 0 if the page does not state it. */
  readonly threads: number;
  readonly memoryBytes: bigint;
  /** Name of the sealed secret that the backend uses, never its value. */
  readonly token: string | undefined;
  /** Whether the backend may answer only while the audit works. */
  readonly logRequired: boolean;
  readonly quotas: readonly BoundQuota[];
  readonly span: Span;
  readonly node: BackendNode;
}
