import type { WORDS } from "../../../../phases/bind/index.ts";

/** Kind of thing that a name at a position may refer to. */
export type CompletionTarget =
  | "backend"
  | "category"
  | "compartment"
  | "confidentiality level"
  | "holding"
  | "integrity level"
  | "interface"
  | "model"
  | "module"
  | "module root"
  | "parameter"
  | "pattern"
  | "phase"
  | "principal"
  | "session"
  | "set"
  | "sink"
  | "source"
  | "strong method"
  | "subject"
  | "tool"
  | { readonly words: keyof typeof WORDS };

/**
 * Targets by the innermost rules that would parse the name; the first match counts. A test checks that each name that the binder resolves
 * is offered at its place; the model provides the names.
 */
const PLACES: readonly (readonly [rules: string, wanted: readonly CompletionTarget[]])[] = [
  ["namedPattern > reference", ["interface"]],
  ["namedPattern", ["pattern"]],
  ["label > names", ["compartment"]],
  ["label > name 1", ["integrity level"]],
  ["label", ["confidentiality level"]],
  ["met > name 1", ["integrity level"]],
  ["met > name 2", ["compartment"]],
  ["met", ["confidentiality level"]],
  ["sessionAttribute > names", ["principal"]],
  ["sessionAttribute > name 1", [{ words: "logins" }]],
  ["sessionAttribute", [{ words: "kinds" }]],
  ["test", ["set"]],
  ["origin", ["source"]],
  ["redactionPart > fields > reference", ["tool"]],
  ["modelChoice", ["backend"]],
  ["session > reference", ["session"]],
  ["taskParameter > name 1", [{ words: "parameters" }]],
  ["parameter > name", ["parameter"]],
  ["given > name", ["parameter"]],
  ["task > reference", ["session"]],
  ["worker > reference", ["subject"]],
  ["subject > reference", ["subject"]],
  ["asStep > reference", ["subject"]],
  ["ingress > reference", ["subject"]],
  ["ingress > name 1", [{ words: "sources" }]],
  ["service > reference", ["interface"]],
  ["serviceAttribute > references > reference", ["strong method"]],
  ["serviceAttribute > reference", ["holding"]],
  ["interface > reference", ["interface"]],
  ["never > reference", ["sink"]],
  ["category > name 1", ["category"]],
  ["method > name", ["category"]],
  ["backendAttribute > name 1", ["model"]],
  ["backendAttribute > name", ["model"]],
  ["enterStep > name", ["phase", "backend"]],
  ["callStep", ["tool"]],
  ["release", ["tool"]],
  ["waive", [{ words: "inherited" }]],
  ["answer", [{ words: "answers" }]],
  ["expect", [{ words: "expected" }]],
  ["quotaEntry > name 2", [{ words: "scopes" }]],
  ["quotaEntry > name 1", []],
  ["quotaEntry", ["category", { words: "units" }]],
  ["timeLimit", [{ words: "timed" }]],
  ["narrowing > remember", [{ words: "remembered" }]],
  ["use > name 1", ["module"]],
  ["use", ["module root"]],
  ["setting > settingValue", ["session"]],
  ["setting", [{ words: "settings" }]],
];

/** Returns the targets; `rules` come from the grammar, outermost first. */
export function findWanted(rules: readonly string[]): readonly CompletionTarget[] {
  // The number of a rule's use distinguishes names, but not their surroundings.
  const outer = rules.slice(0, -1).map((rule) => rule.replace(/ \d+$/, ""));
  const path = [...outer, ...rules.slice(-1)].join(" > ");
  const bare = path.replace(/ > (name|member > name)$/, "");
  return PLACES.find(([place]) => hasEnding(path, place) || hasEnding(bare, place))?.[1] ?? [];
}

function hasEnding(path: string, place: string): boolean {
  return path === place || path.endsWith(` > ${place}`);
}
