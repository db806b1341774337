import {
  type Admission,
  admit,
  type ChosenValues,
  type Conversation,
  enterPhase,
  findLabel,
  findParameters,
  type IndexedTables,
  indexChosen,
  join,
  type Label,
  openConversation,
  openTask,
  parseTaskArguments,
  readJson,
  renderTaskUsage,
  type Sources,
} from "../../../engine/lib/policy/index.ts";
import {
  addResult,
  createQuestionIndex,
  createStrengthTest,
  viewSources,
} from "../../../engine/lib/provenance/index.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { bug, findNearest } from "../../../lang/diagnostics/index.ts";

/** A question about one call in a conversation. Sessions, tasks and tools have the names that the page gives them. */
export interface Question {
  readonly session: string;
  /** Name of a task of the session; absent if the call is not in a task. */
  readonly task?: string;
  readonly phase?: string;
  /** Values of the task's parameters, as a person types them after `/task NAME`; absent if they are unknown. */
  readonly values?: string;
  readonly tool: string;
  /** Arguments as JSON text; if absent, the smallest arguments that fit. */
  readonly arguments?: string;
  /**
   * Label of the data that the conversation has read, such as `secret:{hr}/untrusted`. It is joined with the start
   * label of the session.
   */
  readonly label?: string;
  readonly unattended?: boolean;
  /** Texts that are in the conversation. If absent, conditions on sources cannot be evaluated. */
  readonly heard?: Heard;
}

/** Texts of the conversation before the call, for conditions with `from`. */
export interface Heard {
  /** Text that the person typed. */
  readonly typed?: string;
  readonly pasted?: string;
  /**
   * A tool, and its result as JSON text. The result has the highest label that results of this tool can have, and raises the label of the
   * conversation to it.
   */
  readonly result?: { readonly tool: string; readonly json: string };
}

/**
 * Returns the conversation in which the call of a question is made. All gates before its task and phase have been
 * passed.
 */
export function createConversation(tables: IndexedTables, question: Question): Result<Conversation> {
  const opened = openPlace(tables, question);
  if (!opened.ok) return opened;
  const { value: conversation } = opened;
  const seen = question.label === undefined ? conversation.label : parseLabel(tables, question.label);
  if (seen === undefined)
    return { ok: false, reason: `${question.label} is no label of this page; ${describeLabelForm(tables)}` };
  const unattended = question.unattended ?? false;
  const before = { ...conversation, label: join(conversation.label, seen), unattended };
  const { result } = question.heard ?? {};
  const tool = result === undefined ? undefined : findTool(tables, result.tool);
  if (tool?.ok === false) return tool;
  const admitted = tool === undefined ? { conversation: before, withheld: false } : admit(tables, before, tool.value);
  const sources = question.heard === undefined ? accept(undefined) : listen(tables, question.heard, admitted);
  if (!sources.ok) return sources;
  return accept({ ...admitted.conversation, sources: sources.value });
}

/** A result that was read before the call, and the labels of the conversation before and after it. */
export interface ReadResult {
  readonly tool: string;
  readonly before: Label;
  readonly after: Label;
  /** Whether the result is above the clearance of the session, so that the model does not get it. */
  readonly withheld: boolean;
}

/** Returns the labels before and after the result that a question names; `undefined` if it names none. */
export function describeReadResult(tables: IndexedTables, question: Question): ReadResult | undefined {
  const { result, ...others } = question.heard ?? {};
  const tool = result === undefined ? undefined : findTool(tables, result.tool);
  const before = createConversation(tables, { ...question, heard: others });
  if (result === undefined || tool?.ok !== true || !before.ok) return undefined;
  const { conversation, withheld } = admit(tables, before.value, tool.value);
  return { tool: result.tool, before: before.value.label, after: conversation.label, withheld };
}

/** Returns the index of the tool of a result. */
function findTool({ toolIndex }: IndexedTables, name: string): Result<number> {
  const index = toolIndex.get(name);
  return index === undefined ? refuse(`a result is of a tool, and the page has no tool named ${name}`) : accept(index);
}

/**
 * Returns the sources of the given texts, or `undefined` if no line has a condition on sources. Fails if the result is
 * not a valid result of the tool. A withheld result adds no source, because the model does not get it.
 */
function listen(
  tables: IndexedTables,
  { typed, pasted, result }: Heard,
  { withheld }: Pick<Admission, "withheld">,
): Result<Sources | undefined> {
  const heard = result === undefined ? accept(undefined) : readResult(tables, result);
  if (!heard.ok) return heard;
  const index = createQuestionIndex(tables);
  if (index === undefined) return accept(undefined);
  if (typed !== undefined) index.add({ which: "person" }, typed);
  if (pasted !== undefined) index.add({ which: "pasted" }, pasted);
  if (heard.value !== undefined && !withheld) addResult(index, heard.value);
  return accept(viewSources(index, createStrengthTest(tables)));
}

function readResult(
  tables: IndexedTables,
  { tool, json }: NonNullable<Heard["result"]>,
): Result<Parameters<typeof addResult>[1]> {
  const index = findTool(tables, tool);
  if (!index.ok) return index;
  const value = readJson(json);
  if (!value.ok) return refuse(`the result of ${tool} cannot be read as JSON: ${value.reason}`);
  const { provider, result } = tables.tools[index.value] ?? bug("the index of tools names no tool");
  return accept({ tool, service: provider, integrity: result.high.integrity, value: value.value, arguments: {} });
}

function openPlace(tables: IndexedTables, { session, task, phase, values }: Question): Result<Conversation> {
  if (task === undefined) {
    const conversation = openConversation(tables, session);
    if (conversation === undefined)
      return { ok: false, reason: `nobody can be in a session ${session}; ${suggestSession(tables, session)}` };
    return phase === undefined
      ? { ok: true, value: conversation }
      : { ok: false, reason: "a phase is of a task: name both" };
  }
  const chosen = readValues(tables, { session, task, values });
  if (!chosen.ok) return chosen;
  const begun = openTask(tables, session, task, chosen.value);
  if (!begun.ok) return begun;
  const { conversation } = begun.value;
  if (phase === undefined || tables.rows[conversation.row]?.phase === phase) return { ok: true, value: conversation };
  const entered = enterPhase(tables, conversation, phase);
  return entered.ok ? { ok: true, value: entered.value.conversation } : entered;
}

/** Returns the values of a task's parameters, or `undefined` if the question has none. Fails if they do not fit the parameters. */
function readValues(
  tables: IndexedTables,
  { session, task, values }: { readonly session: string; readonly task: string; readonly values: string | undefined },
): Result<ChosenValues | undefined> {
  const parameters = findParameters(tables, session, task);
  if (values === undefined || parameters === undefined) return accept(undefined);
  const chosen = parseTaskArguments(parameters, values);
  if (chosen.ok) return accept(indexChosen(chosen.value));
  return refuse(`${chosen.reason}; the task is begun by ${renderTaskUsage(task, parameters)}`);
}

function suggestSession({ rows }: IndexedTables, wrong: string): string {
  const names = [...new Set(rows.map(({ session }) => session))];
  const near = findNearest(wrong, names);
  return near === undefined ? `there are ${names.join(", ")}` : `did you mean ${near}?`;
}

/** Returns the form in which a page writes labels. */
function describeLabelForm({ lattice: { confidentiality, compartments, integrity } }: IndexedTables): string {
  const sets = compartments.length === 0 ? "" : `, with sets of {${compartments.join(", ")}}`;
  return `one is written LEVEL, LEVEL:{SETS} or LEVEL/TRUST: ${confidentiality.join(" < ")}${sets}, ${integrity.join(" < ")}`;
}

/**
 * Returns the label of `level`, `level:{set, set}` or `level/integrity`. Without an integrity, the label has the
 * highest integrity, which changes nothing in a join.
 */
function parseLabel({ lattice }: IndexedTables, text: string): Label | undefined {
  const [, level = "", sets = "", trust] = /^([\w-]+)(?::\{([\w\s,-]*)\})?(?:\/([\w-]+))?$/.exec(text) ?? [];
  const names = sets.split(",").flatMap((name) => name.trim() || []);
  const integrity = trust ?? lattice.integrity.at(-1) ?? "";
  return findLabel(lattice, { confidentiality: level, integrity, compartments: names });
}
