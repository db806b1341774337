// The Berkeley Function Calling Leaderboard's cases of one call (PyPI `bfcl-eval`, Apache-2.0). These cases are never used for
// training, and are not in this repository. BFCL's functions become our tools, and BFCL's possible answers become the
// expected calls.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isList, isRecord, type Json, type JsonRecord, renderCanonicalJson } from "../../../lib/policy/index.ts";
import type { ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
import { callOf } from "../local/grammar/answers.ts";
import { createMessage } from "../training/groups.ts";
import type { Case } from "./cases.ts";
import type { PossibleCall } from "./possible.ts";

export const BFCL_SETS = ["simple", "multiple", "irrelevance"] as const;
type BfclSet = (typeof BFCL_SETS)[number];

const FILES: Readonly<Record<BfclSet, string>> = {
  simple: "BFCL_v4_simple_python.json",
  multiple: "BFCL_v4_multiple.json",
  irrelevance: "BFCL_v4_irrelevance.json",
};

interface BfclCases {
  /** Cases whose right call can be written in the grammar of the model worker, and cases whose right answer is text. */
  readonly cases: readonly Case[];
  /** Number of all cases in the published set, with those that `cases` leaves out. */
  readonly published: number;
}

/**
 * Reads the cases. `folder` is the folder `data` of the Python package `bfcl_eval`. Throws if a file differs from the
 * published one.
 */
export function readBfclCases(set: BfclSet, folder: string): BfclCases {
  const answers = set === "irrelevance" ? undefined : readLines(join(folder, "possible_answer", FILES[set]));
  const published = readLines(join(folder, FILES[set])).map((line, index) => parseCase(line, answers?.[index]));
  return { cases: published.filter(isSpelled), published: published.length };
}

export function readLines(path: string): readonly JsonRecord[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => record(JSON.parse(line)));
}

export function record(value: Json | undefined): JsonRecord {
  if (value === undefined || !isRecord(value)) throw new Error("BFCL: a record was expected");
  return value;
}

export function list(value: Json | undefined): readonly Json[] {
  if (value === undefined || !isList(value)) throw new Error("BFCL: a list was expected");
  return value;
}

function parseCase(line: JsonRecord, answer: JsonRecord | undefined): Case {
  const [turn] = list(line["question"]);
  const { content } = record(list(turn).at(-1));
  return {
    tools: list(line["function"]).map((each) => convertTool(record(each))),
    messages: [createMessage("user", `${content}`)],
    wanted: answer === undefined ? { kind: "words" } : parsePossible(answer),
  };
}

function parsePossible({ ground_truth: truth }: JsonRecord): PossibleCall {
  const [first] = list(truth);
  const [[name, given] = ["", null]] = Object.entries(record(first));
  const options = Object.entries(record(given)).map(([key, values]) => [key, list(values)] as const);
  return { kind: "possible", name, options: Object.fromEntries(options) };
}

export function convertTool({ name, description, parameters }: JsonRecord): ToolDescriptor {
  return {
    name: `${name}`,
    description: `${description}`,
    interfaceId: 0n,
    methodName: "",
    paramSchema: renderCanonicalJson(convertSchema(record(parameters))),
    permission: "auto",
    category: "",
  };
}

const TYPES: Readonly<Record<string, string>> = { dict: "object", float: "number", tuple: "array" };

/**
 * Returns a schema with Python's type names replaced by JSON's. A type that means `any` stays unchanged, and the
 * grammar does not support it.
 */
function convertSchema({ type, description, enum: options, items, properties, required }: JsonRecord): JsonRecord {
  const kind = TYPES[`${type}`] ?? `${type}`;
  const said = typeof description === "string" ? { description } : {};
  if (kind === "array")
    return { ...said, type: kind, ...(isRecord(items ?? null) && { items: convertSchema(record(items)) }) };
  if (kind !== "object") return { ...said, type: kind, ...(options !== undefined && { enum: options }) };
  if (properties === undefined || !isRecord(properties)) return { ...said, type: kind };
  const members = Object.entries(properties).map(([key, each]) => [key, convertSchema(record(each))] as const);
  const needed = required !== undefined && isList(required) ? required : [];
  return {
    ...said,
    additionalProperties: false,
    properties: Object.fromEntries(members),
    required: needed,
    type: kind,
  };
}

function isSpelled({ tools, wanted }: Case): boolean {
  if (wanted.kind !== "possible") return true;
  return tools.some((tool) => tool.name === wanted.name && callOf(tool).length > 0);
}
