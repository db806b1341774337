// Defines the report of a difference that text, JSON, Markdown and SARIF share; report.ts builds it.

import type { Span } from "../../../lang/text/index.ts";
import type { CellChange, Direction, Owner } from "../../queries/diff/index.ts";

/** One change, described for people. */
export interface ChangeReport {
  readonly direction: Direction;
  /** Whether the change certainly or possibly gives more authority. */
  readonly widens: boolean;
  /**
   * For a decision: sessions and tasks, with the tools that the change concerns. For another property: what has the
   * property, such as `service notes`.
   */
  readonly at: readonly { readonly place: string; readonly tools: readonly string[] }[];
  /** Property that changed; empty for decisions about tools. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** For decisions that are too long for one line: the lines of both, in the order of the pages. */
  readonly clauses: readonly ClauseReport[];
  /** Aspects of the change, each with its own direction, such as `widened`; empty for a change of one aspect. */
  readonly parts: readonly PartReport[];
  /** Limits and other properties of a new session, task, phase, worker or tool. */
  readonly details: readonly string[];
  /** Sentences that explain the change to a reader. */
  readonly notes: readonly string[];
  /** Examples of calls that are decided differently because of the change. */
  readonly witnesses: readonly CallReport[];
  /** For a changed flow: examples of conversations in which the data flows. */
  readonly ways: readonly FlowReport[];
  /** Lines of the newer page that cause or state the change. If only the older page has such a line, that line. */
  readonly lines: readonly LineReport[];
  readonly because: readonly string[];
  /** For a widening without a reason: explains why the reason is missing, and how to state one. */
  readonly unsaid?: string;
  /** Session, service, backend or principal whose declaration changed. */
  readonly owner: Owner | undefined;
}

/** A line of the older decision (`removed`), of the newer one (`added`), or of both. */
export interface ClauseReport {
  readonly mark: "same" | "removed" | "added";
  readonly text: string;
}

/** One aspect of a change, such as the secrecy of the results of some tools. */
export interface PartReport {
  readonly direction: Direction;
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** Names of the tools that the aspect concerns, if other aspects concern other tools; otherwise empty. */
  readonly tools: readonly string[];
}

/**
 * Call that is decided differently. The arguments are missing if the search found none that show the change, but could
 * not prove that there are none.
 */
export interface CallReport {
  readonly tool: string;
  readonly arguments: string | undefined;
  /** Assumptions of the decision: `"a" comes from person`, `it is in a task begun by /task pay limit=100`. */
  readonly assumptions: readonly string[];
  /** Label of the conversation; `undefined` if the decision does not depend on the label. */
  readonly label: string | undefined;
  readonly unattended: boolean;
  /** The conversation before the call: `operator: notes.read {"path":""}`; `undefined` if the decision does not depend on it. */
  readonly earlier: string | undefined;
  readonly before: string;
  readonly after: string;
  /** Names of other tools and backends that are also decided more loosely, or also more strictly, than before. */
  readonly likewise: readonly string[];
}

/** A flow that is possible on only one of the two sides. */
export interface FlowReport {
  readonly possible: "now" | "before";
  /** Label or data that flows, for example `secret`. */
  readonly source: string;
  /** Receiver of the data, for example `backend frontier`. */
  readonly sink: string;
  /**
   * Steps of the shortest conversations in which the data flows, one line each; or the reason why no conversation can
   * be shown.
   */
  readonly story: readonly string[];
  /**
   * Shortest conversations in which the data flows, as a value for programs; `null` if no conversation can be shown.
   */
  readonly witness: object | null;
}

export interface LineReport {
  readonly words: string;
  readonly place: string;
  readonly span: Span | undefined;
  /**
   * For a rule that the change does not edit: whether it now applies to more or fewer conversations. `gone`: a line of
   * the older side that the newer side lacks.
   */
  readonly applies?: "more" | "less" | "gone";
}

export interface DiffReport {
  readonly before: SideName;
  readonly after: SideName;
  /**
   * The order is: widenings, moves, narrowings. A move gives more authority in one case and less in another, or neither
   * more nor less. Within each kind, changes have the order of the comparison, and a flow is after the change that
   * causes it.
   */
  readonly changes: readonly ChangeReport[];
  /** Number of decisions that come from other rules than before, but with the same outcome. */
  readonly alike: number;
  readonly cells: readonly CellChange[];
  /** Descriptions of properties that were not compared and may differ. */
  readonly notCompared: readonly string[];
  /**
   * Reason why the comparison may have missed a widening, for example because a side is not a page. It is `undefined` if
   * everything was compared, or if the reviewer gave a reason.
   */
  readonly uncompared: string | undefined;
  /**
   * Things that were probably renamed may instead be new. These are the widenings that would then have no reason. They
   * are not in `changes`. Lines that changed only by the rename are left out.
   */
  readonly ifNew: readonly ChangeReport[];
}

export interface SideName {
  readonly name: string;
  readonly system: string;
  readonly version: string;
  /** Returns the SHA-256 of the side's policy tables in hexadecimal, which the audit of the side's machine quotes. */
  readonly tables: () => string;
  /** Returns the SHA-256 of what the tables mean: comments, and the order of lines, do not change it. */
  readonly meaning: () => string;
}
