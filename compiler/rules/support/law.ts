import type { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { Span } from "../../../lang/text/index.ts";
import type { FileTree } from "../../../lang/tree/index.ts";
import type { Model, Waiver } from "../../phases/bind/index.ts";
import type { Providers, Resolution } from "../../phases/policy/index.ts";
import type { DeadCell } from "../../phases/prove/index.ts";

/** Everything that a law can read. */
export interface Page {
  readonly model: Model;
  readonly resolution: Resolution;
  /** Pages of the package, without the standard library. */
  readonly trees: readonly FileTree[];
  /** Interfaces that the image serves, with their providers. */
  readonly provided: Providers;
  /** The day of the build, as YYYY-MM-DD. */
  readonly today: string;
  /** Proven policy of a page without errors. Only advice can use it, because laws run before the tables exist. */
  readonly proven?: ProvenPage;
}

/** The tables of a page, and the parts of it that no conversation can use. */
export interface ProvenPage {
  readonly tables: PolicyTables;
  /** Positions of the tables' rules on the page. */
  readonly rules: readonly Span[];
  readonly dead: readonly DeadCell[];
  readonly idleWaivers: readonly Waiver[];
}

export type Report = (diagnostic: Diagnostic) => void;

/** A law checks one question and has one folder. It reports everything that it finds, and never decides about the consequences. */
export interface Law {
  /** All codes that it can report. Files named bad*.cap in the law's folder show an example of each code. */
  readonly reports: readonly { readonly code: string }[];
  readonly check: (page: Page, report: Report) => void;
}

export function defineLaw(law: Law): Law {
  return law;
}
