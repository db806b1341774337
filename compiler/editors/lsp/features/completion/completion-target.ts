import type { WORDS } from "../../../../phases/bind/index.ts";

/** Kind of thing that a name at a position may refer to. */
export type CompletionTarget =
  | "argument"
  | "argument of a fact"
  | "argument or field of a call"
  | "backend"
  | "category"
  | "compartment"
  | "confidentiality level"
  | "currency"
  | "given parameter"
  | "holding"
  | "integrity level"
  | "interface"
  | "masked field"
  | "method of an interface"
  | "model"
  | "module"
  | "module root"
  | "noun of a quota"
  | "parameter"
  | "pattern"
  | "phase or backend"
  | "principal"
  | "provider"
  | "related field"
  | "secret"
  | "session"
  | "set"
  | "setting"
  | "setting value"
  | "sink"
  | "source"
  | "started subject"
  | "strong field"
  | "subject"
  | "term"
  | "tool"
  | "unit of a literal"
  | "unit of a model"
  | "unit of a quota"
  | "value of a call"
  | "value of a condition"
  | { readonly words: keyof typeof WORDS };

/**
 * Places at which the grammar reads a name, each with the kinds of things that the name may refer to. Each entry names
 * the innermost grammar rules around a place. The first entry whose rules match is used. An empty list states that the page declares or freely chooses
 * the name at this place. A test requires an entry for every place of the grammar that reads a name.
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
  ["absence > reference", ["argument"]],
  ["term", ["term"]],
  ["test", ["set"]],
  ["relation > references > reference", ["source"]],
  ["relation > reference", ["related field"]],
  ["origin", ["source"]],
  ["literal", ["unit of a literal"]],
  ["redactionPart > fields > reference", ["masked field"]],
  ["modelChoice", ["backend"]],
  ["session > reference", ["session"]],
  ["taskParameter > name 1", [{ words: "parameters" }]],
  ["taskParameter > name 2", ["currency"]],
  ["parameter > name", ["parameter"]],
  ["given > name", ["given parameter"]],
  ["task > reference", ["session"]],
  ["worker > reference", ["subject"]],
  ["subject > reference", ["subject"]],
  ["asStep > reference", ["started subject"]],
  ["ingress > reference", ["started subject"]],
  ["ingress > name 1", [{ words: "sources" }]],
  ["ingress > name 2", [{ words: "missed" }]],
  ["service > reference", ["interface"]],
  ["serviceAttribute > references > reference", ["strong field"]],
  ["serviceAttribute > reference", ["holding"]],
  ["serviceAttribute > quantity", [{ words: "sizes" }]],
  ["interface > reference", ["interface"]],
  ["method > name", ["category"]],
  ["method", ["method of an interface"]],
  ["fact > reference", ["argument of a fact"]],
  ["fact > quantity", [{ words: "sizes" }]],
  ["meaning > name", ["currency"]],
  ["never > reference", ["sink"]],
  ["category > name 1", ["category"]],
  ["engine > name", ["provider"]],
  ["engine > name 1", ["provider"]],
  ["modelAttribute > quantity", ["unit of a model"]],
  ["backendAttribute > name 1", ["model"]],
  ["backendAttribute > name", ["model"]],
  ["backendAttribute > quantity", [{ words: "sizes" }]],
  ["backendAttribute > reference", ["secret"]],
  ["enterStep > name", ["phase or backend"]],
  ["callStep", ["tool"]],
  ["record", ["argument or field of a call"]],
  ["release", ["tool"]],
  ["waive", [{ words: "inherited" }]],
  ["answer", [{ words: "answers" }]],
  ["expect", [{ words: "expected" }]],
  ["quotaEntry > name 2", [{ words: "scopes" }]],
  ["quotaEntry > name 1", ["noun of a quota"]],
  ["quotaEntry", ["unit of a quota"]],
  ["timeLimit > quantity", [{ words: "times" }]],
  ["timeLimit", [{ words: "timed" }]],
  ["remember", [{ words: "remembered" }]],
  ["use > name 1", ["module"]],
  ["use", ["module root"]],
  ["settingValue > quantity", [{ words: "sizes" }]],
  ["settingValue", ["setting value"]],
  ["setting", ["setting"]],
  // Completion offers nothing where a page declares a name, or where only a file or provider knows the possible words.
  ["system > name", []],
  ["useSchema > name", []],
  ["levels > name", []],
  ["compartments > names", []],
  ["namedSet > name", []],
  ["category > name", []],
  ["principal > name", []],
  ["model > name", []],
  ["modelAttribute > name", []],
  ["modelAttribute > name 1", []],
  ["backend > name", []],
  ["service > name", []],
  ["session > name", []],
  ["task > name", []],
  ["taskParameter > name", []],
  ["phase > name", []],
  ["worker > name", []],
  ["ingress > name", []],
  ["redaction > name", []],
];

/** Like `PLACES`, for texts in quotes: the places where the schema of a tool may list the possible texts. */
const TEXTS: readonly (readonly [rules: string, wanted: readonly CompletionTarget[]])[] = [
  ["literal > words", ["value of a condition"]],
  ["json > words", ["value of a call"]],
];

/**
 * Returns the kinds of things to which a name or text (`kind`) may refer at the place where the grammar rules `rules`
 * read it. The outermost rule comes first. Returns `undefined` for an unknown place.
 */
export function findWanted(kind: string, rules: readonly string[]): readonly CompletionTarget[] | undefined {
  // If a grammar rule uses the rule `name` twice, `rules` contains `name 2` for the second use. The tables of places
  // state this number only for the innermost rule, which comes last, so it is removed from the other rules.
  const outer = rules.slice(0, -1).map((rule) => rule.replace(/ \d+$/, ""));
  const path = [...outer, ...rules.slice(-1)].join(" > ");
  if (kind === "String") return TEXTS.find(([place]) => hasEnding(path, place))?.[1];
  const bare = path.replace(/ > (name|member > name)$/, "");
  return PLACES.find(([place]) => hasEnding(path, place) || hasEnding(bare, place))?.[1];
}

function hasEnding(path: string, place: string): boolean {
  return path === place || path.endsWith(` > ${place}`);
}
