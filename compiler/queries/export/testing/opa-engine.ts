// Runs the real engine of OPA with the module that OPA's own compiler built. The comment at the beginning of the module
// describes the form of the requests.

import { readFileSync } from "node:fs";
import { loadPolicy } from "@open-policy-agent/opa-wasm";
import { type IndexedTables, listCompartments } from "../../../../engine/lib/policy/index.ts";
import { placeName } from "../cells.ts";
import { exportRego } from "../rego/rego.ts";
import { ANSWERS, type Answer } from "./answers.ts";
import type { Question } from "./questions.ts";

const MODULE = await loadPolicy(readFileSync(new URL("./opa/decision.wasm", import.meta.url)));

/** Returns an engine with the tables. After this call, earlier engines cannot be used, because all share one module. */
export function opaEngine(tables: IndexedTables): {
  readonly ask: (asked: Question) => Answer;
  readonly evaluate: (input: object) => Answer;
} {
  const [, data] = exportRego(tables).files;
  MODULE.setData(JSON.parse(data?.text ?? ""));
  const evaluate = (input: object) => answerOf(MODULE.evaluate(input));
  return { ask: (asked) => evaluate(inputOf(tables, asked)), evaluate };
}

/** Returns OPA's answer, with every kind of refusal as `refused`. Throws if the result is not an answer. */
function answerOf([first]: readonly { readonly result?: unknown }[]): Answer {
  const result = first?.result;
  if (result === "unknownTool" || result === "refusedByPolicy") return "refused";
  const found = ANSWERS.find((answer) => answer === result);
  if (found === undefined) throw new Error(`OPA answers ${JSON.stringify(result)}`);
  return found;
}

export function inputOf(tables: IndexedTables, { conversation, tool, record }: Question): object {
  const row = tables.rows[conversation.row];
  const { label, unattended } = conversation;
  const { confidentiality, integrity } = tables.lattice;
  return {
    place: row === undefined ? "" : placeName(row),
    tool,
    arguments: record,
    unattended,
    label: {
      confidentiality: confidentiality[label.confidentiality],
      integrity: integrity[label.integrity],
      compartments: listCompartments(tables.lattice, label.compartments),
    },
  };
}
