// Generates calls of every cell of tables, for tests of exports. Each label that the tables distinguish occurs as the
// label of the conversation, with and without a person. The arguments meet or fail the conditions of the lines.

import {
  beginIn,
  type Conversation,
  canonicalizeArguments,
  checkRecord,
  type IndexedTables,
  type JsonRecord,
  listConditions,
  renderPlainArguments,
} from "../../../../engine/lib/policy/index.ts";
import type { Label } from "../../../../engine/lib/wire/generated/policy.ts";
import { collectCells, type ExportedCell } from "../cells.ts";

export interface Question {
  readonly conversation: Conversation;
  readonly tool: string;
  readonly arguments: string;
  readonly record: JsonRecord;
}

/**
 * Number of questions from one selected question to the next. The questions between them are skipped, because the
 * questions of one cell are similar.
 */
const APART = 41;

/**
 * Yields one of every `APART` questions about the tables; `first` determines which of them. Then yields, for each
 * row, a question about the call of `scene`.
 */
export function* someQuestions(
  tables: IndexedTables,
  scene: { readonly call: Pick<Question, "tool" | "arguments">; readonly label: Label; readonly unattended: boolean },
  first: number,
): Generator<Question> {
  let at = first;
  for (const question of everyQuestion(tables)) if (at++ % APART === 0) yield question;
  for (const [index, row] of tables.rows.entries()) {
    const { label, unattended } = scene;
    const question = questionOf(tables, { ...beginIn(row, index), label, unattended }, scene.call);
    if (question !== undefined) yield question;
  }
}

export function* everyQuestion(tables: IndexedTables): Generator<Question> {
  for (const cell of collectCells(tables)) {
    const row = tables.rows.indexOf(cell.row);
    for (const text of argumentsFor(cell))
      for (const label of labelsOf(tables))
        for (const unattended of [false, true]) {
          const conversation = { ...beginIn(cell.row, row), label, unattended };
          const question = questionOf(tables, conversation, { tool: cell.tool.name, arguments: text });
          if (question !== undefined) yield question;
        }
  }
}

/** Returns the question for engines, or `undefined` if the tables lack the row or the tool, or the arguments do not fit the tool. */
export function questionOf(
  tables: IndexedTables,
  conversation: Conversation,
  call: { readonly tool: string; readonly arguments: string },
): Question | undefined {
  const tool = tables.tools.find(({ name }) => name === call.tool);
  const record = recordOf(call.arguments);
  if (tool === undefined || tables.rows[conversation.row] === undefined) return undefined;
  if (record === undefined) return undefined;
  return checkRecord(tool.params, record) === undefined ? { conversation, ...call, record } : undefined;
}

/** Returns the arguments as a record, or `undefined` if the text is not valid arguments. */
function recordOf(text: string): JsonRecord | undefined {
  const read = canonicalizeArguments(text);
  return read.ok ? read.value.value : undefined;
}

/** Returns every pair of a confidentiality and an integrity, once with no compartment and once with all. */
function labelsOf({ lattice }: IndexedTables): readonly Label[] {
  const every = (1n << BigInt(lattice.compartments.length)) - 1n;
  return lattice.confidentiality.flatMap((_, confidentiality) =>
    lattice.integrity.flatMap((__, integrity) =>
      [...new Set([0n, every])].map((compartments) => ({ confidentiality, integrity, compartments })),
    ),
  );
}

/**
 * Texts to append to a folder or text in a condition. The resulting paths are equal to the folder, in the folder,
 * beside the folder, or unusual.
 */
const AROUND = ["", "/", "/x", "//x", "/../x", "x", "?x"];

export function argumentsFor({ tool, list }: ExportedCell): readonly string[] {
  const plain = renderPlainArguments(tool.params);
  const found = new Set([plain]);
  for (const { path, literals } of listConditions(list)) {
    const [name = "", ...deeper] = path;
    if (deeper.length > 0 || !tool.params.some((param) => param.name === name)) continue;
    for (const literal of literals)
      for (const value of around(literal)) found.add(JSON.stringify({ ...JSON.parse(plain), [name]: value }));
  }
  return [...found];
}

function around(
  literal: ExportedCell["list"]["clauses"][number]["conditions"][number]["literals"][number],
): readonly unknown[] {
  switch (literal.which) {
    case "text":
      return AROUND.flatMap((more) => [`${literal.text}${more}`, `.${literal.text}${more}`]);
    case "parameter":
      return [];
    case "boolean":
      return [true, false];
    case "decimal": {
      const number = Number(literal.decimal);
      const texts = number >= 0 && number <= 4096 ? [-1, 0, 1].map((more) => "é".repeat((number + more) / 2)) : [];
      return [
        number - 1,
        number,
        number + 1,
        literal.decimal,
        `${literal.decimal}.01`,
        `0${literal.decimal}`,
        ...texts,
      ];
    }
  }
}
