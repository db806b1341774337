import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import type { FileTree } from "../../lang/tree/index.ts";
import type { Model } from "../bind/index.ts";
import type { Providers, Resolution } from "../policy/index.ts";

/** What a law looks at. */
export interface Page {
  readonly model: Model;
  readonly resolution: Resolution;
  /** The pages of the package, without the standard library. */
  readonly trees: readonly FileTree[];
  /** Interfaces that the image answers for, and by which provider. */
  readonly provided: Providers;
  /** YYYY-MM-DD */
  readonly today: string;
}

export type Report = (diagnostic: Diagnostic) => void;

/** One law, one folder, one question. It reports all that it finds and never decides what happens next. */
export interface Law {
  /** Every code that it can report: its bad.cap shows each of them. */
  readonly reports: readonly { readonly code: string }[];
  readonly check: (page: Page, report: Report) => void;
}

export function defineLaw(law: Law): Law {
  return law;
}
