import type { ParameterValue } from "../../../../engine/lib/policy/index.ts";
import type { RehearsalNode, Step } from "../../../../lang/tree/index.ts";
import type { Backend } from "./backends.ts";
import type { Tool } from "./interfaces.ts";
import type { BoundLabel } from "./lattice.ts";
import type { Subject } from "./tasks.ts";

/** Results that a step of a test may expect: a mode, or one of the outcomes of a call. */
export const EXPECTED = [
  "auto",
  "consent",
  "stepUp",
  "forbidden",
  "ok",
  "refusedByPolicy",
  "deniedByUser",
  "stepUpFailed",
  "invalidArguments",
  "unknownTool",
] as const;
export type ExpectedOutcome = (typeof EXPECTED)[number];

/**
 * Answers of the person who is asked for approval. If a test states no answer, no person is asked, and a call behind a
 * gate does not run.
 */
export const ANSWERS = ["yes", "no"] as const;
export type PersonsAnswer = (typeof ANSWERS)[number];

/** `test "…" { … }`: a conversation that is checked against the tables. */
export interface BoundTest {
  readonly title: string;
  readonly steps: readonly BoundStep[];
  readonly node: RehearsalNode;
}

interface Answered<K extends Step["kind"]> {
  readonly answer: PersonsAnswer | undefined;
  readonly expect: ExpectedOutcome;
  readonly node: Extract<Step, { readonly kind: K }>;
}

export type BoundStep =
  | {
      readonly kind: "as";
      readonly who: Subject;
      /** Values of the task's parameters. */
      readonly given: ReadonlyMap<string, ParameterValue>;
      readonly unattended: boolean;
      readonly node: Extract<Step, { readonly kind: "as" }>;
    }
  | {
      readonly kind: "say" | "paste";
      readonly text: string;
      readonly node: Extract<Step, { readonly kind: "say" | "paste" }>;
    }
  | ({ readonly kind: "enter"; readonly phase: string } & Answered<"enter" | "infer">)
  | ({ readonly kind: "infer"; readonly backend: Backend } & Answered<"enter" | "infer">)
  | ({
      readonly kind: "call";
      /** Name of the tool as the test writes it. */
      readonly name: string;
      /** Tool of the call; `undefined` if it does not exist, which is valid only with `expect unknownTool`. */
      readonly tool: Tool | undefined;
      /** Arguments of the call as JSON text. */
      readonly arguments: string;
      /**
       * Label that the provider states for the result; `undefined` means the highest label that the page allows for the
       * provider.
       */
      readonly returning: BoundLabel | undefined;
      /** JSON text of the result; `undefined` if the test does not state it. */
      readonly giving: string | undefined;
    } & Answered<"call">);
