import type { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { Span } from "../../../lang/text/index.ts";
import type { FileTree } from "../../../lang/tree/index.ts";
import type { Model, Waiver } from "../../phases/bind/index.ts";
import type { Providers, Resolution } from "../../phases/policy/index.ts";
import type { DeadCell } from "../../phases/prove/index.ts";

/** A page, as laws and advice read it. */
export interface Page {
  readonly model: Model;
  readonly resolution: Resolution;
  /** Syntax trees of the package's files, without the standard library. */
  readonly trees: readonly FileTree[];
  /** Interfaces that the image serves, and their providers. */
  readonly provided: Providers;
  /** Today's date, in the form YYYY-MM-DD. */
  readonly today: string;
  /**
   * Tables and proofs of a page without errors. Only advice gets the tables and proofs, because laws run before the
   * tables exist.
   */
  readonly proven?: ProvenPage;
}

/** The tables of a page, and the parts of the page that no conversation can use. */
export interface ProvenPage {
  readonly tables: PolicyTables;
  /** Position on the page of each rule of the tables. */
  readonly rules: readonly Span[];
  readonly dead: readonly DeadCell[];
  readonly idleWaivers: readonly Waiver[];
  /**
   * Assertions of the page that hold only because their data does not occur: no tool, session or ingress has a label
   * that they name.
   */
  readonly trivial: readonly { readonly assertion: string; readonly span: Span }[];
}

export type Report = (diagnostic: Diagnostic) => void;

/**
 * A law checks one property of a page, and has its own folder. A law reports all violations that it finds, and does not
 * influence other laws.
 */
export interface Law {
  /** All codes that the law can report. The bad examples of the law cause each of these codes. */
  readonly reports: readonly { readonly code: string }[];
  readonly check: (page: Page, report: Report) => void;
}

export function defineLaw(law: Law): Law {
  return law;
}
