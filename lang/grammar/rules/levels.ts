import type { Keyword } from "../vocabulary.ts";
import type { Rule } from "./reading.ts";

/** Level of the elements of a block: declarations, attributes of declarations, or lines of attributes. */
export type Level = "declaration" | "attribute" | "line";

/** Place where parsing resumes after an error. */
export interface Place {
  readonly element: Rule<unknown>;
  readonly level: Level;
}

const DECLARATIONS: readonly Keyword[] = [
  ...(["assert", "audit", "backend", "category", "compartments", "confidentiality", "declassify"] as const),
  ...([
    "endorse",
    "image",
    "ingress",
    "integrity",
    "interface",
    "let",
    "model",
    "network",
    "principal",
    "redact",
    "service",
    "session",
    "storage",
  ] as const),
  ...(["task", "test", "use", "waive", "worker"] as const),
];

/** First words of the declarations that have a name between this word and the brace, as in `session NAME {`. */
export const NAMED: ReadonlySet<string> = new Set<Keyword>([
  "backend",
  "interface",
  "model",
  "principal",
  "redact",
  "service",
  "session",
  "task",
  "worker",
]);

const ATTRIBUTES: readonly Keyword[] = [
  ...([
    "clearance",
    "kind",
    "login",
    "models",
    "only",
    "permit",
    "phase",
    "principals",
    "quota",
    "remember",
    "requires",
  ] as const),
  ...(["starts", "suppress", "timeout", "when", "widen"] as const),
];

/**
 * For each level of a block, words that belong to an outer block if a line begins with them. Most of them end the
 * block.
 */
export const OUTER: Readonly<Record<Level, ReadonlySet<string>>> = {
  declaration: new Set(),
  attribute: new Set(DECLARATIONS),
  line: new Set([...DECLARATIONS, ...ATTRIBUTES]),
};
