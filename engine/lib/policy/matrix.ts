// Renders the tables for people: every row and tool with the advertised mode, the strictest mode that arguments can cause, and the
// decision for plain arguments. The golden of an example and the gate's `/policy decisions` contain these lines.
import type { Param, Type, TypeForm } from "../wire/generated/policy.ts";
import { renderCanonicalJson } from "./canonical-json.ts";
import { beginIn, type Conversation } from "./conversation.ts";
import { decide } from "./decide.ts";
import type { Json } from "./json-reader.ts";
import { chooseAdvertisedMode, computeStrictestMode } from "./mode.ts";
import type { Sources } from "./sources.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

const HEADER = ["session", "task", "phase", "worker", "tool", "advertised", "strictest", "decided", "rule"];
const NONE = "-";

/**
 * Returns a header, and one tab-separated line for each row and tool: its modes, and the decision about a call with the
 * smallest arguments. `sources` are the sources of a conversation that has read nothing yet; if they are absent,
 * conditions on the source of an argument are unknown.
 */
export function renderDecisionMatrix(tables: IndexedTables, sources?: Sources): readonly string[] {
  const lines = tables.rows.flatMap((_, row) =>
    tables.tools.map((__, tool) => renderDecisionLine(tables, { row, tool }, sources)),
  );
  return [HEADER.join("\t"), ...lines];
}

/** Indexes of a row and a tool that the tables have. */
interface Cell {
  readonly row: number;
  readonly tool: number;
}

/** Returns the line of the decision matrix for one cell. */
export function renderDecisionLine(tables: IndexedTables, { row, tool }: Cell, sources?: Sources): string {
  const at = tables.rows[row];
  if (at === undefined) return "";
  const place = [at.session, at.task, at.phase, at.worker].map((part) => part || NONE);
  return [...place, ...describeCell(tables, { ...beginIn(at, row), sources }, tool)].join("\t");
}

function describeCell(tables: IndexedTables, conversation: Conversation, index: number): readonly string[] {
  const tool = tables.tools[index];
  if (tool === undefined) return [];
  const list = tables.decisions[(tables.rows[conversation.row]?.cells[index] ?? 0) - FIRST_DECISION];
  const advertised = list ? chooseAdvertisedMode(list, conversation) : NONE;
  const strictest = list ? computeStrictestMode(list, conversation) : NONE;
  const decision = decide(tables, conversation, { tool: tool.name, arguments: renderPlainArguments(tool.params) });
  const answer = decision.kind === "gated" ? decision.gate : decision.outcome;
  const rule = decision.rule === undefined ? NONE : (tables.rules[decision.rule]?.words ?? NONE);
  return [tool.name, advertised, strictest, answer, rule];
}

/** Returns the smallest arguments that fit: required ones only, each of them empty, zero, false or the first choice. */
export function renderPlainArguments(params: readonly Param[]): string {
  return renderCanonicalJson(makePlainRecord(params));
}

function makePlainRecord(params: readonly Param[]): Json {
  const required = params.filter((param) => param.required);
  return Object.fromEntries(required.map(({ name, type }) => [name, makePlainValue(type)]));
}

/** The smallest JSON value of each form; the content of such values is not checked. */
export const PLAIN_OF_FORM: Readonly<Record<TypeForm, Json>> = { any: null, object: {}, list: [] };

function makePlainValue(type: Type): Json {
  switch (type.which) {
    case "boolean":
      return false;
    case "integer":
      return Number(type.integer.low > 0n ? type.integer.low : type.integer.high < 0n ? type.integer.high : 0n);
    case "number":
      return 0;
    case "text":
      return "";
    case "choice":
      return type.choice[0] ?? "";
    case "list":
      return [];
    case "record":
      return makePlainRecord(type.record);
    case "json":
      return PLAIN_OF_FORM[type.json.form];
    case "either":
      return type.either[0] === undefined ? null : makePlainValue(type.either[0]);
  }
}
