// Defines the messages between the web page of the playground and the compiler in a web worker. Offsets are UTF-16 code
// units of a file's text.

/** Paths of the root page and of the lock file beside it, which pins imports. */
export const ROOT = "system.cap";
export const LOCK = "cap.lock";

/** A file beside the page, by its path relative to the page's folder. */
export interface FileBeside {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A project as it is being edited. */
export interface Draft {
  /** Increases with each change, so that an answer can be matched with the present text. */
  readonly revision: number;
  /** Text of the root page. */
  readonly text: string;
  readonly beside: readonly FileBeside[];
  /** Date in the form YYYY-MM-DD. */
  readonly today: string;
}

export interface CellQuestion {
  readonly session: string;
  readonly task?: string;
  readonly phase?: string;
  readonly tool: string;
  /** Arguments of the call that the question is about, as JSON text. */
  readonly arguments?: string;
  readonly label?: string;
  readonly unattended: boolean;
}

export type Request =
  | { readonly kind: "look"; readonly draft: Draft }
  | { readonly kind: "why"; readonly draft: Draft; readonly question: CellQuestion }
  | { readonly kind: "format"; readonly file: string; readonly text: string }
  | { readonly kind: "pin"; readonly draft: Draft }
  /**
   * Contains only the text of the file, because each typed letter sends a new request; the names and files to offer
   * come from the last compilation of the project.
   */
  | { readonly kind: "complete"; readonly file: string; readonly text: string; readonly offset: number }
  /** `file`: path relative to the page's folder. */
  | { readonly kind: "hover"; readonly draft: Draft; readonly file: string; readonly offset: number };

export type Reply =
  | CheckResponse
  | { readonly kind: "explained"; readonly lines: readonly string[]; readonly rule: Range | undefined }
  | { readonly kind: "formatted"; readonly text: string | undefined }
  /** New text of cap.lock, and what changes; `undefined` if an import cannot be read. */
  | { readonly kind: "pinned"; readonly text: string | undefined; readonly changes: readonly string[] }
  | Completion
  | { readonly kind: "hovered"; readonly hover: Hover | undefined }
  /** The request needs a feature that only the command line has. */
  | { readonly kind: "leftOut"; readonly what: string };

export interface CheckResponse {
  readonly kind: "looked";
  readonly findings: readonly Finding[];
  /** Decisions of the page, or `undefined` if it has errors. */
  readonly matrix: Matrix | undefined;
  /** Paths of files beside the page that the compiler read. */
  readonly named: readonly string[];
  /** Paths of programs that only the command line would inspect. */
  readonly unlooked: readonly string[];
}

export interface Completion {
  readonly kind: "completed";
  /** Offset at which the typed part of the word begins. */
  readonly from: number;
  /** Offset up to which a chosen word replaces the text. */
  readonly to: number;
  readonly items: readonly CompletionWord[];
  /** Whether more items exist than the list contains. */
  readonly isIncomplete: boolean;
}

export interface CompletionWord {
  readonly label: string;
  /** Text to insert if the completion is accepted. */
  readonly text: string;
  /** Kind as an editor names it, such as `keyword`. */
  readonly type: string;
  readonly detail: string | undefined;
  /** Markdown. */
  readonly documentation: string | undefined;
}

export interface Hover {
  readonly range: Range | undefined;
  /** Markdown. */
  readonly text: string;
}

export interface Range {
  /** Path relative to the page's folder. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

export interface Finding {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly because: string;
  readonly help: string | undefined;
  /** Place of the finding for a person: `system.cap:3:5`. */
  readonly place: string;
  /** Range in a file of the project, or `undefined` if the finding is in the library. */
  readonly range: Range | undefined;
  readonly fix: (Range & { readonly insert: string }) | undefined;
  /** File that the page names and the project lacks, if the playground can make one. */
  readonly missing: string | undefined;
  /** Whether a new cap.lock would correct the finding. */
  readonly isPinning: boolean;
}

/**
 * Decisions about tools: the matrix has a column for each place, and a row for each tool that at least one place has.
 */
export interface Matrix {
  readonly places: readonly Place[];
  readonly rows: readonly { readonly tool: string; readonly cells: readonly Cell[] }[];
  /** Numbers of places and tools that the table omits, because they exceed its maximum. */
  readonly left: { readonly places: number; readonly tools: number };
}

export interface Place {
  /** Name of the place, such as `operator.triage.look`. */
  readonly name: string;
  /** Place as a request `why` names it; `undefined` for workers, which such a request cannot name. */
  readonly asked: Pick<CellQuestion, "session" | "task" | "phase"> | undefined;
}

/** Decision for a tool: its mode, `none` if no rule covers it, `hidden` if the place does not have the tool. */
export interface Cell {
  readonly mode: "auto" | "consent" | "stepUp" | "forbidden" | "none" | "hidden";
  /** Strictest mode that arguments can cause, if it is stricter than `mode`; otherwise `undefined`. */
  readonly strictest: string | undefined;
}
