import type { IndexedTables } from "../../engine/policy/index.ts";
import type { Model } from "../bind/index.ts";
import type { Direction, Place } from "../diff/index.ts";
import type { Origins, Policy } from "../policy/index.ts";
import type { DeadCell } from "../prove/index.ts";

/** What a report is about: a page without errors, and what other rooms know of it. */
export interface Subject {
  /** Of the page's own file, without folders: the report is the same wherever it lies. */
  readonly file: string;
  /** `capc 0.1.0` */
  readonly madeBy: string;
  readonly policy: Policy;
  readonly origins: Origins;
  readonly model: Model;
  readonly tables: IndexedTables;
  /** In start order; none where an image cannot be built of the page yet. */
  readonly processes: readonly ProcessFacts[];
  readonly proofs: ProofFacts;
  /** What inherited assertions say, by their names. */
  readonly inherited: ReadonlyMap<string, string>;
  /** Permissions that no conversation can use, by indexes of the tables. */
  readonly dead: readonly DeadCell[];
  /** Nothing: the page is compared with none. */
  readonly changes: Changes | undefined;
}

export interface ProcessFacts {
  readonly name: string;
  readonly role: string;
  readonly uid: number;
  readonly memoryBytes: bigint;
  /** `stays dead`, `started again 5 times in 300 s` */
  readonly restart: string;
  readonly holds: readonly HeldCapability[];
  /** What it is handed at its start: files, directories, keys. */
  readonly handed: readonly string[];
}

export interface HeldCapability {
  readonly interfaceName: string;
  /** Of the process that answers; `init` is nobody's child. */
  readonly provider: string;
  /** `file:line:column` of the line that grants it. */
  readonly origin: string;
}

/** As `capc prove --json` tells it. */
export interface ProofFacts {
  readonly policy: string;
  readonly assertions: readonly ProvenAssertion[];
  readonly waived: readonly { readonly assertion: string; readonly session: string | null; readonly because: string }[];
  readonly prompts: readonly PromptFacts[];
  readonly dead: readonly { readonly place: string; readonly tool: string; readonly why: string }[];
}

export interface ProvenAssertion {
  readonly assertion: string;
  readonly of: "page" | "conversations" | "image";
  readonly at: string | null;
  readonly verdict: "proved" | "refuted" | "undetermined";
  readonly sentence: string;
  readonly releases: readonly string[];
  readonly size: { readonly states: number; readonly labels: number } | null;
  readonly story: readonly string[];
}

export interface PromptFacts {
  readonly place: string;
  readonly wanted: string;
  readonly asked: string;
  readonly by: readonly string[];
  readonly quotas: readonly string[];
}

/** What means something else than in an older system, as `capc diff` tells it. */
export interface Changes {
  /** The older system, as a person called it. */
  readonly before: string;
  /** Widened first, then moved, then narrowed. */
  readonly told: readonly ToldChange[];
  /** Cells of the new system that are decided otherwise. */
  readonly cells: readonly { readonly place: Place; readonly tool: string; readonly direction: Direction }[];
  readonly notCompared: readonly string[];
  /** Why something that changed may be missing; nothing where none is. */
  readonly unseen: string | undefined;
}

export interface ToldChange {
  readonly direction: Direction;
  /** More authority, certainly or possibly. */
  readonly widens: boolean;
  readonly where: readonly string[];
  readonly before: string;
  readonly after: string;
  /** Calls that show it. */
  readonly shownBy: readonly string[];
  readonly lines: readonly { readonly words: string; readonly place: string }[];
  readonly because: readonly string[];
}
